"""Programs with something to find: irsan and native AddressSanitizer say the same of them.

A tenth of them is compared (`in_part`; IRSAN_PART=all: every one).
What may differ, and why, is in the programs' NATIVE lines and in tests/support/comparison.py.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from irsan.engine.commands.batch import BatchRunner
from tests.support.annotations import ProgramCase
from tests.support.comparison import (
    LEVELS,
    Comparison,
    Difference,
    compare,
    compared_cases,
    reason_for,
)
from tests.support.comparison_page import page
from tests.support.irsan_runs import in_part
from tests.support.native_oracle import find_clang

CASES = compared_cases()
WANTED_BEYOND = 25


def _params() -> Iterator[object]:
    for case in in_part(CASES, 10):
        for level in LEVELS:
            if level in case.only_levels:
                group = pytest.mark.xdist_group(case.name)
                yield pytest.param(case, level, id=f"{case.name}{level}", marks=group)


@pytest.mark.skipif(find_clang() is None, reason="no clang with compiler-rt on PATH")
@pytest.mark.parametrize(("case", "level"), list(_params()))
def test_both_say_the_same(runner: BatchRunner, case: ProgramCase, level: str) -> None:
    result = compare(runner, case, level)
    assert result.n_irsan or not result.n_native, "irsan misses what the native tool finds"
    assert [one for one in result.differences if not reason_for(case, one)] == []


def test_enough_programs_go_beyond_the_native_tool() -> None:
    missed = [case for case in CASES if case.native == "miss"]
    assert len(missed) >= WANTED_BEYOND
    assert all(case.native_reason for case in missed)


def test_the_page_puts_each_difference_into_its_table() -> None:
    case = next(case for case in CASES if case.native == "miss")
    other = next(case for case in CASES if not case.native)
    missed = Difference(case.name, "-O0", "finding", "heap-buffer-overflow", "nothing")
    lost = Difference(other.name, "-O0", "finding", "nothing", "double-free")
    size = Difference(other.name, "-O1", "size", "4", "8")
    text = page(
        [
            Comparison(case, "-O0", (missed,), 1, 0),
            Comparison(other, "-O0", (lost,), 0, 1),
            Comparison(other, "-O1", (size,), 1, 1),
        ]
    )
    tables = text.split("## ")[1:]
    assert f"| {case.name} |" in tables[0] and case.native_reason in tables[0]
    assert f"| {other.name} -O0 | double-free |" in tables[1]
    assert f"| {other.name} -O1 | size | 4 | 8 |" in tables[2]
