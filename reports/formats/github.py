"""Annotations of GitHub Actions: workflow commands that put findings beside the lines of a change.

    ::error file=src/a.c,line=7,col=5,title=Data race::Write of 4 bytes ...

GitHub shows ten annotations of a level and step: the others are plain lines, which
the log keeps. What the baseline has is a notice. No text of a report begins a command of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from irsan.reports.derived.view import FindingView, view_of
from irsan.reports.formats.service_facts import cut_in_words, is_known, main_place
from irsan.reports.model.report import Report

MAX_OF_A_LEVEL: Final = 10
MAX_MESSAGE_CHARS: Final = 4000  # of the 64 KiB that one annotation may have
_LEVELS: Final = {"error": "error", "warning": "warning", "note": "notice"}
_OLD_COMMAND: Final = "##["  # the runner looks for it anywhere in a line


def report_to_github(report: Report) -> str:
    """Commands and plain lines."""
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: Report) -> Iterator[str]:
    shown: Counter[str] = Counter()
    n_left = 0
    for each in view_of(report).findings:
        level = "notice" if is_known(each) else _LEVELS[each.level]
        if shown[level] < MAX_OF_A_LEVEL:
            shown[level] += 1
            yield _command(each, level)
        else:
            n_left += 1
            yield f"irsan: {_plain(f'{main_place(each)}: {each.message}')}"
    told = cut_in_words(report)
    if n_left:
        told.append(f"{n_left} findings are in the log only: GitHub shows {MAX_OF_A_LEVEL} a level")
    if told:
        yield f"::notice title=irsan::{_data(chr(10).join(told))}"


def _command(each: FindingView, level: str) -> str:
    place = main_place(each)
    facts = {"title": each.rule.name}
    if not place.is_outside:
        numbers = {"line": place.line, "col": place.column, "endColumn": place.end_column}
        known = {name: str(number) for name, number in numbers.items() if number}
        facts = {"file": place.path, **known, **facts}
    words = ",".join(f"{name}={_property(value)}" for name, value in facts.items())
    return f"::{level} {words}::{_data(_message(each))}"


def _message(each: FindingView) -> str:
    others = [f"{related.words}: {related.place}" for related in each.related]
    replay = [each.replay] if each.replay else []
    return "\n".join([each.message, *others, each.help, *replay])[:MAX_MESSAGE_CHARS]


def _plain(text: str) -> str:
    return text.replace(_OLD_COMMAND, "# #[")


def _data(text: str) -> str:
    escaped = _plain(text).replace("%", "%25").replace("\r", "%0D")
    return escaped.replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
