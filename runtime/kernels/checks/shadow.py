"""Address shadow: which bytes of the arena may be touched, and why not.

    shadow byte at SHADOW_OFFSET + (addr >> 3), one per granule of 8 bytes, whatever the address

    00        all 8 bytes addressable          fa        heap redzone, or heap never handed out
    01..07    only the first k bytes           fd        freed heap
    f1 f2 f3  stack: left, middle, right       f5 f8     stack: after return, out of scope
    f9 f6     global redzone, init order       f7        poisoned by the program
    fc ac     container, array cookie          ca cb     alloca: left, right
    bb        intra-object redzone             fe        irsan's own memory, or none's

Two granularities of writing: `fill_shadow` sets whole granules whose owner is known (heap, stack,
globals); `poison_range` and `unpoison_range` take any bytes and keep what the edge granules can
still express.

Source: Serebryany, Bruening, Potapenko, Vyukov, "AddressSanitizer: A Fast Address Sanity Checker",
USENIX ATC 2012, sections 3.1 and 3.3; the values are those of LLVM's asan_internal.h.
Deviations: what says whether memory is addressable is the shadow of the arena in use only.  All
else, gaps between what the program owns, heap to come, foreign memory and addresses of nothing, has
inaccessible shadow, of which the fault handler makes fe when a check reads it
(engine/guest/arena_gaps.py): it costs no memory, and the check takes its slow path, which knows.
`open_pages` and `open_shadow` take a range of the arena into use.  Heap is filled with fa then.
Soundness: a granule cannot say "only the last bytes": poisoning a prefix of a live granule is lost.
Invariants: shadow of [ARENA_LO, ARENA_LO + arena_used) is meaningful, beyond it fe means nothing.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    DONTNEED,
    load_u8,
    load_u32,
    load_u64,
    real_madvise,
    real_memset,
    real_mprotect,
    store_u8,
    store_u16,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u8, u16, u32, u64
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.memory_map import ARENA_LO, HEAP_LO
from irsan.runtime.layout.shadow_bytes import INTERNAL

HEAP_REDZONE = 0xFA
HEAP_FREED = 0xFD
STACK_LEFT = 0xF1
STACK_MIDDLE = 0xF2
STACK_RIGHT = 0xF3
STACK_AFTER_RETURN = 0xF5
INIT_ORDER = 0xF6
USER_POISON = 0xF7
STACK_OUT_OF_SCOPE = 0xF8
GLOBAL_REDZONE = 0xF9
CONTAINER = 0xFC
ARRAY_COOKIE = 0xAC
INTRA_OBJECT = 0xBB
ALLOCA_LEFT = 0xCA
ALLOCA_RIGHT = 0xCB

NOT_7 = 0xFFFF_FFFF_FFFF_FFF8
SPLAT = 0x0101_0101_0101_0101
# Above this many shadow bytes the C library's memset is faster than stores in a row.
LONG = 128
# From here on giving pages back is cheaper than writing them.
MANY = 64 << 10
PAGE_MASK = 4095
READ_WRITE = 3
LOW32 = 0xFFFF_FFFF
SHADOW_OFFSET = memory_map.SHADOW_OFFSET
INTERNAL_BYTES = memory_map.CONTEXT_SIZE >> 3
BELOW_HEAP = memory_map.HEAP_LO - memory_map.ARENA_LO


@kernel
def addr_to_shadow(addr: u64) -> u64:
    """Address of the shadow byte of an address."""
    return SHADOW_OFFSET + (addr >> 3)


@kernel
def shadow_to_addr(shadow: u64) -> u64:
    """First of the 8 application bytes that a shadow byte describes."""
    return (shadow - SHADOW_OFFSET) << 3


@kernel
def set_bytes(at: u64, n_bytes: u64, value: u8) -> None:
    """memset for short runs: words, then the rest; long runs go to the C library."""
    if n_bytes > LONG:
        real_memset(at, u64(value), n_bytes)
        return
    word = u64(value) * SPLAT
    end = at + n_bytes
    while at + 8 <= end:
        store_u64(at, word)
        at += 8
    if (n_bytes & 4) != 0:
        store_u32(at, u32(word))
        at += 4
    if (n_bytes & 2) != 0:
        store_u16(at, u16(word))
        at += 2
    if (n_bytes & 1) != 0:
        store_u8(at, value)


@kernel
def clear_bytes(at: u64, n_bytes: u64) -> None:
    """Zero bytes of the shadow; whole pages of a long run go back to the system, which is free."""
    if n_bytes < MANY:
        set_bytes(at, n_bytes, 0)
        return
    first_page = (at + PAGE_MASK) & ~u64(PAGE_MASK)
    last_page = (at + n_bytes) & ~u64(PAGE_MASK)
    real_memset(at, 0, first_page - at)
    real_madvise(first_page, last_page - first_page, DONTNEED)
    real_memset(last_page, 0, at + n_bytes - last_page)


@kernel
def fill_shadow(ctx: Context, addr: u64, size_bytes: u64, value: u8) -> None:
    """Set whole granules: [addr, addr + size_bytes) rounded outward to 8 bytes."""
    first = addr_to_shadow(addr)
    n_granules = addr_to_shadow(addr + size_bytes + 7) - first
    set_bytes(first, n_granules, value)


@kernel
def fill_addressable(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """Make exactly [addr, addr + size_bytes) addressable; `addr` is a multiple of 8.

    The last granule becomes partial (1..7) when the size is not a multiple of 8.
    """
    clear_bytes(addr_to_shadow(addr), size_bytes >> 3)
    rest = size_bytes & 7
    if rest != 0:
        store_u8(addr_to_shadow(addr + size_bytes), u8(rest))


@kernel
def fill_object(ctx: Context, addr: u64, size_bytes: u64, total_bytes: u64, value: u8) -> None:
    """An object of `size_bytes` at `addr` (multiple of 8), then redzone up to `total_bytes`."""
    fill_addressable(ctx, addr, size_bytes)
    redzone = (addr + size_bytes + 7) & NOT_7
    if redzone < addr + total_bytes:
        fill_shadow(ctx, redzone, addr + total_bytes - redzone, value)


@kernel
def poison_tail(shadow: u64, offset: u64, value: u8) -> None:
    """Poison one granule from byte `offset` on, keeping its first bytes as they are."""
    old = load_u8(shadow)
    if offset == 0:
        store_u8(shadow, value)
        return
    keep = u8(offset)
    if old == 0 or (old < 128 and keep < old):
        store_u8(shadow, keep)


@kernel
def poison_inside(shadow: u64, first: u64, last: u64, value: u8) -> None:
    """Poison bytes [first, last) of one granule, last < 8; lost when live bytes follow."""
    old = load_u8(shadow)
    reaches_end = old != 0 and u64(old) <= last
    if reaches_end and old < 128:
        poison_tail(shadow, first, value)


@kernel
def note_parts(ctx: Context, addr: u64) -> None:
    """Memory at `addr` is poisoned by others than the heap: its blocks may be so in part."""
    if addr >= HEAP_LO:
        ctx.heap.has_parts = 1


@kernel
def poison_range(ctx: Context, addr: u64, size_bytes: u64, value: u8) -> None:
    """Poison any bytes of the arena with `value`; the edges keep what a granule can express.

    addr, size_bytes  u64, bytes, inside the arena.  O(size / 8).
    """
    if size_bytes == 0:
        return
    note_parts(ctx, addr)
    end = addr + size_bytes
    first = addr_to_shadow(addr)
    last = addr_to_shadow(end)
    if first == last:
        poison_inside(first, addr & 7, end & 7, value)
        return
    if (addr & 7) != 0:
        poison_tail(first, addr & 7, value)
        first += 1
    set_bytes(first, last - first, value)
    if (end & 7) != 0:
        poison_inside(last, 0, end & 7, value)


@kernel
def unpoison_range(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """Make any bytes of the arena addressable; bytes before `addr` in its granule become so too."""
    if size_bytes == 0:
        return
    end = addr + size_bytes
    first = addr_to_shadow(addr)
    last = addr_to_shadow(end)
    clear_bytes(first, last - first)
    rest = u8(end & 7)
    if rest == 0:
        return
    old = load_u8(last)
    if old >= 128 or (old != 0 and old < rest):
        store_u8(last, rest)


@kernel
def is_poisoned(addr: u64) -> bool:
    """Whether one byte of the arena is poisoned."""
    value = load_u8(addr_to_shadow(addr))
    return value != 0 and (value >= 128 or u8(addr & 7) >= value)


@kernel
def first_unclear(shadow: u64, end: u64) -> u64:
    """First shadow address in [shadow, end) whose byte is not 0, else `end`; 8 at a time."""
    while shadow + 8 <= end and load_u64(shadow) == 0:
        shadow += 8
    while shadow < end and load_u8(shadow) == 0:
        shadow += 1
    return shadow


@kernel
def is_all_clear(shadow: u64, end: u64) -> bool:
    """Whether no shadow byte in [shadow, end) is set: the ends of a piece overlap, none is left
    over for single bytes."""
    n_bytes = end - shadow
    if n_bytes < 4:
        if n_bytes == 0:
            return True
        return load_u8(shadow) | load_u8(shadow + (n_bytes >> 1)) | load_u8(end - 1) == 0
    if n_bytes < 8:
        return load_u32(shadow) | load_u32(end - 4) == 0
    while shadow + 32 < end:
        here = load_u64(shadow) | load_u64(shadow + 8)
        if here | load_u64(shadow + 16) | load_u64(shadow + 24) != 0:
            return False
        shadow += 32
    while shadow + 8 < end:
        if load_u64(shadow) != 0:
            return False
        shadow += 8
    return load_u64(end - 8) == 0


@kernel
def is_range_clean(addr: u64, size_bytes: u64) -> bool:
    """Whether all of at least one byte of the arena may be touched; false also when whole granules
    between its ends are not addressable as a whole, which `first_poisoned` looks at.

    O(size / 64).
    """
    last_byte = addr + size_bytes - 1
    last = addr_to_shadow(last_byte)
    value = load_u8(last)
    is_open = value == 0 or (value < 128 and (last_byte & 7) < value)
    return is_open and is_all_clear(addr_to_shadow(addr), last)


@kernel
def first_poisoned(ctx: Context, addr: u64, size_bytes: u64) -> u64:
    """Lowest poisoned byte of [addr, addr + size_bytes), or 0 when all may be touched.

    The whole range lies in the arena.  O(size / 64).
    """
    if size_bytes == 0 or is_range_clean(addr, size_bytes):
        return 0
    return search_poisoned(ctx, addr, size_bytes)


@kernel(outlined=True)
def search_poisoned(_ctx: Context, addr: u64, size_bytes: u64) -> u64:
    """As `first_poisoned`, granule by granule where one is not clear."""
    end = addr + size_bytes
    shadow = first_unclear(addr_to_shadow(addr), addr_to_shadow(end - 1) + 1)
    while shadow_to_addr(shadow) < end:
        value = load_u8(shadow)
        bad = shadow_to_addr(shadow)
        if value < 128:
            bad += u64(value)
        bad = max(bad, addr)
        if value != 0 and bad < end:
            return bad
        shadow = first_unclear(shadow + 1, addr_to_shadow(end - 1) + 1)
    return 0


@kernel
def open_pages(addr: u64, size_bytes: u64) -> bool:
    """Make pages of a gap accessible; False when the system refuses."""
    return (real_mprotect(addr, size_bytes, READ_WRITE) & LOW32) == 0


@kernel
def open_shadow(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """Shadow of a gap becomes that of memory in use; both ends at multiples of 32 KiB."""
    if ctx.sanitize_address != 0:
        first = addr_to_shadow(addr)
        real_mprotect(first, size_bytes >> 3, READ_WRITE)
        clear_bytes(first, size_bytes >> 3)


@kernel
def open_heap_shadow(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """Shadow of heap that is taken into use, where blocks are poisoned; multiples of 32 KiB."""
    if ctx.sanitize_address != 0:
        first = addr_to_shadow(addr)
        real_mprotect(first, size_bytes >> 3, READ_WRITE)
        if ctx.heap.is_poisoning == 0:
            clear_bytes(first, size_bytes >> 3)


@kernel
def renew_shadow(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """As `open_shadow` for a range so big that its shadow is not to be touched."""
    if ctx.sanitize_address != 0:
        first = addr_to_shadow(addr)
        real_mprotect(first, size_bytes >> 3, READ_WRITE)
        real_madvise(first, size_bytes >> 3, DONTNEED)


@kernel
def is_nobody_there(ctx: Context, addr: u64) -> bool:
    """Whether an address below ctx.arena_used is irsan's own, or in a gap: not to be accessed."""
    return load_u8(addr_to_shadow(addr)) == INTERNAL


@kernel
def set_arena_used(ctx: Context, n_bytes: u64) -> None:
    """The arena is in use up to ARENA_LO + n_bytes (a multiple of 8), and not above."""
    ctx.arena_used = n_bytes


@kernel
def shadow_init(ctx: Context) -> None:
    """Start: everything below the heap is in use, irsan's own record is not to be touched."""
    set_arena_used(ctx, BELOW_HEAP)
    real_memset(addr_to_shadow(ARENA_LO), u64(INTERNAL), INTERNAL_BYTES)
