"""mmap, munmap and mprotect: writable and executable pages, and mappings in irsan's own arena.

    mprotect   pages that are both writable and executable, when detect_write_exec asks
    mmap       the same; a mapping made over freed blocks (MAP_FIXED) is new memory: no shadow
    munmap     pages of the arena are emptied, but never unmapped: the heap is handed out again

Source: LLVM's sanitizer_common (ReportMmapWriteExec); mmap(2).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.registry import Export
from irsan.runtime import options
from irsan.runtime.faults import FaultKind
from irsan.runtime.kernels.checks.blame import report_fault
from irsan.runtime.kernels.checks.foreign import is_arena
from irsan.runtime.kernels.checks.shadow import unpoison_range
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import real_madvise

DETECT_WRITE_EXEC = options.DETECT_WRITE_EXEC
U64_0 = np.uint64(0)
U64_KIND_WRITE_EXEC = np.uint64(int(FaultKind.WRITE_EXEC))
U64_PAGE_MASK = np.uint64(4095)
U64_MADV_DONTNEED = np.uint64(4)
I32_0 = np.int32(0)
MAP_FIXED = np.int32(0x10)
WRITE_AND_EXECUTE = np.int32(6)  # PROT_WRITE | PROT_EXEC


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


@kernel("b1(ctx,u64,u64)")
def check_unmapping(ctx: Any, addr: Any, size_bytes: Any) -> Any:
    """munmap: whether the host is to do it; pages of the arena are given back and stay."""
    if not is_arena(addr) or (addr & U64_PAGE_MASK) != U64_0:
        return True
    real_madvise(addr, size_bytes, U64_MADV_DONTNEED)
    return False


EXPORTS = (
    Export("ptr mmap(ptr,u64,i32,i32,i32,i64)", kernel="check_mapping", then_real=True),
    Export("ptr mmap64(ptr,u64,i32,i32,i32,i64)", kernel="check_mapping", then_real=True),
    Export("i32 munmap(ptr,u64)", kernel="check_unmapping", then_real=True),
    Export("i32 mprotect(ptr,u64,i32)", kernel="check_protection", then_real=True),
)
