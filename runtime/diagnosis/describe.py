"""What lies at an address: heap chunk, global, stack frame, thread-local block, or nothing.

    managed  the object of a managed heap that holds the address
             (runtime/records/memory/java_records.py)
    heap     the chunk whose block holds the address, or the nearer one when it is between two
    global   the variable that holds it or is nearest (places.globals, sorted by address)
    stack    the instrumented frame in the stack of some thread, else "stack of thread Tn"
    TLS      a thread's thread-local block
    wild     anything else

Reads raw memory only; whatever state the guest is in, the answer is a value.

Source: LLVM's asan_descriptions.cpp and FindHeapChunkByAddress in asan_allocator.cpp for which of
two chunks is blamed: live before freed, freed before available, then the nearer one.
Deviation: the neighbour is searched a MiB away, not a page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from sortedcontainers import SortedKeyList

from irsan.reports.model.report import (
    Frame,
    GlobalVariable,
    HeapRegion,
    Location,
    Relation,
    Stack,
    StackLocation,
    ThreadStack,
    TlsBlock,
    WildAddress,
)
from irsan.runtime.layout import memory_map
from irsan.runtime.records.memory import heap_records as hr
from irsan.runtime.records.memory.java_records import ManagedObject, object_around
from irsan.runtime.records.race.fiber_records import FIBER
from irsan.runtime.views.heap_view import Chunk, addr_to_chunk, chunk_above, chunk_below
from irsan.runtime.views.registered_globals import (
    RegisteredGlobal,
    ascii_text,
    registered_globals,
    registered_tables,
)
from irsan.runtime.views.stack_frames import find_frame
from irsan.runtime.views.thread_facts import own_tid, thread_records

NEIGHBOUR_BYTES: Final = 1 << 20
NEAR_BYTES: Final = 4096
GLOBAL_NEIGHBOUR_BYTES: Final = 4096
# A live chunk explains a report better than a freed one, that better than one long gone.
_STATE_RANK: Final = {hr.ALLOCATED: 0, hr.QUARANTINED: 1, hr.AVAILABLE: 2}


@dataclass(frozen=True, slots=True)
class GlobalEntry:
    """A global of the program; one that is registered has its object's very size.

    symbol: the linker's name where it says more than `name`: of C++, with its namespaces.
    """

    lo: int
    size_bytes: int
    name: str
    file: str = ""
    line: int = 0
    column: int = 0
    module: str = ""
    is_registered: bool = False
    symbol: str = ""


class GlobalTable:
    """Globals by address.  first: asked for those there are when one is looked for."""

    def __init__(self, first: Callable[[], Iterable[GlobalEntry]] = tuple) -> None:
        self._first = first
        self._n_adopted = 0

    @cached_property
    def _by_address(self) -> SortedKeyList[GlobalEntry]:
        return SortedKeyList(self._first(), key=lambda entry: entry.lo)

    def add(self, entry: GlobalEntry) -> None:
        """Add one global."""
        self._by_address.add(entry)

    def adopt_registered(self) -> None:
        """Take what instrumented modules have registered since: true sizes and source names."""
        tables = registered_tables()
        for first, end in tables[self._n_adopted :]:
            for found in registered_globals(first, end):
                self._adopt(found)
        self._n_adopted = len(tables)

    def _adopt(self, found: RegisteredGlobal) -> None:
        entry = GlobalEntry(
            found.lo, found.size_bytes, found.name, found.file, found.line, found.column,
            is_registered=True,
        )  # fmt: skip
        for known in list(self._by_address.irange_key(found.lo, found.lo)):
            entry = replace(entry, symbol=known.symbol)
            if not entry.file:
                entry = replace(entry, file=known.file, line=known.line, column=known.column)
            self._by_address.remove(known)
        self._by_address.add(entry if entry.file else replace(entry, file=found.module))

    def nearest(self, addr: int) -> GlobalEntry | None:
        """The global that holds `addr`, else the nearer neighbour, the lower one on a tie."""
        above = self._by_address.bisect_key_right(addr)
        around = self._by_address[max(above - 1, 0) : above + 1]
        return min(around, key=lambda entry: (_gap(entry, addr), entry.lo), default=None)


def _frame_unknown(word: int) -> Frame:
    return Frame(pc=word)


def _no_name(_offset: int) -> str:
    return ""


def _no_frames(_stack_id: int) -> tuple[Frame, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Places:
    """What a description may look at.

    stack_to_frames  frames of a stack id, innermost first
    word_to_frame    the function of a stack frame, from the third word of its header
    offset_to_tls    name of the thread-local variable at an offset of the block, or ""
    """

    ctx: Any
    stack_to_frames: Callable[[int], tuple[Frame, ...]] = _no_frames
    globals: GlobalTable = field(default_factory=GlobalTable)
    word_to_frame: Callable[[int], Frame] = _frame_unknown
    offset_to_tls: Callable[[int], str] = _no_name


@dataclass(frozen=True, slots=True)
class Description:
    """What lies at an address: one location, the heap chunk it is about, and the chunk's stacks."""

    location: Location
    chunk: Chunk | None = None
    stacks: tuple[Stack, ...] = ()
    tids: frozenset[int] = frozenset()

    @property
    def hint(self) -> str:
        """Why stacks are missing; "" when they are not."""
        if self.chunk is None or not self.chunk.is_overwritten:
            return ""
        place = f"[{self.chunk.lo:#x},{self.chunk.lo + hr.FACTS_BYTES:#x})"
        return (
            f"who allocated and freed the block is not known: {place} in front of it has been"
            " overwritten by code without checks."
        )


def describe_address(places: Places, addr: int, size: int = 1, subject: int = 0) -> Description:
    """Describe the `size` bytes at `addr`; stacks get `subject`, the index of the location."""
    managed = object_around(places.ctx, addr)
    if managed is not None:
        return _describe_managed(places, managed, addr, size, subject)
    if memory_map.HEAP_LO <= addr < memory_map.HEAP_HI:
        chunk = blamed_chunk(places.ctx, addr)
        if chunk is not None:
            return _describe_chunk(places, chunk, addr, size, subject)
    if memory_map.STACKS_LO <= addr < memory_map.STACKS_HI:
        return _describe_stack(places, addr, size)
    if memory_map.PROGRAM_CODE_LO <= addr < memory_map.GLOBALS_HI:
        places.globals.adopt_registered()
        entry = places.globals.nearest(addr)
        if entry is not None and _gap(entry, addr) <= GLOBAL_NEIGHBOUR_BYTES:
            return Description(_global_location(entry, addr, size))
    return Description(WildAddress(addr, size, _area(addr)))


def describe_object(places: Places, root: int, addr: int, size: int) -> Description:
    """Describe the `size` bytes at `addr` by the object that holds `root`, however far away."""
    if memory_map.HEAP_LO <= root < memory_map.HEAP_HI:
        chunk = addr_to_chunk(places.ctx, root)
        if chunk is not None:
            return _describe_chunk(places, chunk, addr, size, 0)
    if memory_map.GLOBALS_LO <= root < memory_map.GLOBALS_HI:
        places.globals.adopt_registered()
        entry = places.globals.nearest(root)
        if entry is not None:
            return Description(_global_location(entry, addr, size))
    return describe_address(places, addr, size)


def blamed_chunk(ctx: Any, addr: int) -> Chunk | None:
    """The chunk that an access to `addr` was meant for."""
    here = addr_to_chunk(ctx, addr)
    if here is not None and addr >= here.begin:
        return here
    from_addr = here.lo if here is not None else addr
    below = chunk_below(ctx, from_addr, NEIGHBOUR_BYTES)
    above = here if here is not None else chunk_above(ctx, addr, NEIGHBOUR_BYTES)
    if below is None or above is None:
        return below or above
    return min((below, above), key=lambda chunk: _blame(chunk, addr))


def chunk_stacks(places: Places, chunk: Chunk, subject: int = 0) -> tuple[Stack, ...]:
    """Stacks of a chunk with roles `allocation` and, once freed, `free`; none if overwritten."""
    if chunk.is_overwritten:
        return ()
    frames = places.stack_to_frames(chunk.alloc_stack)
    stacks = (Stack("allocation", f"T{chunk.alloc_tid}", frames, subject=subject),)
    if chunk.is_live:
        return stacks
    freed = places.stack_to_frames(chunk.free_stack)
    return (*stacks, Stack("free", f"T{chunk.free_tid}", freed, subject=subject))


def _describe_chunk(
    places: Places, chunk: Chunk, addr: int, size: int, subject: int
) -> Description:
    relation, distance, shown = _place(chunk.begin, chunk.end, addr, size)
    region = HeapRegion(shown, relation, distance, chunk.begin, chunk.end, not chunk.is_live)
    tids = {chunk.alloc_tid} if chunk.is_live else {chunk.alloc_tid, chunk.free_tid}
    if chunk.is_overwritten:
        tids = set()
    return Description(region, chunk, chunk_stacks(places, chunk, subject), frozenset(tids))


def _describe_managed(
    places: Places, found: ManagedObject, addr: int, size: int, subject: int
) -> Description:
    end = found.lo + found.size_bytes
    relation, distance, shown = _place(found.lo, end, addr, size)
    region = HeapRegion(shown, relation, distance, found.lo, end)
    frames = places.stack_to_frames(found.stack)
    stacks = (Stack("allocation", f"T{found.tid}", frames, subject=subject),)
    return Description(region, stacks=stacks, tids=frozenset({found.tid}))


def _describe_stack(places: Places, addr: int, size: int) -> Description:
    for record in thread_records(places.ctx):
        if int(record["state"]) == FIBER:
            continue
        tid = own_tid(record)
        fake = memory_map.FAKE_STACKS_LO + int(record["slot"]) * memory_map.STACK_SLOT_BYTES
        if fake <= addr < fake + memory_map.STACK_SLOT_BYTES:
            place = _stack_location(places, addr, size, tid, fake)
            return Description(place, tids=frozenset({tid}))
        lo, hi = int(record["stack"]["lo"]), int(record["stack"]["hi"])
        tls = int(record["tls"])
        if tls and tls <= addr < tls + max(int(places.ctx["thread_locals"]["size_bytes"]), 1):
            name = places.offset_to_tls(addr - tls)
            return Description(TlsBlock(addr, f"T{tid}", name), tids=frozenset({tid}))
        if lo <= addr < hi:
            return Description(_stack_location(places, addr, size, tid, lo), tids=frozenset({tid}))
    return Description(WildAddress(addr, size))


def _stack_location(places: Places, addr: int, size: int, tid: int, lo: int) -> Location:
    header = find_frame(addr, lo)
    if header is None:
        return ThreadStack(addr, f"T{tid}")
    frame = places.word_to_frame(header.word)
    return StackLocation(addr, f"T{tid}", addr - header.lo, frame, header.objects, size)


def _global_location(entry: GlobalEntry, addr: int, size: int) -> GlobalVariable:
    relation, distance, shown = _place(entry.lo, entry.lo + entry.size_bytes, addr, size)
    return GlobalVariable(
        shown,
        entry.name,
        entry.lo,
        entry.size_bytes,
        relation,
        distance,
        entry.file,
        entry.line,
        entry.column,
        entry.module,
        text=ascii_text(entry.lo, entry.size_bytes) if entry.is_registered else None,
    )


def _place(lo: int, hi: int, addr: int, size: int) -> tuple[Relation, int, int]:
    """Relation to [lo, hi), distance, and the address shown.

    An access that begins inside and leaves the region is shown where it leaves it.
    """
    if addr < lo:
        return "before", lo - addr, addr
    if addr + size <= hi:
        return "inside", addr - lo, addr
    shown = max(addr, hi)
    return "after", shown - hi, shown


def _blame(chunk: Chunk, addr: int) -> tuple[bool, int, int, int]:
    gap = chunk.begin - addr if addr < chunk.begin else max(addr - chunk.end + 1, 0)
    return gap > NEAR_BYTES, _STATE_RANK.get(chunk.state, 3), gap, chunk.lo


def _gap(entry: GlobalEntry, addr: int) -> int:
    return max(entry.lo - addr, addr - (entry.lo + max(entry.size_bytes, 1)) + 1, 0)


def _area(addr: int) -> Any:
    if memory_map.SHADOW_OFFSET <= addr < memory_map.STACKS_LO:
        return "low shadow"
    if memory_map.RACE_SHADOW <= addr < memory_map.RACE_SHADOW + memory_map.RACE_SHADOW_SIZE:
        return "high shadow"
    return "wild"
