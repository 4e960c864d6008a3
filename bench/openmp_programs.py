"""The programs of tests/programs/openmp under irsan, and natively with ThreadSanitizer and Archer.

    python bench/openmp_programs.py [--threads 2,4,8] [--seeds 10] [--native clang-19] [NAMES]

irsan: each program at each number of threads and each seed; the findings must be those that the
program announces.  Native: as many runs; a racy program is found when a run reports a race, a clean
one has a false report when one does.  Archer is LLVM's libarcher.so, found beside the compiler.

Prints a line for each program that is not as it should be, and the sums.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.support.annotations import ProgramCase, discover_cases  # noqa: E402
from tests.support.irsan_runs import new_runner, results_to_problems, run_case  # noqa: E402

PROGRAMS = ROOT / "tests" / "programs" / "openmp"
NATIVE_FLAGS = ("-O1", "-g", "-w", "-fsanitize=thread", "-D_GNU_SOURCE", "-std=c11")
TIMEOUT_S = 60


@dataclass
class Counts:
    """Of one tool: runs with a report and all runs, by program."""

    reported: dict[str, int] = field(default_factory=dict)
    runs: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def note(self, name: str, n_reported: int, n_runs: int) -> None:
        """Add the runs of one program at one number of threads."""
        self.reported[name] = self.reported.get(name, 0) + n_reported
        self.runs[name] = self.runs.get(name, 0) + n_runs


def irsan_counts(cases: list[ProgramCase], threads: list[int], seeds: int) -> Counts:
    """All programs under irsan."""
    counts = Counts()
    with new_runner() as runner:
        for case in cases:
            for n_threads in threads:
                environment = {**case.environment, "OMP_NUM_THREADS": str(n_threads)}
                results = run_case_in(runner, case, environment, seeds)
                problems = results_to_problems(case, results)
                counts.wrong += [f"{case.name}, {n_threads} threads: {one}" for one in problems]
                counts.note(case.name, sum(bool(r.findings) for r in results), len(results))
    return counts


def run_case_in(runner, case, environment, seeds):  # type: ignore[no-untyped-def]
    """As run_case, with another environment."""
    from dataclasses import replace

    return run_case(runner, replace(case, environment=environment), "-O1", range(seeds))


def native_counts(
    cases: list[ProgramCase], compiler: str, threads: list[int], seeds: int
) -> Counts:
    """All programs with ThreadSanitizer and Archer."""
    counts = Counts()
    asked = [compiler, "-print-file-name=libarcher.so"]
    archer = Path(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip())
    if not archer.is_file():
        sys.exit(f"{compiler} has no libarcher.so: install LLVM's OpenMP library of its version")
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            program = Path(folder, case.path.stem)
            words = [compiler, *NATIVE_FLAGS, *case.cflags, str(case.path), "-o", str(program)]
            if subprocess.run(words, check=False).returncode:
                counts.wrong.append(f"{case.name}: does not compile natively")
                continue
            for n_threads in threads:
                found = sum(native_run(program, archer, case, n_threads) for _ in range(seeds))
                counts.note(case.name, found, seeds)
    return counts


def native_run(program: Path, archer: Path, case: ProgramCase, n_threads: int) -> bool:
    """Whether one native run reports something."""
    environment = {
        **os.environ, **case.environment, "OMP_NUM_THREADS": str(n_threads),
        "OMP_TOOL_LIBRARIES": str(archer), "TSAN_OPTIONS": "ignore_noninstrumented_modules=1",
    }  # fmt: skip
    try:
        done = subprocess.run(
            [str(program)], env=environment, capture_output=True, check=False, timeout=TIMEOUT_S
        )
    except subprocess.TimeoutExpired:
        return False
    return b"WARNING: ThreadSanitizer" in done.stderr


def print_sums(title: str, cases: list[ProgramCase], counts: Counts) -> None:
    """What a tool has found of the racy programs, and reported of the clean ones."""
    racy = [case.name for case in cases if not case.is_clean and case.name in counts.runs]
    clean = [case.name for case in cases if case.is_clean and case.name in counts.runs]
    found = [name for name in racy if counts.reported[name]]
    always = [name for name in racy if counts.reported[name] == counts.runs[name]]
    false = [name for name in clean if counts.reported[name]]
    runs = sum(counts.runs.values())
    print(
        f"{title}: {runs} runs; of {len(racy)} racy programs found {len(found)}, in every run "
        f"{len(always)}; of {len(clean)} clean ones {len(false)} with a false report"
    )
    for name in racy:
        if counts.reported[name] != counts.runs[name]:
            print(f"  {name}: found in {counts.reported[name]} of {counts.runs[name]} runs")
    for name in false:
        print(f"  {name}: false report in {counts.reported[name]} of {counts.runs[name]} runs")
    for line in counts.wrong:
        print(f"  {line}")


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--threads", default="2,4,8")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--native", default="", help="a clang with OpenMP and ThreadSanitizer")
    parser.add_argument("--no-irsan", action="store_true")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    threads = [int(word) for word in given.threads.split(",")]
    cases = [case for case in discover_cases(PROGRAMS)
             if not given.names or case.path.stem in given.names]  # fmt: skip
    if not given.no_irsan:
        print_sums("irsan", cases, irsan_counts(cases, threads, given.seeds))
    if given.native:
        counts = native_counts(cases, given.native, threads, given.seeds)
        print_sums("ThreadSanitizer with Archer", cases, counts)


if __name__ == "__main__":
    main()
