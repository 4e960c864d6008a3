"""Address shadow: which bytes of the arena may be touched, and why not.

    shadow byte at ASAN_SHADOW + ((addr - ARENA_LO) >> 3), one per granule of 8 application bytes

    00        all 8 bytes addressable          fa        heap redzone, or heap never handed out
    01..07    only the first k bytes           fd        freed heap
    f1 f2 f3  stack: left, middle, right       f5 f8     stack: after return, out of scope
    f9 f6     global redzone, init order       f7        poisoned by the program
    fc ac     container, array cookie          ca cb     alloca: left, right
    bb        intra-object redzone             fe        irsan's own memory, or nobody's

Two granularities of writing: `fill_shadow` sets whole granules whose owner is known (heap, stack,
globals); `poison_range` and `unpoison_range` take any bytes and keep what the edge granules can
still express.

Source: Serebryany, Bruening, Potapenko, Vyukov, "AddressSanitizer: A Fast Address Sanity Checker",
USENIX ATC 2012, sections 3.1 and 3.3; the values are those of LLVM's asan_internal.h.
Deviations: the shadow covers the arena only (memory_map.py); a fresh shadow reads 00, so everything
at or above `ctx.arena_used` is outside: the fast check compares against that word, not a constant,
and heap is filled with fa when it is taken into use.
Gaps between what the program owns are inaccessible, and so is their shadow, of which the fault
handler makes a page of fe when somebody asks (engine/guest/arena_gaps.py): they cost no memory.
`open_pages` and `open_shadow` take a range of them into use.
Soundness: a granule cannot say "only the last bytes": poisoning a prefix of a live granule is lost.
Invariants: shadow of [ARENA_LO, ARENA_LO + arena_used) is meaningful; nothing reads beyond.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    U64_DONTNEED,
    load_u8,
    load_u64,
    real_madvise,
    real_memset,
    real_mprotect,
    store_u8,
    store_u16,
    store_u32,
    store_u64,
)
from irsan.runtime.layout import memory_map

HEAP_REDZONE = np.uint8(0xFA)
HEAP_FREED = np.uint8(0xFD)
STACK_LEFT = np.uint8(0xF1)
STACK_MIDDLE = np.uint8(0xF2)
STACK_RIGHT = np.uint8(0xF3)
STACK_AFTER_RETURN = np.uint8(0xF5)
INIT_ORDER = np.uint8(0xF6)
USER_POISON = np.uint8(0xF7)
STACK_OUT_OF_SCOPE = np.uint8(0xF8)
GLOBAL_REDZONE = np.uint8(0xF9)
CONTAINER = np.uint8(0xFC)
ARRAY_COOKIE = np.uint8(0xAC)
INTRA_OBJECT = np.uint8(0xBB)
ALLOCA_LEFT = np.uint8(0xCA)
ALLOCA_RIGHT = np.uint8(0xCB)
INTERNAL = np.uint8(0xFE)

U8_0 = np.uint8(0)
U8_8 = np.uint8(8)
U8_128 = np.uint8(128)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_2 = np.uint64(2)
U64_3 = np.uint64(3)
U64_4 = np.uint64(4)
U64_7 = np.uint64(7)
U64_8 = np.uint64(8)
U64_NOT_7 = np.uint64(0xFFFF_FFFF_FFFF_FFF8)
U64_SPLAT = np.uint64(0x0101_0101_0101_0101)
# Above this many shadow bytes the C library's memset is faster than stores in a row.
U64_LONG = np.uint64(128)
# From here on giving pages back is cheaper than writing them.
U64_MANY = np.uint64(64 << 10)
U64_PAGE_MASK = np.uint64(4095)
U64_READ_WRITE = np.uint64(3)
U64_LOW32 = np.uint64(0xFFFF_FFFF)
U64_ARENA_LO = np.uint64(memory_map.ARENA_LO)
SHADOW_BIAS = np.uint64(memory_map.ASAN_SHADOW - (memory_map.ARENA_LO >> 3))
U64_INTERNAL_BYTES = np.uint64(memory_map.CONTEXT_SIZE >> 3)
U64_BELOW_HEAP = np.uint64(memory_map.HEAP_LO - memory_map.ARENA_LO)


@kernel("u64(u64)")
def addr_to_shadow(addr: Any) -> Any:
    """Address of the shadow byte of an arena address."""
    return SHADOW_BIAS + (addr >> U64_3)


@kernel("u64(u64)")
def shadow_to_addr(shadow: Any) -> Any:
    """First of the 8 application bytes that a shadow byte describes."""
    return (shadow - SHADOW_BIAS) << U64_3


@kernel("void(u64,u64,u8)")
def set_bytes(at: Any, n_bytes: Any, value: Any) -> None:
    """memset for short runs: words, then the rest; long runs go to the C library."""
    if n_bytes > U64_LONG:
        real_memset(at, np.uint64(value), n_bytes)
        return
    word = np.uint64(value) * U64_SPLAT
    end = at + n_bytes
    while at + U64_8 <= end:
        store_u64(at, word)
        at += U64_8
    if (n_bytes & U64_4) != U64_0:
        store_u32(at, np.uint32(word))
        at += U64_4
    if (n_bytes & U64_2) != U64_0:
        store_u16(at, np.uint16(word))
        at += U64_2
    if (n_bytes & U64_1) != U64_0:
        store_u8(at, value)


@kernel("void(u64,u64)")
def clear_bytes(at: Any, n_bytes: Any) -> None:
    """Zero bytes of the shadow; whole pages of a long run go back to the system, which is free."""
    if n_bytes < U64_MANY:
        set_bytes(at, n_bytes, U8_0)
        return
    first_page = (at + U64_PAGE_MASK) & ~U64_PAGE_MASK
    last_page = (at + n_bytes) & ~U64_PAGE_MASK
    real_memset(at, U64_0, first_page - at)
    real_madvise(first_page, last_page - first_page, U64_DONTNEED)
    real_memset(last_page, U64_0, at + n_bytes - last_page)


@kernel("void(ctx,u64,u64,u8)")
def fill_shadow(ctx: Any, addr: Any, size_bytes: Any, value: Any) -> None:
    """Set whole granules: [addr, addr + size_bytes) rounded outward to 8 bytes."""
    first = addr_to_shadow(addr)
    n_granules = addr_to_shadow(addr + size_bytes + U64_7) - first
    set_bytes(first, n_granules, value)


@kernel("void(ctx,u64,u64)")
def fill_addressable(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """Make exactly [addr, addr + size_bytes) addressable; `addr` is a multiple of 8.

    The last granule becomes partial (1..7) when the size is not a multiple of 8.
    """
    clear_bytes(addr_to_shadow(addr), size_bytes >> U64_3)
    rest = size_bytes & U64_7
    if rest != U64_0:
        store_u8(addr_to_shadow(addr + size_bytes), np.uint8(rest))


@kernel("void(ctx,u64,u64,u64,u8)")
def fill_object(ctx: Any, addr: Any, size_bytes: Any, total_bytes: Any, value: Any) -> None:
    """An object of `size_bytes` at `addr` (multiple of 8), then redzone up to `total_bytes`."""
    fill_addressable(ctx, addr, size_bytes)
    redzone = (addr + size_bytes + U64_7) & U64_NOT_7
    if redzone < addr + total_bytes:
        fill_shadow(ctx, redzone, addr + total_bytes - redzone, value)


@kernel("void(u64,u64,u8)")
def poison_tail(shadow: Any, offset: Any, value: Any) -> None:
    """Poison one granule from byte `offset` on, keeping its first bytes as they are."""
    old = load_u8(shadow)
    if offset == U64_0:
        store_u8(shadow, value)
        return
    keep = np.uint8(offset)
    if old == U8_0 or (old < U8_128 and keep < old):
        store_u8(shadow, keep)


@kernel("void(u64,u64,u64,u8)")
def poison_inside(shadow: Any, first: Any, last: Any, value: Any) -> None:
    """Poison bytes [first, last) of one granule, last < 8; lost when live bytes follow."""
    old = load_u8(shadow)
    reaches_end = old != U8_0 and np.uint64(old) <= last
    if reaches_end and old < U8_128:
        poison_tail(shadow, first, value)


@kernel("void(ctx,u64,u64,u8)")
def poison_range(ctx: Any, addr: Any, size_bytes: Any, value: Any) -> None:
    """Poison any bytes of the arena with `value`; the edges keep what a granule can express.

    addr, size_bytes  u64, bytes, inside the arena.  O(size / 8).
    """
    if size_bytes == U64_0:
        return
    end = addr + size_bytes
    first = addr_to_shadow(addr)
    last = addr_to_shadow(end)
    if first == last:
        poison_inside(first, addr & U64_7, end & U64_7, value)
        return
    if (addr & U64_7) != U64_0:
        poison_tail(first, addr & U64_7, value)
        first += U64_1
    set_bytes(first, last - first, value)
    if (end & U64_7) != U64_0:
        poison_inside(last, U64_0, end & U64_7, value)


@kernel("void(ctx,u64,u64)")
def unpoison_range(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """Make any bytes of the arena addressable; bytes before `addr` in its granule become so too."""
    if size_bytes == U64_0:
        return
    end = addr + size_bytes
    first = addr_to_shadow(addr)
    last = addr_to_shadow(end)
    clear_bytes(first, last - first)
    rest = np.uint8(end & U64_7)
    if rest == U8_0:
        return
    old = load_u8(last)
    if old >= U8_128 or (old != U8_0 and old < rest):
        store_u8(last, rest)


@kernel("b1(u64)")
def is_poisoned(addr: Any) -> Any:
    """Whether one byte of the arena is poisoned."""
    value = load_u8(addr_to_shadow(addr))
    return value != U8_0 and (value >= U8_128 or np.uint8(addr & U64_7) >= value)


@kernel("u64(u64,u64)")
def first_unclear(shadow: Any, end: Any) -> Any:
    """First shadow address in [shadow, end) whose byte is not 0, else `end`; 8 at a time."""
    while shadow + U64_8 <= end and load_u64(shadow) == U64_0:
        shadow += U64_8
    while shadow < end and load_u8(shadow) == U8_0:
        shadow += U64_1
    return shadow


@kernel("u64(ctx,u64,u64)")
def first_poisoned(ctx: Any, addr: Any, size_bytes: Any) -> Any:
    """Lowest poisoned byte of [addr, addr + size_bytes), or 0 when all may be touched.

    The whole range lies in the arena.  O(size / 64).
    """
    if size_bytes == U64_0:
        return U64_0
    end = addr + size_bytes
    shadow = first_unclear(addr_to_shadow(addr), addr_to_shadow(end - U64_1) + U64_1)
    while shadow_to_addr(shadow) < end:
        value = load_u8(shadow)
        bad = shadow_to_addr(shadow)
        if value < U8_128:
            bad += np.uint64(value)
        bad = max(bad, addr)
        if value != U8_0 and bad < end:
            return bad
        shadow = first_unclear(shadow + U64_1, addr_to_shadow(end - U64_1) + U64_1)
    return U64_0


@kernel("b1(u64,u64)")
def open_pages(addr: Any, size_bytes: Any) -> Any:
    """Make pages of a gap accessible; False when the system refuses."""
    return (real_mprotect(addr, size_bytes, U64_READ_WRITE) & U64_LOW32) == U64_0


@kernel("void(ctx,u64,u64)")
def open_shadow(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """Shadow of a gap becomes that of memory in use; both ends at multiples of 32 KiB."""
    if ctx.sanitize_address != U64_0:
        first = addr_to_shadow(addr)
        real_mprotect(first, size_bytes >> U64_3, U64_READ_WRITE)
        clear_bytes(first, size_bytes >> U64_3)


@kernel("void(ctx,u64,u64)")
def renew_shadow(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """As `open_shadow` for a range so big that its shadow is not to be touched."""
    if ctx.sanitize_address != U64_0:
        first = addr_to_shadow(addr)
        real_mprotect(first, size_bytes >> U64_3, U64_READ_WRITE)
        real_madvise(first, size_bytes >> U64_3, U64_DONTNEED)


@kernel("b1(ctx,u64)")
def is_nobody_there(ctx: Any, addr: Any) -> Any:
    """Whether an address below ctx.arena_used is irsan's own, or in a gap: nobody may touch it."""
    return load_u8(addr_to_shadow(addr)) == INTERNAL


@kernel("void(ctx,u64)")
def set_arena_used(ctx: Any, n_bytes: Any) -> None:
    """The arena is in use up to ARENA_LO + n_bytes (a multiple of 8), and not above."""
    ctx.arena_used = n_bytes
    ctx.used_pairs = n_bytes >> U64_1
    ctx.used_words = n_bytes >> U64_2
    ctx.used_granules = n_bytes >> U64_3


@kernel("void(ctx)")
def shadow_init(ctx: Any) -> None:
    """Start: everything below the heap is in use, irsan's own record is not to be touched."""
    set_arena_used(ctx, U64_BELOW_HEAP)
    real_memset(addr_to_shadow(U64_ARENA_LO), np.uint64(INTERNAL), U64_INTERNAL_BYTES)
