"""Library functions byte by byte: what each one looks at, in order, and what it returns.

    memory   a function from address to byte, read as it is before the call; 0 for a byte that must
             not be touched, so that a string without an end is read up to it
    steps    ("overlap", a, n, b, m) | ("read", a, n) | ("write", a, n), in the order of the checks

A string of which the end is not found before such a byte is needed as far as the next 0 of `raw`.

Each function of `NAIVE` has the C function's arguments and returns (steps, result); results of
functions that are called natively anyway are None.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Step = tuple[Any, ...]
Answer = tuple[list[Step], int | None]


@dataclass(frozen=True, slots=True)
class Window:
    """Guest memory, one byte at a time."""

    byte: Callable[[int], int]  # 0 where none may be read
    may_read: Callable[[int], bool] = lambda _addr: True
    raw: Callable[[int], int] = lambda _addr: 0  # what memory holds

    def length(self, addr: int, limit: int = 1 << 60) -> int:
        n = 0
        while n < limit and self.byte(addr + n) != 0:
            n += 1
        return n

    def needed(self, addr: int, n: int, limit: int = 1 << 60) -> int:
        """How much of a string is read of which `n` bytes were looked at."""
        if n == 0 or self.may_read(addr + n - 1):
            return n
        while n < limit and self.raw(addr + n - 1) != 0:
            n += 1
        return n

    def scanned(self, addr: int, n: int, limit: int = 1 << 60) -> Step:
        return ("read", addr, self.needed(addr, n, limit))

    def whole(self, addr: int) -> Step:
        return self.scanned(addr, self.length(addr) + 1)


def strlen(w: Window, s: int) -> Answer:
    return [w.whole(s)], w.length(s)


def strnlen(w: Window, s: int, limit: int) -> Answer:
    n = w.length(s, limit)
    return [w.scanned(s, min(n + 1, limit), limit)], n


def strchr(w: Window, s: int, c: int) -> Answer:
    n = 0
    while w.byte(s + n) not in (0, c):
        n += 1
    return [w.scanned(s, n + 1)], s + n if w.byte(s + n) == c else 0


def strchrnul(w: Window, s: int, c: int) -> Answer:
    steps, _ = strchr(w, s, c)
    return steps, s + int(steps[0][2]) - 1


def strrchr(w: Window, s: int, c: int) -> Answer:
    places = [s + i for i in range(w.length(s) + 1) if w.byte(s + i) == c]
    return [w.whole(s)], max(places, default=0)


def strstr(w: Window, s: int, needle: int) -> Answer:
    text = [w.byte(s + i) for i in range(w.length(s))]
    wanted = [w.byte(needle + i) for i in range(w.length(needle))]
    for i in range(len(text) - len(wanted) + 1):
        if text[i : i + len(wanted)] == wanted:
            return [w.whole(needle), ("read", s, i + len(wanted))], s + i
    return [w.whole(needle), w.whole(s)], 0


def _span(w: Window, s: int, members: set[int], wanted: bool) -> int:
    n = 0
    while w.byte(s + n) != 0 and (w.byte(s + n) in members) is wanted:
        n += 1
    return n


def _members(w: Window, accepted: int) -> set[int]:
    return {w.byte(accepted + i) for i in range(w.length(accepted))}


def strspn(w: Window, s: int, accepted: int) -> Answer:
    n = _span(w, s, _members(w, accepted), True)
    return [w.whole(accepted), w.scanned(s, n + 1)], n


def strcspn(w: Window, s: int, rejected: int) -> Answer:
    n = _span(w, s, _members(w, rejected), False)
    return [w.whole(rejected), w.scanned(s, n + 1)], n


def strpbrk(w: Window, s: int, wanted: int) -> Answer:
    steps, n = strcspn(w, s, wanted)
    assert n is not None
    return steps, s + n if w.byte(s + n) else 0


def _prefix(w: Window, a: int, b: int, limit: int, fold: Callable[[int], int]) -> int:
    n = 0
    while n < limit and fold(w.byte(a + n)) == fold(w.byte(b + n)) and w.byte(a + n):
        n += 1
    return n


def _same(byte: int) -> int:
    return byte


def _folded(byte: int) -> int:
    return ord(chr(byte).lower()) if byte < 128 else byte


def _compare(w: Window, a: int, b: int, limit: int, fold: Callable[[int], int]) -> Answer:
    n = _prefix(w, a, b, limit, fold)
    size = min(n + 1, limit)
    order = fold(w.byte(a + n)) - fold(w.byte(b + n)) if n < limit else 0
    steps = [w.scanned(a, size, limit), w.scanned(b, size, limit)]
    return steps, (order > 0) - (order < 0)


def strcmp(w: Window, a: int, b: int) -> Answer:
    return _compare(w, a, b, 1 << 60, _same)


def strncmp(w: Window, a: int, b: int, limit: int) -> Answer:
    return _compare(w, a, b, limit, _same)


def strcasecmp(w: Window, a: int, b: int) -> Answer:
    return _compare(w, a, b, 1 << 60, _folded)


def strncasecmp(w: Window, a: int, b: int, limit: int) -> Answer:
    return _compare(w, a, b, limit, _folded)


def memcmp(w: Window, a: int, b: int, n: int) -> Answer:
    i = 0
    while i < n and w.byte(a + i) == w.byte(b + i):
        i += 1
    order = w.byte(a + i) - w.byte(b + i) if i < n else 0
    return [("read", a, n), ("read", b, n)], (order > 0) - (order < 0)


def memchr(w: Window, s: int, c: int, n: int) -> Answer:
    for i in range(n):
        if not w.may_read(s + i):
            break
        if w.byte(s + i) == c:
            return [("read", s, i + 1)], s + i
    return [("read", s, n)], 0


def memrchr(w: Window, s: int, c: int, n: int) -> Answer:
    places = [s + i for i in range(n) if w.byte(s + i) == c]
    return [("read", s, n)], max(places, default=0)


def memcpy(_w: Window, d: int, s: int, n: int) -> Answer:
    apart = [] if d == s else [("overlap", d, n, s, n)]
    return [*apart, ("read", s, n), ("write", d, n)], d


def memmove(_w: Window, d: int, s: int, n: int) -> Answer:
    return [("read", s, n), ("write", d, n)], d


def memset(_w: Window, d: int, _c: int, n: int) -> Answer:
    return [("write", d, n)], d


def bcopy(_w: Window, s: int, d: int, n: int) -> Answer:
    return [("read", s, n), ("write", d, n)], None


def bzero(_w: Window, d: int, n: int) -> Answer:
    return [("write", d, n)], None


def strcpy(w: Window, d: int, s: int) -> Answer:
    n = w.needed(s, w.length(s) + 1)
    return [("overlap", d, n, s, n), ("read", s, n), ("write", d, n)], d


def stpcpy(w: Window, d: int, s: int) -> Answer:
    steps, _ = strcpy(w, d, s)
    return steps, d + w.length(s)


def strncpy(w: Window, d: int, s: int, size: int) -> Answer:
    n = w.needed(s, min(w.length(s, size) + 1, size), size)
    return [("overlap", d, n, s, n), ("read", s, n), ("write", d, size)], d


def _append(w: Window, d: int, s: int, n_read: int, n_copied: int) -> Answer:
    old = w.length(d)
    steps: list[Step] = [("read", s, n_read), ("read", d, old), ("write", d + old, n_copied + 1)]
    if n_copied:
        steps.append(("overlap", d, old + n_copied + 1, s, n_read))
    return steps, d


def strcat(w: Window, d: int, s: int) -> Answer:
    n = w.needed(s, w.length(s) + 1)
    return _append(w, d, s, n, n - 1)


def strncat(w: Window, d: int, s: int, limit: int) -> Answer:
    n = w.length(s, limit)
    return _append(w, d, s, w.needed(s, min(n + 1, limit), limit), n)


def strlcpy(w: Window, d: int, s: int, size: int) -> Answer:
    wanted = w.length(s)
    n = min(wanted + 1, size)
    steps = [("overlap", d, n, s, wanted + 1), w.whole(s), ("write", d, n)]
    return steps, wanted


def strlcat(w: Window, d: int, s: int, size: int) -> Answer:
    old = w.length(d, size)
    steps, wanted = strlcpy(w, d + old, s, size - old)
    assert wanted is not None
    return [("read", d, min(old + 1, size)), *steps], old + wanted


NAIVE: dict[str, Callable[..., Answer]] = {
    name: function
    for name, function in list(globals().items())
    if callable(function) and name.startswith(("str", "stp", "mem", "bzero", "bcopy"))
}


@dataclass(frozen=True, slots=True)
class Expected:
    """The first finding of a call: "overlap" or the kind of access, facts, the first bad byte."""

    kind: str
    addr: int
    size_bytes: int
    bad: int


def first_finding(steps: list[Step], is_good: Callable[[int], bool]) -> Expected | None:
    """What a call must report when exactly the bytes with `is_good` may be touched."""
    for kind, addr, size, *other in steps:
        if kind == "overlap":
            second, second_size = other
            if size and second_size and addr < second + second_size and second < addr + size:
                return Expected("overlap", addr, size, second)
            continue
        bad = [addr + i for i in range(size) if not is_good(addr + i)]
        if bad:
            return Expected(kind, addr, size, bad[0])
    return None


def common_prefix(a: bytes, b: bytes, limit: int) -> int:
    """Bytes before the first difference or common NUL of two texts; both end in NUL."""
    n = 0
    while n < limit and a[n] == b[n] and a[n] != 0:
        n += 1
    return n
