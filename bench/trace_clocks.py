"""Tree clocks against vector clocks, and the speed of every offline analysis.

    python bench/trace_clocks.py                   both tables
    python bench/trace_clocks.py --threads 8,64    these numbers of threads
    python bench/trace_clocks.py --events 1000000  longer traces

The first table computes happens-before over synthetic traces of lock operations alone, with both
clocks: nanoseconds of processor time per event, and entries of clocks read or written per event.

    single    every thread takes the one lock in turn, at random
    skewed    50 locks; a fifth of the threads acts five times as often as the others
    star      each client shares a lock with a server alone, which acts as often as one client
    server    the same, and the server comes to the lock after each client
    pairwise  one of two threads that share a lock takes it (at most 4 T pairs)
    couples   each thread shares a lock with one other: hardly anything to learn
    barrier   all threads pass one lock, and pass it again when all have

The other one runs all analyses over a mixed trace of 16 threads: millions of events per second.
"""

from __future__ import annotations

import argparse
import functools
import gc
import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irsan.traces.analyses.analysis import Analysis
from irsan.traces.catalogue import ENTRIES, make_analysis
from irsan.traces.events import Chunk, Names
from irsan.traces.kernels.operations import ACQUIRE, READ, RELEASE, WRITE

Pairs = NDArray[np.int64]
_TABLE_THREADS = (8, 16, 32, 64, 128, 256, 512, 1024)
_RUNS = 3
_LEAST_EVENTS_PER_THREAD = 1000  # or mostly the first use of each page of the tables is measured
_SEED = 1


@dataclass(frozen=True, slots=True)
class Workload:
    """Critical sections in order: an array of (thread, lock), and how many locks there are."""

    sections: Pairs
    n_locks: int


def single(rng: np.random.Generator, n_threads: int, n: int) -> Workload:
    """One lock for all."""
    threads = rng.integers(0, n_threads, n)
    return Workload(np.stack((threads, np.zeros(n, np.int64)), 1), 1)


def skewed(rng: np.random.Generator, n_threads: int, n: int) -> Workload:
    """Fifty locks, and some busy threads."""
    weights = np.where(np.arange(n_threads) < max(1, n_threads // 5), 5.0, 1.0)
    threads = rng.choice(n_threads, n, p=weights / weights.sum())
    return Workload(np.stack((threads, rng.integers(0, 50, n)), 1), 50)


def star(rng: np.random.Generator, n_threads: int, n: int) -> Workload:
    """All threads equally busy: clients at their own lock, the server 0 at one of them."""
    threads = rng.integers(0, n_threads, n)
    locks = np.where(threads == 0, rng.integers(1, n_threads, n), threads)
    return Workload(np.stack((threads, locks), 1), n_threads)


def server(rng: np.random.Generator, n_threads: int, n: int) -> Workload:
    """Clients 1 and up, each with a lock that the server 0 takes after them."""
    clients = rng.integers(1, n_threads, n // 2)
    threads = np.stack((clients, np.zeros_like(clients)), 1).ravel()
    return Workload(np.stack((threads, np.repeat(clients, 2)), 1), n_threads)


def pairwise(rng: np.random.Generator, n_threads: int, n: int) -> Workload:
    """A lock for each of many pairs; one of the two takes it."""
    n_pairs = min(n_threads * (n_threads - 1) // 2, 4 * n_threads)
    pairs = np.array([rng.choice(n_threads, 2, replace=False) for _ in range(n_pairs)])
    which = rng.integers(0, n_pairs, n)
    return Workload(np.stack((pairs[which, rng.integers(0, 2, n)], which), 1), n_pairs)


def couples(rng: np.random.Generator, n_threads: int, n: int) -> Workload:
    """Threads 2 i and 2 i + 1 take lock i by turns."""
    which = rng.integers(0, n_threads // 2, n // 2)
    threads = np.stack((2 * which, 2 * which + 1), 1).ravel()
    return Workload(np.stack((threads, np.repeat(which, 2)), 1), n_threads // 2)


def barrier(rng: np.random.Generator, n_threads: int, n: int) -> Workload:
    """Rounds in which everybody passes the lock in a random order."""
    rounds = [rng.permutation(n_threads) for _ in range(max(2, n // n_threads))]
    threads = np.concatenate(rounds)
    return Workload(np.stack((threads, np.zeros_like(threads)), 1), 1)


WORKLOADS: dict[str, Callable[[np.random.Generator, int, int], Workload]] = {
    "single": single,
    "skewed": skewed,
    "star": star,
    "server": server,
    "pairwise": pairwise,
    "couples": couples,
    "barrier": barrier,
}
# What the tree clock paper measures: speed-up of happens-before, averaged over its traces.
_PAPER_SPEED_UP = 2.97
_MOST_COST_AT_8 = 1.1


def sections_to_chunk(workload: Workload) -> Chunk:
    """An acquire and a release per critical section."""
    n = 2 * len(workload.sections)
    operations = np.tile(np.array([ACQUIRE, RELEASE], np.uint8), len(workload.sections))
    threads, locks = np.repeat(workload.sections.astype(np.int32), 2, axis=0).T
    return Chunk(1, operations, threads.copy(), locks.copy(), np.zeros(n, np.int32))


def mixed_chunk(rng: np.random.Generator, n_threads: int, n: int) -> Chunk:
    """Mostly own variables, some shared and only read, some locks; a few races."""
    threads = rng.integers(0, n_threads, n).astype(np.int32)
    own = threads * 1000 + rng.integers(0, 1000, n)
    shared = n_threads * 1000 + rng.integers(0, 500, n)
    is_shared = rng.random(n) < 0.1
    targets = np.where(is_shared, shared, own).astype(np.int32)
    is_write = rng.random(n) < np.where(is_shared, 0.0001, 0.2)
    operations = np.where(is_write, WRITE, READ).astype(np.uint8)
    starts = np.flatnonzero(rng.random(n - 1) < 0.05)
    starts = starts[np.diff(starts, prepend=-2) > 1]
    threads[starts + 1] = threads[starts]
    operations[starts], operations[starts + 1] = ACQUIRE, RELEASE
    targets[starts] = targets[starts + 1] = rng.integers(0, 50, len(starts))
    return Chunk(1, operations, threads, targets, np.zeros(n, np.int32))


def sized_names(n_threads: int, n_locks: int, n_variables: int) -> Names:
    """Name spaces of so many names, all of them empty."""
    names = Names.empty()
    nothing = np.zeros(0, np.uint8)
    names.threads.extend(np.zeros(n_threads, np.int64), nothing)
    names.locks.extend(np.zeros(n_locks, np.int64), nothing)
    names.variables.extend(np.zeros(n_variables, np.int64), nothing)
    return names


def cpu_ns_per_event(make: Callable[[], Analysis], chunk: Chunk, names: Names) -> float:
    """The best of some runs, each with a fresh analysis, its tables' growth included."""
    times = []
    for _ in range(_RUNS):
        analysis = make()
        start = time.process_time_ns()
        analysis.feed(chunk, names)
        times.append(time.process_time_ns() - start)
        del analysis
        gc.collect()
    return min(times) / len(chunk)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the first table: a workload with vectors and with trees, per event."""

    name: str
    n_threads: int
    vector_ns: float
    tree_ns: float
    vector_touched: float
    tree_touched: float

    @property
    def speed_up(self) -> float:
        return self.vector_ns / self.tree_ns

    def __str__(self) -> str:
        return (
            f"| {self.name} | {self.n_threads} | {self.vector_ns:.1f} | {self.tree_ns:.1f} "
            f"| {self.speed_up:.2f} | {self.vector_touched:.1f} | {self.tree_touched:.1f} |"
        )


def clock_row(name: str, n_threads: int, n_events: int) -> Row:
    """Measure one line of the first table."""
    n_events = max(n_events, _LEAST_EVENTS_PER_THREAD * n_threads)
    workload = WORKLOADS[name](np.random.default_rng(_SEED), n_threads, n_events // 2)
    chunk = sections_to_chunk(workload)
    names = sized_names(n_threads, workload.n_locks, 0)
    ns, touched = [], []
    for clock in ("vector", "tree"):
        analysis = make_analysis("hb", clock)
        analysis.feed(chunk, names)
        touched.append(analysis.entries_touched() / len(chunk))  # type: ignore[attr-defined]
        del analysis
        ns.append(cpu_ns_per_event(functools.partial(make_analysis, "hb", clock), chunk, names))
    return Row(name, n_threads, *ns, *touched)


def print_clocks(threads: Sequence[int], n_events: int) -> None:
    """The first table, and what follows from it."""
    print("| workload | threads | vector ns | tree ns | speed-up | vector entries | tree entries |")
    print("|---|---|---|---|---|---|---|")
    rows = []
    for name in WORKLOADS:
        for n_threads in threads:
            rows.append(clock_row(name, n_threads, n_events))
            print(rows[-1], flush=True)
    print(verdict(rows))


def verdict(rows: Sequence[Row]) -> str:
    """Where trees are as fast as the paper says, what they cost few threads, and the default."""
    fast = [f"{r.name} {r.n_threads}" for r in rows if r.speed_up >= _PAPER_SPEED_UP]
    faster = [f"{r.name} {r.n_threads}" for r in rows if 1 <= r.speed_up < _PAPER_SPEED_UP]
    few = [r.tree_ns / r.vector_ns for r in rows if r.n_threads <= 8]
    mean = math.exp(statistics.fmean(math.log(r.speed_up) for r in rows))
    lines = [
        f"trees at least {_PAPER_SPEED_UP} times as fast: {', '.join(fast) or 'nowhere'}",
        f"trees faster, but less so: {', '.join(faster) or 'nowhere'}",
        f"geometric mean of the speed-ups: {mean:.2f}, so the default is "
        + ("tree" if mean > 1 else "vector"),
    ]
    if few:
        kept = "kept" if max(few) <= _MOST_COST_AT_8 else "missed"
        lines.append(f"cost at 8 threads: {max(few):.1f} times (limit {_MOST_COST_AT_8}: {kept})")
    return "\n" + "\n".join(lines)


def print_analyses(n_events: int) -> None:
    """The last table."""
    chunk = mixed_chunk(np.random.default_rng(_SEED), 16, n_events)
    names = sized_names(16, 50, 16 * 1000 + 500)
    print("\n| analysis | clock | million events per second |")
    print("|---|---|---|")
    for name, entry in ENTRIES.items():
        for clock in ("vector", "tree") if entry.has_trees else ("vector",):
            ns = cpu_ns_per_event(functools.partial(make_analysis, name, clock), chunk, names)
            print(f"| {name} | {clock} | {1e3 / ns:.1f} |", flush=True)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--threads", default=",".join(map(str, _TABLE_THREADS)))
    parser.add_argument("--events", type=int, default=200_000)
    words = parser.parse_args()
    print_clocks([int(word) for word in words.threads.split(",")], words.events)
    print_analyses(words.events)


if __name__ == "__main__":
    main()
