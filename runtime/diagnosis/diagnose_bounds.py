"""From an access outside the object of its pointer to the report model.

    heap     the chunk of the root, as for any overflow:  "is located 4000 bytes after 40-byte .."
    stack    the variable of the root's frame;   globals   the variable

The address is described by the object that the pointer came from, and then by what it hit: that
object is alive and innocent.  Reads ctx.fault (runtime/layout/faults.py): [6] an address in the
root's object, [7] its first byte, [8] its end, [9] not 0 when both are exact, bit 2: an array
inside it.
"""

from __future__ import annotations

from typing import Any, Final

from irsan.reports.model.names import demangled
from irsan.reports.model.report import (
    Access,
    DerivedPointer,
    Finding,
    GlobalVariable,
    HeapRegion,
    Location,
    Stack,
    StackLocation,
    ThreadStack,
)
from irsan.runtime.diagnosis.describe import Description, Places, describe_address, describe_object
from irsan.runtime.diagnosis.diagnose_memory import dump_shadow, flags_to_operation, shadow_byte
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.views.thread_facts import threads_of

_GRANULE_BYTES: Final = 8
_ALLOCA_SHADOW: Final = (0xCA, 0xCB)
_INNER: Final = 4  # bit of fault[9]


def is_bounds_fault(ctx: Any) -> bool:
    """Whether the fault in the Context is one this module explains."""
    return int(ctx["fault"][0]) == FaultKind.OBJECT_BOUNDS


def within_last_granule(ctx: Any) -> bool:
    """Whether the access leaves a heap block or a global by less than poison_partial=0 forgives."""
    address, size, _, _, _, root, lo, hi, is_exact = (int(word) for word in ctx["fault"][1:10])
    is_stack = memory_map.STACKS_LO <= root < memory_map.HEAP_LO
    if is_stack or not is_exact or is_exact & _INNER:
        return False
    return lo <= address and address + size <= -(-hi // _GRANULE_BYTES) * _GRANULE_BYTES


def diagnose_bounds(places: Places, *, fatal: bool = True) -> Finding:
    """The finding for OBJECT_BOUNDS in ctx.fault; `fatal`: the program is stopped by it."""
    fault = [int(word) for word in places.ctx["fault"]]
    address, size, flags, stack_id, tid = fault[1:6]
    root, lo, hi, is_exact = fault[6:10]
    is_inner = bool(is_exact & _INNER)
    thread = f"T{tid}"
    mine = describe_object(places, root, address, size)
    has_other = _is_live(address) and not is_inner
    other = describe_address(places, address, subject=1) if has_other else None
    described = [place for place in (mine, other) if place is not None]
    frames = places.stack_to_frames(stack_id)
    threads = threads_of(places.ctx, {tid}.union(*(place.tids for place in described)))
    return Finding(
        tool="AddressSanitizer",
        kind="intra-object-overflow" if is_inner else _kind(root, lo, address),
        thread=thread,
        access=Access(flags_to_operation(flags), size, address, thread),
        stacks=(
            Stack("access", thread, frames),
            *(stack for place in described for stack in place.stacks),
            *(
                Stack(
                    "thread-creation",
                    known.facts.thread,
                    places.stack_to_frames(known.creation_stack),
                )
                for known in threads
            ),
        ),
        locations=tuple(place.location for place in described),
        threads=tuple(known.facts for known in threads),
        shadow=dump_shadow(address),
        details=DerivedPointer(root, lo, hi) if is_exact else DerivedPointer(root),
        address=address,
        pc=frames[0].pc if frames else 0,
        hints=_inner_hints(mine, lo, hi)
        if is_inner
        else _hints(mine, other, hi - lo if is_exact else 0),
        fatal=fatal,
    )


def _kind(root: int, lo: int, address: int) -> str:
    if root >= memory_map.HEAP_LO:
        return "heap-buffer-overflow"
    if root < memory_map.STACKS_LO:
        return "global-buffer-overflow"
    around = (lo - 1, address, address + _GRANULE_BYTES)  # one further: the granule may be partial
    if any(shadow_byte(each) in _ALLOCA_SHADOW for each in around):
        return "dynamic-stack-buffer-overflow"
    return "stack-buffer-underflow" if address < root else "stack-buffer-overflow"


def _is_live(address: int) -> bool:
    """Whether the address is one the program may use, though not by this pointer."""
    is_ours = memory_map.GLOBALS_LO <= address < memory_map.ARENA_HI
    value = shadow_byte(address)
    return is_ours and (value == 0 or address % _GRANULE_BYTES < value < _GRANULE_BYTES)


def _inner_hints(mine: Description, lo: int, hi: int) -> tuple[str, ...]:
    return (
        f"the index counts in the {hi - lo}-byte array [{lo:#014x},{hi:#014x})"
        f" inside of {_named(mine.location, 0)}.",
    )


_KEPT_OUTSIDE: Final = (
    "if the program keeps pointers outside of their objects, as for arrays that begin at 1,"
    " check_object_bounds=0 lets them pass."
)


def _hints(mine: Description, other: Description | None, object_size: int) -> tuple[str, ...]:
    """object_size: bytes of the root's object, 0 when not known."""
    said = [f"the pointer was derived from {_named(mine.location, object_size)}."]
    if other is not None:
        said.append(f"the address lies in another live object: {_named(other.location, 0)}.")
        said.append(_KEPT_OUTSIDE)
    return tuple(said)


def _named(location: Location, size: int) -> str:
    if isinstance(location, HeapRegion):
        lo, hi = location.region_lo, location.region_hi
        return f"the {hi - lo}-byte heap region [{lo:#014x},{hi:#014x})"
    if isinstance(location, GlobalVariable):
        return f"the {location.size_bytes}-byte global variable '{demangled(location.name)}'"
    sized = f"a {size}-byte object" if size else "an object"
    if isinstance(location, (StackLocation, ThreadStack)):
        return f"{sized} on the stack of thread {location.thread}"
    return sized
