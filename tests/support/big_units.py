"""C text that makes a unit one with many checks, of which not all are inlined."""

from __future__ import annotations

# Accesses of which none covers another: 20, and in a function of its own 200.
_MANY = """
#define T(n) ((volatile long *)at)[n] = 1; ((volatile long *)at)[n + 200] += 2;
#define FIVE(n) T(n) T(n + 1) T(n + 2) T(n + 3) T(n + 4)
#define MANY(n) FIVE(n) FIVE(n + 5)
"""
_FILLER = """
void fill_the_unit(void *at) {
    MANY(0) MANY(10) MANY(20) MANY(30) MANY(40) MANY(50) MANY(60) MANY(70) MANY(80) MANY(90)
}
"""


def big_unit(text: str) -> str:
    """The program `text` with that; it need not call `fill_the_unit`.

    It may use `MANY(0)`, which needs a pointer `at` to 400 longs, to make a function a big one.
    """
    return f"{_MANY}#line 1\n{text}{_FILLER}"
