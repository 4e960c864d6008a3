"""A thirtieth of the annotated programs (`is_in_part`) under both engines: the same findings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from irsan.engine.commands.batch import BatchRunner
from tests.support.annotations import ProgramCase, discover_cases
from tests.support.irsan_runs import is_in_part, reported_kinds, run_case

ROOT = Path(__file__).parents[2] / "programs"
CASES = discover_cases(ROOT)
SEED = 3
_PARTS = 30


def _params() -> Iterator[object]:
    for number, case in enumerate(CASES):
        if not is_in_part(number, _PARTS):
            continue
        level = "-O1" if "-O1" in case.only_levels else case.only_levels[0]
        yield pytest.param(case, level, id=f"{case.name}{level}")


@pytest.mark.parametrize(("case", "level"), list(_params()))
def test_engines_agree(runner: BatchRunner, case: ProgramCase, level: str) -> None:
    (native,) = run_case(runner, case, level, [SEED])
    (interpreted,) = run_case(runner, case, level, [SEED], engine="interp")
    assert reported_kinds(interpreted) == reported_kinds(native)
    assert interpreted.stdout == native.stdout
    assert interpreted.exit_status == native.exit_status
