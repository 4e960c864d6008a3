"""Races under irsan and under native ThreadSanitizer: which pairs of lines either reports.

    program --clang, ten runs--> pairs of each run \\
                                                     what only the native tool has seen
    program --irsan, ten seeds-> pairs of each seed /

A native run is one schedule of the machine's choice and an irsan seed one of our own, so neither
has to find what the other does in any single run.  What is compared is all of them together: a pair
of lines that some native run reports must be one that some seed reports.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from irsan.engine.commands.batch import BatchRunner
from tests.support.annotations import ProgramCase, discover_cases
from tests.support.irsan_runs import SEEDS, run_case
from tests.support.native_oracle import build_native, run_native, sanitizers_for

PROGRAMS = Path(__file__).parent.parent / "programs"
FOLDERS = ("race", "cpp")
N_RUNS = 10
N_AT_ONCE = 5
N_FIRST = 2
# A native run otherwise waits a second at its end for races of threads that are not joined.
NATIVE_FLAGS = "atexit_sleep_ms=20"

Pair = tuple[str, tuple[int, ...]]


def compared_races() -> list[ProgramCase]:
    """Programs with something to find, in which ThreadSanitizer is the native judge."""
    return [
        case
        for folder in FOLDERS
        for case in discover_cases(PROGRAMS / folder)
        if case.expectations
        and not case.sanitize
        and sanitizers_for(case) == ("thread",)
        and case.native != "skip"
    ]


def native_pairs(case: ProgramCase, level: str, n_runs: int = N_RUNS) -> set[Pair]:
    """What native ThreadSanitizer reports in any of `n_runs` runs.

    Raises CalledProcessError when clang refuses the program, TimeoutExpired when it does not end.
    """
    flags = ":".join(filter(None, (case.environment.get("TSAN_OPTIONS", ""), NATIVE_FLAGS)))
    quick = replace(case, environment={**case.environment, "TSAN_OPTIONS": flags})
    with tempfile.TemporaryDirectory() as folder:
        executable = Path(folder) / "program"
        build_native(case, "thread", executable, level)
        with ThreadPoolExecutor(N_AT_ONCE) as pool:  # many of them sleep most of the time
            runs = list(pool.map(lambda _: run_native(quick, executable), range(n_runs)))
    return {pair for run in runs for pair in _pairs(case, run.findings)}


def irsan_pairs(
    runner: BatchRunner, case: ProgramCase, level: str, wanted: set[Pair]
) -> set[Pair]:
    """What irsan reports at any of the first seeds: ten, fewer when `wanted` has been found."""
    found: set[Pair] = set()
    for seeds in SEEDS[:N_FIRST], SEEDS[N_FIRST:]:
        for result in run_case(runner, case, level, seeds):
            found.update(_pairs(case, result.findings))
        if found and wanted <= found:
            break
    return found


def _pairs(case: ProgramCase, findings: Sequence[Mapping[str, Any]]) -> set[Pair]:
    """(kind, lines of both accesses in order of lines); of what is no race, the kind alone."""
    found = set()
    for finding in findings:
        kind = str(finding["kind"]).split(" (")[0]
        lines = [_first_line(case, finding, role) for role in ("access", "previous")]
        found.add((kind, tuple(sorted(lines)) if kind.startswith("data race") else ()))
    return found


def _first_line(case: ProgramCase, finding: Mapping[str, Any], role: str) -> int:
    """Line of the innermost frame in the program's own file; 0 if there is none."""
    for stack in finding.get("stacks", ()):
        if stack["role"] == role:
            for frame in stack["frames"]:
                if Path(frame.get("file") or "").name == case.path.name:
                    return int(frame["line"])
    return 0
