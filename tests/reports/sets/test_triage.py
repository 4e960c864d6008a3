"""Verdicts: their file, their days, and what is wrong with one."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import pytest

from irsan.errors import UsageError
from irsan.reports.model.fingerprints import numbered_name
from irsan.reports.sets.triage import SCHEMA, Entry, Triage, read_triage, write_triage

NAME = "0123456789abcdef"
DAY = datetime.date(2026, 11, 25)


def entry(name: str = NAME, verdict: str = "benign", expires: str = "") -> Entry:
    return Entry(name, verdict, 'statistics "only" \u202e', "data-race", "a.c", expires=expires)


def test_there_and_back_in_a_stable_order(tmp_path: Path) -> None:
    path = tmp_path / ".irsan" / "triage.json"
    entries = [entry("f" * 16), entry(), entry("a" * 16, "bug", "2027-01-31")]
    write_triage(path, Triage({}).with_entries(entries))
    text = path.read_text()
    assert read_triage(path).entries == {each.fingerprint: each for each in entries}
    write_triage(path, Triage({}).with_entries(reversed(entries)))
    assert path.read_text() == text and text.count("\n") == 8
    assert [child.name for child in path.parent.iterdir()] == ["triage.json"]


@pytest.mark.parametrize(
    ("verdict", "expires", "hides"),
    [
        ("benign", "", True), ("wont-fix", "2026-11-25", True), ("benign", "2026-11-24", False),
        ("bug", "", False),
    ],
)  # fmt: skip
def test_what_hides(verdict: str, expires: str, hides: bool) -> None:
    assert entry(verdict=verdict, expires=expires).hides(DAY) == hides


def test_stale_expired_and_numbered() -> None:
    triage = Triage({}).with_entries([entry(expires="2020-01-01"), entry("b" * 16)])
    assert [each.fingerprint for each in triage.stale(["b" * 16])] == [NAME]
    assert [each.fingerprint for each in triage.expired(DAY)] == [NAME]
    second = Triage({}).with_entries([entry(numbered_name(NAME, 2))])
    assert second.entry_for(NAME) is None
    assert second.entry_for(NAME, 2) is not None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "expected a file with schema"),
        ({"schema": SCHEMA}, "expected a list"),
        ({"schema": SCHEMA, "verdicts": [1]}, "verdict 1: expected an object of strings"),
        ({"schema": SCHEMA, "verdicts": [{"verdict": "bug"}]}, "verdict 1: lacks"),
        ({"fingerprint": "../../etc"}, "16 hexadecimal digits"),
        ({"verdict": "fine"}, "expected a verdict of bug, benign, wont-fix"),
        ({"reason": " "}, "expected a reason"),
        ({"expires": "31.12.2026"}, "expires: expected a date"),
        ({"expires": "2026-13-01"}, "expires: expected a date"),
        ({"colour": "red"}, "unknown"),
    ],
)
def test_wrong_files_are_refused(tmp_path: Path, text: object, message: str) -> None:
    path = tmp_path / "triage.json"
    if isinstance(text, dict) and "schema" not in text:
        whole = {"fingerprint": NAME, "verdict": "bug", "reason": "why", **text}
        text = {"schema": SCHEMA, "verdicts": [whole]}
    path.write_text(text if isinstance(text, str) else json.dumps(text))
    with pytest.raises(UsageError, match=message):
        read_triage(path)
    with pytest.raises(UsageError, match="no such file"):
        read_triage(tmp_path / "none.json")
