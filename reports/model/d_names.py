"""Names of D's functions as written in the source.

    _D4core6thread8osthread6Thread5startMFNbZv     core.thread.osthread.Thread.start
    _D1h__T5twiceTiZQkFiZi                         h.twice!(...)

Source: the D language's specification, "Application Binary Interface", name mangling.
Deviations: arguments of templates and types of parameters are left out, and so is what is declared
within a function whose own parameters hold names.
"""

from __future__ import annotations

import re
from typing import Final

_START: Final = "_D"
_ENTRY: Final = "_Dmain"
_LENGTH: Final = re.compile(r"[1-9]\d*")
_TEMPLATE: Final = ("__T", "__U")
#: the type of a function with parameters that have no names, in front of what it declares
_FUNCTION: Final = re.compile(r"M?(?:[xyO]|Ng)*[FURVWY](?:N[a-m])*[^\d]*?[XYZ](?=\d)")
_MOST_NAMES: Final = 64
_LETTERS: Final = 26


def d_name(symbol: str) -> str | None:
    """The name of a D symbol in the source; None when it is not one, or a damaged one."""
    if symbol == _ENTRY:
        return "D main"
    if not symbol.startswith(_START):
        return None
    names: list[str] = []
    at = len(_START)
    while len(names) < _MOST_NAMES:
        name, after = _name_at(symbol, at)
        if not name:
            nested = _FUNCTION.match(symbol, at) if names else None
            if nested is None:
                break
            at = nested.end()
            continue
        names.append(name)
        at = after
        if name.endswith("!(...)"):
            break
    return ".".join(names) or None


def _name_at(symbol: str, at: int) -> tuple[str, int]:
    """The identifier at a place, and what is behind it; "" when there is none."""
    if symbol.startswith(_TEMPLATE, at):
        name, after = _name_at(symbol, at + len(_TEMPLATE[0]))
        return (f"{name}!(...)" if name else "", after)
    if symbol.startswith("Q", at):
        return _referred(symbol, at)
    found = _LENGTH.match(symbol, at)
    if found is None:
        return "", at
    end = found.end() + int(found[0])
    name = symbol[found.end() : end]
    if end > len(symbol):
        return "", at
    if name.startswith(_TEMPLATE):  # older releases give a template's length
        return _name_at(symbol, found.end())[0], end
    return name, end


def _referred(symbol: str, at: int) -> tuple[str, int]:
    """The identifier that stands at an earlier place, which is told in base 26."""
    distance, end = 0, at + 1
    while end < len(symbol) and symbol[end].isalpha():
        letter = symbol[end]
        end += 1
        base = "a" if letter.islower() else "A"
        distance = distance * _LETTERS + ord(letter) - ord(base)
        if letter.islower():
            break
    target = at - distance
    if not 0 < distance <= at or _LENGTH.match(symbol, target) is None:
        return "", at
    return _name_at(symbol, target)[0], end
