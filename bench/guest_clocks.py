"""What order costs in whole programs: tree against vector clocks, and a lock with its record.

    python bench/guest_clocks.py                  both tables
    python bench/guest_clocks.py --threads 8,64   these numbers of threads
    python bench/guest_clocks.py --operations 50000 --runs 1

Processor time of `irsan run --sanitize thread`, minus that of the same run without operations, for
each operation: a lock with its unlock, or a barrier's wait.  The programs, and what their workloads
are, stand in clock_programs/.  Runs of the columns are interleaved, and the least time of each is
taken: what else the machine does only adds.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path

from processes import run_measured

PROGRAMS = Path(__file__).resolve().parent / "clock_programs"
WORKLOADS = ("barrier", "single", "star", "pairwise")
CLOCKS = ("vector", "tree")
HELD = (0, 1, 4)
TIMEOUT_S = 300.0


def seconds(source: str, flags: str, arguments: Sequence[object]) -> float:
    """Processor time of one run; RuntimeError when it fails."""
    command = [sys.executable, "-m", "irsan", "run", "--sanitize", "thread", str(PROGRAMS / source)]
    words = [*command, *(str(argument) for argument in arguments)]
    measured = run_measured(words, {"TSAN_OPTIONS": flags}, TIMEOUT_S)
    if measured.status != 0:
        raise RuntimeError(f"{' '.join(words)} ended with {measured.status}: {measured.errors}")
    return measured.cpu_s


def nanoseconds(
    source: str,
    flags: Sequence[str],
    work: Sequence[object],
    empty: Sequence[object],
    n: int,
    runs: int,
) -> list[float]:
    """For each setting of the flags, the time of one of `n` operations."""
    seconds(source, flags[0], empty)  # compiles
    worked: dict[str, float] = dict.fromkeys(flags, math.inf)
    idle = dict(worked)
    for _ in range(runs):
        for each in flags:
            worked[each] = min(worked[each], seconds(source, each, work))
            idle[each] = min(idle[each], seconds(source, each, empty))
    return [1e9 * (worked[each] - idle[each]) / n for each in flags]


def print_clocks(threads: Sequence[int], n_operations: int, runs: int) -> None:
    """The table of clocks."""
    print("| workload | threads | vector ns | tree ns | ratio |\n|---|---:|---:|---:|---:|")
    flags = [f"clock={name}" for name in CLOCKS]
    for workload in WORKLOADS:
        for n_threads in threads:
            n_rounds = max(1, n_operations // n_threads)
            work, empty = (workload, n_threads, n_rounds), ("none", n_threads, 0)
            n = n_threads * n_rounds
            vector, tree = nanoseconds("clocks.c", flags, work, empty, n, runs)
            ratio = tree / vector
            print(f"| {workload} | {n_threads} | {vector:.0f} | {tree:.0f} | {ratio:.2f} |")


def print_locks(n_pairs: int, runs: int) -> None:
    """The table of locks."""
    print("| locks held | detect_deadlocks=0 ns | detect_deadlocks=1 ns |\n|---:|---:|---:|")
    flags = ["detect_deadlocks=0", "detect_deadlocks=1"]
    for n_held in HELD:
        off, on = nanoseconds("locks.c", flags, (n_held, n_pairs), (n_held, 0), n_pairs, runs)
        print(f"| {n_held} | {off:.0f} | {on:.0f} |")


def main() -> None:
    """Print both tables as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", default="8,64,256")
    parser.add_argument("--operations", type=int, default=4_000_000)
    parser.add_argument("--runs", type=int, default=3)
    words = parser.parse_args()
    print_clocks([int(n) for n in words.threads.split(",")], words.operations, words.runs)
    print()
    print_locks(words.operations, words.runs)


if __name__ == "__main__":
    main()
