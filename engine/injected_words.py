"""Which failures are injected: the words of `--inject`, of RunOptions.inject and of the token.

    --inject malloc=7,io,eintr     ("malloc=7", "io", "eintr")     im7ie
    --inject all                   every kind, allocations drawn

The words of RunOptions are in the order of INJECTED_KINDS, `clock` last.  The token has the first
letter of each kind; the clock's start stands in it by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from irsan.errors import UsageError
from irsan.runtime.layout.inject_words import CLOCK, INJECTED_KINDS

INJECTABLE: Final = (*INJECTED_KINDS, CLOCK)
_ALL: Final = "all"
_COUNTED: Final = "malloc"
_MAX_DIGITS: Final = 18
TOKEN: Final = "(?=[a-z])(?:m(?:[1-9][0-9]{0,17})?)?" + "".join(
    f"{kind[0]}?" for kind in INJECTED_KINDS[1:]
)
_IN_TOKEN: Final = re.compile(r"([a-z])(\d*)")


def parse_injected(text: str) -> tuple[str, ...]:
    """The words of a list with commas; `all` are all kinds. Raises UsageError for others."""
    given = [word.strip() for word in text.split(",") if word.strip()]
    words = dict.fromkeys(INJECTABLE if _ALL in given else ())
    words |= dict.fromkeys(word for word in given if word != _ALL)
    numbered = [word for word in words if word.startswith(f"{_COUNTED}=")]
    for word in words:
        if word not in INJECTABLE and not is_number(word):
            raise UsageError(
                f"--inject: {word!r} is no failure that can be injected; there are:"
                f" {', '.join(INJECTABLE)}, all, and malloc=N for the N-th allocation alone"
            )
    if len(numbered) > 1 or (numbered and _COUNTED in given):
        raise UsageError("--inject: write malloc once, or malloc=N once")
    if numbered:
        words.pop(_COUNTED, None)
    return in_order(words)


def is_number(word: str) -> bool:
    """Whether a word is malloc=N, N from 1."""
    kind, equals, number = word.partition("=")
    is_decimal = number.isascii() and number.isdecimal() and len(number) <= _MAX_DIGITS
    return kind == _COUNTED and bool(equals) and is_decimal and int(number) > 0


def in_order(words: Iterable[str]) -> tuple[str, ...]:
    """Words as RunOptions has them."""
    return tuple(sorted(words, key=lambda word: INJECTABLE.index(word.partition("=")[0])))


def failing_allocation(words: Sequence[str]) -> int:
    """The number of the only allocation that fails; 0 when it is drawn which ones do."""
    return next((int(word.partition("=")[2]) for word in words if "=" in word), 0)


def to_token(words: Sequence[str]) -> str:
    """The words as letters and numbers."""
    parts = (word.partition("=") for word in words if word != CLOCK)
    return "".join(kind[0] + str(int(number or 0) or "") for kind, _, number in parts)


def from_token(text: str) -> tuple[str, ...]:
    """The words of what TOKEN matches."""
    names = {kind[0]: kind for kind in INJECTED_KINDS}
    found = ((names[letter], number) for letter, number in _IN_TOKEN.findall(text))
    return tuple(f"{kind}={number}" if number else kind for kind, number in found)
