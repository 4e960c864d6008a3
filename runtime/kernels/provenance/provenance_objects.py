"""Objects and the pointers to them: the table of objects, its rings of rows, births and deaths.

    object_new(ring, lo, size)    a row, its id                      O(1), MAX_TRIES rows at most
    object_end(id)                dead: nothing in it may be accessed any more
    object_at(addr)               id of the living object that holds an address, 0 when unknown

Rows are handed out round and round; a living object keeps its row unless MAX_TRIES of its
neighbours live as well.  Each time a row is used the generation in its id is another, so an id
that has lost its row is recognised, and nothing is reported for it.

Source: Nagarakatte et al., "CETS: Compiler Enforced Temporal Safety for C", ISMM 2010, for keys
that are never used again; Memarian et al., "Exploring C Semantics and Pointer Provenance", POPL
2019, for exposed objects (PNVI-ae).
Deviations: an id names the object itself, so bounds and life are in one place.
Soundness: an object that lost its row is not watched any more.  Objects that share 8 bytes are
found by address only for the one that came last.  A global counts as exposed.
"""

from __future__ import annotations

from irsan.runtime.kernels.heap_tables.chunk_facts import alloc_stack, free_stack
from irsan.runtime.kernels.heap_tables.chunk_records import chunk_begin, chunk_state
from irsan.runtime.kernels.heap_tables.chunks import addr_to_chunk
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u32, store_u64
from irsan.runtime.kernels.provenance.provenance_slots import has_slots, slots_wipe
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.report_fault import current_tid
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout.memory_map import HEAP_LO
from irsan.runtime.records.memory import provenance_records as pr
from irsan.runtime.records.memory.heap_records import ALLOCATED
from irsan.runtime.records.memory.provenance_records import (
    ALIVE,
    COVERED_BYTES,
    DEAD,
    GLOBAL_FIRST,
    HEAP_FIRST,
    IS_ON,
    N_GLOBAL_ROWS,
    N_HEAP_ROWS,
    N_STACK_ROWS,
    NEXT_GLOBAL,
    NEXT_HEAP,
    NEXT_STACK,
    OBJECTS,
    OWNERS,
    ROW_BORN,
    ROW_BORN_TID,
    ROW_BYTES,
    ROW_DIED,
    ROW_DIED_TID,
    ROW_EXPOSED,
    ROW_EXTENT,
    ROW_LO,
    ROW_SIZE,
    ROW_STATE,
    STACK_FIRST,
    UNEXPOSED,
)

MAX_TRIES = 64
GENERATION_SHIFT = 32
INDEX = (1 << pr.INDEX_BITS) - 1


@kernel(inlined=True)
def tracks_provenance() -> bool:
    """Whether this run follows pointers."""
    return load_u64(IS_ON) != 0


@kernel
def id_to_row(number: u64) -> u64:
    """Address of the row of an id, be it another object's by now."""
    return OBJECTS + (number & INDEX) * ROW_BYTES


@kernel
def is_known(number: u64) -> bool:
    """Whether an id still has its row."""
    return number > UNEXPOSED and load_u64(id_to_row(number)) == number


@kernel
def row_take(counter: u64, first: u64, n_rows: u64) -> u64:
    """The next row of a ring, living objects left out; its id, which the row holds already."""
    count = load_u64(counter)
    for _ in range(MAX_TRIES):
        row = OBJECTS + (first + count % n_rows) * ROW_BYTES
        if load_u64(row + ROW_STATE) != ALIVE:
            break
        count += 1
    store_u64(counter, count + 1)
    number = (count // n_rows + 1) << GENERATION_SHIFT | (first + count % n_rows)
    store_u64(id_to_row(number), number)
    return number


@kernel
def row_fill(ctx: Context, number: u64, lo: u64, size_bytes: u64, born: u32) -> None:
    """The facts of an object that begins."""
    row = id_to_row(number)
    store_u64(row + ROW_LO, lo)
    store_u64(row + ROW_EXTENT, size_bytes)
    store_u64(row + ROW_SIZE, size_bytes)
    store_u64(row + ROW_STATE, ALIVE)
    store_u64(row + ROW_EXPOSED, 0)
    store_u32(row + ROW_BORN, born)
    store_u32(row + ROW_BORN_TID, u32(current_tid(ctx)))
    store_u32(row + ROW_DIED, 0)
    store_u32(row + ROW_DIED_TID, 0)


@kernel
def owners_fill(lo: u64, size_bytes: u64, number: u64) -> None:
    """All groups of 8 bytes that a range touches belong to an object."""
    at = lo & ~u64(7)
    while at < lo + size_bytes:
        store_u64(OWNERS + at, number)
        at += 8


@kernel(outlined=True)
def provenance_allocated(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """A block of the heap was handed out."""
    at = addr_to_chunk(ctx, addr)
    if at == 0 or not has_slots(addr, size_bytes):
        return
    number = row_take(NEXT_HEAP, HEAP_FIRST, N_HEAP_ROWS)
    row_fill(ctx, number, addr, size_bytes, alloc_stack(ctx, at))
    store_u64(OWNERS + (addr & ~u64(7)), number)
    slots_wipe(addr, size_bytes)


@kernel(outlined=True)
def provenance_freed(ctx: Context, addr: u64) -> None:
    """A block of the heap was freed."""
    if addr < HEAP_LO or addr >= COVERED_BYTES:
        return
    number = load_u64(OWNERS + (addr & ~u64(7)))
    row = id_to_row(number)
    at = addr_to_chunk(ctx, addr)
    if not is_known(number) or load_u64(row + ROW_LO) != addr or at == 0:
        return
    store_u64(row + ROW_EXTENT, 0)
    store_u64(row + ROW_STATE, DEAD)
    store_u32(row + ROW_DIED, free_stack(ctx, at))
    store_u32(row + ROW_DIED_TID, u32(current_tid(ctx)))


@kernel
def provenance_stack(ctx: Context, addr: u64, size_bytes: u64, site: u32) -> u64:
    """A variable of the stack begins; its id, 0 on a stack outside the arena."""
    if not has_slots(addr, size_bytes):
        return 0
    number = row_take(NEXT_STACK, STACK_FIRST, N_STACK_ROWS)
    row_fill(ctx, number, addr, size_bytes, site)
    owners_fill(addr, size_bytes, number)
    slots_wipe(addr, size_bytes)
    if ctx.thread != 0:
        thread = thread_at(ctx.thread)
        thread.unwind.lowest_birth = min(thread.unwind.lowest_birth - 1, addr - 1) + 1
    return number


@kernel
def provenance_end(number: u64) -> None:
    """A variable of the stack ends: its block, or the call."""
    if is_known(number):
        row = id_to_row(number)
        store_u64(row + ROW_EXTENT, 0)
        store_u64(row + ROW_STATE, DEAD)


@kernel
def provenance_popped(lo: u64, hi: u64) -> None:
    """The stack has shrunk from `lo` to `hi`: the variables that began there end."""
    if lo >= hi or not has_slots(lo, hi - lo):
        return
    at = lo & ~u64(7)
    while at < hi:
        number = load_u64(OWNERS + at)
        is_of_stack = (number & INDEX) - STACK_FIRST < N_STACK_ROWS
        if is_of_stack and load_u64(id_to_row(number) + ROW_LO) >= lo:
            provenance_end(number)
        at += 8


@kernel(outlined=True)
def provenance_unwound(ctx: Context, lo: u64, sp: u64) -> None:
    """Frames from `lo` to `sp` were left without a return: what has been born there ends."""
    thread = thread_at(ctx.thread)
    lowest = thread.unwind.lowest_birth
    if lowest == 0 or lowest >= sp:
        return
    if lowest >= lo:
        lo = lowest
        thread.unwind.lowest_birth = sp
    provenance_popped(lo, sp)


@kernel
def provenance_begin(number: u64) -> None:
    """The block of a variable begins, maybe again: it is the same object."""
    if is_known(number):
        row = id_to_row(number)
        lo, size_bytes = load_u64(row + ROW_LO), load_u64(row + ROW_SIZE)
        store_u64(row + ROW_EXTENT, size_bytes)
        store_u64(row + ROW_STATE, ALIVE)
        owners_fill(lo, size_bytes, number)
        slots_wipe(lo, size_bytes)


@kernel
def provenance_global(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """A global of the program, whose address may be a number in other globals."""
    if not has_slots(addr, size_bytes):
        return
    number = row_take(NEXT_GLOBAL, GLOBAL_FIRST, N_GLOBAL_ROWS)
    row_fill(ctx, number, addr, size_bytes, 0)
    store_u64(id_to_row(number) + ROW_EXPOSED, 1)
    owners_fill(addr, size_bytes, number)


@kernel
def provenance_beginning(addr: u64) -> u64:
    """Id of the living object that begins at `addr`, 0 when there is none."""
    if addr >= COVERED_BYTES:
        return 0
    number = load_u64(OWNERS + (addr & ~u64(7)))
    row = id_to_row(number)
    if not is_known(number) or load_u64(row + ROW_STATE) != ALIVE:
        return 0
    return number if load_u64(row + ROW_LO) == addr else u64(0)


@kernel
def provenance_common(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """One of the definitions of a global of which the linker takes the biggest."""
    known = provenance_beginning(addr)
    if known == 0 or load_u64(id_to_row(known) + ROW_SIZE) < size_bytes:
        provenance_global(ctx, addr, size_bytes)


@kernel
def object_at(ctx: Context, addr: u64) -> u64:
    """Id of the living object that holds the byte at `addr`, 0 when none is known to."""
    if addr >= COVERED_BYTES:
        return 0
    at = addr
    if addr >= HEAP_LO:
        chunk = addr_to_chunk(ctx, addr)
        if chunk == 0 or chunk_state(chunk) != ALLOCATED:
            return 0
        at = chunk_begin(chunk)
    number = load_u64(OWNERS + (at & ~u64(7)))
    row = id_to_row(number)
    if not is_known(number) or addr - load_u64(row + ROW_LO) >= load_u64(row + ROW_EXTENT):
        return 0
    return number
