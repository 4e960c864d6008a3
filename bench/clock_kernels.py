"""What the order of threads costs in the kernels alone, with vector and with tree clocks.

    python bench/clock_kernels.py                  8, 64, 256 and 1000 threads
    python bench/clock_kernels.py --threads 8,64

Nanoseconds of processor time for an acquire with its release, or for an arrival at a barrier with
its departure; switching threads is subtracted.  Drives the kernels directly, so nothing of a
program's own is in it: bench/guest_clocks.py has whole programs.

    single    every thread takes the one lock, at random
    star      each client takes its own lock, thread 1 that of one client after the other
    pairwise  every thread takes in turn the locks that it shares with its two neighbours
    couples   two and two threads share a lock: hardly anything to learn
    barrier   all threads meet
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from irsan.engine.flag_options import TREES_FROM_SIDS
from irsan.runtime.kernels.race import thread_clocks
from irsan.runtime.kernels.race.sync_clocks import (
    sync_acquire,
    sync_acquire_all,
    sync_release,
    sync_release_store,
)
from irsan.runtime.kernels.threads.switching import switch_threads
from irsan.runtime.layout import memory_map, options
from tests.conftest import fresh_guest

Numbers = NDArray[np.int64]
THREADS = np.uint64(memory_map.THREADS)
STRIDE = np.uint64(memory_map.THREAD_STRIDE)
LOCKS = np.uint64(memory_map.GLOBALS_LO + 4096)
LOCK_BYTES = np.uint64(8)
NO_LOCK = -1
N_OPERATIONS = 200_000
N_WARM = 20_000
N_RUNS = 3
TREE = options.CLOCK_TREES | TREES_FROM_SIDS << options.CLOCK_SIDS_SHIFT


@numba.njit  # type: ignore[untyped-decorator]
def take_locks(ctx: Any, threads: Any, locks: Any) -> None:
    """Each thread in turn takes and releases a lock, or only runs."""
    for number in range(len(threads)):
        switch_threads(ctx, THREADS + np.uint64(threads[number]) * STRIDE)
        if locks[number] != NO_LOCK:
            addr = LOCKS + np.uint64(locks[number]) * LOCK_BYTES
            sync_acquire_all(ctx, addr)
            sync_release_store(ctx, addr)


@numba.njit  # type: ignore[untyped-decorator]
def meet(ctx: Any, n_threads: int, n_rounds: int) -> None:
    """All threads arrive, then all depart, as pthread_barrier_wait does."""
    for number in range(n_rounds):
        addr = LOCKS + np.uint64(number & 1) * LOCK_BYTES
        for is_arrival in (True, False):
            for thread in range(1, n_threads + 1):
                switch_threads(ctx, THREADS + np.uint64(thread) * STRIDE)
                if is_arrival:
                    sync_release(ctx, addr)
                else:
                    sync_acquire(ctx, addr)


def guest_with_threads(n_threads: int, clock: int) -> Any:
    """The context of a guest whose threads 1 to n all live."""
    guest = fresh_guest()
    guest.ctx["options"][options.CLOCK] = clock
    for tid in range(1, n_threads + 1):
        guest.new_thread(tid)
        thread_clocks.thread_fork(guest.ctx, memory_map.THREADS + tid * memory_map.THREAD_STRIDE)
    return guest.ctx


def sections(name: str, n_threads: int, n: int) -> tuple[Numbers, Numbers]:
    """Which thread takes which lock, one after the other."""
    rng = np.random.default_rng(1)
    turns = 1 + np.arange(n) % n_threads
    rounds = np.arange(n) // n_threads
    if name == "single":
        return rng.integers(1, n_threads + 1, n), np.zeros(n, np.int64)
    if name == "star":
        return turns, np.where(turns == 1, 2 + rounds % (n_threads - 1), turns)
    if name == "pairwise":
        return turns, turns + rounds % 2
    couples = rng.integers(0, n_threads // 2, n)
    return 1 + 2 * couples + rng.integers(0, 2, n), couples


def spent_ns(work: Callable[..., None], *arguments: Any) -> int:
    """Processor time of a call."""
    start = time.process_time_ns()
    work(*arguments)
    return time.process_time_ns() - start


def measure_locks(name: str, n_threads: int, clock: int) -> float:
    """Nanoseconds per critical section, the least of some runs."""
    threads, locks = sections(name, n_threads, N_OPERATIONS)
    least = float("inf")
    for _ in range(N_RUNS):
        ctx = guest_with_threads(n_threads, clock)
        take_locks(ctx, threads[:N_WARM], locks[:N_WARM])
        switching = spent_ns(take_locks, ctx, threads, np.full_like(locks, NO_LOCK))
        least = min(least, spent_ns(take_locks, ctx, threads, locks) - switching)
    return least / N_OPERATIONS


def measure_barrier(n_threads: int, clock: int) -> float:
    """Nanoseconds per arrival with its departure; switching is in it."""
    n_rounds = max(4, N_OPERATIONS // n_threads // 2)
    least = float("inf")
    for _ in range(N_RUNS):
        ctx = guest_with_threads(n_threads, clock)
        meet(ctx, n_threads, 4)
        least = min(least, spent_ns(meet, ctx, n_threads, n_rounds))
    return least / n_rounds / n_threads


def main() -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", default="8,64,256,1000")
    words = parser.parse_args()
    measure_locks("single", 2, 0)  # compiles
    print("| workload | threads | vector ns | tree ns | ratio |\n|---|---:|---:|---:|---:|")
    for name in ("single", "star", "pairwise", "couples", "barrier"):
        for n_threads in map(int, words.threads.split(",")):
            if name == "barrier":
                vector, tree = (measure_barrier(n_threads, clock) for clock in (0, TREE))
            else:
                vector, tree = (measure_locks(name, n_threads, clock) for clock in (0, TREE))
            print(f"| {name} | {n_threads} | {vector:.0f} | {tree:.0f} | {tree / vector:.2f} |")


if __name__ == "__main__":
    main()
