"""Is this access allowed: the fast checks that are inlined into the guest, and the exact slow one.

    fast   one unsigned compare (below ctx.arena_used), one shadow load, the rule of the field:
             shadow 0        all 8 bytes, so an access that stays inside the granule is fine
             shadow 1..7     fine when its last byte is below the shadow value
             anything else   not decided here
    slow   decides exactly, for any address, size and alignment, and leaves the finding

False from a fast check means "take the slow way", never "bad".

Source: Serebryany et al., "AddressSanitizer", USENIX ATC 2012, section 3.2.
Deviations: an unaligned access that crosses granules goes the slow way and is checked in both;
the original looks at the first granule only.
Soundness: the slow check never cries wolf on arena memory; a foreign address not in the table of
mappings is reported with MAPPINGS_MAY_BE_STALE and confirmed by the host (foreign.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime import layout
from irsan.runtime.faults import FaultKind
from irsan.runtime.kernels.blame import MAPPINGS_MAY_BE_STALE, WRITE, report_fault
from irsan.runtime.kernels.foreign import (
    U64_READ_WRITE,
    U64_READABLE,
    foreign_allows,
    is_arena,
)
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, load_u16
from irsan.runtime.kernels.shadow import addr_to_shadow, first_poisoned

U8_0 = np.uint8(0)
U8_128 = np.uint8(128)
U16_0 = np.uint16(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_3 = np.uint64(3)
U64_7 = np.uint64(7)
U64_8 = np.uint64(8)
U64_ARENA_LO = np.uint64(layout.ARENA_LO)
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
def asan_ok8(ctx: Any, addr: Any) -> Any:
    """Fast check of eight aligned bytes."""
    if addr - U64_ARENA_LO >= ctx.arena_used or (addr & U64_7) != U64_0:
        return False
    return load_u8(addr_to_shadow(addr)) == U8_0


@kernel("b1(ctx,u64)")
def asan_ok16(ctx: Any, addr: Any) -> Any:
    """Fast check of sixteen bytes at a multiple of eight."""
    if addr - U64_ARENA_LO >= ctx.arena_used or (addr & U64_7) != U64_0:
        return False
    return load_u16(addr_to_shadow(addr)) == U16_0


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

    addr, size_bytes  u64, bytes;  flags  bits of fault[3] (blame.py)
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
    report_fault(ctx, U64_BAD_ACCESS, addr, size_bytes, flags)
    ctx.fault[6] = bad
    return False
