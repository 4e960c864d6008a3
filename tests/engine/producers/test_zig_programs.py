"""Zig programs with an error each, and clean ones: each as it says. Skipped without a zig.

std is compiled with each, which takes 20 seconds, so one program is run (`in_part`; IRSAN_PART=all:
every one): the race first, in which threads, the heap and a report meet.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from irsan.engine.producers.zig import VARIABLE, find_zig
from irsan.errors import UsageError
from tests.support.irsan_runs import in_part
from tests.support.produced_programs import problems_of, read_produced, why_missing

FOLDER = Path(__file__).parents[2] / "produced" / "zig"
FIRST = "race"
PROGRAMS = sorted(FOLDER.glob("*.zig"), key=lambda path: (path.stem != FIRST, path.stem))


WHY_NOT = why_missing(lambda: find_zig(Path("x.zig"), os.environ))


@pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)
@pytest.mark.parametrize("path", in_part(PROGRAMS, len(PROGRAMS)), ids=lambda path: path.stem)
def test_a_program_is_judged_as_it_says(path: Path) -> None:
    assert problems_of(read_produced(path), os.environ) == []


def test_a_zig_that_is_named_must_be_there() -> None:
    with pytest.raises(UsageError, match="IRSAN_ZIG: no-such-zig: no such command"):
        find_zig(Path("x.zig"), {VARIABLE: "no-such-zig", "PATH": ""})
