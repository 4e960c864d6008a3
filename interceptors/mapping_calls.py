"""mmap, munmap and mprotect: writable and executable pages, and mappings in irsan's own arena.

    mprotect   pages that are both writable and executable, when detect_write_exec asks
    mmap       the same; a mapping made over freed blocks (MAP_FIXED) is new memory: no shadow
    munmap     pages of the arena are emptied, but never unmapped: the heap is handed out again

While races are looked for, private anonymous memory comes from a zone of the arena that has race
shadow (runtime/mapping_zone.py).  Its addresses are used again only if the newest mapping goes
first, so a use of memory that was unmapped is a fault as it should be.

Source: LLVM's sanitizer_common (ReportMmapWriteExec); mmap(2).
May miss: races in shared, file, executable and fixed mappings elsewhere, in what mremap has moved,
and once a run has mapped 127 GiB.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.registry import Export
from irsan.runtime import mapping_zone, options
from irsan.runtime.faults import FaultKind
from irsan.runtime.kernels.checks.blame import report_fault
from irsan.runtime.kernels.checks.foreign import is_arena
from irsan.runtime.kernels.checks.shadow import unpoison_range
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u64,
    real_function,
    real_madvise,
    real_mprotect,
    store_u64,
)
from irsan.runtime.kernels.race.race_ranges import race_forget

DETECT_WRITE_EXEC = options.DETECT_WRITE_EXEC
U64_0 = np.uint64(0)
U64_KIND_WRITE_EXEC = np.uint64(int(FaultKind.WRITE_EXEC))
U64_PAGE_MASK = np.uint64(4095)
U64_MADV_DONTNEED = np.uint64(4)
I32_0 = np.int32(0)
MAP_FIXED = np.int32(0x10)
MAP_PRIVATE_ANONYMOUS = np.int32(0x22)
MAP_HARMLESS = np.int32(0x2C000)  # MAP_NORESERVE, MAP_POPULATE, MAP_STACK
PROT_EXEC = np.int32(4)
PROT_NONE = np.uint64(0)
U64_ZONE = np.uint64(mapping_zone.ZONE_LO)
U64_ZONE_BYTES = np.uint64(mapping_zone.ZONE_BYTES)
U64_USED = np.uint64(mapping_zone.USED)
WRITE_AND_EXECUTE = np.int32(6)  # PROT_WRITE | PROT_EXEC

real_mmap = real_function("mmap", 6)


@kernel("b1(ctx,u64,u64,i32)")
def check_protection(ctx: Any, addr: Any, size_bytes: Any, protection: Any) -> Any:
    """mmap and mprotect: WRITE_EXEC for pages that may be written and run; fault[6] = the bits."""
    is_asked = ctx.sanitize_address != U64_0 and ctx.options[DETECT_WRITE_EXEC] != U64_0
    if is_asked and (protection & WRITE_AND_EXECUTE) == WRITE_AND_EXECUTE:
        report_fault(ctx, U64_KIND_WRITE_EXEC, addr, size_bytes, U64_0)
        ctx.fault[6] = np.uint64(protection)
    return True


@kernel("b1(ctx,u64,u64,i32,i32)")
def check_mapping(ctx: Any, addr: Any, size_bytes: Any, protection: Any, flags: Any) -> Any:
    """mmap: what `check_protection` does; the shadow of a fixed mapping in the arena is cleared."""
    n_bytes = (size_bytes + U64_PAGE_MASK) & ~U64_PAGE_MASK
    is_ours = (flags & MAP_FIXED) != I32_0 and is_arena(addr) and is_arena(addr + n_bytes)
    if is_ours and ctx.sanitize_address != U64_0:
        unpoison_range(ctx, addr, n_bytes)
    return check_protection(ctx, addr, size_bytes, protection)


@kernel("u64(ctx,u64,i32)")
def map_in_zone(ctx: Any, n_bytes: Any, protection: Any) -> Any:
    """Address of new zeroed pages in the zone, 0 when it is full."""
    used = load_u64(U64_USED)
    if n_bytes > U64_ZONE_BYTES - used:
        return U64_0
    addr = U64_ZONE + used
    store_u64(U64_USED, used + n_bytes)
    real_mprotect(addr, n_bytes, np.uint64(protection))
    race_forget(ctx, addr, n_bytes)
    return addr


@kernel("void(ctx,u64,u64)")
def unmap_in_zone(ctx: Any, addr: Any, n_bytes: Any) -> None:
    """Pages of the zone are gone: empty, without access, without history."""
    real_madvise(addr, n_bytes, U64_MADV_DONTNEED)
    real_mprotect(addr, n_bytes, PROT_NONE)
    race_forget(ctx, addr, n_bytes)
    end = addr + n_bytes - U64_ZONE
    if end == load_u64(U64_USED):
        store_u64(U64_USED, end - n_bytes)


@kernel("u64(ctx,u64,u64,i32,i32,i32,i64)")
def i_mmap(
    ctx: Any, addr: Any, size_bytes: Any, protection: Any, flags: Any, fd: Any, offset: Any
) -> Any:
    """mmap, and mmap64."""
    check_mapping(ctx, addr, size_bytes, protection, flags)
    n_bytes = (size_bytes + U64_PAGE_MASK) & ~U64_PAGE_MASK
    is_plain = flags & ~MAP_HARMLESS == MAP_PRIVATE_ANONYMOUS and protection & PROT_EXEC == I32_0
    if is_plain and ctx.sanitize_thread != U64_0 and addr == U64_0 and n_bytes != U64_0:
        place = map_in_zone(ctx, n_bytes, protection)
        if place != U64_0:
            return place
    if flags & MAP_FIXED != I32_0 and addr - U64_ZONE < U64_ZONE_BYTES:
        race_forget(ctx, addr, n_bytes)
    return real_mmap(
        addr, size_bytes, np.uint64(protection), np.uint64(flags), np.uint64(fd), np.uint64(offset)
    )


@kernel("b1(ctx,u64,u64)")
def check_unmapping(ctx: Any, addr: Any, size_bytes: Any) -> Any:
    """munmap: whether the host is to do it; pages of the arena are given back and stay."""
    is_aligned = (addr & U64_PAGE_MASK) == U64_0
    if is_aligned and addr - U64_ZONE < U64_ZONE_BYTES and size_bytes != U64_0:
        n_bytes = (size_bytes + U64_PAGE_MASK) & ~U64_PAGE_MASK
        unmap_in_zone(ctx, addr, min(n_bytes, U64_ZONE + U64_ZONE_BYTES - addr))
        return False
    if not is_arena(addr) or (addr & U64_PAGE_MASK) != U64_0:
        return True
    real_madvise(addr, size_bytes, U64_MADV_DONTNEED)
    return False


EXPORTS = (
    Export("ptr mmap(ptr,u64,i32,i32,i32,i64)", kernel="i_mmap"),
    Export("ptr mmap64(ptr,u64,i32,i32,i32,i64)", kernel="i_mmap"),
    Export("i32 munmap(ptr,u64)", kernel="check_unmapping", then_real=True),
    Export("i32 mprotect(ptr,u64,i32)", kernel="check_protection", then_real=True),
)
