"""Strings that any terminal, browser or parser may be given: what a report says is not trusted.

Names come out of debug information, messages out of the program, a whole report out of a file. A
character that is not printable (a control, a byte that is no UTF-8, half of a surrogate pair, one
that turns the direction of writing) becomes its escape, `\\x1b`; a long text is cut, and says by
how much. Lines, columns and addresses that cannot be are taken back to what a machine can have.

A renderer is given a report that is clean already (`renderers.py`): it escapes for its own format
only. JSON is the exception: it keeps everything, as escapes of its own.
"""

from __future__ import annotations

import math
from dataclasses import is_dataclass, replace
from functools import cache
from typing import Any, Final, TypeVar

from irsan.reports.formats.json_shape import field_hints, is_address
from irsan.reports.model.exploration import OutcomeFacts
from irsan.reports.model.run_facts import SourceExcerpt

MAX_TEXT_CHARS: Final = 4096  # as long as a path may be
MAX_LINE: Final = 2**31 - 1  # readers keep lines and columns in 32 bits
_MAX_ADDRESS: Final = 2**64 - 1
_MAX_COUNT: Final = 2**63 - 1
_MAX_SECONDS: Final = 1e9
_BYTES: Final = range(0xDC80, 0xDD00)  # how Python keeps bytes that are no UTF-8
_PLACE_FIELDS: Final = frozenset({"line", "column", "end_column", "first_line", "subject"})

Value = TypeVar("Value")


def printable(text: str, limit: int = MAX_TEXT_CHARS) -> str:
    """The text in one line of printable characters, at most `limit` of them and a note."""
    if len(text) > limit:
        text = f"{text[:limit]}... ({len(text) - limit} more characters)"
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else _escaped(c) for c in text)


def printable_lines(text: str) -> str:
    """A text of many lines, of any length, without a character that is not printable."""
    lines = text.split("\n")
    return "\n".join(line if line.isprintable() else _printable_line(line) for line in lines)


def cleaned(value: Value) -> Value:
    """A report, or any value of the model, that is safe to print."""
    return value if not is_dataclass(value) else _cleaned_dataclass(value)


def _escaped(character: str) -> str:
    number = ord(character)
    if number in _BYTES:
        return f"\\x{number - 0xDC00:02x}"
    return character.encode("unicode_escape").decode("ascii")


def _printable_line(line: str) -> str:
    return "".join(c if c.isprintable() or c == "\t" else _escaped(c) for c in line)


def _cleaned_excerpt(value: SourceExcerpt) -> SourceExcerpt:
    """Source keeps its tabs: columns count them as one."""
    lines = tuple(_printable_line(line[:MAX_TEXT_CHARS]) for line in value.lines)
    return replace(value, file=printable(value.file), lines=lines)


def _cleaned_outcome(value: OutcomeFacts) -> OutcomeFacts:
    """What a program has printed keeps its lines."""
    others: OutcomeFacts = _cleaned_fields(replace(value, output=""))
    return replace(others, output=printable_lines(value.output[:MAX_TEXT_CHARS]))


def _cleaned_dataclass(value: Any) -> Any:
    if isinstance(value, SourceExcerpt):
        return _cleaned_excerpt(value)
    if isinstance(value, OutcomeFacts):
        return _cleaned_outcome(value)
    return _cleaned_fields(value)


def _cleaned_fields(value: Any) -> Any:
    cls: Any = type(value)
    changed = {}
    for name, is_place, is_pointer in _fields_of(cls):
        before = getattr(value, name)
        after = _cleaned(before, is_place, is_pointer)
        if after is not before:
            changed[name] = after
    return replace(value, **changed) if changed else value


@cache
def _fields_of(cls: Any) -> tuple[tuple[str, bool, bool], ...]:
    """Name of each field, whether it is a line or another number from 0, whether an address."""
    return tuple((n, n in _PLACE_FIELDS, is_address(h)) for n, h in field_hints(cls).items())


def _cleaned(value: Any, is_place: bool, is_pointer: bool) -> Any:
    cls = type(value)
    if cls is str:
        return value if len(value) <= MAX_TEXT_CHARS and value.isprintable() else printable(value)
    if cls is int:
        return _possible_number(value, is_place, is_pointer)
    if cls is tuple:
        items = tuple(_cleaned(item, is_place, is_pointer) for item in value)
        return value if all(a is b for a, b in zip(items, value, strict=True)) else items
    if cls is float:
        return value if math.isfinite(value) and 0 <= value <= _MAX_SECONDS else 0.0
    return _cleaned_dataclass(value) if is_dataclass(value) else value


def _possible_number(value: int, is_place: bool, is_pointer: bool) -> int:
    if is_place:
        return value if 0 <= value <= MAX_LINE else 0
    if is_pointer:
        return min(max(value, 0), _MAX_ADDRESS)
    return value if -_MAX_COUNT <= value <= _MAX_ADDRESS else 0
