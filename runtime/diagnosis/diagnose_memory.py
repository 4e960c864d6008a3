"""From the facts of a memory error to the report model.

    BAD_ACCESS   kind from the shadow byte of the first bad byte; 1..7 asks the next granule
    WILD_ACCESS  SEGV on an unknown address, reported before it is touched
    frees        double-free, bad-free, the three mismatches
    requests     overflow, too big, out of memory, alignment

Reads ctx.fault (runtime/layout/faults.py), the shadow and the heap's tables; calls nothing but the
look-ups of `Places`.  Nothing here raises on odd state: unknown facts are left out.

Source: LLVM's asan_errors.cpp (ErrorGeneric) for the kind of a shadow byte.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from irsan.reports.model.report import (
    Access,
    AllocationRequest,
    ContainerBounds,
    Details,
    FamilyMismatch,
    Finding,
    HeapRegion,
    Location,
    Operation,
    PointerPair,
    PointerQuery,
    RangeOverlap,
    ShadowDump,
    ShadowRow,
    SignalFacts,
    SizeArgument,
    SizeMismatch,
    Stack,
    StackLocation,
    WildAddress,
)
from irsan.runtime.diagnosis.describe import Description, Places, describe_address
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.records.memory.poison_records import last_poisoning
from irsan.runtime.views.heap_view import FAMILY_NAMES, family_to_release
from irsan.runtime.views.thread_facts import threads_of

KIND_OF_SHADOW: Final = {
    0xFA: "heap-buffer-overflow",
    0xFD: "heap-use-after-free",
    0xAC: "heap-buffer-overflow",
    0xF1: "stack-buffer-underflow",
    0xF2: "stack-buffer-overflow",
    0xF3: "stack-buffer-overflow",
    0xF5: "stack-use-after-return",
    0xF6: "initialization-order-fiasco",
    0xF7: "use-after-poison",
    0xF8: "stack-use-after-scope",
    0xF9: "global-buffer-overflow",
    0xFC: "container-overflow",
    0xBB: "intra-object-overflow",
    0xCA: "dynamic-stack-buffer-overflow",
    0xCB: "dynamic-stack-buffer-overflow",
}
_ALIGNMENT_KINDS: Final = {
    1: "invalid-allocation-alignment",
    2: "invalid-aligned-alloc-alignment",
    3: "invalid-posix-memalign-alignment",
}
_REQUEST_KINDS: Final = {
    FaultKind.CALLOC_OVERFLOW: "calloc-overflow",
    FaultKind.REALLOCARRAY_OVERFLOW: "reallocarray-overflow",
    FaultKind.PVALLOC_OVERFLOW: "pvalloc-overflow",
    FaultKind.SIZE_TOO_BIG: "allocation-size-too-big",
    FaultKind.OUT_OF_MEMORY: "out-of-memory",
}
MEMORY_FAULTS: Final = frozenset(range(FaultKind.BAD_ACCESS, FaultKind.STACK_OVERFLOW)) | {
    FaultKind.PVALLOC_OVERFLOW,
    FaultKind.FREE_SIZE_MISMATCH,
    FaultKind.INVALID_POINTER_PAIR,
    FaultKind.BAD_ANNOTATION,
    FaultKind.WRITE_EXEC,
}
_MISMATCHES: Final = (
    FaultKind.ALLOC_DEALLOC_MISMATCH,
    FaultKind.NEW_DELETE_SIZE_MISMATCH,
    FaultKind.FREE_SIZE_MISMATCH,
)
_WRITE, _ATOMIC, _ROUTINE = 1, 2, 8
_ROW_BYTES: Final = 16 * 8
_ROWS_AROUND: Final = 5
_CANONICAL_LOW: Final = 1 << 47
_ALL_ONES: Final = (1 << 64) - 1

RoutineName = Callable[[int], str]


def diagnose_memory(places: Places, routine_to_name: RoutineName, *, fatal: bool = True) -> Finding:
    """The finding for the memory fault in ctx.fault.

    routine_to_name  name of an interceptor by its number (ctx.routine)
    fatal            whether the program is stopped by it

    Raises ValueError when the fault is not one of MEMORY_FAULTS.
    """
    fault = [int(word) for word in places.ctx["fault"]]
    kind = fault[0]
    if kind not in MEMORY_FAULTS:
        raise ValueError(f"fault {kind} is no memory error")
    function = routine_to_name(int(places.ctx["routine"]))
    facts = _Diagnosis(places, fault, function, fatal)
    if kind == FaultKind.BAD_ACCESS:
        return facts.bad_access()
    if kind == FaultKind.WILD_ACCESS:
        return facts.wild_access()
    if kind in _REQUEST_KINDS or kind == FaultKind.BAD_ALIGNMENT:
        return facts.refused_request()
    if kind == FaultKind.PARAM_OVERLAP:
        return facts.overlap()
    if kind == FaultKind.INVALID_POINTER_PAIR:
        return facts.pointer_pair()
    if kind == FaultKind.BAD_ANNOTATION:
        return facts.annotation()
    if kind == FaultKind.WRITE_EXEC:
        return facts.write_exec()
    return facts.bad_pointer()


def shadow_to_kind(places: Places, bad: int) -> str:
    """Kind of an access error from the shadow around its first bad byte."""
    value = shadow_byte(bad)
    if 0 < value < 0x80:
        value = shadow_byte(bad + 8)
    known = KIND_OF_SHADOW.get(value)
    if known is not None:
        return known
    if value >= 0x80 or not shadow_byte(bad):
        return "unknown-crash"
    # A partial granule with live memory behind it: the place decides what overflowed.
    location = describe_address(places, bad).location
    if isinstance(location, HeapRegion):
        return "heap-buffer-overflow"
    return "stack-buffer-overflow" if _is_stack(bad) else "global-buffer-overflow"


def shadow_byte(addr: int) -> int:
    """Shadow of the granule of an arena address, 0 outside the arena."""
    if not memory_map.ARENA_LO <= addr < memory_map.ARENA_HI:
        return 0
    return ctypes.c_uint8.from_address(memory_map.addr_to_shadow(addr)).value


def dump_shadow(culprit: int) -> ShadowDump | None:
    """Shadow of the eleven rows around `culprit`; None outside the arena."""
    if not memory_map.ARENA_LO <= culprit < memory_map.ARENA_HI:
        return None
    middle = culprit // _ROW_BYTES * _ROW_BYTES
    rows = []
    for step in range(-_ROWS_AROUND, _ROWS_AROUND + 1):
        first = middle + step * _ROW_BYTES
        if memory_map.ARENA_LO <= first < memory_map.ARENA_HI:
            at = memory_map.addr_to_shadow(first)
            rows.append(ShadowRow(first, ctypes.string_at(at, _ROW_BYTES // 8)))
    return ShadowDump(culprit, tuple(rows))


def flags_to_operation(flags: int) -> Operation:
    """Bits of fault[3] as the word that reports use."""
    if flags & _ATOMIC:
        return "atomic write" if flags & _WRITE else "atomic read"
    return "write" if flags & _WRITE else "read"


def _with_whole_access(location: Location, size: int) -> Location:
    """A place inside a stack variable, by all that the function wants of it.

    The size of a report of a library function counts from the first bad byte, as in the original.
    """
    if not isinstance(location, StackLocation):
        return location
    is_inside = any(o.begin <= location.offset < o.end for o in location.objects)
    return replace(location, access_size=size) if is_inside else location


class _Diagnosis:
    """One fault being explained: its words by name, and how each group of kinds is built."""

    def __init__(self, places: Places, fault: list[int], function: str, fatal: bool) -> None:
        self.places = places
        self.fault = fault
        self.kind, self.address, self.size, self.flags = fault[:4]
        self.thread = f"T{fault[5]}"
        self.function = function
        self.fatal = fatal

    def bad_access(self) -> Finding:
        end = self.address + self.size
        if self.flags & _ROUTINE and end > _CANONICAL_LOW:
            return self._endless_range(end & _ALL_ONES)
        bad = self.fault[6] or self.address
        address = bad if self.flags & _ROUTINE else self.address
        access = Access(flags_to_operation(self.flags), self.size, address, self.thread)
        size = 1 if self.flags & _ROUTINE else self.size
        place = describe_address(self.places, address, size)
        if self.flags & _ROUTINE:
            place = replace(place, location=_with_whole_access(place.location, self.size))
        kind = shadow_to_kind(self.places, bad)
        if kind == "use-after-poison":
            place = self._with_poisoning(place, bad)
        return self._finding(kind, (place,), access=access, shadow=dump_shadow(bad))

    def _with_poisoning(self, place: Description, bad: int) -> Description:
        """The place and the stack of who has poisoned it, if that was kept."""
        found = last_poisoning(self.places.ctx, bad)
        if found is None:
            return place
        stack = Stack("poisoning", f"T{found.tid}", self.places.stack_to_frames(found.stack_id))
        return replace(place, stacks=(*place.stacks, stack), tids=place.tids | {found.tid})

    def _endless_range(self, end: int) -> Finding:
        """A range that no memory can hold: whatever it meets first, its size is the error."""
        access = Access(flags_to_operation(self.flags), self.size, end, self.thread)
        place = Description(WildAddress(end, access_size=self.size))
        return self._finding("unknown-crash", (place,), access=access)

    def wild_access(self) -> Finding:
        known = self.address < _CANONICAL_LOW or self.address >= _ALL_ONES - _CANONICAL_LOW
        details = SignalFacts(
            "SEGV",
            self.address if known else None,
            "WRITE" if self.flags & _WRITE else "READ",
        )
        access = Access(flags_to_operation(self.flags), self.size, self.address, self.thread)
        return self._finding("SEGV", (), access=access, details=details)

    def bad_pointer(self) -> Finding:
        """Frees and questions about a pointer: one location, at the pointer."""
        kind, details = self._pointer_kind()
        place = describe_address(self.places, self.address)
        if self.kind in _MISMATCHES:  # the block has just been freed: by the stack of the report
            stacks = tuple(stack for stack in place.stacks if stack.role != "free")
            place = replace(place, stacks=stacks)
        return self._finding(kind, (place,), details=details)

    def _pointer_kind(self) -> tuple[str, Details | None]:
        first, second, third, fourth = self.fault[6:10]
        if self.kind == FaultKind.DOUBLE_FREE:
            return "double-free", None
        if self.kind == FaultKind.BAD_FREE:
            return "bad-free", None
        if self.kind == FaultKind.NEGATIVE_SIZE:
            return "negative-size-param", SizeArgument(_signed(self.size))
        if self.kind == FaultKind.BAD_USABLE_SIZE:
            function = self.function or "malloc_usable_size"
            return f"bad-{function}", PointerQuery(function, self.address)
        if self.kind == FaultKind.ALLOC_DEALLOC_MISMATCH:
            allocated = FAMILY_NAMES.get(first, "malloc")
            return "alloc-dealloc-mismatch", FamilyMismatch(allocated, family_to_release(second))
        freed = first if second == _ALL_ONES else second
        sizes = SizeMismatch(first, freed, third, fourth)
        if self.kind == FaultKind.FREE_SIZE_MISMATCH:
            return "free-size-mismatch", sizes
        return "new-delete-type-mismatch", sizes

    def overlap(self) -> Finding:
        second, second_size = self.fault[6:8]
        details = RangeOverlap(
            self.function, self.address, self.address + self.size, second, second + second_size
        )
        described = (
            describe_address(self.places, self.address, self.size, 0),
            describe_address(self.places, second, second_size, 1),
        )
        return self._finding(f"{self.function}-param-overlap", described, details=details)

    def pointer_pair(self) -> Finding:
        """Two pointers compared or subtracted that belong to different objects."""
        second = self.fault[6]
        described = (
            describe_address(self.places, self.address),
            describe_address(self.places, second, subject=1),
        )
        details = PointerPair(self.address, second)
        return self._finding("invalid-pointer-pair", described, details=details)

    def annotation(self) -> Finding:
        """Bounds of a container that are out of order."""
        arguments = tuple(self.fault[7 : 7 + self.fault[6]])
        details = ContainerBounds(self.function, arguments)
        place = describe_address(self.places, self.address)
        return self._finding(f"bad-{self.function}", (place,), details=details)

    def write_exec(self) -> Finding:
        """Pages that may be written and run: reported on request, and no error by itself."""
        found = self._finding("w-and-x-usage", ())
        return replace(found, verdict="heuristic", fatal=False)

    def refused_request(self) -> Finding:
        first, second, resident_limit = self.fault[6:9]
        kind = _REQUEST_KINDS.get(FaultKind(self.kind), "")
        if self.kind == FaultKind.OUT_OF_MEMORY and resident_limit:
            kind, first = "rss-limit-exceeded", resident_limit
        if self.kind == FaultKind.BAD_ALIGNMENT:
            kind = _ALIGNMENT_KINDS.get(second, _ALIGNMENT_KINDS[1])
        counted = self.kind in (FaultKind.CALLOC_OVERFLOW, FaultKind.REALLOCARRAY_OVERFLOW)
        too_big = kind in ("allocation-size-too-big", "rss-limit-exceeded")
        details = AllocationRequest(
            self.function or "malloc",
            self.size,
            count=first if counted else 1,
            total_bytes=second if self.kind == FaultKind.SIZE_TOO_BIG else 0,
            limit_bytes=first if too_big else 0,
            alignment=first if self.kind == FaultKind.BAD_ALIGNMENT else 0,
        )
        return self._finding(kind, (), details=details)

    def _finding(
        self,
        kind: str,
        described: tuple[Description, ...],
        *,
        access: Access | None = None,
        details: Details | None = None,
        shadow: ShadowDump | None = None,
    ) -> Finding:
        frames = self.places.stack_to_frames(self.fault[4])
        tids = {self.fault[5]}.union(*(place.tids for place in described))
        threads = threads_of(self.places.ctx, tids)
        return Finding(
            tool="AddressSanitizer",
            kind=kind,
            thread=self.thread,
            access=access,
            stacks=(
                Stack("access", self.thread, frames),
                *(stack for place in described for stack in place.stacks),
                *(
                    Stack(
                        "thread-creation",
                        known.facts.thread,
                        self.places.stack_to_frames(known.creation_stack),
                    )
                    for known in threads
                ),
            ),
            locations=tuple(place.location for place in described),
            threads=tuple(known.facts for known in threads),
            shadow=shadow,
            details=details,
            address=access.address if access is not None else self.address,
            pc=frames[0].pc if frames else 0,
            hints=tuple(place.hint for place in described if place.hint),
            fatal=self.fatal,
        )


def _is_stack(addr: int) -> bool:
    return memory_map.STACKS_LO <= addr < memory_map.STACKS_HI


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def is_memory_fault(ctx: Any) -> bool:
    """Whether the fault in the Context is one this module explains."""
    return int(ctx["fault"][0]) in MEMORY_FAULTS
