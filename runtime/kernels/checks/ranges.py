"""Checks of whole ranges for interceptors: may a library function read or write these bytes?

A range check looks at the whole range before the real function touches any of it, so that the
report names the function and the first bad byte.  Sizes that are negative as signed numbers and
ranges that overlap where they must not are findings of their own.

Source: LLVM's asan_interceptors_memintrinsics.h for which facts are checked.
"""

from __future__ import annotations

from irsan.runtime.kernels.checks.access import asan_access_slow
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.report_fault import ROUTINE, WRITE, report_fault
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout.faults import FaultKind

SIGN = 1 << 63
PARAM_OVERLAP = int(FaultKind.PARAM_OVERLAP)
NEGATIVE_SIZE = int(FaultKind.NEGATIVE_SIZE)
READ_FLAGS = ROUTINE
WRITE_FLAGS = ROUTINE | WRITE


@kernel
def asan_read_range(ctx: Context, addr: u64, size_bytes: u64) -> bool:
    """Whether an interceptor may read the range; False leaves the finding.  True when asan is off.

    A size with the top bit set is NEGATIVE_SIZE.
    """
    if ctx.sanitize_address == 0:
        return True
    if size_bytes >= SIGN:
        report_fault(ctx, NEGATIVE_SIZE, addr, size_bytes, READ_FLAGS)
        return False
    return asan_access_slow(ctx, addr, size_bytes, READ_FLAGS)


@kernel
def asan_write_range(ctx: Context, addr: u64, size_bytes: u64) -> bool:
    """Whether an interceptor may write the range; as `asan_read_range`."""
    if ctx.sanitize_address == 0:
        return True
    if size_bytes >= SIGN:
        report_fault(ctx, NEGATIVE_SIZE, addr, size_bytes, WRITE_FLAGS)
        return False
    return asan_access_slow(ctx, addr, size_bytes, WRITE_FLAGS)


@kernel
def asan_no_overlap(
    ctx: Context, first: u64, first_bytes: u64, second: u64, second_bytes: u64
) -> bool:
    """Whether two ranges are disjoint; False leaves PARAM_OVERLAP.

    fault[6] = `second`, fault[7] = its size.  Callers exempt equal pointers where the field does
    (memcpy).  Empty ranges overlap nothing.
    """
    if ctx.sanitize_address == 0 or first_bytes == 0 or second_bytes == 0:
        return True
    if first + first_bytes <= second or second + second_bytes <= first:
        return True
    report_fault(ctx, PARAM_OVERLAP, first, first_bytes, WRITE_FLAGS)
    ctx.fault[6] = second
    ctx.fault[7] = second_bytes
    return False
