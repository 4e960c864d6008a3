"""Objects and the pointers to them: the table of objects, its rings of rows, births and deaths.

    object_new(ring, lo, size)    a row, its id                      O(1), MAX_TRIES rows at most
    object_end(id)                dead: nothing in it may be accessed any more
    object_at(addr)               id of the living object that holds an address, 0 when unknown

Rows are handed out round and round; a living object keeps its row unless MAX_TRIES of its
neighbours live as well.  Each time a row is used the generation in its id is another, so an id
that has lost its row is told apart and says nothing.

Source: Nagarakatte et al., "CETS: Compiler Enforced Temporal Safety for C", ISMM 2010, for keys
that are never used again; Memarian et al., "Exploring C Semantics and Pointer Provenance", POPL
2019, for exposed objects (PNVI-ae).
Deviations: an id names the object itself, so bounds and life are in one place.
Soundness: an object that lost its row is not watched any more.  Objects that share 8 bytes are
found by address only for the one that came last.  A global counts as exposed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.heap_tables.chunks import addr_to_chunk, chunk_at
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u32, store_u64
from irsan.runtime.kernels.provenance.provenance_slots import has_slots, slots_wipe
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.report_fault import current_tid
from irsan.runtime.layout import memory_map
from irsan.runtime.records import heap_records as hr
from irsan.runtime.records import provenance_records as pr

MAX_TRIES = 64
U8_ALLOCATED = np.uint8(hr.ALLOCATED)
U32_0 = np.uint32(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_7 = np.uint64(7)
U64_8 = np.uint64(8)
U64_GENERATION_SHIFT = np.uint64(32)
U64_INDEX = np.uint64((1 << pr.INDEX_BITS) - 1)
U64_ROW_BYTES = np.uint64(pr.ROW_BYTES)
U64_OBJECTS = np.uint64(pr.OBJECTS)
U64_OWNERS = np.uint64(pr.OWNERS)
U64_COVERED = np.uint64(pr.COVERED_BYTES)
U64_HEAP_LO = np.uint64(memory_map.HEAP_LO)
ROW_LO = np.uint64(pr.ROW_LO)
ROW_EXTENT = np.uint64(pr.ROW_EXTENT)
ROW_SIZE = np.uint64(pr.ROW_SIZE)
ROW_STATE = np.uint64(pr.ROW_STATE)
ROW_EXPOSED = np.uint64(pr.ROW_EXPOSED)
ROW_BORN = np.uint64(pr.ROW_BORN)
ROW_BORN_TID = np.uint64(pr.ROW_BORN_TID)
ROW_DIED = np.uint64(pr.ROW_DIED)
ROW_DIED_TID = np.uint64(pr.ROW_DIED_TID)
ALIVE = np.uint64(pr.ALIVE)
DEAD = np.uint64(pr.DEAD)
UNEXPOSED = np.uint64(pr.UNEXPOSED)
IS_ON = np.uint64(pr.IS_ON)
NEXT_HEAP = np.uint64(pr.NEXT_HEAP)
NEXT_STACK = np.uint64(pr.NEXT_STACK)
NEXT_GLOBAL = np.uint64(pr.NEXT_GLOBAL)
HEAP_FIRST = np.uint64(pr.HEAP_FIRST)
STACK_FIRST = np.uint64(pr.STACK_FIRST)
GLOBAL_FIRST = np.uint64(pr.GLOBAL_FIRST)
N_HEAP_ROWS = np.uint64(pr.N_HEAP_ROWS)
N_STACK_ROWS = np.uint64(pr.N_STACK_ROWS)
LOWEST_BIRTH = pr.LOWEST_BIRTH
N_GLOBAL_ROWS = np.uint64(pr.N_GLOBAL_ROWS)


@kernel("b1()", inlined=True)
def tracks_provenance() -> Any:
    """Whether this run follows pointers."""
    return load_u64(IS_ON) != U64_0


@kernel("u64(u64)")
def id_to_row(number: Any) -> Any:
    """Address of the row of an id, be it another object's by now."""
    return U64_OBJECTS + (number & U64_INDEX) * U64_ROW_BYTES


@kernel("b1(u64)")
def is_known(number: Any) -> Any:
    """Whether an id still has its row."""
    return number > UNEXPOSED and load_u64(id_to_row(number)) == number


@kernel("u64(u64,u64,u64)")
def row_take(counter: Any, first: Any, n_rows: Any) -> Any:
    """The next row of a ring, living objects left out; its id, which the row holds already."""
    count = load_u64(counter)
    for _ in range(MAX_TRIES):
        row = U64_OBJECTS + (first + count % n_rows) * U64_ROW_BYTES
        if load_u64(row + ROW_STATE) != ALIVE:
            break
        count += U64_1
    store_u64(counter, count + U64_1)
    number = (count // n_rows + U64_1) << U64_GENERATION_SHIFT | (first + count % n_rows)
    store_u64(id_to_row(number), number)
    return number


@kernel("void(ctx,u64,u64,u64,u32)")
def row_fill(ctx: Any, number: Any, lo: Any, size_bytes: Any, born: Any) -> None:
    """The facts of an object that begins."""
    row = id_to_row(number)
    store_u64(row + ROW_LO, lo)
    store_u64(row + ROW_EXTENT, size_bytes)
    store_u64(row + ROW_SIZE, size_bytes)
    store_u64(row + ROW_STATE, ALIVE)
    store_u64(row + ROW_EXPOSED, U64_0)
    store_u32(row + ROW_BORN, born)
    store_u32(row + ROW_BORN_TID, np.uint32(current_tid(ctx)))
    store_u32(row + ROW_DIED, U32_0)
    store_u32(row + ROW_DIED_TID, U32_0)


@kernel("void(u64,u64,u64)")
def owners_fill(lo: Any, size_bytes: Any, number: Any) -> None:
    """All groups of 8 bytes that a range touches belong to an object."""
    at = lo & ~U64_7
    while at < lo + size_bytes:
        store_u64(U64_OWNERS + at, number)
        at += U64_8


@kernel("void(ctx,u64,u64)", outlined=True)
def provenance_allocated(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """A block of the heap was handed out."""
    at = addr_to_chunk(ctx, addr)
    if at == U64_0 or not has_slots(addr, size_bytes):
        return
    number = row_take(NEXT_HEAP, HEAP_FIRST, N_HEAP_ROWS)
    row_fill(ctx, number, addr, size_bytes, chunk_at(at).alloc_stack)
    store_u64(U64_OWNERS + (addr & ~U64_7), number)
    slots_wipe(addr, size_bytes)


@kernel("void(ctx,u64)", outlined=True)
def provenance_freed(ctx: Any, addr: Any) -> None:
    """A block of the heap was freed."""
    if addr < U64_HEAP_LO or addr >= U64_COVERED:
        return
    number = load_u64(U64_OWNERS + (addr & ~U64_7))
    row = id_to_row(number)
    at = addr_to_chunk(ctx, addr)
    if not is_known(number) or load_u64(row + ROW_LO) != addr or at == U64_0:
        return
    store_u64(row + ROW_EXTENT, U64_0)
    store_u64(row + ROW_STATE, DEAD)
    store_u32(row + ROW_DIED, chunk_at(at).free_stack)
    store_u32(row + ROW_DIED_TID, np.uint32(current_tid(ctx)))


@kernel("u64(ctx,u64,u64,u32)")
def provenance_stack(ctx: Any, addr: Any, size_bytes: Any, site: Any) -> Any:
    """A variable of the stack begins; its id, 0 on a stack outside the arena."""
    if not has_slots(addr, size_bytes):
        return U64_0
    number = row_take(NEXT_STACK, STACK_FIRST, N_STACK_ROWS)
    row_fill(ctx, number, addr, size_bytes, site)
    owners_fill(addr, size_bytes, number)
    slots_wipe(addr, size_bytes)
    if ctx.thread != U64_0:
        words = thread_at(ctx.thread).spare
        words[LOWEST_BIRTH] = min(words[LOWEST_BIRTH] - U64_1, addr - U64_1) + U64_1
    return number


@kernel("void(u64)")
def provenance_end(number: Any) -> None:
    """A variable of the stack ends: its block, or the call."""
    if is_known(number):
        row = id_to_row(number)
        store_u64(row + ROW_EXTENT, U64_0)
        store_u64(row + ROW_STATE, DEAD)


@kernel("void(u64,u64)")
def provenance_popped(lo: Any, hi: Any) -> None:
    """The stack has shrunk from `lo` to `hi`: the variables that began there end."""
    if lo >= hi or not has_slots(lo, hi - lo):
        return
    at = lo & ~U64_7
    while at < hi:
        number = load_u64(U64_OWNERS + at)
        is_of_stack = (number & U64_INDEX) - STACK_FIRST < N_STACK_ROWS
        if is_of_stack and load_u64(id_to_row(number) + ROW_LO) >= lo:
            provenance_end(number)
        at += U64_8


@kernel("void(ctx,u64,u64)", outlined=True)
def provenance_unwound(ctx: Any, lo: Any, sp: Any) -> None:
    """Frames from `lo` to `sp` were left without a return: what has been born there ends."""
    words = thread_at(ctx.thread).spare
    lowest = words[LOWEST_BIRTH]
    if lowest == U64_0 or lowest >= sp:
        return
    if lowest >= lo:
        lo = lowest
        words[LOWEST_BIRTH] = sp
    provenance_popped(lo, sp)


@kernel("void(u64)")
def provenance_begin(number: Any) -> None:
    """The block of a variable begins, maybe again: it is the same object."""
    if is_known(number):
        row = id_to_row(number)
        lo, size_bytes = load_u64(row + ROW_LO), load_u64(row + ROW_SIZE)
        store_u64(row + ROW_EXTENT, size_bytes)
        store_u64(row + ROW_STATE, ALIVE)
        owners_fill(lo, size_bytes, number)
        slots_wipe(lo, size_bytes)


@kernel("void(ctx,u64,u64)")
def provenance_global(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """A global of the program, whose address may be a number in other globals."""
    if not has_slots(addr, size_bytes):
        return
    number = row_take(NEXT_GLOBAL, GLOBAL_FIRST, N_GLOBAL_ROWS)
    row_fill(ctx, number, addr, size_bytes, U32_0)
    store_u64(id_to_row(number) + ROW_EXPOSED, U64_1)
    owners_fill(addr, size_bytes, number)


@kernel("u64(u64)")
def provenance_beginning(addr: Any) -> Any:
    """Id of the living object that begins at `addr`, 0 when there is none."""
    if addr >= U64_COVERED:
        return U64_0
    number = load_u64(U64_OWNERS + (addr & ~U64_7))
    row = id_to_row(number)
    if not is_known(number) or load_u64(row + ROW_STATE) != ALIVE:
        return U64_0
    return number if load_u64(row + ROW_LO) == addr else U64_0


@kernel("void(ctx,u64,u64)")
def provenance_common(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """One of the definitions of a global of which the linker takes the biggest."""
    known = provenance_beginning(addr)
    if known == U64_0 or load_u64(id_to_row(known) + ROW_SIZE) < size_bytes:
        provenance_global(ctx, addr, size_bytes)


@kernel("u64(ctx,u64)")
def object_at(ctx: Any, addr: Any) -> Any:
    """Id of the living object that holds the byte at `addr`, 0 when none is known to."""
    if addr >= U64_COVERED:
        return U64_0
    at = addr
    if addr >= U64_HEAP_LO:
        chunk = addr_to_chunk(ctx, addr)
        if chunk == U64_0 or chunk_at(chunk).state != U8_ALLOCATED:
            return U64_0
        at = chunk_at(chunk).begin
    number = load_u64(U64_OWNERS + (at & ~U64_7))
    row = id_to_row(number)
    if not is_known(number) or addr - load_u64(row + ROW_LO) >= load_u64(row + ROW_EXTENT):
        return U64_0
    return number
