"""Verdicts on findings, in a file that lives in the repository: `.irsan/triage.json`.

    {"schema": "irsan-triage/1", "verdicts": [
      {"fingerprint": "58ae53b8b59b05ea", "verdict": "benign", "reason": "statistics only",
       "kind": "data-race", "place": "src/count.c", "author": "", "date": "2026-11-25",
       "expires": "2027-06-30"}]}

    bug         known and to be mended: it still fails the run
    benign      no fault for this program: hidden until it expires
    wont-fix    a fault that stays: hidden until it expires

One entry a line, sorted, so that two people's changes merge. An entry hides by the exact
fingerprint; a verdict that has expired hides nothing.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

from irsan.errors import OutputError, UsageError
from irsan.reports.atomic_file import write_atomically
from irsan.reports.model.fingerprints import numbered_name

SCHEMA: Final = "irsan-triage/1"
DEFAULT_FILE: Final = Path(".irsan") / "triage.json"
VERDICTS: Final = ("bug", "benign", "wont-fix")
_FINGERPRINT: Final = re.compile(r"[0-9a-f]{16}")
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
_MAX_NUMBER: Final = 16  # findings of one name that are distinguished


@dataclass(frozen=True, slots=True)
class Entry:
    """One verdict; dates as `2026-11-25`, `expires` empty for never (the day itself counts)."""

    fingerprint: str
    verdict: str
    reason: str
    kind: str = ""
    place: str = ""
    author: str = ""
    date: str = ""
    expires: str = ""

    def hides(self, today: datetime.date) -> bool:
        """Whether the finding is hidden on that day."""
        return self.verdict != "bug" and not self.is_expired(today)

    def is_expired(self, today: datetime.date) -> bool:
        """Whether its last day is over."""
        return bool(self.expires) and datetime.date.fromisoformat(self.expires) < today


@dataclass(frozen=True, slots=True)
class Triage:
    """All verdicts of a file by fingerprint."""

    entries: Mapping[str, Entry]

    def entry_for(self, exact: str, number: int = 1) -> Entry | None:
        """The verdict on the `number`th finding with an exact fingerprint."""
        return self.entries.get(numbered_name(exact, min(number, _MAX_NUMBER)))

    def with_entries(self, entries: Iterable[Entry]) -> Triage:
        """These verdicts in place of those on the same findings."""
        return Triage({**self.entries, **{each.fingerprint: each for each in entries}})

    def expired(self, today: datetime.date) -> tuple[Entry, ...]:
        """Verdicts that hide nothing any more."""
        return tuple(each for each in self.entries.values() if each.is_expired(today))

    def stale(self, fingerprints: Iterable[str]) -> tuple[Entry, ...]:
        """Verdicts on findings that are not among those found."""
        found = set(fingerprints)
        return tuple(each for name, each in self.entries.items() if name not in found)


def read_triage(path: Path, *, must_exist: bool = True) -> Triage:
    """The verdicts of a file. Raises UsageError, naming the entry, for a malformed one."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        if must_exist:
            raise UsageError(f"{path}: no such file of verdicts") from None
        return Triage({})
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: not JSON: {error}") from None
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        raise UsageError(f"{path}: expected a file with schema {SCHEMA!r}")
    verdicts = value.get("verdicts")
    if not isinstance(verdicts, list):
        raise UsageError(f"{path}: expected a list 'verdicts'")
    entries = [_entry(each, f"{path}: verdict {n}") for n, each in enumerate(verdicts, 1)]
    return Triage({each.fingerprint: each for each in entries})


def write_triage(path: Path, triage: Triage) -> None:
    """Write all verdicts, sorted by kind, place and fingerprint. Raises OutputError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, triage_text(triage))
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror}") from None


def triage_text(triage: Triage) -> str:
    """The file's text: one verdict a line."""
    rows = sorted(triage.entries.values(), key=lambda e: (e.kind, e.place, e.fingerprint))
    lines = [json.dumps({n: v for n, v in asdict(e).items() if v}) for e in rows]
    body = ",\n    ".join(lines)
    listed = f"[\n    {body}\n  ]" if lines else "[]"
    return f'{{\n  "schema": "{SCHEMA}",\n  "verdicts": {listed}\n}}\n'


def checked(entry: Entry, place: str) -> Entry:
    """The entry itself. Raises UsageError for a wrong verdict, date, or no reason."""
    if not _FINGERPRINT.fullmatch(entry.fingerprint):
        raise UsageError(f"{place}: expected a fingerprint of 16 hexadecimal digits")
    if entry.verdict not in VERDICTS:
        raise UsageError(f"{place}: expected a verdict of {', '.join(VERDICTS)}")
    if not entry.reason.strip():
        raise UsageError(f"{place}: expected a reason")
    for name in ("date", "expires"):
        _require_date(getattr(entry, name), f"{place}: {name}")
    return entry


def _require_date(text: str, place: str) -> None:
    if not text:
        return
    try:
        if not _DATE.fullmatch(text):
            raise ValueError
        datetime.date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"{place}: expected a date as 2026-12-31, found {text!r}") from None


def _entry(value: Any, place: str) -> Entry:
    names = {field.name for field in fields(Entry)}
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise UsageError(f"{place}: expected an object of strings")
    missing = {"fingerprint", "verdict", "reason"} - set(value)
    unknown = set(value) - names
    if missing or unknown:
        what = f"lacks {sorted(missing)}" if missing else f"has unknown {sorted(unknown)}"
        raise UsageError(f"{place}: {what}")
    return checked(Entry(**value), place)
