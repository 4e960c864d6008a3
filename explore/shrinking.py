"""A schedule that fails, with as few switches as can be.

A schedule is a script: the points at which it leaves the default rule.  Switches are taken away in
ever smaller groups as long as what is left still fails; at the end none can go alone.

Source: Zeller, Hildebrandt, "Simplifying and isolating failure-inducing input", TSE 2002 (ddmin,
complements only).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

Pair = tuple[int, int]
Script = tuple[Pair, ...]
Fails = Callable[[Sequence[Script]], Iterator[bool]]


def shrunken(script: Script, fails: Fails) -> Script:
    """The script without what it does not need.

    fails: says of scripts, in their order, whether they still fail; asked for many at once
    """
    size = len(script)
    while size > 0:
        smaller = _without_some(script, size, fails)
        if smaller is not None:
            script = smaller
            size = min(size, len(script))
        else:
            size //= 2
    return script


def _without_some(script: Script, size: int, fails: Fails) -> Script | None:
    """The script without one group of `size` neighbours, if one can go: the first that can."""
    candidates = [
        (*script[:start], *script[start + size :]) for start in range(0, len(script), size)
    ]
    for candidate, still_fails in zip(candidates, fails(candidates), strict=True):
        if still_fails:
            return candidate
    return None
