"""Checks of whole ranges for interceptors: may a library function read or write these bytes?

A range check looks at the whole range before the real function touches any of it, so that the
report names the function and the first bad byte.  Sizes that are negative as signed numbers and
ranges that overlap where they must not are findings of their own.

Source: LLVM's asan_interceptors_memintrinsics.h for which facts are checked.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.checks.access import asan_access_slow
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.report_fault import ROUTINE, WRITE, report_fault
from irsan.runtime.layout.faults import FaultKind

U64_0 = np.uint64(0)
U64_SIGN = np.uint64(1 << 63)
U64_PARAM_OVERLAP = np.uint64(int(FaultKind.PARAM_OVERLAP))
U64_NEGATIVE_SIZE = np.uint64(int(FaultKind.NEGATIVE_SIZE))
READ_FLAGS = ROUTINE
WRITE_FLAGS = ROUTINE | WRITE


@kernel("b1(ctx,u64,u64)")
def asan_read_range(ctx: Any, addr: Any, size_bytes: Any) -> Any:
    """Whether an interceptor may read the range; False leaves the finding.  True when asan is off.

    A size with the top bit set is NEGATIVE_SIZE.
    """
    if ctx.sanitize_address == U64_0:
        return True
    if size_bytes >= U64_SIGN:
        report_fault(ctx, U64_NEGATIVE_SIZE, addr, size_bytes, READ_FLAGS)
        return False
    return asan_access_slow(ctx, addr, size_bytes, READ_FLAGS)


@kernel("b1(ctx,u64,u64)")
def asan_write_range(ctx: Any, addr: Any, size_bytes: Any) -> Any:
    """Whether an interceptor may write the range; as `asan_read_range`."""
    if ctx.sanitize_address == U64_0:
        return True
    if size_bytes >= U64_SIGN:
        report_fault(ctx, U64_NEGATIVE_SIZE, addr, size_bytes, WRITE_FLAGS)
        return False
    return asan_access_slow(ctx, addr, size_bytes, WRITE_FLAGS)


@kernel("b1(ctx,u64,u64,u64,u64)")
def asan_no_overlap(ctx: Any, first: Any, first_bytes: Any, second: Any, second_bytes: Any) -> Any:
    """Whether two ranges are disjoint; False leaves PARAM_OVERLAP.

    fault[6] = `second`, fault[7] = its size.  Callers exempt equal pointers where the field does
    (memcpy).  Empty ranges overlap nothing.
    """
    if ctx.sanitize_address == U64_0 or first_bytes == U64_0 or second_bytes == U64_0:
        return True
    if first + first_bytes <= second or second + second_bytes <= first:
        return True
    report_fault(ctx, U64_PARAM_OVERLAP, first, first_bytes, WRITE_FLAGS)
    ctx.fault[6] = second
    ctx.fault[7] = second_bytes
    return False
