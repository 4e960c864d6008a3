"""Annotated programs under irsan itself: run a case at some seeds, and say what is wrong.

    case + level --BatchRunner--> one RunResult per seed --annotations--> problems, one line each
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeVar

from irsan.engine.commands.batch import BatchRunner, RunResult
from irsan.engine.options import NATIVE, RunOptions
from tests.support.annotations import ProgramCase, findings_to_problems

T = TypeVar("T")

TOOL_EXIT_STATUS = 66
SEEDS = range(10)
# How many items this part has left out while tests were collected, by the number of parts.
LEFT_TO_OTHER_PARTS: Counter[int] = Counter()
RUN_TIMEOUT_S = 60.0

_PID = re.compile(r"(?<===)\d+(?===)|(?<=pid=)\d+")
_REGISTERS = re.compile(r"(?<= values:\n)(?:\s*r\w{1,2} = 0x[0-9a-f]+)+")


def new_runner() -> BatchRunner:
    """A runner with the compiler that IRSAN_CC names, else the bundled one, never one on PATH.

    C++ runs with the native library, which is not built for each set of checks; what the checked
    one changes has tests of its own (test_stdlib_programs.py, engine/run/test_cxx_library.py).
    """
    cc = os.environ.get("IRSAN_CC") or bundled_compiler()
    from tests.support.warm_code import WarmRunner

    options = RunOptions(programs=(), cc=cc, stdlib=NATIVE)
    return WarmRunner(options, timeout_s=RUN_TIMEOUT_S)


def is_in_part(number: int, n_parts: int) -> bool:
    """Whether item `number` is run: one in `n_parts`, to keep the suite short.

    IRSAN_PART=1, 2 ... runs other parts than the first, IRSAN_PART=all everything.
    """
    part = os.environ.get("IRSAN_PART", "0")
    is_in = part == "all" or number % n_parts == int(part) % n_parts
    LEFT_TO_OTHER_PARTS.update({n_parts: not is_in})
    return is_in


def in_part(items: Sequence[T], n_parts: int) -> list[T]:
    """The items that are run now, one in `n_parts`."""
    return [item for number, item in enumerate(items) if is_in_part(number, n_parts)]


def bundled_compiler() -> str:
    """The command of the pip-installed compiler."""
    import sys

    return f"{sys.executable} -m ziglang"


def run_case(
    runner: BatchRunner, case: ProgramCase, level: str, seeds: Sequence[int] = SEEDS, **more: Any
) -> list[RunResult]:
    """One result per seed; `level` is -O0, -O1 or -O2; `more`: other fields of RunOptions."""
    changes: dict[str, Any] = {"sanitize": case.sanitize} if case.sanitize else {}
    changes |= more
    return runner.run(
        case.sources,
        seeds,
        arguments=case.args,
        environment=case.environment,
        stdin=case.stdin.encode(),
        std="c++17" if case.language == "c++" else "c11",
        cflags=("-D_GNU_SOURCE", *case.cflags),
        opt_level=int(level.removeprefix("-O")),
        **changes,
    )


def results_to_problems(case: ProgramCase, results: Sequence[RunResult]) -> list[str]:
    """What is wrong with the runs of one case: every seed by itself, then all of them together."""
    problems = []
    for result in results:
        problems += [f"seed {result.seed}: {text}" for text in _result_problems(case, result)]
    if case.seeds_some and not any(result.findings for result in results):
        problems.append(f"{case.name}: reported at none of {len(results)} seeds")
    return problems


def reported_share(results: Sequence[RunResult]) -> str:
    """How many of the seeds reported something, such as `7/10`."""
    return f"{sum(bool(result.findings) for result in results)}/{len(results)}"


def _result_problems(case: ProgramCase, result: RunResult) -> list[str]:
    if result.is_timeout:
        return [f"{case.name}: did not end within {RUN_TIMEOUT_S} s"]
    if result.report is None and case.exit_status is None:
        lines = result.stderr.strip().splitlines()
        return [f"{case.name}: no report, status {result.exit_status}: {lines[-1:]}"]
    is_quiet = not result.findings and (case.seeds_some or case.is_clean)
    problems = [] if is_quiet else findings_to_problems(case, result.findings)
    wanted = case.exit_status
    if wanted is None:
        wanted = 0 if is_quiet else TOOL_EXIT_STATUS
    if result.exit_status != wanted:
        problems.append(f"{case.name}: exit status {result.exit_status}, wanted {wanted}")
    if case.stdout is not None and result.stdout.decode(errors="replace") != case.stdout:
        problems.append(f"{case.name}: printed {result.stdout!r}, wanted {case.stdout!r}")
    return problems


def reported_kinds(result: RunResult) -> list[tuple[str, int | None]]:
    """What a run has found: kind and line of each finding, in order."""
    return [(finding["kind"], _line_of(finding)) for finding in result.findings]


def _line_of(finding: dict[str, Any]) -> int | None:
    frames = [frame for stack in finding["stacks"][:1] for frame in stack["frames"]]
    return frames[0].get("line") if frames else None


def comparable(result: RunResult) -> tuple[Any, ...]:
    """Everything that must be the same whenever a seed is run again."""
    findings = [finding["id"] for finding in result.findings]
    return stable_text(result.stderr), result.stdout, result.exit_status, findings


def stable_text(text: str) -> str:
    """Report text without process ids and, after a crash, without the values of registers."""
    return _REGISTERS.sub("", _PID.sub("PID", text))
