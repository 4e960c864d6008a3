"""Words of the table of system calls, read letter by letter: the ranges of one call.

    naive_steps("w1=*12", 3, arguments, ...)  ->  [("write", arguments[1], 36)]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from irsan.runtime.layout.libc_layout import SIZES

Step = tuple[str, int, int]


def naive_steps(
    word: str,
    result: int,
    arguments: Sequence[int],
    word_at: Callable[[int], int],
    length_at: Callable[[int], int],
) -> list[Step]:
    """Ranges of a word; `word_at` reads 8 bytes of memory, `length_at` gives a string's length."""
    kind, addr, rest = "read" if word[0] == "r" else "write", arguments[int(word[1])], word[2:]
    if addr == 0:
        return []
    if rest == "s":
        return [(kind, addr, length_at(addr) + 1)]
    if rest == "m":
        pieces = _pieces(word_at(addr + 16), word_at(addr + 24), result, word_at)
        return [*pieces, ("write", word_at(addr + 32), word_at(addr + 40))]
    if rest[0] == "%":
        return _pieces(addr, arguments[int(rest[1])], result, word_at)
    if rest[0] == "/":
        return [(kind, addr, -(-arguments[int(rest[1])] // 4096))]
    if rest[0] == "^":
        return [(kind, addr, -(-arguments[int(rest[1])] // 64) * 8)]
    if rest[0] == ":":
        return [(kind, addr, _bytes(rest[1:]))]
    factor = _bytes((re.findall(r"\*(\w+)", rest) or ["1"])[0])
    if rest[0] == "@":
        return [(kind, addr, arguments[int(rest[1])] * factor)]
    limits = [arguments[int(number)] for number in re.findall(r"<(\d)", rest)]
    return [(kind, addr, min([result, *limits]) * factor)]


def _bytes(word: str) -> int:
    """A number, or the size of a structure of the C library (compared with headers elsewhere)."""
    if word.isdigit():
        return int(word)
    return SIZES[word] if word in SIZES else SIZES[f"struct {word}"]


def _pieces(at: int, count: int, left: int, word_at: Callable[[int], int]) -> list[Step]:
    steps: list[Step] = [("read", at, count * 16)]
    for number in range(count):
        size = min(word_at(at + 16 * number + 8), left)
        if left == 0:
            break
        steps.append(("write", word_at(at + 16 * number), size))
        left -= size
    return steps
