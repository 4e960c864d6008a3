"""`irsan report triage`: verdicts are written, or listed beside the findings of a report."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from pathlib import Path

from irsan.cli.report_commands import finding_line
from irsan.errors import UsageError
from irsan.reports.derived.root import find_root
from irsan.reports.derived.view import FindingView, view_of
from irsan.reports.printable import printable
from irsan.reports.sets.report_files import read_report
from irsan.reports.sets.triage import (
    DEFAULT_FILE,
    Entry,
    Triage,
    checked,
    read_triage,
    write_triage,
)

Said = tuple[str, str, str, str]  # verdict, reason, author, last day
_MIN_DIGITS = 6


def triage_report(
    report: Path, identifiers: Sequence[str], said: Said | None, file: Path | None, *, drop: bool
) -> tuple[str, bool]:
    """Write verdicts on findings of a report; returns what to print, and whether some are old.

    Raises UsageError for words that do not fit together, or an id that the report has not.
    """
    if bool(identifiers) != (said is not None):
        raise UsageError("a verdict needs --id, --verdict and --reason together")
    views = view_of(read_report(report)).findings
    path = file or find_root(Path()) / DEFAULT_FILE
    known = read_triage(path, must_exist=False)
    changed = known
    if said is not None:
        entries = [_entry(view, said) for view in _named(views, identifiers)]
        changed = known.with_entries(entries)
    if drop:
        stale = {each.fingerprint for each in changed.stale(view.id for view in views)}
        kept = {name: e for name, e in changed.entries.items() if name not in stale}
        changed = Triage(kept)
    if changed != known:
        write_triage(path, changed)
    today = datetime.date.today()
    old = changed.stale(view.id for view in views) or changed.expired(today)
    return "".join(f"{line}\n" for line in _lines(views, changed, today)), bool(old)


def _named(views: Sequence[FindingView], identifiers: Sequence[str]) -> list[FindingView]:
    found = []
    for text in identifiers:
        wanted = text.lower()
        matching = [view for view in views if view.id.startswith(wanted)]
        if len(wanted) < _MIN_DIGITS or len(matching) != 1:
            what = "are too few digits" if len(wanted) < _MIN_DIGITS else (
                f"begins {len(matching)} ids of the report"
            )  # fmt: skip
            raise UsageError(f"--id {printable(text, 60)}: {what}; give one whole id of it")
        found.append(matching[0])
    return found


def _entry(view: FindingView, said: Said) -> Entry:
    verdict, reason, author, expires = said
    place = view.place.path if view.place else ""
    today = datetime.date.today().isoformat()
    entry = Entry(
        view.id, verdict, reason, printable(view.rule.id), printable(place, 200), author, today,
        expires,
    )  # fmt: skip
    return checked(entry, f"verdict on {view.id}")


def _lines(views: Sequence[FindingView], triage: Triage, today: datetime.date) -> Iterator[str]:
    counts: dict[str, int] = {}
    for view in views:
        entry = triage.entry_for(view.id)
        word = "open" if entry is None else entry.verdict
        expired = entry is not None and entry.is_expired(today)
        counts[word] = counts.get(word, 0) + 1
        yield finding_line(word, view)
        if entry is not None:
            yield f"{'':10}{'EXPIRED: ' if expired else ''}{_why(entry)}"
    stale = triage.stale(view.id for view in views)
    for entry in stale:
        yield (
            f"stale     {entry.fingerprint} {printable(entry.kind)} {printable(entry.place)}\n"
            f"{'':10}{_why(entry)}"
        )
    told = [f"{n} {word}" for word, n in sorted(counts.items())]
    n_expired = len(triage.expired(today))
    yield f"SUMMARY: {', '.join([*told, f'{len(stale)} stale', f'{n_expired} expired'])}"


def _why(entry: Entry) -> str:
    by = f", {entry.author}" if entry.author else ""
    until = f", until {entry.expires}" if entry.expires else ""
    return printable(f"{entry.reason} ({entry.verdict}{by}{until})", 400)
