"""What order costs in whole programs: tree against vector clocks.

    python bench/guest_clocks.py
    python bench/guest_clocks.py --threads 8,64   these numbers of threads
    python bench/guest_clocks.py --operations 50000 --runs 1

Processor time of `irsan run --sanitize thread`, minus that of the same run without operations, for
each operation: a lock with its unlock, or a barrier's wait.  The program, and what its workloads
are, stand in clock_programs/clocks.c.  Runs of the columns are interleaved, and the least time of
each is taken: what else the machine does only adds.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from processes import build_launcher, run_measured
from tools import find_compiler

PROGRAM = Path(__file__).resolve().parent / "clock_programs" / "clocks.c"
WORKLOADS = ("barrier", "single", "star", "pairwise")
CLOCKS = ("vector", "tree")
TIMEOUT_S = 300.0


def seconds(launcher: Path, clock: str, workload: str, n_threads: int, n_rounds: int) -> float:
    """Processor time of one run; RuntimeError when it fails."""
    arguments = (str(PROGRAM), workload, str(n_threads), str(n_rounds))
    words = [sys.executable, "-m", "irsan", "run", "--sanitize", "thread", *arguments]
    measured = run_measured(launcher, words, {"TSAN_OPTIONS": f"clock={clock}"}, TIMEOUT_S)
    if measured.status != 0:
        raise RuntimeError(f"{' '.join(words)} ended with {measured.status}: {measured.errors}")
    return measured.cpu_s


def nanoseconds(
    launcher: Path, workload: str, n_threads: int, n_rounds: int, runs: int
) -> list[float]:
    """Time of one operation with each form of clocks."""
    seconds(launcher, CLOCKS[0], "none", n_threads, 0)  # compiles
    worked = dict.fromkeys(CLOCKS, math.inf)
    idle = dict(worked)
    for _ in range(runs):
        for clock in CLOCKS:
            took = seconds(launcher, clock, workload, n_threads, n_rounds)
            worked[clock] = min(worked[clock], took)
            idle[clock] = min(idle[clock], seconds(launcher, clock, "none", n_threads, 0))
    return [1e9 * (worked[clock] - idle[clock]) / n_threads / n_rounds for clock in CLOCKS]


def print_table(launcher: Path, threads: Sequence[int], n_operations: int, runs: int) -> None:
    """One row per workload and number of threads."""
    print("| workload | threads | vector ns | tree ns | ratio |\n|---|---:|---:|---:|---:|")
    for workload in WORKLOADS:
        for n_threads in threads:
            n_rounds = max(1, n_operations // n_threads)
            vector, tree = nanoseconds(launcher, workload, n_threads, n_rounds, runs)
            ratio = tree / vector
            print(f"| {workload} | {n_threads} | {vector:.0f} | {tree:.0f} | {ratio:.2f} |")


def main() -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", default="8,64,256")
    parser.add_argument("--operations", type=int, default=4_000_000)
    parser.add_argument("--runs", type=int, default=3)
    words = parser.parse_args()
    threads = [int(n) for n in words.threads.split(",")]
    with tempfile.TemporaryDirectory(prefix="irsan-bench-") as folder:
        launcher = build_launcher(find_compiler(), Path(folder))
        print_table(launcher, threads, words.operations, words.runs)


if __name__ == "__main__":
    main()
