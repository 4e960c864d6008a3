"""Leak search: which live chunks can the program still reach?

    leak_begin       forget the marks of the last search; chunks to ignore are where it starts
    leak_scan        words of a root range: each chunk they point to is marked, put on the frontier
    leak_flood       until the frontier is empty: take a chunk, scan its words
    leak_indirect    words of chunks never marked: what they point to is an indirect leak

A word points to a chunk when it is the address of any of its bytes.  Chunks are found by the
heap's own arithmetic (chunks.py), so a word costs one compare when it is no pointer and four
dependent loads when it is one: linear in live bytes, O(live chunks) memory on the frontier.

Small blocks of the C library's own heap are passed through: a tree of `tsearch` keeps its keys
alive.  Only blocks that the program's memory, or another such block, points to are looked into, so
what the host left lying about in that heap keeps nothing alive.

Source: LeakSanitizer's lsan_common.cpp: reachable, then ignored, then indirect, and the order of
tests; the cases in which C++ points into the middle of a block are those of Valgrind's memcheck
(--leak-check-heuristics), and used only with use_interior=0.
Deviations: words in poisoned memory are skipped by shadow for unaligned words too; a page that the
program has made unreadable is skipped instead of ending the process.
Soundness: conservative, as in the original: a number that looks like an address hides a leak.
A pointer kept only in encoded form, in a file or in memory from mmap is not seen: a false report.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.checks.foreign import is_arena, is_libc_chunk
from irsan.runtime.kernels.checks.shadow import addr_to_shadow
from irsan.runtime.kernels.heap_tables.chunks import addr_to_chunk, chunk_at
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, load_u64, store_u8, store_u64
from irsan.runtime.layout import memory_map
from irsan.runtime.records import heap_records as hr
from irsan.runtime.records import leak_records as lr

CHUNKS_TOP = hr.CHUNKS_TOP
UNITS = hr.UNITS
N_FRONTIER = lr.N_FRONTIER
OPTIONS = lr.OPTIONS
N_BARRED = lr.N_BARRED
C_HEAP_LO = lr.C_HEAP_LO
C_HEAP_BYTES = lr.C_HEAP_BYTES

U8_1 = np.uint8(1)
U8_0 = np.uint8(0)
U8_128 = np.uint8(128)
U8_ALLOCATED = np.uint8(hr.ALLOCATED)
U8_NEW_ARRAY = np.uint8(hr.NEW_ARRAY)
U32_UNREACHED = np.uint32(lr.UNREACHED)
U32_REACHED = np.uint32(lr.REACHED)
U32_INDIRECT = np.uint32(lr.INDIRECT)
U32_IGNORED = np.uint32(lr.IGNORED)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_3 = np.uint64(3)
U64_4 = np.uint64(4)
U64_7 = np.uint64(7)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
U64_24 = np.uint64(24)
U64_NOT_7 = np.uint64(0xFFFF_FFFF_FFFF_FFF8)
U64_NOT_15 = np.uint64(0xFFFF_FFFF_FFFF_FFF0)
U64_PAGE = np.uint64(4096)
U64_PAGE_MASK = np.uint64(4095)
U64_UNIT_BITS = np.uint64(hr.UNIT_BITS)
U64_HEAP_LO = np.uint64(memory_map.HEAP_LO)
U64_CHUNKS_LO = np.uint64(hr.CHUNKS_LO)
U64_CHUNKS_BYTES = np.uint64(hr.CHUNKS_HI - hr.CHUNKS_LO)
U64_CHUNK = np.uint64(hr.CHUNK_BYTES)
U64_CODE_LO = np.uint64(memory_map.PROGRAM_CODE_LO)
U64_PROGRAM_BYTES = np.uint64(memory_map.GLOBALS_HI - memory_map.PROGRAM_CODE_LO)
U64_FRONTIER = np.uint64(lr.FRONTIER)
U64_SEEN = np.uint64(lr.SEEN)
U64_BARRED = np.uint64(lr.BARRED)
U64_ROW = np.uint64(lr.ROW_BYTES)
U64_USE_UNALIGNED = np.uint64(lr.USE_UNALIGNED)
U64_USE_POISONED = np.uint64(lr.USE_POISONED)
U64_STARTS_ONLY = np.uint64(lr.STARTS_ONLY)
GLIBC_FLAGS = np.uint64(7)
MAX_LIBC_BLOCK = np.uint64(256)  # nodes of lists and trees, no buffers


@kernel("void(ctx,u64)")
def frontier_push(ctx: Any, item: Any) -> None:
    """Look into a chunk (address of its record) or a block of the C library later."""
    n = ctx.leaks[N_FRONTIER]
    store_u64(U64_FRONTIER + n * U64_8, item)
    ctx.leaks[N_FRONTIER] = n + U64_1


@kernel("b1(ctx,u64)")
def is_poisoned_word(ctx: Any, at: Any) -> Any:
    """Whether the 8 bytes at `at` lie in poisoned memory and so hold no pointer."""
    if (ctx.leaks[OPTIONS] & U64_USE_POISONED) != U64_0 or ctx.sanitize_address == U64_0:
        return False
    if not is_arena(at):
        return False
    if load_u8(addr_to_shadow(at)) != U8_0:
        return True
    last = load_u8(addr_to_shadow(at + U64_7))
    return last != U8_0 and (last >= U8_128 or np.uint8((at + U64_7) & U64_7) >= last)


@kernel("b1(u64,u64)")
def is_cxx_interior(begin: Any, addr: Any) -> Any:
    """Whether a pointer into the middle of a block may be all that C++ keeps of it.

    A second base class (a vtable at both places), the text of a reference-counted std::string.
    """
    if (addr & U64_7) != U64_0:
        return False
    here = load_u64(addr) - U64_CODE_LO
    there = load_u64(begin) - U64_CODE_LO
    if here < U64_PROGRAM_BYTES and there < U64_PROGRAM_BYTES:
        return True
    return addr == begin + U64_24 and load_u64(begin) <= load_u64(begin + U64_8)


@kernel("b1(ctx,u64,u64)")
def points_into(ctx: Any, at: Any, addr: Any) -> Any:
    """Whether `addr` keeps the live chunk with record `at` alive; it lies in the chunk's block."""
    chunk = chunk_at(at)
    offset = addr - chunk.begin
    if offset == U64_0:
        return True
    if offset == chunk.size_bytes:  # new T[0] with a cookie: the array begins where the block ends
        is_cookie = chunk.family == U8_NEW_ARRAY and offset == U64_8
        return is_cookie and load_u64(chunk.begin) == U64_0
    if offset > chunk.size_bytes:  # also below its beginning
        return False
    if (ctx.leaks[OPTIONS] & U64_STARTS_ONLY) == U64_0:
        return True
    if chunk.family == U8_NEW_ARRAY and (offset == U64_8 or offset == U64_16):
        return True
    return offset + U64_8 <= chunk.size_bytes and is_cxx_interior(chunk.begin, addr)


@kernel("u64(u64)")
def libc_block_bytes(block: Any) -> Any:
    """Usable bytes of a block of the C library's malloc, from the header in front of it."""
    return (load_u64(block - U64_8) & ~GLIBC_FLAGS) - U64_8


@kernel("b1(ctx,u64)")
def is_c_heap(ctx: Any, addr: Any) -> Any:
    """Whether an address lies in the C library's heap."""
    return addr - ctx.leaks[C_HEAP_LO] < ctx.leaks[C_HEAP_BYTES]


@kernel("void(ctx,u64)")
def visit_libc_block(ctx: Any, addr: Any) -> None:
    """A word points into the C library's heap: its block is looked into, once."""
    block = addr & U64_NOT_15  # tsearch keeps a bit in its pointers
    bit = (block - ctx.leaks[C_HEAP_LO]) >> U64_4
    byte = U64_SEEN + (bit >> U64_3)
    mask = U8_1 << np.uint8(bit & U64_7)
    if (load_u8(byte) & mask) != U8_0:
        return
    store_u8(byte, np.uint8(load_u8(byte) | mask))
    if is_libc_chunk(ctx, block) and libc_block_bytes(block) <= MAX_LIBC_BLOCK:
        frontier_push(ctx, block)


@kernel("void(ctx,u64,u64)")
def visit_word(ctx: Any, at: Any, word: Any) -> None:
    """Mark what the word at address `at` points to, if anything."""
    if word - U64_HEAP_LO >= ctx.heap[UNITS] << U64_UNIT_BITS:
        if is_c_heap(ctx, word) and (is_arena(at) or is_c_heap(ctx, at)):
            visit_libc_block(ctx, word)
        return
    record = addr_to_chunk(ctx, word)
    if record == U64_0:
        return
    chunk = chunk_at(record)
    if chunk.state != U8_ALLOCATED or chunk.mark != U32_UNREACHED:
        return
    if points_into(ctx, record, word) and not is_poisoned_word(ctx, at):
        chunk.mark = U32_REACHED
        frontier_push(ctx, record)


@kernel("b1(ctx,u64)")
def is_barred(ctx: Any, addr: Any) -> Any:
    """Whether the page of `addr` may not be read.  O(barred ranges), hardly ever any."""
    for index in range(ctx.leaks[N_BARRED]):
        row = U64_BARRED + np.uint64(index) * U64_ROW
        if load_u64(row) <= addr and addr < load_u64(row + U64_8):
            return True
    return False


@kernel("void(ctx,u64,u64)")
def scan_readable(ctx: Any, lo: Any, hi: Any) -> None:
    """Visit every word of [lo, hi)."""
    step = U64_8
    if (ctx.leaks[OPTIONS] & U64_USE_UNALIGNED) != U64_0:
        step = U64_1
    else:
        lo = (lo + U64_7) & U64_NOT_7
    while lo + U64_8 <= hi:
        visit_word(ctx, lo, load_u64(lo))
        lo += step


@kernel("void(ctx,u64,u64)", outlined=True)
def leak_scan(ctx: Any, lo: Any, hi: Any) -> None:
    """Visit every word of [lo, hi) that lies in readable pages."""
    if ctx.leaks[N_BARRED] == U64_0:
        scan_readable(ctx, lo, hi)
        return
    while lo < hi:
        end = min(hi, (lo & ~U64_PAGE_MASK) + U64_PAGE)
        if not is_barred(ctx, lo):
            scan_readable(ctx, lo, end)
        lo = end


@kernel("void(ctx)")
def leak_begin(ctx: Any) -> None:
    """Start a search.  O(chunks ever used at once)."""
    ctx.leaks[N_FRONTIER] = U64_0
    at = U64_CHUNKS_LO
    while at < ctx.heap[CHUNKS_TOP]:
        chunk = chunk_at(at)
        if chunk.mark != U32_IGNORED:
            chunk.mark = U32_UNREACHED
        elif chunk.state == U8_ALLOCATED:
            frontier_push(ctx, at)
        at += U64_CHUNK


@kernel("void(ctx)")
def leak_flood(ctx: Any) -> None:
    """Look into everything on the frontier, and into what that leads to."""
    while ctx.leaks[N_FRONTIER] != U64_0:
        n = ctx.leaks[N_FRONTIER] - U64_1
        ctx.leaks[N_FRONTIER] = n
        item = load_u64(U64_FRONTIER + n * U64_8)
        if item - U64_CHUNKS_LO < U64_CHUNKS_BYTES:
            chunk = chunk_at(item)
            leak_scan(ctx, chunk.begin, chunk.begin + chunk.size_bytes)
        else:
            leak_scan(ctx, item, item + libc_block_bytes(item))


@kernel("void(ctx,u64)")
def mark_pointed_to(ctx: Any, at: Any) -> None:
    """What the frontier got from scanning the unreached chunk `at` becomes an indirect leak."""
    while ctx.leaks[N_FRONTIER] != U64_0:
        n = ctx.leaks[N_FRONTIER] - U64_1
        ctx.leaks[N_FRONTIER] = n
        item = load_u64(U64_FRONTIER + n * U64_8)
        if item - U64_CHUNKS_LO >= U64_CHUNKS_BYTES:
            continue
        if item == at:
            chunk_at(item).mark = U32_UNREACHED  # a pointer to itself does not count
        else:
            chunk_at(item).mark = U32_INDIRECT


@kernel("void(ctx)")
def leak_indirect(ctx: Any) -> None:
    """After the flood: chunks that another unreached chunk points to are marked INDIRECT."""
    at = U64_CHUNKS_LO
    while at < ctx.heap[CHUNKS_TOP]:
        chunk = chunk_at(at)
        is_lost = chunk.mark == U32_UNREACHED or chunk.mark == U32_INDIRECT
        if chunk.state == U8_ALLOCATED and is_lost:
            leak_scan(ctx, chunk.begin, chunk.begin + chunk.size_bytes)
            mark_pointed_to(ctx, at)
        at += U64_CHUNK
