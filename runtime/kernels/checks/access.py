"""Is this access allowed: the fast checks that are inlined into the guest, and the exact slow one.

    fast   one unsigned compare (below ctx.arena_used), one shadow load, the rule of the field:
             shadow 0        all 8 bytes, so an access that stays inside the granule is fine
             shadow 1..7     fine when its last byte is below the shadow value
             anything else   not decided here
    whole  the first two rows only, for aligned accesses: rotating the offset right by the alignment
           moves low bits that should be zero to the top, so one compare asks both questions
    slow   decides exactly, for any address, size and alignment, and leaves the finding

False from a fast check means "take the slow way", never "bad".

Source: Serebryany et al., "AddressSanitizer", USENIX ATC 2012, section 3.2.
Deviations: an unaligned access that crosses granules goes the slow way and is checked in both;
the original looks at the first granule only.
What belongs to nobody (fe) is a WILD_ACCESS from its first byte on.
Soundness: the slow check never cries wolf on arena memory; a foreign address not in the table of
mappings is reported with MAPPINGS_MAY_BE_STALE and confirmed by the host (foreign.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.checks.foreign import (
    U64_READ_WRITE,
    U64_READABLE,
    foreign_allows,
    is_arena,
)
from irsan.runtime.kernels.checks.shadow import addr_to_shadow, first_poisoned, is_nobody_there
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, load_u16
from irsan.runtime.kernels.report_fault import MAPPINGS_MAY_BE_STALE, WRITE, report_fault
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.faults import FaultKind

U8_0 = np.uint8(0)
U8_128 = np.uint8(128)
U16_0 = np.uint16(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_2 = np.uint64(2)
U64_3 = np.uint64(3)
U64_7 = np.uint64(7)
U64_8 = np.uint64(8)
U64_1_UP = np.uint64(63)
U64_2_UP = np.uint64(62)
U64_3_UP = np.uint64(61)
U64_ASAN_SHADOW = np.uint64(memory_map.ASAN_SHADOW)
U64_ARENA_LO = np.uint64(memory_map.ARENA_LO)
U64_BAD_ACCESS = np.uint64(int(FaultKind.BAD_ACCESS))
U64_WILD_ACCESS = np.uint64(int(FaultKind.WILD_ACCESS))


@kernel("b1(ctx,u64)")
def asan_ok1(ctx: Any, addr: Any) -> Any:
    """Fast check of one byte; exact inside the arena."""
    if addr - U64_ARENA_LO >= ctx.arena_used:
        return False
    shadow = load_u8(addr_to_shadow(addr))
    if shadow == U8_0:
        return True
    return shadow < U8_128 and (addr & U64_7) < np.uint64(shadow)


@kernel("b1(ctx,u64)")
def asan_ok2(ctx: Any, addr: Any) -> Any:
    """Fast check of two bytes."""
    if addr - U64_ARENA_LO >= ctx.arena_used:
        return False
    last = (addr & U64_7) + U64_1
    shadow = load_u8(addr_to_shadow(addr))
    if shadow == U8_0:
        return last < U64_8
    return shadow < U8_128 and last < np.uint64(shadow)


@kernel("b1(ctx,u64)")
def asan_ok4(ctx: Any, addr: Any) -> Any:
    """Fast check of four bytes."""
    if addr - U64_ARENA_LO >= ctx.arena_used:
        return False
    last = (addr & U64_7) + U64_3
    shadow = load_u8(addr_to_shadow(addr))
    if shadow == U8_0:
        return last < U64_8
    return shadow < U8_128 and last < np.uint64(shadow)


@kernel("b1(ctx,u64)")
def asan_whole1(ctx: Any, addr: Any) -> Any:
    """Fast check of one byte in a granule that is addressable as a whole."""
    offset = addr - U64_ARENA_LO
    return offset < ctx.arena_used and load_u8(U64_ASAN_SHADOW + (offset >> U64_3)) == U8_0


@kernel("b1(ctx,u64)")
def asan_whole2(ctx: Any, addr: Any) -> Any:
    """Fast check of two aligned bytes in a granule that is addressable as a whole."""
    offset = addr - U64_ARENA_LO
    pair = (offset >> U64_1) | (offset << U64_1_UP)
    return pair < ctx.used_pairs and load_u8(U64_ASAN_SHADOW + (pair >> U64_2)) == U8_0


@kernel("b1(ctx,u64)")
def asan_whole4(ctx: Any, addr: Any) -> Any:
    """Fast check of four aligned bytes in a granule that is addressable as a whole."""
    offset = addr - U64_ARENA_LO
    word = (offset >> U64_2) | (offset << U64_2_UP)
    return word < ctx.used_words and load_u8(U64_ASAN_SHADOW + (word >> U64_1)) == U8_0


@kernel("b1(ctx,u64)")
def asan_ok8(ctx: Any, addr: Any) -> Any:
    """Fast check of eight aligned bytes."""
    offset = addr - U64_ARENA_LO
    granule = (offset >> U64_3) | (offset << U64_3_UP)
    return granule < ctx.used_granules and load_u8(U64_ASAN_SHADOW + granule) == U8_0


@kernel("b1(ctx,u64)")
def asan_ok16(ctx: Any, addr: Any) -> Any:
    """Fast check of sixteen bytes at a multiple of eight."""
    offset = addr - U64_ARENA_LO
    granule = (offset >> U64_3) | (offset << U64_3_UP)
    return granule < ctx.used_granules and load_u16(U64_ASAN_SHADOW + granule) == U16_0


@kernel("b1(ctx,u64)")
def asan_ok_anywhere(ctx: Any, addr: Any) -> Any:
    """Fast check of up to eight bytes at any address: the granules of both ends are whole."""
    offset = addr - U64_ARENA_LO
    return offset < ctx.arena_used and load_u16(U64_ASAN_SHADOW + (offset >> U64_3)) == U16_0


@kernel("b1(ctx,u64,u64,u64)")
def asan_check_foreign(ctx: Any, addr: Any, size_bytes: Any, flags: Any) -> Any:
    """Decide a range that is not wholly in the arena in use; False leaves WILD_ACCESS."""
    wanted = U64_READABLE
    if (flags & WRITE) != U64_0:
        wanted = U64_READ_WRITE
    if not is_arena(addr) and foreign_allows(ctx, addr, size_bytes, wanted):
        return True
    stale = U64_0
    if not is_arena(addr):
        stale = MAPPINGS_MAY_BE_STALE
    report_fault(ctx, U64_WILD_ACCESS, addr, size_bytes, flags | stale)
    return False


@kernel("b1(ctx,u64,u64,u64)", outlined=True)
def asan_access_slow(ctx: Any, addr: Any, size_bytes: Any, flags: Any) -> Any:
    """Decide any access exactly; False leaves BAD_ACCESS or WILD_ACCESS in ctx.fault.

    addr, size_bytes  u64, bytes;  flags  bits of fault[3] (report_fault.py)
    fault[6] is the first byte that must not be touched.  An empty range is always fine.
    """
    if size_bytes == U64_0:
        return True
    used = ctx.arena_used
    offset = addr - U64_ARENA_LO
    if offset >= used:
        return asan_check_foreign(ctx, addr, size_bytes, flags)
    inside = min(size_bytes, used - offset)
    bad = first_poisoned(ctx, addr, inside)
    if bad == U64_0 and inside == size_bytes:
        return True
    if bad == U64_0:
        bad = U64_ARENA_LO + used
    elif is_nobody_there(ctx, bad):
        report_fault(ctx, U64_WILD_ACCESS, bad, addr + size_bytes - bad, flags)
        return False
    report_fault(ctx, U64_BAD_ACCESS, addr, size_bytes, flags)
    ctx.fault[6] = bad
    return False
