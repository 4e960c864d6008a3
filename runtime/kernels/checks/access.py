"""Is this access allowed: the fast checks that are inlined into the guest, and the exact slow one.

    fast   one shadow load, the rule of the field:
             shadow 0        all 8 bytes, so an access that stays inside the granule is fine
             shadow 1..7     fine when its last byte is below the shadow value
             anything else   not decided here
    whole  the first row only, for aligned accesses
    slow   decides exactly, for any address, size and alignment, and leaves the finding

The fast checks ask nothing about the address: whatever has no shadow of its own reads fe.
False from a fast check means "take the slow way", never "bad".

Source: Serebryany et al., "AddressSanitizer", USENIX ATC 2012, section 3.2.
Deviations: an unaligned access that crosses granules goes the slow way and is checked in both;
the original looks at the first granule only.
Memory of no object (fe) is a WILD_ACCESS from its first byte on.
Soundness: the slow check never cries wolf on arena memory; a foreign address not in the table of
mappings is reported with MAPPINGS_MAY_BE_STALE and confirmed by the host (foreign.py).
"""

from __future__ import annotations

from irsan.runtime.kernels.checks.foreign import (
    CANNOT_FAULT,
    READ_WRITE,
    READABLE,
    foreign_allows,
    is_arena,
)
from irsan.runtime.kernels.checks.foreign_shadow import open_row
from irsan.runtime.kernels.checks.shadow import addr_to_shadow, first_poisoned, is_nobody_there
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, load_u16, load_u32, load_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.report_fault import MAPPINGS_MAY_BE_STALE, WRITE, report_fault
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.layout.memory_map import ARENA_LO

BAD_ACCESS = int(FaultKind.BAD_ACCESS)
WILD_ACCESS = int(FaultKind.WILD_ACCESS)


@kernel
def asan_ok1(ctx: Context, addr: u64) -> bool:
    """Fast check of one byte; exact inside the arena."""
    shadow = load_u8(addr_to_shadow(addr))
    return shadow == 0 or (shadow < 128 and (addr & 7) < u64(shadow))


@kernel
def asan_ok2(ctx: Context, addr: u64) -> bool:
    """Fast check of two bytes."""
    last = (addr & 7) + 1
    shadow = load_u8(addr_to_shadow(addr))
    if shadow == 0:
        return last < 8
    return shadow < 128 and last < u64(shadow)


@kernel
def asan_ok4(ctx: Context, addr: u64) -> bool:
    """Fast check of four bytes."""
    last = (addr & 7) + 3
    shadow = load_u8(addr_to_shadow(addr))
    if shadow == 0:
        return last < 8
    return shadow < 128 and last < u64(shadow)


@kernel
def asan_whole1(ctx: Context, addr: u64) -> bool:
    """Fast check of one byte in a granule that is addressable as a whole."""
    return load_u8(addr_to_shadow(addr)) == 0


@kernel
def asan_whole2(ctx: Context, addr: u64) -> bool:
    """Fast check of two aligned bytes in a granule that is addressable as a whole."""
    return addr & 1 == 0 and load_u8(addr_to_shadow(addr)) == 0


@kernel
def asan_whole4(ctx: Context, addr: u64) -> bool:
    """Fast check of four aligned bytes in a granule that is addressable as a whole."""
    return addr & 3 == 0 and load_u8(addr_to_shadow(addr)) == 0


@kernel
def asan_ok8(ctx: Context, addr: u64) -> bool:
    """Fast check of eight aligned bytes."""
    return addr & 7 == 0 and load_u8(addr_to_shadow(addr)) == 0


@kernel
def asan_ok16(ctx: Context, addr: u64) -> bool:
    """Fast check of sixteen bytes at a multiple of eight."""
    return addr & 7 == 0 and load_u16(addr_to_shadow(addr)) == 0


@kernel
def asan_ok_anywhere(ctx: Context, addr: u64) -> bool:
    """Fast check of up to eight bytes at any address: the granules of both ends are whole."""
    return load_u16(addr_to_shadow(addr)) == 0


@kernel
def asan_ok16_anywhere(ctx: Context, addr: u64) -> bool:
    """Fast check of sixteen bytes at any address: two granules, or three, are whole."""
    last = load_u8(addr_to_shadow(addr + 15))
    return load_u16(addr_to_shadow(addr)) | last == 0


@kernel
def asan_ok32_anywhere(ctx: Context, addr: u64) -> bool:
    """The same of 32 bytes."""
    last = load_u8(addr_to_shadow(addr + 31))
    return load_u32(addr_to_shadow(addr)) | last == 0


@kernel
def asan_ok64_anywhere(ctx: Context, addr: u64) -> bool:
    """The same of 64 bytes."""
    last = load_u8(addr_to_shadow(addr + 63))
    return load_u64(addr_to_shadow(addr)) | last == 0


@kernel
def asan_check_foreign(ctx: Context, addr: u64, size_bytes: u64, flags: u64) -> bool:
    """Decide a range that is not wholly in the arena in use; False leaves WILD_ACCESS."""
    wanted = u64(READABLE)
    if (flags & WRITE) != 0:
        wanted = u64(READ_WRITE)
    if not is_arena(addr) and foreign_allows(ctx, addr, size_bytes, wanted):
        if (ctx.foreign.last_kind & CANNOT_FAULT) != 0:
            open_row(ctx, addr)
        return True
    stale = u64(0)
    if not is_arena(addr):
        stale = u64(MAPPINGS_MAY_BE_STALE)
    report_fault(ctx, WILD_ACCESS, addr, size_bytes, flags | stale)
    return False


@kernel(outlined=True)
def asan_access_slow(ctx: Context, addr: u64, size_bytes: u64, flags: u64) -> bool:
    """Decide any access exactly; False leaves BAD_ACCESS or WILD_ACCESS in ctx.fault.

    addr, size_bytes  u64, bytes;  flags  bits of fault[3] (report_fault.py)
    fault[6] is the first byte that must not be touched.  An empty range is always fine.
    """
    if size_bytes == 0:
        return True
    used = ctx.arena_used
    offset = addr - ARENA_LO
    if offset >= used:
        return asan_check_foreign(ctx, addr, size_bytes, flags)
    inside = min(size_bytes, used - offset)
    bad = first_poisoned(ctx, addr, inside)
    if bad == 0 and inside == size_bytes:
        return True
    if bad == 0:
        bad = ARENA_LO + used
    elif is_nobody_there(ctx, bad):
        report_fault(ctx, WILD_ACCESS, bad, addr + size_bytes - bad, flags)
        return False
    report_fault(ctx, BAD_ACCESS, addr, size_bytes, flags)
    ctx.fault[6] = bad
    return False
