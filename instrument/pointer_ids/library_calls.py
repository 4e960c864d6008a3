"""Library functions: the ranges that they touch, and what they do to pointers in memory.

    memcpy(d, s, n)       [d, d + n) and [s, s + n) are checked, pointers are copied
    strlen(s)             at least one byte of s is read
    posix_memalign(p, ..) *p is a new block

Their implementations are native or replaced, so what they are passed is checked where they are
called.  Functions not named here are passed what they want; their pointers count as exposed.
"""

from __future__ import annotations

from typing import NamedTuple


class Range(NamedTuple):
    """Argument `pointer` leads to as many bytes as argument `size` says; -1: to one at least.

    is_shown: they leave the program, and may come back as numbers.
    times: argument that says how often as many bytes; -1: once.
    """

    pointer: int
    size: int = -1
    is_write: bool = False
    is_shown: bool = False
    times: int = -1


def _reads(*pointers: int) -> tuple[Range, ...]:
    return tuple([Range(pointer) for pointer in pointers])


_COPY = (Range(0, 2, True), Range(1, 2))
_STRING_COPY = (Range(0, -1, True), Range(1))
RANGES: dict[str, tuple[Range, ...]] = {
    **dict.fromkeys(("memcpy", "memmove", "mempcpy"), _COPY),
    "memset": (Range(0, 2, True),),
    "bzero": (Range(0, 1, True),),
    **dict.fromkeys(("memcmp", "bcmp"), (Range(0, 2), Range(1, 2))),
    "memchr": (Range(0),),
    **dict.fromkeys(("strlen", "strchr", "strrchr", "strdup", "atoi", "atol", "puts"), _reads(0)),
    **dict.fromkeys(("strcmp", "strstr", "strcasecmp", "strspn", "strcspn"), _reads(0, 1)),
    **dict.fromkeys(("strcpy", "strcat", "stpcpy"), _STRING_COPY),
    **dict.fromkeys(("write", "pwrite", "pwrite64", "send"), (Range(1, 2, is_shown=True),)),
    **dict.fromkeys(("fwrite", "fwrite_unlocked"), (Range(0, 1, is_shown=True, times=2),)),
}
"""Ranges by the name of the function."""

COPIES = frozenset(("memcpy", "memmove", "mempcpy"))
FILLS = {"memset": 2, "bzero": 1}
NEW_BLOCKS = {"posix_memalign": 0, "asprintf": 0, "vasprintf": 0, "getline": 0, "getdelim": 0}
"""Functions that store the address of a new block where an argument points."""
_DEALLOCATION = ("free", "realloc", "cfree", "reallocarray", "_ZdlPv", "_ZdaPv")
HIDING = frozenset((*RANGES, *_DEALLOCATION))


def exposes(name: str) -> bool:
    """Whether a library function may show its pointers to the program as numbers."""
    return name not in HIDING and not name.startswith(_DEALLOCATION)
