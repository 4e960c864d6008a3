"""Leak search: which live chunks can the program still reach?

    leak_begin       forget the marks of the last search; chunks to ignore are where it starts
    leak_scan        words of a root range: each chunk they point to is marked, put on the frontier
    leak_flood       until the frontier is empty: take a chunk, scan its words
    leak_indirect    words of chunks never marked: what they point to is an indirect leak

A word points to a chunk when it is the address of any of its bytes.  Chunks are found by the
heap's own arithmetic (chunks.py), so a word costs one compare when it is no pointer and four
dependent loads when it is one: linear in live bytes, O(live chunks) memory on the frontier.

Small blocks of the C library's own heap are passed through: a tree of `tsearch` keeps its keys
alive.  Only blocks that the program's memory, variables of libraries that it alone uses, or another
such block point to are looked into, so what the host left lying about in that heap keeps nothing
alive.

Source: LeakSanitizer's lsan_common.cpp: reachable, then ignored, then indirect, and the order of
tests; the cases in which C++ points into the middle of a block are those of Valgrind's memcheck
(--leak-check-heuristics), and used only with use_interior=0.
Deviations: words in poisoned memory are skipped by shadow for unaligned words too; a page that the
program has made unreadable is skipped instead of ending the process.
Soundness: conservative, as in the original: a number that looks like an address hides a leak.
A pointer kept only in encoded form, in a file or in memory from mmap is not seen: a false report.
"""

from __future__ import annotations

from irsan.runtime.kernels.checks.foreign import is_arena, is_libc_chunk
from irsan.runtime.kernels.checks.shadow import addr_to_shadow
from irsan.runtime.kernels.heap_tables.chunk_records import (
    chunk_at,
    chunk_begin,
    chunk_bytes,
    chunk_state,
)
from irsan.runtime.kernels.heap_tables.chunks import addr_to_chunk
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, load_u64, store_u8, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u8, u64
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.memory_map import HEAP_LO, PROGRAM_CODE_LO
from irsan.runtime.records.memory import heap_records as hr
from irsan.runtime.records.memory.heap_records import (
    ALLOCATED,
    CHUNK_BYTES,
    CHUNKS_LO,
    NEW_ARRAY,
    UNIT_BITS,
)
from irsan.runtime.records.memory.leak_records import (
    BARRED,
    FRONTIER,
    IGNORED,
    INDIRECT,
    PASSES_C_HEAP,
    REACHED,
    ROW_BYTES,
    SEEN,
    STARTS_ONLY,
    UNREACHED,
    USE_POISONED,
    USE_UNALIGNED,
)

NOT_7 = 0xFFFF_FFFF_FFFF_FFF8
NOT_15 = 0xFFFF_FFFF_FFFF_FFF0
PAGE = 4096
PAGE_MASK = 4095
CHUNKS_BYTES = hr.CHUNKS_HI - hr.CHUNKS_LO
PROGRAM_BYTES = memory_map.GLOBALS_HI - memory_map.PROGRAM_CODE_LO
GLIBC_FLAGS = 7
MAX_LIBC_BLOCK = 256  # nodes of lists and trees, no buffers


@kernel
def frontier_push(ctx: Context, item: u64) -> None:
    """Look into a chunk (address of its record) or a block of the C library later."""
    n = ctx.leaks.n_frontier
    store_u64(FRONTIER + n * 8, item)
    ctx.leaks.n_frontier = n + 1


@kernel
def is_poisoned_word(ctx: Context, at: u64) -> bool:
    """Whether the 8 bytes at `at` lie in poisoned memory and so hold no pointer."""
    if (ctx.leaks.options & USE_POISONED) != 0 or ctx.sanitize_address == 0:
        return False
    if not is_arena(at):
        return False
    if load_u8(addr_to_shadow(at)) != 0:
        return True
    last = load_u8(addr_to_shadow(at + 7))
    return last != 0 and (last >= 128 or u8((at + 7) & 7) >= last)


@kernel
def is_cxx_interior(begin: u64, addr: u64) -> bool:
    """Whether a pointer into the middle of a block may be all that C++ keeps of it.

    A second base class (a vtable at both places), the text of a reference-counted std::string.
    """
    if (addr & 7) != 0:
        return False
    here = load_u64(addr) - PROGRAM_CODE_LO
    there = load_u64(begin) - PROGRAM_CODE_LO
    if here < PROGRAM_BYTES and there < PROGRAM_BYTES:
        return True
    return addr == begin + 24 and load_u64(begin) <= load_u64(begin + 8)


@kernel
def points_into(ctx: Context, at: u64, addr: u64) -> bool:
    """Whether `addr` keeps the live chunk with record `at` alive; it lies in the chunk's block."""
    chunk = chunk_at(at)
    begin, size_bytes = chunk_begin(at), chunk_bytes(at)
    offset = addr - begin
    if offset == 0:
        return True
    if offset == size_bytes:  # new T[0] with a cookie: the array begins where the block ends
        is_cookie = chunk.family == NEW_ARRAY and offset == 8
        return is_cookie and load_u64(begin) == 0
    if offset > size_bytes:  # also below its beginning
        return False
    if (ctx.leaks.options & STARTS_ONLY) == 0:
        return True
    if chunk.family == NEW_ARRAY and (offset == 8 or offset == 16):
        return True
    return offset + 8 <= size_bytes and is_cxx_interior(begin, addr)


@kernel
def libc_block_bytes(block: u64) -> u64:
    """Usable bytes of a block of the C library's malloc, from the header in front of it."""
    return (load_u64(block - 8) & ~u64(GLIBC_FLAGS)) - 8


@kernel
def is_c_heap(ctx: Context, addr: u64) -> bool:
    """Whether an address lies in the C library's heap."""
    return addr - ctx.leaks.c_heap_lo < ctx.leaks.c_heap_bytes


@kernel
def visit_libc_block(ctx: Context, addr: u64) -> None:
    """A word points into the C library's heap: its block is looked into, once."""
    block = addr & NOT_15  # tsearch keeps a bit in its pointers
    bit = (block - ctx.leaks.c_heap_lo) >> 4
    byte = SEEN + (bit >> 3)
    mask = 1 << u8(bit & 7)
    if (load_u8(byte) & mask) != 0:
        return
    store_u8(byte, u8(load_u8(byte) | mask))
    if is_libc_chunk(ctx, block) and libc_block_bytes(block) <= MAX_LIBC_BLOCK:
        frontier_push(ctx, block)


@kernel
def passes_c_heap(ctx: Context, at: u64) -> bool:
    """Whether a block of the C library's heap is looked into for the word at `at`."""
    return is_arena(at) or is_c_heap(ctx, at) or (ctx.leaks.options & PASSES_C_HEAP) != 0


@kernel
def visit_word(ctx: Context, at: u64, word: u64) -> None:
    """Mark what the word at address `at` points to, if anything."""
    if word - HEAP_LO >= ctx.heap.units << UNIT_BITS:
        if is_c_heap(ctx, word) and passes_c_heap(ctx, at):
            visit_libc_block(ctx, word)
        return
    record = addr_to_chunk(ctx, word)
    if record == 0:
        return
    chunk = chunk_at(record)
    if chunk_state(record) != ALLOCATED or chunk.mark != UNREACHED:
        return
    if points_into(ctx, record, word) and not is_poisoned_word(ctx, at):
        chunk.mark = REACHED
        frontier_push(ctx, record)


@kernel
def is_barred(ctx: Context, addr: u64) -> bool:
    """Whether the page of `addr` may not be read.  O(barred ranges), hardly ever any."""
    for index in range(ctx.leaks.n_barred):
        row = BARRED + u64(index) * ROW_BYTES
        if load_u64(row) <= addr and addr < load_u64(row + 8):
            return True
    return False


@kernel
def scan_readable(ctx: Context, lo: u64, hi: u64) -> None:
    """Visit every word of [lo, hi)."""
    step = u64(8)
    if (ctx.leaks.options & USE_UNALIGNED) != 0:
        step = u64(1)
    else:
        lo = (lo + 7) & NOT_7
    while lo + 8 <= hi:
        visit_word(ctx, lo, load_u64(lo))
        lo += step


@kernel(outlined=True)
def leak_scan(ctx: Context, lo: u64, hi: u64) -> None:
    """Visit every word of [lo, hi) that lies in readable pages."""
    if ctx.leaks.n_barred == 0:
        scan_readable(ctx, lo, hi)
        return
    while lo < hi:
        end = min(hi, (lo & ~u64(PAGE_MASK)) + PAGE)
        if not is_barred(ctx, lo):
            scan_readable(ctx, lo, end)
        lo = end


@kernel
def leak_begin(ctx: Context) -> None:
    """Start a search.  O(chunks ever used at once)."""
    ctx.leaks.n_frontier = 0
    at = u64(CHUNKS_LO)
    while at < ctx.heap.chunks_top:
        chunk = chunk_at(at)
        if chunk_state(at) == ALLOCATED:
            if chunk.mark != IGNORED:
                chunk.mark = UNREACHED
            else:
                frontier_push(ctx, at)
        at += CHUNK_BYTES


@kernel
def leak_flood(ctx: Context) -> None:
    """Look into everything on the frontier, and into what that leads to."""
    while ctx.leaks.n_frontier != 0:
        n = ctx.leaks.n_frontier - 1
        ctx.leaks.n_frontier = n
        item = load_u64(FRONTIER + n * 8)
        if item - CHUNKS_LO < CHUNKS_BYTES:
            begin = chunk_begin(item)
            leak_scan(ctx, begin, begin + chunk_bytes(item))
        else:
            leak_scan(ctx, item, item + libc_block_bytes(item))


@kernel
def mark_pointed_to(ctx: Context, at: u64) -> None:
    """What the frontier got from scanning the unreached chunk `at` becomes an indirect leak."""
    while ctx.leaks.n_frontier != 0:
        n = ctx.leaks.n_frontier - 1
        ctx.leaks.n_frontier = n
        item = load_u64(FRONTIER + n * 8)
        if item - CHUNKS_LO >= CHUNKS_BYTES:
            continue
        if item == at:
            chunk_at(item).mark = UNREACHED  # a pointer to itself does not count
        else:
            chunk_at(item).mark = INDIRECT


@kernel
def leak_indirect(ctx: Context) -> None:
    """After the flood: chunks that another unreached chunk points to are marked INDIRECT."""
    at = u64(CHUNKS_LO)
    while at < ctx.heap.chunks_top:
        mark = chunk_at(at).mark
        if chunk_state(at) == ALLOCATED and (mark == UNREACHED or mark == INDIRECT):
            begin = chunk_begin(at)
            leak_scan(ctx, begin, begin + chunk_bytes(at))
            mark_pointed_to(ctx, at)
        at += CHUNK_BYTES
