"""Inputs that were damaged on the way: bytes changed, cut, doubled, moved, numbers made huge."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

_NUMBER = re.compile(rb"\d+")
_HUGE = (b"0", b"-1", b"4294967296", b"18446744073709551616", b"9" * 400, b"1e999")


def mutants(seeds: Sequence[bytes], count: int, draw: int = 0) -> Iterator[bytes]:
    """`count` inputs, each a damaged one of `seeds`; the same ones for the same `draw`."""
    source = random.Random(draw)
    for _ in range(count):
        content = source.choice(seeds)
        for _ in range(source.choice((1, 1, 1, 2, 5))):
            content = source.choice(_CHANGES)(content, source)
        yield content


def _flip(content: bytes, source: random.Random) -> bytes:
    at = source.randrange(len(content) + 1)
    return content[:at] + bytes([source.randrange(256)]) + content[at + 1 :]


def _cut(content: bytes, source: random.Random) -> bytes:
    return content[: source.randrange(len(content) + 1)]


def _part(content: bytes, source: random.Random) -> tuple[int, int]:
    at = source.randrange(len(content) + 1)
    return at, at + source.choice((1, 3, 8, 40, 400))


def _leave_out(content: bytes, source: random.Random) -> bytes:
    at, end = _part(content, source)
    return content[:at] + content[end:]


def _double(content: bytes, source: random.Random) -> bytes:
    at, end = _part(content, source)
    return content[:end] + content[at:end] * source.choice((1, 2, 50)) + content[end:]


def _move(content: bytes, source: random.Random) -> bytes:
    at, end = _part(content, source)
    rest = content[:at] + content[end:]
    to = source.randrange(len(rest) + 1)
    return rest[:to] + content[at:end] + rest[to:]


def _other_number(content: bytes, source: random.Random) -> bytes:
    found = list(_NUMBER.finditer(content))
    if not found:
        return _flip(content, source)
    one = source.choice(found)
    return content[: one.start()] + source.choice(_HUGE) + content[one.end() :]


def _noise(content: bytes, source: random.Random) -> bytes:
    at = source.randrange(len(content) + 1)
    return content[:at] + source.randbytes(source.choice((1, 4, 64))) + content[at:]


_CHANGES = (_flip, _flip, _cut, _leave_out, _double, _move, _other_number, _noise)
