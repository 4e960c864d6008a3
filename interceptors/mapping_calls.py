"""mmap and mprotect: pages that are both writable and executable, when detect_write_exec asks.

Source: LLVM's sanitizer_common (ReportMmapWriteExec); mmap(2).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.registry import Export
from irsan.runtime import options
from irsan.runtime.faults import FaultKind
from irsan.runtime.kernels.blame import report_fault
from irsan.runtime.kernels.kernel import kernel

DETECT_WRITE_EXEC = options.DETECT_WRITE_EXEC
U64_0 = np.uint64(0)
U64_KIND_WRITE_EXEC = np.uint64(int(FaultKind.WRITE_EXEC))
WRITE_AND_EXECUTE = np.int32(6)  # PROT_WRITE | PROT_EXEC


@kernel("b1(ctx,u64,u64,i32)")
def check_protection(ctx: Any, addr: Any, size_bytes: Any, protection: Any) -> Any:
    """mmap and mprotect: WRITE_EXEC for pages that may be written and run; fault[6] = the bits."""
    is_asked = ctx.sanitize_address != U64_0 and ctx.options[DETECT_WRITE_EXEC] != U64_0
    if is_asked and (protection & WRITE_AND_EXECUTE) == WRITE_AND_EXECUTE:
        report_fault(ctx, U64_KIND_WRITE_EXEC, addr, size_bytes, U64_0)
        ctx.fault[6] = np.uint64(protection)
    return True


EXPORTS = (
    Export("ptr mmap(ptr,u64,i32,i32,i32,i64)", kernel="check_protection", then_real=True),
    Export("ptr mmap64(ptr,u64,i32,i32,i32,i64)", kernel="check_protection", then_real=True),
    Export("i32 mprotect(ptr,u64,i32)", kernel="check_protection", then_real=True),
)
