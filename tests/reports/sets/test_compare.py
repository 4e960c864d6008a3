"""Findings of two reports paired: new, unchanged, moved, fixed."""

from __future__ import annotations

from dataclasses import replace

from irsan.reports.derived.view import view_of
from irsan.reports.model.fingerprints import CAUSE, EXACT, TEXT, numbered, numbered_name
from irsan.reports.model.report import Finding, Fingerprint, Frame
from irsan.reports.sets.compare import Comparison, compare
from tests.reports import samples


def finding(
    exact: str, text: str = "", cause: str = "", line: int = 9, file: str = "a.c"
) -> Finding:
    names = ((EXACT, exact), (TEXT, text or exact), (CAUSE, cause or exact))
    return replace(
        samples.MEMORY["SEGV"],
        stacks=(samples.access(Frame("f", file, line, 1)),),
        fingerprints=tuple(Fingerprint(name, value) for name, value in names),
    )


def compared(old: list[Finding], new: list[Finding], *, same_file: bool = False) -> Comparison:
    views = (view_of(samples.report(*each)).findings for each in (old, new))
    return compare(*views, same_file=same_file)


def counts(found: Comparison) -> tuple[int, int, int, int]:
    return len(found.new), len(found.fixed), len(found.moved), len(found.unchanged)


def test_the_same_report_is_unchanged() -> None:
    both = [finding("1"), finding("2")]
    assert counts(compared(both, both)) == (0, 0, 0, 2)


def test_exact_names_at_another_line_have_moved() -> None:
    assert counts(compared([finding("1")], [finding("1", line=12)])) == (0, 0, 1, 0)


def test_weaker_names_pair_what_is_left() -> None:
    old = [finding("1", "t1", "c"), finding("2", "t2", "c")]
    new = [finding("2", "t2", "c"), finding("3", "t3", "c"), finding("4", "t4", "c")]
    found = compared(old, new)
    assert counts(found) == (1, 0, 1, 1)
    assert [pair.name for pair in found.moved] == [CAUSE]
    assert found.new[0].id == "4"


def test_within_a_file_only() -> None:
    old, new = [finding("1", "t", "c", file="a.c")], [finding("2", "t", "c", file="b.c")]
    assert counts(compared(old, new)) == (0, 0, 1, 0)
    assert counts(compared(old, new, same_file=True)) == (1, 1, 0, 0)


def test_empty_names_pair_nothing() -> None:
    old = replace(finding("1"), fingerprints=(Fingerprint(EXACT, "1"), Fingerprint(TEXT, "")))
    new = replace(finding("2"), fingerprints=(Fingerprint(EXACT, "2"), Fingerprint(TEXT, "")))
    assert counts(compared([old], [new])) == (1, 1, 0, 0)


def test_numbers_follow_the_places() -> None:
    names = numbered(["x", "y", "x", "x"], [3, 1, 1, 2])
    assert names == (numbered_name("x", 3), "y", "x", numbered_name("x", 2))
    assert len(set(names)) == 4
