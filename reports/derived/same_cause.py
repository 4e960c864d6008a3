"""Findings with one cause: one bug of the program makes a library fail in many places.

    the same two places     the program's own frames of both sides of a race, or of a use and the
                            free before it, when at least one side fails inside a library
    the same two calls      of functions that keep data in the C library, whoever has made them
    the same freed object   uses of one freed block, whoever has found them

Where the program's own code is all there is, other places are other findings.  What has the very
same stacks as another one is not even counted.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace

from irsan.reports.model.locations import LibraryState
from irsan.reports.model.report import Finding, HeapRegion, OdrPair, Stack, UndefinedCheck

_FREED = "heap-use-after-free"
_Places = tuple[tuple[str, str, int], ...]


class SameCause:
    """Which of the findings reported so far has the cause of a new one."""

    def __init__(self) -> None:
        self._told: dict[Hashable, int] = {}

    def number_of(self, finding: Finding, number: int) -> int:
        """Number of the finding to count a new one with: `number`, its own, when it is alone."""
        keys = [*_causes(finding)]
        found = next((self._told[key] for key in keys if key in self._told), number)
        for key in keys:
            self._told.setdefault(key, found)
        return found


def counted(first: Finding, another: Finding) -> Finding:
    """The first finding of a cause, with one more counted."""
    kinds = dict.fromkeys((*first.other_kinds, another.kind))
    others = tuple(kind for kind in kinds if kind != first.kind)
    return replace(first, count=first.count + another.count, other_kinds=others)


def equal_stacks_key(finding: Finding) -> Hashable:
    """What two findings of one run share when they are the same: exact places, not just lines.

    An unrolled loop is one place, so the pc counts only where the source does not say.
    """
    own = [stack for stack in finding.stacks if stack.role in ("access", "previous")]
    sides = [
        tuple((f.function, f.file, f.line, f.column, 0 if f.line else f.pc) for f in stack.frames)
        for stack in own or finding.stacks
        if stack.role != "injected"
    ]
    is_subject = isinstance(finding.details, (OdrPair, UndefinedCheck))
    subject = finding.details if is_subject else None
    return finding.tool, finding.kind, tuple(sorted(sides)), subject


def _causes(finding: Finding) -> Iterator[Hashable]:
    if finding.tool not in ("ThreadSanitizer", "AddressSanitizer"):
        return
    pair = _pair(finding)
    if pair is not None and any(map(_fails_in_library, pair)):
        sides = sorted(map(_own_places, pair))
        if all(sides):
            yield "pair", *sides
    freed = finding.stack("free")
    for location in finding.locations:
        if isinstance(location, LibraryState) and pair is not None:
            yield "state", location.functions, *sorted(_own_places(side)[:1] for side in pair)
        if isinstance(location, HeapRegion) and freed is not None and _FREED in finding.kind:
            yield "freed", location.region_lo, location.region_hi, freed.frames


def _pair(finding: Finding) -> tuple[Stack, Stack] | None:
    """The two sides of a race, or a use of freed memory and its free."""
    access = finding.stack("access")
    other = finding.stack("previous")
    if other is None and finding.kind == _FREED:
        other = finding.stack("free")
    return None if access is None or other is None else (access, other)


def _fails_in_library(stack: Stack) -> bool:
    frames = (frame for frame in stack.frames if not frame.interceptor)
    return any(frame.library for frame in list(frames)[:1])


def _own_places(stack: Stack) -> _Places:
    return tuple(
        (f.function, f.file, f.line) for f in stack.frames if not (f.library or f.interceptor)
    )
