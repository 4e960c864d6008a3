"""Rust programs with an error each, and clean ones that use std: each as it says.

Skipped where there is no rustc, or one with a newer LLVM. One in six is run; IRSAN_PART=all runs
all of them. The first run of a machine instruments what the programs use of std.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from irsan.engine.cache import open_cache
from irsan.engine.producers.rust import find_rustc
from tests.support.irsan_runs import is_in_part
from tests.support.produced_programs import problems_of, read_produced, why_missing

FOLDER = Path(__file__).parents[2] / "produced" / "rust"
PROGRAMS = sorted(FOLDER.glob("*.rs"))
_PARTS = 6


WHY_NOT = why_missing(lambda: find_rustc(Path("x.rs"), os.environ, open_cache(os.environ)))


def test_the_programs_are_there() -> None:
    clean = [path for path in PROGRAMS if path.stem.endswith("_ok")]
    assert len(clean) >= 10
    assert len(PROGRAMS) - len(clean) >= 10
    assert all(bool(read_produced(path).expected) != (path in clean) for path in PROGRAMS)


@pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)
@pytest.mark.parametrize(
    "path",
    [path for number, path in enumerate(PROGRAMS) if is_in_part(number, _PARTS)],
    ids=lambda path: path.stem,
)
def test_a_program_is_judged_as_it_says(path: Path) -> None:
    assert problems_of(read_produced(path), os.environ) == []
