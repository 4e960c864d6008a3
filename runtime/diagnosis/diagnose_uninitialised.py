"""From a use of an uninitialised value to the report model.

    origin word   0                 nothing is known
                  STACK_BIT | site  a variable: the site's expression is its name
                  n                 the record's chain: stores, then the heap block or variable
                  MISSING_USE       no use, where the program has said that one would come

Reads ctx.fault (runtime/layout/faults.py): [6] the origin word, [8] the range that a library
function read, [9] its size, [10] the offset of the byte in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from irsan.reports.model.locations import HeapRegion, Location, WildAddress
from irsan.reports.model.report import Access, Finding, Frame, Role, Stack, UninitialisedUse
from irsan.runtime import arena
from irsan.runtime.diagnosis.describe import Places, describe_address
from irsan.runtime.layout import uninit_layout as ul
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.views.thread_facts import threads_of

KIND = "use-of-uninitialized-value"
_CREATORS = {
    ul.HEAP: "a heap allocation",
    ul.FREED: "a heap deallocation",
    ul.OWN_BLOCK: "a call of __msan_allocated_memory",
    ul.POISONED: "a call of __msan_poison",
    ul.FIELDS: "the end of an object's members",
    ul.CLASS_POINTER: "the end of an object's class",
}
MISSING = "missing-use-of-uninitialized-value"
_GIVEN_BACK = (ul.FREED, ul.FIELDS, ul.CLASS_POINTER)
_MAX_CHAIN = 1000


def is_uninitialised_fault(ctx: Any) -> bool:
    """Whether the fault in the Context is one this module explains."""
    return int(ctx["fault"][0]) == FaultKind.UNINITIALISED


def diagnose_uninitialised(
    places: Places,
    site_to_frames: Callable[[int], tuple[Frame, ...]],
    routine_name: Callable[[int], str],
    *,
    fatal: bool = True,
) -> Finding:
    """The finding for UNINITIALISED in ctx.fault; `fatal`: the program is stopped by it."""
    ctx = places.ctx
    fault = [int(word) for word in ctx["fault"]]
    address, size, _, stack_id, tid, origin = fault[1:7]
    thread = f"T{tid}"
    frames = places.stack_to_frames(stack_id)
    created_by, origin_stacks = origin_story(places, site_to_frames, thread, origin)
    function = routine_name(int(ctx["routine"])) if fault[8] else ""
    if function and len(frames) > 1:
        frames = frames[1:]  # as natively: the call is to blame, and the function is named
    threads = threads_of(ctx, {tid})
    return Finding(
        tool="MemorySanitizer",
        kind=MISSING if origin == ul.MISSING_USE else KIND,
        thread=thread,
        access=Access("read", size, address, thread) if address else None,
        stacks=(Stack("access", thread, frames), *origin_stacks),
        locations=_locations(places, address, size),
        threads=tuple(known.facts for known in threads),
        details=UninitialisedUse(
            created_by, function, fault[10], fault[8] if function else 0,
            fault[9] if function else 0,
        ),
        address=address or None,
        pc=frames[0].pc if frames else 0,
        fatal=fatal or origin == ul.MISSING_USE,
    )  # fmt: skip


def _locations(places: Places, address: int, size: int) -> tuple[Location, ...]:
    """The object that the bytes belong to, if they belong to one."""
    place = describe_address(places, address, size).location if address else None
    is_outside = isinstance(place, HeapRegion) and place.relation != "inside"
    return () if place is None or is_outside or isinstance(place, WildAddress) else (place,)


def origin_story(
    places: Places, site_to_frames: Callable[[int], tuple[Frame, ...]], thread: str, word: int
) -> tuple[str, tuple[Stack, ...]]:
    """What the value with an origin word was created by, and the stacks of its way, newest
    first."""
    stacks: list[Stack] = []
    for kind, stack_id, at in origin_chain(word):
        if kind == 0:
            frames = site_to_frames(at & ~ul.STACK_BIT)
            name = frames[0].expression if frames else ""
            created = (
                f"an allocation of '{name}' in the stack frame"
                if name
                else ("an allocation in the stack frame")
            )
            plain = tuple(_without_expression(frame) for frame in frames)
            return created, (*stacks, Stack("allocation", thread, plain))
        frames = places.stack_to_frames(stack_id)
        if kind in _CREATORS:
            role: Role = "free" if kind in _GIVEN_BACK else "allocation"
            return _CREATORS[kind], (*stacks, Stack(role, thread, frames))
        stacks.append(Stack("store-origin", thread, frames, subject=len(stacks)))
    return "", tuple(stacks)


def origin_chain(word: int) -> Iterator[tuple[int, int, int]]:
    """(kind, stack id, origin word) from the newest step to the first; kind 0: a variable."""
    for _ in range(_MAX_CHAIN):
        if word & ul.STACK_BIT:
            yield 0, 0, word
            return
        if word <= ul.NATIVE or word >= ul.MAX_RECORDS:
            return
        first, second = arena.view_words(ul.RECORDS + word * ul.RECORD_BYTES, 2).tolist()
        yield first & 0xFFFF_FFFF, first >> 32, word
        word = second & 0xFFFF_FFFF


def _without_expression(frame: Frame) -> Frame:
    return Frame(
        frame.function, frame.file, frame.line, frame.column, frame.pc, frame.module,
        frame.module_offset,
    )  # fmt: skip
