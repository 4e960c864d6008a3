"""Ask native ASan and TSan whether the annotated programs say the truth.

    python tests/programs_check.py [--level=-O1] [PROGRAM OR FOLDER ...]

Builds each program with clang, runs it, and prints one line per disagreement. A program with a
`// NATIVE:` line is known to be judged wrongly by the native tools, and its reason is printed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support.annotations import (
    ProgramCase,
    discover_cases,
    findings_to_problems,
    parse_program,
)
from tests.support.native_oracle import (
    EXITCODE_OF_SANITIZER,
    UNDEFINED,
    NativeRun,
    build_native,
    find_clang,
    run_native,
    sanitizers_for,
)

PROGRAMS = Path(__file__).parent / "programs"


def check_case(case: ProgramCase, sanitizer: str, level: str) -> list[str]:
    """Problems of one program under one native tool (empty `sanitizer`: an ordinary build)."""
    with tempfile.TemporaryDirectory() as folder:
        executable = Path(folder) / "program"
        try:
            build_native(case, sanitizer, executable, level)
            run = run_native(case, executable)
        except subprocess.CalledProcessError as error:
            return [f"{case.name}: does not build: {error.stderr}"]
        except subprocess.TimeoutExpired:
            return [f"{case.name}: does not end"]
    return [f"[{sanitizer or 'plain'}] {text}" for text in run_to_problems(case, sanitizer, run)]


def run_to_problems(case: ProgramCase, sanitizer: str, run: NativeRun) -> list[str]:
    """Findings, output and exit status of a run, judged by the annotations."""
    if case.seeds_some and not run.findings:
        return []
    problems = findings_to_problems(case, run.findings)
    if case.is_clean and case.stdout is not None and run.stdout != case.stdout:
        problems.append(f"{case.name}: printed {run.stdout!r}, wanted {case.stdout!r}")
    if sanitizer == UNDEFINED and case.exit_status is None:
        return problems  # a program that goes on after a report ends as it would
    status = case.exit_status
    if status is None:
        status = 0 if case.is_clean else EXITCODE_OF_SANITIZER[sanitizer]
    if run.exit_status != status:
        problems.append(f"{case.name}: exit status {run.exit_status}, wanted {status}")
    return problems


def check_cases(cases: list[ProgramCase], level: str) -> int:
    """Check all, print as it goes, return the number of disagreements."""
    disagreements = 0
    for case in cases:
        if level not in case.only_levels or case.native == "skip":
            continue
        for sanitizer in (*sanitizers_for(case), *([""] if case.is_clean else [])):
            problems = check_case(case, sanitizer, level)
            if problems and case.native:
                print(f"known  {case.name}: {case.native} {case.native_reason}", flush=True)
                continue
            disagreements += bool(problems)
            print(*problems, sep="\n", end="\n" if problems else "", flush=True)
    return disagreements


def main() -> int:
    """Command line; exit status 1 when a program and a native tool disagree."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", type=Path, default=[PROGRAMS])
    parser.add_argument("--level", default="-O1")
    options = parser.parse_args()
    if find_clang() is None:
        print("no clang on PATH: nothing to compare with")
        return 2
    cases: list[ProgramCase] = []
    for path in options.paths:
        cases += discover_cases(path) if path.is_dir() else [parse_program(path)]
    disagreements = check_cases(cases, options.level)
    print(f"{len(cases)} programs, {disagreements} disagreements")
    return 1 if disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
