"""A schedule that fails, with as few switches as can be.

A schedule is a script: the points at which it leaves the default rule.  Switches are taken away in
ever smaller groups as long as what is left still fails; at the end none can go alone.  Without a
switch there may be a point more or fewer before the next one, so it is tried whether one can go
when those behind it come a little earlier or later.

Source: Zeller, Hildebrandt, "Simplifying and isolating failure-inducing input", TSE 2002 (ddmin,
complements only).  The shifts are ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

Pair = tuple[int, int]
Script = tuple[Pair, ...]
_SHIFTS: Final = (-1, 1, -2, 2)  # points
_MAX_SHIFTED: Final = 64  # switches of a script that is worth as many schedules
Fails = Callable[[Sequence[Script]], Iterator[bool]]


def shrunken(script: Script, fails: Fails) -> Script:
    """The script without what it does not need.

    fails: says of scripts, in their order, whether they still fail; asked for many at once
    """
    script = _without_groups(script, fails)
    while (smaller := _first_that_fails(list(_shifted(script)), fails)) is not None:
        script = _without_groups(smaller, fails)
    return script


def _without_groups(script: Script, fails: Fails) -> Script:
    """The script without groups of neighbours, until no switch can go alone."""
    size = len(script)
    while size > 0:
        candidates = [
            (*script[:start], *script[start + size :]) for start in range(0, len(script), size)
        ]
        smaller = _first_that_fails(candidates, fails)
        if smaller is not None:
            script = smaller
            size = min(size, len(script))
        else:
            size //= 2
    return script


def _shifted(script: Script) -> Iterator[Script]:
    """The script without one switch, and those behind it at other points, still in order."""
    for at in range(len(script) - 1 if len(script) <= _MAX_SHIFTED else 0):
        before = script[at - 1][0] if at else 0
        for shift in _SHIFTS:
            behind = tuple((point + shift, slot) for point, slot in script[at + 1 :])
            if behind[0][0] > before:
                yield (*script[:at], *behind)


def _first_that_fails(candidates: Sequence[Script], fails: Fails) -> Script | None:
    """The first of several scripts that still fails, None when none does."""
    for candidate, still_fails in zip(candidates, fails(candidates), strict=True):
        if still_fails:
            return candidate
    return None
