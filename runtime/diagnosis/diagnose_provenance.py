"""From an access that its pointer's object does not allow to the report model.

    OUTSIDE    access-outside-provenance    the pointer's object, then what the address belongs to
    DIED       use-of-dead-provenance       the dead object with its stacks, then the new owner
    GUESSED    access-without-exposure      the object whose address was never shown as a number

The object is described from its own row: its memory may be another's by now.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from irsan.reports.model.report import (
    Access,
    DerivedPointer,
    Finding,
    Frame,
    HeapRegion,
    Relation,
    Stack,
)
from irsan.runtime import arena
from irsan.runtime.diagnosis.describe import Description, Places, describe_address
from irsan.runtime.diagnosis.diagnose_memory import flags_to_operation
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.records.memory import provenance_records as pr
from irsan.runtime.views.thread_facts import threads_of

_KINDS: Final = {
    pr.OUTSIDE: "access-outside-provenance",
    pr.DIED: "use-of-dead-provenance",
    pr.GUESSED: "access-without-exposure",
}
_ROW_WORDS: Final = pr.ROW_BYTES // 8
_LOW: Final = 0xFFFF_FFFF


@dataclass(frozen=True, slots=True)
class ObjectRow:
    """What the table says of one object; `born`, `died`: stack ids, of the stack's objects a site.
    """

    lo: int
    size_bytes: int
    is_alive: bool
    born: int
    born_tid: int
    died: int
    died_tid: int
    is_stack: bool

    @property
    def is_heap(self) -> bool:
        return self.lo >= memory_map.HEAP_LO and not self.is_stack


def is_provenance_fault(ctx: Any) -> bool:
    """Whether the fault in the Context is one this module explains."""
    return int(ctx["fault"][0]) == FaultKind.PROVENANCE


def read_row(addr: int) -> ObjectRow | None:
    """The object whose row lies at an address of the table; None for 0."""
    if not addr:
        return None
    words = [int(word) for word in arena.view_words(addr, _ROW_WORDS)]
    born, died = words[pr.ROW_BORN // 8], words[pr.ROW_DIED // 8]
    index = (addr - pr.OBJECTS) // pr.ROW_BYTES
    return ObjectRow(
        words[pr.ROW_LO // 8], words[pr.ROW_SIZE // 8], words[pr.ROW_STATE // 8] == pr.ALIVE,
        born & _LOW, born >> 32, died & _LOW, died >> 32,
        pr.STACK_FIRST <= index < pr.GLOBAL_FIRST,
    )  # fmt: skip


def diagnose_provenance(
    places: Places, site_to_frames: Callable[[int], tuple[Frame, ...]], *, fatal: bool = True
) -> Finding:
    """The finding in ctx.fault; `fatal`: the program is stopped by it."""
    fault = [int(word) for word in places.ctx["fault"]]
    address, size, flags, stack_id, tid, which = fault[1:7]
    mine, hit = read_row(fault[7]), read_row(fault[8])
    thread = f"T{tid}"
    described = []
    if mine is not None and mine.is_heap:
        described.append(_describe_block(places, mine, address, size))
    if mine is None or hit is not None or not described:
        described.append(describe_address(places, address, size, subject=len(described)))
    frames = places.stack_to_frames(stack_id)
    threads = threads_of(places.ctx, {tid}.union(*(place.tids for place in described)))
    return Finding(
        tool="AddressSanitizer",
        kind=_KINDS[which],
        thread=thread,
        access=Access(flags_to_operation(flags), size, address, thread),
        stacks=(
            Stack("access", thread, frames),
            *(stack for place in described for stack in place.stacks),
            *_births(mine, site_to_frames, len(described)),
            *(
                Stack(
                    "thread-creation", known.facts.thread,
                    places.stack_to_frames(known.creation_stack),
                )
                for known in threads
            ),
        ),
        locations=tuple(place.location for place in described),
        threads=tuple(known.facts for known in threads),
        details=DerivedPointer(mine.lo, mine.lo, mine.lo + mine.size_bytes) if mine else None,
        address=address,
        pc=frames[0].pc if frames else 0,
        hints=_hints(which, mine, hit, site_to_frames),
        fatal=fatal,
    )  # fmt: skip


def _describe_block(places: Places, row: ObjectRow, address: int, size: int) -> Description:
    """A block of the heap as it was when the pointer was made."""
    hi = row.lo + row.size_bytes
    relation: Relation = "inside"
    distance = address - row.lo
    if address < row.lo:
        relation, distance = "before", row.lo - address
    elif address + size > hi:
        address = max(address, hi)
        relation, distance = "after", address - hi
    region = HeapRegion(address, relation, distance, row.lo, hi, not row.is_alive)
    born = Stack("allocation", f"T{row.born_tid}", places.stack_to_frames(row.born))
    if row.is_alive:
        return Description(region, None, (born,), frozenset({row.born_tid}))
    died = Stack("free", f"T{row.died_tid}", places.stack_to_frames(row.died))
    return Description(region, None, (born, died), frozenset({row.born_tid, row.died_tid}))


def _births(
    row: ObjectRow | None, site_to_frames: Callable[[int], tuple[Frame, ...]], subject: int
) -> tuple[Stack, ...]:
    """Where a variable of the stack is declared."""
    if row is None or not row.is_stack:
        return ()
    frames = tuple(replace(frame, expression="") for frame in site_to_frames(row.born))
    return (Stack("allocation", f"T{row.born_tid}", frames, subject=subject),)


def _hints(
    which: int,
    mine: ObjectRow | None,
    hit: ObjectRow | None,
    site_to_frames: Callable[[int], tuple[Frame, ...]],
) -> tuple[str, ...]:
    said: list[str] = []
    if mine is not None:
        said.append(f"the pointer belongs to {_named(mine, site_to_frames)}.")
    if hit is not None and which == pr.GUESSED:
        what = "whose address the program has never made a number of"
        said.append(f"the address lies in {_named(hit, site_to_frames)}, {what}.")
    elif hit is not None:
        said.append(f"the address lies in another object: {_named(hit, site_to_frames)}.")
    return tuple(said)


def _named(row: ObjectRow, site_to_frames: Callable[[int], tuple[Frame, ...]]) -> str:
    where = f"[{row.lo:#014x},{row.lo + row.size_bytes:#014x})"
    dead = "" if row.is_alive else ", which is dead"
    if row.is_stack:
        frames = site_to_frames(row.born)
        name = frames[0].expression if frames else ""
        function = frames[0].function if frames else ""
        line = f" (line {frames[0].line})" if frames and frames[0].line else ""
        what = f"the variable '{name}'{line}" if name else "the memory of an alloca"
        return f"{what} of {function} {where}{dead}"
    kind = "heap block" if row.is_heap else "global variable"
    if not row.is_heap and row.lo >= memory_map.STACKS_LO:
        kind = "thread-local variable"
    return f"the {row.size_bytes}-byte {kind} {where}{dead}"
