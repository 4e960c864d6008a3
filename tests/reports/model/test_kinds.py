"""The catalogue of findings: rows, names with a wildcard, its page, a program for every kind."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from irsan.reports.model.kinds import KINDS, Kind, find_kind
from irsan.reports.model.report import Tool
from irsan.runtime.flags.flag_table import FLAGS
from irsan.runtime.flags.suppressions import parse_suppressions
from tests.support.annotations import discover_cases

ROOT = Path(__file__).parents[3]
TOOLS: tuple[Tool, ...] = (
    "AddressSanitizer", "ThreadSanitizer", "LeakSanitizer", "GWP-ASan",
    "UndefinedBehaviorSanitizer", "MemorySanitizer",
)  # fmt: skip
# Found by tests of whole runs instead: no line of a program can be named for them.
SHOWN_ELSEWHERE = {
    "no progress (threads run for ever)": "tests/engine/findings/test_unending.py",
    "panic": "needs rustc: tests/produced/rust/panics.rs",
    "w-and-x-usage": "a warning: tests/engine/test_report_flags.py",
    "library-precondition": "of the checked C++ library: tests/test_stdlib_programs.py",
    "nullptr-with-offset": "older compilers check it: tests/engine/test_undefined_runs.py",
    "local-out-of-bounds": "not among the checks put in: tests/engine/test_undefined_runs.py",
    "invalid-objc-cast": "needs Objective-C: tests/engine/test_undefined_runs.py",
    "cfi-bad-type": "needs -flto: tests/engine/test_undefined_runs.py",
    "Swift access race": "needs a compiler of Swift; the same as any other tag",
}


def test_each_kind_has_one_row() -> None:
    assert len({(kind.tool, kind.text) for kind in KINDS}) == len(KINDS)
    assert all(kind.meaning for kind in KINDS)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.text)
def test_flags_and_suppressions_exist(kind: Kind) -> None:
    assert set(re.findall(r"(\w+)=", kind.flag)) <= {flag.name for flag in FLAGS}
    if kind.suppressed_by:
        assert parse_suppressions(f"{kind.suppressed_by}:name")


def test_names_stand_for_themselves_or_by_a_wildcard() -> None:
    assert find_kind("AddressSanitizer", "strncpy-param-overlap").text == "*-param-overlap"  # type: ignore[union-attr]
    assert find_kind("ThreadSanitizer", "race on Document").short == "external-race"  # type: ignore[union-attr]
    assert find_kind("ThreadSanitizer", "data race").short == "data-race"  # type: ignore[union-attr]
    assert find_kind("AddressSanitizer", "data race") is None


def test_every_kind_has_a_program_and_every_program_a_kind() -> None:
    shown, unknown = set(), set()
    for case in discover_cases(ROOT / "tests" / "programs"):
        for text in (text for wanted in case.expectations for text in wanted.kinds):
            rows = [row for tool in TOOLS if (row := find_kind(tool, text))]
            shown |= {row.text for row in rows}
            unknown |= set() if rows else {(case.name, text)}
    assert unknown == set()
    assert {row.text for row in KINDS} - shown == set(SHOWN_ELSEWHERE)
