"""scanf's formats read with a regular expression: which arguments a call wrote to, and how much."""

from __future__ import annotations

import re
from dataclasses import dataclass

_DIRECTIVE = re.compile(r"%(\*?)(\d*)(hh|h|ll|l|)(\[\^?\]?[^\]]*\]|[a-zA-Z%])")
_SIZES = {"hh": 1, "h": 2, "": 4, "l": 8, "ll": 8}


@dataclass(frozen=True, slots=True)
class Written:
    """Argument number, conversion, and the size in bytes of a number (0: a text)."""

    argument: int
    letter: str
    n_bytes: int


def objects_written(form: str, n_assigned: int) -> list[Written]:
    """What a scanf that gave n_assigned is known to have written."""
    found: list[Written] = []
    argument, at, left = 0, 0, n_assigned
    while at < len(form) and n_assigned > 0:
        match = _DIRECTIVE.match(form, at)
        if match is None:
            if left == 0 and not form[at].isspace():
                break
            at += 1
            continue
        at = match.end()
        suppressed, _, length, letter = match.groups()
        if suppressed or letter == "%":
            if left == 0:
                break
            continue
        if letter != "n":
            if left == 0:
                break
            left -= 1
        size = _SIZES[length] if letter in "dn" else 0
        found.append(Written(argument, letter[0], size))
        argument += 1
    return found
