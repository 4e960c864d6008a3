"""`irsan report merge` and `irsan report diff`: files in, text and a decision out."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from irsan.arguments import require_known
from irsan.reports.derived.root import find_root
from irsan.reports.derived.view import FindingView, view_of
from irsan.reports.model.report import Report
from irsan.reports.printable import printable
from irsan.reports.sets.compare import Comparison, compare
from irsan.reports.sets.gate import FailOn
from irsan.reports.sets.merge import merge
from irsan.reports.sets.report_files import read_all, read_report
from irsan.reports.sets.triage import DEFAULT_FILE, Triage, read_triage

WIDTH = 300  # characters of a message in a list


def merged_report(paths: Sequence[Path], messages: TextIO) -> Report:
    """The joined report of files and folders; what could not be read is named in `messages`."""
    report = merge(read_all(paths))
    for each in report.merged:
        if each.problem:
            messages.write(f"irsan: {printable(each.file)}: {printable(each.problem, WIDTH)}\n")
    n_bad = sum(bool(each.problem) for each in report.merged)
    if n_bad:
        messages.write(f"irsan: {n_bad} of {len(report.merged)} files are no whole reports\n")
    return report


def diff_reports(
    old: Path, new: Path, form: str, fail_on: str, triage: Path | None
) -> tuple[str, bool]:
    """The difference of two reports as text, and whether a new finding fails."""
    require_known(form, ("text", "json"), "--format")
    wanted = FailOn.from_text(fail_on)
    verdicts = triage_of(triage)
    found = compare(view_of(read_report(old)).findings, view_of(read_report(new)).findings)
    today = datetime.date.today()
    hidden = {view.number for view in found.new if _is_hidden(view, verdicts, today)}
    failing = [v for v in found.new if v.number not in hidden and wanted.matches(v.finding)]
    if form == "json":
        return json.dumps(_as_object(found, hidden, failing), indent=2) + "\n", bool(failing)
    return "".join(f"{line}\n" for line in _lines(found, hidden)), bool(failing)


def triage_of(path: Path | None) -> Triage:
    """The verdicts of a file, or of the repository's own when there are some."""
    if path is not None:
        return read_triage(path)
    return read_triage(find_root(Path()) / DEFAULT_FILE, must_exist=False)


def _is_hidden(view: FindingView, verdicts: Triage, today: datetime.date) -> bool:
    entry = verdicts.entry_for(view.id)
    return entry is not None and entry.hides(today)


def _lines(found: Comparison, hidden: set[int]) -> Iterator[str]:
    for view in found.new:
        yield finding_line("triaged" if view.number in hidden else "new", view)
    for pair in found.moved:
        yield finding_line("moved", pair.new, f" (was {_place(pair.old)})")
    for view in found.fixed:
        yield finding_line("fixed", view)
    counts = [
        f"{len(found.new) - len(hidden)} new", f"{len(found.fixed)} fixed",
        f"{len(found.moved)} moved", f"{len(found.unchanged)} unchanged",
    ]  # fmt: skip
    counts += [f"{len(hidden)} triaged"] if hidden else []
    yield f"SUMMARY: {', '.join(counts)}"


def finding_line(word: str, view: FindingView, more: str = "") -> str:
    """`new  58ae53b8b59b05ea error data-race src/a.c:7:12 <message>`, safe on a terminal."""
    message = printable(view.message, WIDTH)
    rule = printable(view.rule.id)
    return f"{word:<9} {view.id} {view.level:<7} {rule} {_place(view)}{more}\n{'':10}{message}"


def _place(view: FindingView) -> str:
    return printable(str(view.place), WIDTH) if view.place else "no place"


def _as_object(
    found: Comparison, hidden: set[int], failing: Iterable[FindingView]
) -> Mapping[str, Any]:
    fails = {view.number for view in failing}
    return {
        "schema": "irsan-diff/1",
        "new": [
            {**_view(v), "fails": v.number in fails, "triaged": v.number in hidden}
            for v in found.new
        ],
        "fixed": [_view(view) for view in found.fixed],
        "moved": [
            {**_view(p.new), "old_id": p.old.id, "old_place": str(p.old.place or ""),
             "matched_by": p.name}
            for p in found.moved
        ],
        "unchanged": [_view(pair.new) for pair in found.unchanged],
    }  # fmt: skip


def _view(view: FindingView) -> dict[str, Any]:
    return {
        "id": view.id, "rule": view.rule.id, "level": view.level,
        "place": str(view.place or ""), "message": view.message,
    }  # fmt: skip
