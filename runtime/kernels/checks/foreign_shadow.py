"""The shadow of memory outside the arena: it says "ask", or, where no fault can come, "fine".

    at first              inaccessible; the fault handler makes fe of it, so that each access is
                          looked up (foreign.py)
    what the program      zero while it is mapped and can be read, up to the end of its file:
    maps                  accesses to it cost what those to the heap do; then as at first
    what is there         libraries and their heap: zero once an access to it has been looked up
    SIGSEGV is handled,   zero for good: such a program cannot have the fault, and a wild access is
    or blocked at start   what it is natively

What the handler does: engine/guest/arena_gaps.py.  The 256 KiB around the null pointer are fe.
What else lies below the arena can be looked at in a handler of SIGSEGV, too: a Python whose own
addresses are fixed has its copy of `stdout` there.

Soundness: what is not looked up is no finding before the processor refuses it, as in
AddressSanitizer. A read may then be reported with a line near it: of a file that became shorter.
Shadow of a mapping that is filled again because its neighbour was looked at, or of more mappings
than MOST_OPENED, says "ask", which is always right.
"""

from __future__ import annotations

from irsan.runtime.kernels.checks.shadow import addr_to_shadow
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, real_function, real_memset
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.mapping_zone import ZONE_LO
from irsan.runtime.layout.shadow_bytes import INTERNAL, OUTER_BYTES

SIGSEGV = libc.constant("SIGSEGV")
SEGV_BIT = 1 << (SIGSEGV - 1)
NO_ACCESS = 0
READ_WRITE = 3
MOST_OPENED = 1 << 13  # a process can have 65,530 mappings
ADDRESSES = 1 << 47  # that a program can have
LOW_HI = memory_map.ARENA_LO
FLAGS = sum(
    libc.constant(name) for name in ("MAP_PRIVATE", "MAP_FIXED", "MAP_ANONYMOUS", "MAP_NORESERVE")
)
NO_FILE = 0xFFFF_FFFF_FFFF_FFFF

NULL_LO = memory_map.SHADOW_OFFSET
NULL_BYTES = 32 << 10  # of shadow
BELOW_LO = NULL_LO + NULL_BYTES
BELOW_BYTES = memory_map.ASAN_SHADOW - BELOW_LO
ZONE_SHADOW_LO = memory_map.addr_to_shadow(ZONE_LO)
ZONE_SHADOW_BYTES = (memory_map.ARENA_HI - ZONE_LO) >> 3
ABOVE_LO = memory_map.ARENA_HI
ABOVE_BYTES = memory_map.SHADOW_HI - memory_map.ARENA_HI

real_mmap = real_function("mmap", 6)


@kernel
def make_zero(shadow: u64, n_bytes: u64) -> None:
    """Shadow reads zero, and can be read and written."""
    real_mmap(shadow, n_bytes, READ_WRITE, FLAGS, NO_FILE, 0)


@kernel(outlined=True)
def stop_asking(ctx: Context) -> None:
    """From now on accesses to memory outside the arena are not looked up.  Once; O(1)."""
    if ctx.sanitize_address == 0 or ctx.foreign.is_unasked != 0:
        return
    ctx.foreign.is_unasked = 1
    make_zero(NULL_LO, NULL_BYTES)
    real_memset(NULL_LO, u64(INTERNAL), NULL_BYTES)
    make_zero(BELOW_LO, BELOW_BYTES)
    make_zero(ZONE_SHADOW_LO, ZONE_SHADOW_BYTES)
    make_zero(ABOVE_LO, ABOVE_BYTES)


@kernel
def is_settled(ctx: Context, addr: u64, n_bytes: u64) -> bool:
    """Whether shadow of pages says what is known of them: all are outside the arena, and theirs
    are addresses that a program can have.  munmap may be asked for any others."""
    end = addr + n_bytes
    is_outside = end <= LOW_HI or addr >= ZONE_LO
    is_asked = ctx.sanitize_address != 0 and ctx.foreign.is_unasked == 0
    return is_asked and is_outside and addr <= end and end <= ADDRESSES


@kernel
def has_whole_unit(first: u64, end: u64) -> bool:
    """Whether all of a unit that the fault handler fills lies within a range of shadow."""
    return (first + OUTER_BYTES - 1) // OUTER_BYTES < end // OUTER_BYTES


@kernel
def fill_mapping(first: u64, end: u64, value: u64, protection: u64) -> None:
    """Shadow of a mapping: whole units are pages of a new kind, the rest is filled with a value."""
    if not has_whole_unit(first, end):
        real_memset(first, value, end - first)
        return
    lo = (first + OUTER_BYTES - 1) & ~u64(OUTER_BYTES - 1)
    hi = end & ~u64(OUTER_BYTES - 1)
    real_memset(first, value, lo - first)
    real_mmap(lo, hi - lo, protection, FLAGS, NO_FILE, 0)
    real_memset(hi, value, end - hi)


@kernel(outlined=True)
def open_mapping(ctx: Context, addr: u64, n_bytes: u64) -> None:
    """Accesses to pages that the program has mapped are not looked up."""
    if n_bytes == 0 or not is_settled(ctx, addr, n_bytes):
        return
    first, end = addr_to_shadow(addr), addr_to_shadow(addr + n_bytes)
    if has_whole_unit(first, end):
        if ctx.foreign.n_opened == MOST_OPENED:
            return
        ctx.foreign.n_opened += 1
    ctx.foreign.has_opened = 1
    fill_mapping(first, end, u64(0), u64(READ_WRITE))


@kernel(outlined=True)
def open_row(ctx: Context, addr: u64) -> None:
    """The access at addr was looked up; the last row that was asked for cannot fault: no more."""
    if load_u8(addr_to_shadow(max(addr, ctx.foreign.last_lo))) != 0:
        open_mapping(ctx, ctx.foreign.last_lo, ctx.foreign.last_hi - ctx.foreign.last_lo)


@kernel(outlined=True)
def close_mapping(ctx: Context, addr: u64, n_bytes: u64) -> None:
    """Accesses to pages outside the arena are looked up again, whatever they are now."""
    if ctx.foreign.has_opened == 0 or n_bytes == 0 or not is_settled(ctx, addr, n_bytes):
        return
    first, end = addr_to_shadow(addr), addr_to_shadow(addr + n_bytes)
    if has_whole_unit(first, end) and ctx.foreign.n_opened != 0:
        ctx.foreign.n_opened -= 1
    fill_mapping(first, end, u64(INTERNAL), u64(NO_ACCESS))


@kernel
def is_opened(ctx: Context, addr: u64) -> bool:
    """Whether `open_mapping` was called for the page of an address."""
    is_known = ctx.foreign.has_opened != 0 and is_settled(ctx, addr, 1)
    return is_known and load_u8(addr_to_shadow(addr)) == 0


@kernel
def action_allows_faults(ctx: Context, number: u64) -> None:
    """A handler is installed."""
    if number == SIGSEGV:
        stop_asking(ctx)
