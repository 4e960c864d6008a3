"""Markdown for a pull request or a job's summary: a table of findings, each report to unfold.

Short enough for a comment (65,536 characters). What does not fit is counted: first the reports that
can be unfolded are left out, then rows of the table. Whatever comes out of a program stands in
<code> or in a fence that it cannot close: it makes no link, no mention and no markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from irsan.reports.derived.outcomes import MAX_OUTCOMES, outcome_words, words_of
from irsan.reports.derived.view import FindingView, view_of
from irsan.reports.formats.service_facts import cut_in_words, main_place, severity
from irsan.reports.model.report import Report
from irsan.reports.text.report import default_styles, format_finding
from irsan.reports.text.style import TextStyle

MAX_CHARS: Final = 60_000
MAX_ROWS: Final = 100
MAX_REPORT_LINES: Final = 60
MAX_PLACES: Final = 50
_MAX_CELL_CHARS: Final = 400
_MAX_TABLE_CHARS: Final = 40_000
_ACTIVE: Final = re.compile(r"""[&<>"'`*_~\[\]|\\@#:$!]|(?<=[wW])\.""")
_FENCE: Final = re.compile(r"`{3,}")
_SIGNS: Final = {"critical": "🔴", "high": "🔴", "medium": "🟠", "low": "🟡"}


def report_to_markdown(report: Report) -> str:
    """The whole text."""
    views = view_of(report).findings
    text = "\n".join([_heading(report, views), "", *_schedules(report), *_table(views), ""])
    end = "\n".join(_end(report, views))
    styles = default_styles(report)
    n_unfolded = 0
    for view in views[:MAX_ROWS]:
        block = "\n".join(_details(view, styles[view.finding.tool]))
        if len(text) + len(block) + len(end) > MAX_CHARS:
            break
        text += f"\n{block}\n"
        n_unfolded += 1
    if n_unfolded < len(views):
        text += f"\n{len(views) - n_unfolded} reports are left out here.\n"
    return f"{text}\n{end}\n" if end else f"{text}\n"


def code(text: str) -> str:
    """Text that stays text: in <code>, every character that Markdown acts on as an entity."""
    shown = text if len(text) <= _MAX_CELL_CHARS else f"{text[:_MAX_CELL_CHARS]}..."
    return f"<code>{_ACTIVE.sub(lambda match: f'&#{ord(match[0])};', shown)}</code>"


def fenced(text: str) -> list[str]:
    """Lines in a fence that is longer than any in them."""
    longest = max((len(found) for found in _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return [f"{fence}text", *text.split("\n"), fence]


def story(view: FindingView) -> list[str]:
    """What to do, and the places that explain a finding, as a list."""
    advice = " ".join([*map(code, view.finding.hints), view.rule.fix])  # the catalogue's own words
    places = [f"- {code(each.words)}: {code(str(each.place))}" for each in view.related]
    return [advice, "", *places[:MAX_PLACES]]


def _heading(report: Report, views: Sequence[FindingView]) -> str:
    word = "finding" if len(views) == 1 else "findings"
    return f"### irsan: {len(views) or 'no'} {word} in {code(report.program)}"


def _schedules(report: Report) -> Iterator[str]:
    """How the schedules of an exploration have ended."""
    facts = report.exploration
    if facts is None:
        return
    yield f"{facts.n_schedules:,} schedules, {facts.n_interleavings:,} distinct interleavings"
    yield ""
    if facts.claim:
        yield code(facts.claim)
        yield ""
    yield "| Schedules | Ended with | First | Replay token |"
    yield "|---|---|---|---|"
    for one in facts.outcomes[:MAX_OUTCOMES]:
        words = (outcome_words(one), words_of(one.first), one.first.schedule)
        yield f"| {one.n_schedules:,} | {' | '.join(map(code, words))} |"
    n_more = len(facts.outcomes) - MAX_OUTCOMES
    if n_more > 0:
        yield f"| | and {n_more:,} more | | |"
    yield ""


def _table(views: Sequence[FindingView]) -> Iterator[str]:
    if not views:
        return
    yield "| | Finding | Place |"
    yield "|---|---|---|"
    n_chars = 0
    for number, view in enumerate(views):
        word = severity(view)
        seen = f" (seen {view.n_seen} times)" if view.n_seen > view.finding.count else ""
        place = code(str(main_place(view)))
        state = f" **{view.finding.baseline}**" if view.finding.baseline else ""
        row = f"| {_SIGNS[word]} {word}{state} | {code(view.message)}{seen} | {place} |"
        n_chars += len(row)
        if number == MAX_ROWS or n_chars > _MAX_TABLE_CHARS:
            yield f"| | and {len(views) - number} more | |"
            return
        yield row


def _details(view: FindingView, style: TextStyle) -> Iterator[str]:
    lines = format_finding(view.finding, style).rstrip("\n").split("\n")
    if len(lines) > MAX_REPORT_LINES:
        lines = [*lines[:MAX_REPORT_LINES], f"... {len(lines) - MAX_REPORT_LINES} more lines"]
    place = code(str(main_place(view)))
    yield f"<details><summary>{code(view.rule.name)} at {place}</summary>"
    yield ""
    yield from story(view)
    yield ""
    yield from fenced("\n".join(line[:_MAX_CELL_CHARS] for line in lines))
    yield ""
    yield f"Fingerprint {code(view.id)}"
    yield ""
    yield "</details>"


def _end(report: Report, views: Sequence[FindingView]) -> Iterator[str]:
    yield from (code(each) for each in cut_in_words(report))
    if views and views[0].replay:
        words = " ".join((views[0].replay, *report.arguments))
        yield f"Replay the first: {code(words)}"
