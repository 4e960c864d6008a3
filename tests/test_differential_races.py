"""Racy programs: what native ThreadSanitizer reports in ten runs, irsan reports at ten seeds.

A tenth of them is compared (`in_part`; IRSAN_PART=all: every one).
"""

from __future__ import annotations

import pytest

from irsan.engine.commands.batch import BatchRunner
from tests.support.annotations import ProgramCase
from tests.support.irsan_runs import in_part
from tests.support.native_oracle import find_clang
from tests.support.race_comparison import compared_races, irsan_pairs, native_pairs

LEVEL = "-O1"
CASES = [case for case in compared_races() if LEVEL in case.only_levels]


@pytest.mark.skipif(find_clang() is None, reason="no clang with compiler-rt on PATH")
@pytest.mark.parametrize("case", in_part(CASES, 10), ids=lambda case: case.name)
def test_no_pair_of_lines_is_seen_natively_alone(runner: BatchRunner, case: ProgramCase) -> None:
    native = native_pairs(case, LEVEL)
    irsan = irsan_pairs(runner, case, LEVEL, set() if case.native_reason else native)
    assert irsan
    if not case.native_reason:
        assert native or case.seeds_some, "natively nothing: the program needs a NATIVE line"
        assert native - irsan == set()


def test_enough_programs_are_compared() -> None:
    assert len(CASES) >= 60
