"""Every annotated program through irsan: each expectation at its line, and nothing else.

One test item is one program at one optimisation level: at -O1 at a quarter of ten seeds and at
seed 7, at three seeds at -O0, and at -O2, where the schedules are those of -O1 mostly, at two; at
all ten if it takes more for some to report; what has no schedules, at one, and where nothing could
run beside main, at two at -O1, as what takes its time (SEEDS: few).  Seed 7 is run once more, for
one in three of the last two kinds.  Of the programs in C all are run at -O1, a fifth at -O0 and a
fifteenth at -O2, of those in C++ half as many (`is_in_part`; IRSAN_PART=1: other ones, and other
seeds; all: every one).  The bundled compiler is used unless IRSAN_CC names another.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from irsan.engine.commands.batch import BatchRunner
from tests.support.annotations import ProgramCase, discover_cases
from tests.support.irsan_runs import (
    SEEDS,
    comparable,
    in_part,
    is_in_part,
    reported_kinds,
    reported_share,
    results_to_problems,
    run_case,
    stable_text,
)

ROOT = Path(__file__).parent / "programs"
CASES = discover_cases(ROOT)
CHECKED_TWICE = 7  # the seed that is run once more
SEEDS_AT = {
    "-O0": (0, 3, CHECKED_TWICE),
    "-O1": sorted({*in_part(SEEDS, 4), CHECKED_TWICE}),
    "-O2": (0, CHECKED_TWICE),
}
PARTS_AT = {"-O0": 5, "-O1": 1, "-O2": 15}
REPEATED_NOW = {case.name for case in in_part(CASES, 3)}
REPLAYED = ("memory/double_free", "race/counter_mutex", "race/condition_variable")


def _params() -> Iterator[object]:
    for number, case in enumerate(CASES):
        for level in case.only_levels:
            n_parts = PARTS_AT[level] * (2 if case.language == "c++" else 1)
            if "-O1" in case.only_levels and not is_in_part(number, n_parts):
                continue
            if level == "-O2" and len(case.only_levels) > 1 and case.sanitize == {"memory"}:
                continue
            group = pytest.mark.xdist_group(case.name)
            yield pytest.param(case, level, id=f"{case.name}{level}", marks=group)


def _seeds(case: ProgramCase, level: str) -> Sequence[int]:
    if not case.has_schedules:
        return (CHECKED_TWICE,)
    if not case.may_switch:
        is_once = case.seeds_few or level != "-O1"
        return (CHECKED_TWICE,) if is_once else SEEDS_AT["-O2"]
    if case.seeds_few:
        return SEEDS_AT["-O2"]
    return SEEDS if case.seeds_some else SEEDS_AT[level]


@pytest.mark.parametrize(("case", "level"), list(_params()))
def test_program(
    runner: BatchRunner,
    case: ProgramCase,
    level: str,
    record_property: pytest.RecordProperty,
) -> None:
    seeds = _seeds(case, level)
    is_repeated = case.may_switch and not case.seeds_few
    is_repeated = case.has_schedules and (is_repeated or case.name in REPEATED_NOW)
    twice = [CHECKED_TWICE] if is_repeated else []
    results = run_case(runner, case, level, [*seeds, *twice])
    results, again = results[: len(seeds)], results[len(seeds) :]
    record_property("reported", reported_share(results))
    assert results_to_problems(case, results) == []
    if not case.may_switch:
        found = {(result.exit_status, *reported_kinds(result)) for result in results}
        assert len(found) == 1, "its seeds differ: something does run beside main"
    if again:
        (before,) = [result for result in results if result.seed == CHECKED_TWICE]
        assert comparable(again[0]) == comparable(before)


@pytest.mark.parametrize("name", REPLAYED)
def test_replay_line_reproduces(runner: BatchRunner, name: str) -> None:
    (case,) = [case for case in CASES if case.name == name]
    result = next(r for r in run_case(runner, case, "-O2") if r.findings)
    match = re.search(r"^replay: irsan (.*)$", result.stderr, re.MULTILINE)
    assert match is not None, result.stderr
    answer = subprocess.run(
        [sys.executable, "-m", "irsan", *shlex.split(match[1])],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert stable_text(answer.stderr) == stable_text(result.stderr)
    assert answer.stdout.encode() == result.stdout
    assert answer.returncode == result.exit_status
