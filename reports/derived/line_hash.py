"""GitHub's name for a line: a rolling hash of the hundred characters that begin there.

    primaryLocationLineHash     "<hash>:<which of the lines with this hash>"

White space is left out, so it survives another indentation; lines inserted above do not count.

Source: src/fingerprints.ts of github/codeql-action, whose numbers these are.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

_BLOCK: Final = 100
_FACTOR: Final = 37
_MASK: Final = (1 << 64) - 1
_FIRST: Final = pow(_FACTOR, _BLOCK, 1 << 64)
_END_OF_FILE: Final = 65535


def line_hashes(text: str) -> tuple[str, ...]:
    """The name of every line of a text, the first line's first."""
    values, starts = _characters(text)
    values = [*values, _END_OF_FILE, *[0] * _BLOCK]
    names: list[str] = []
    counts: Counter[int] = Counter()
    rolling, position = 0, 0
    for start in starts:
        while position < start + _BLOCK:
            left = values[position - _BLOCK] if position >= _BLOCK else 0
            rolling = (_FACTOR * rolling + values[position] - _FIRST * left) & _MASK
            position += 1
        counts[rolling] += 1
        names.append(f"{rolling:x}:{counts[rolling]}")
    return tuple(names)


def _characters(text: str) -> tuple[list[int], list[int]]:
    """The hashed text, UTF-16 units without blanks and tabs, and where each line begins in it."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace(" ", "").replace("\t", "")
    encoded = plain.encode("utf-16-le", "surrogatepass")
    values = [int.from_bytes(encoded[i : i + 2], "little") for i in range(0, len(encoded), 2)]
    starts = [0, *(number + 1 for number, value in enumerate(values) if value == 0x0A)]
    return values, starts
