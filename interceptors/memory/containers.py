"""Containers that say which part of their storage is in use: the rest is container-overflow.

    contiguous      | begin ... in use ... middle | fc ................. end |
    double ended    | storage begin  fc | in use | fc          storage end |

Source: sanitizer/common_interface_defs.h for the contract; LLVM's asan_poisoning.cpp for what is
kept of a granule that the container shares with its neighbours.
Soundness: bytes before the used part in its first granule count as used: a granule cannot say
"only the last bytes".
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.checks.foreign import is_arena
from irsan.runtime.kernels.checks.shadow import (
    CONTAINER,
    first_poisoned,
    is_poisoned,
    poison_range,
    unpoison_range,
)
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.report_fault import report_fault
from irsan.runtime.layout import options
from irsan.runtime.layout.faults import FaultKind

DETECT_CONTAINER_OVERFLOW = options.DETECT_CONTAINER_OVERFLOW

I32_0 = np.int32(0)
I32_1 = np.int32(1)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_7 = np.uint64(7)
U64_NOT_7 = np.uint64(0xFFFF_FFFF_FFFF_FFF8)
U64_BAD_ANNOTATION = np.uint64(int(FaultKind.BAD_ANNOTATION))


@kernel("b1(ctx)")
def marks_containers(ctx: Any) -> Any:
    """Whether annotations have any effect."""
    return ctx.sanitize_address != U64_0 and ctx.options[DETECT_CONTAINER_OVERFLOW] != U64_0


@kernel("void(ctx,u64,u64)")
def move_middle(ctx: Any, old_middle: Any, new_middle: Any) -> None:
    """The used part of a contiguous container ends elsewhere."""
    if new_middle >= old_middle:
        unpoison_range(ctx, old_middle, new_middle - old_middle)
        return
    poison_range(ctx, new_middle, old_middle - new_middle, CONTAINER)


@kernel("void(ctx,u64,u64,u64,u64)")
def annotate_contiguous(ctx: Any, begin: Any, end: Any, old_middle: Any, new_middle: Any) -> None:
    """__sanitizer_annotate_contiguous_container; bounds out of order are BAD_ANNOTATION."""
    if not marks_containers(ctx):
        return
    is_old_inside = begin <= old_middle and old_middle <= end
    if not (is_old_inside and begin <= new_middle and new_middle <= end):
        report_fault(ctx, U64_BAD_ANNOTATION, begin, end - begin, U64_0)
        ctx.fault[6] = np.uint64(4)
        ctx.fault[7], ctx.fault[8] = begin, end
        ctx.fault[9], ctx.fault[10] = old_middle, new_middle
        return
    if is_arena(begin):
        move_middle(ctx, old_middle, new_middle)


@kernel("void(ctx,u64,u64,u64,u64,u64,u64)")
def move_both_ends(
    ctx: Any, begin: Any, end: Any, old_lo: Any, old_hi: Any, new_lo: Any, new_hi: Any
) -> None:
    """The used part of a container moves from [old_lo, old_hi) to [new_lo, new_hi)."""
    if old_lo < old_hi:
        lo = max(old_lo & U64_NOT_7, begin)
        poison_range(ctx, lo, old_hi - lo, CONTAINER)
    if new_lo < new_hi:
        unpoison_range(ctx, new_lo, new_hi - new_lo)


@kernel("void(ctx,u64,u64,u64,u64,u64,u64)")
def annotate_double_ended(
    ctx: Any, begin: Any, end: Any, old_lo: Any, old_hi: Any, new_lo: Any, new_hi: Any
) -> None:
    """__sanitizer_annotate_double_ended_contiguous_container."""
    if not marks_containers(ctx):
        return
    is_old_inside = begin <= old_lo and old_lo <= old_hi and old_hi <= end
    if not (is_old_inside and begin <= new_lo and new_lo <= new_hi and new_hi <= end):
        report_fault(ctx, U64_BAD_ANNOTATION, begin, end - begin, U64_0)
        ctx.fault[6] = np.uint64(6)
        ctx.fault[7], ctx.fault[8] = begin, end
        ctx.fault[9], ctx.fault[10] = old_lo, old_hi
        ctx.fault[11], ctx.fault[12] = new_lo, new_hi
        return
    if is_arena(begin):
        move_both_ends(ctx, begin, end, old_lo, old_hi, new_lo, new_hi)


@kernel("u64(ctx,u64,u64)")
def first_addressable(ctx: Any, addr: Any, end: Any) -> Any:
    """First byte of [addr, end) that may be touched, 0 when none may.  O(size)."""
    while addr < end:
        if not is_poisoned(addr):
            return addr
        addr += U64_1
    return U64_0


@kernel("u64(ctx,u64)")
def own_end(ctx: Any, end: Any) -> Any:
    """Where a container's own last granule ends: before one that it shares with live bytes."""
    if (end & U64_7) != U64_0 and not is_poisoned(end):
        return end & U64_NOT_7
    return end


@kernel("u64(ctx,u64,u64,u64,u64)")
def misfit_double_ended(ctx: Any, begin: Any, lo: Any, hi: Any, end: Any) -> Any:
    """First byte whose shadow contradicts the annotation, 0 when none does."""
    if not marks_containers(ctx) or not is_arena(begin):
        return U64_0
    end = max(own_end(ctx, end), begin)
    used_lo = min(max(lo & U64_NOT_7, begin), end)
    used_hi = min(hi, end)
    if lo >= hi or used_lo >= used_hi:
        return first_addressable(ctx, begin, end if lo >= hi else used_lo)
    found = first_addressable(ctx, begin, used_lo)
    if found == U64_0:
        found = first_poisoned(ctx, used_lo, used_hi - used_lo)
    if found == U64_0:
        found = first_addressable(ctx, used_hi, end)
    return found


@kernel("u64(ctx,u64,u64,u64)")
def misfit_contiguous(ctx: Any, begin: Any, middle: Any, end: Any) -> Any:
    """First byte whose shadow contradicts the annotation, 0 when none does."""
    return misfit_double_ended(ctx, begin, begin, middle, end)


@kernel("i32(ctx,u64,u64,u64)")
def verify_contiguous(ctx: Any, begin: Any, middle: Any, end: Any) -> Any:
    """__sanitizer_verify_contiguous_container: 1 when the shadow agrees."""
    if misfit_contiguous(ctx, begin, middle, end) == U64_0:
        return I32_1
    return I32_0


@kernel("i32(ctx,u64,u64,u64,u64)")
def verify_double_ended(ctx: Any, begin: Any, lo: Any, hi: Any, end: Any) -> Any:
    """__sanitizer_verify_double_ended_contiguous_container."""
    if misfit_double_ended(ctx, begin, lo, hi, end) == U64_0:
        return I32_1
    return I32_0


EXPORTS = (
    Export(
        "void __sanitizer_annotate_contiguous_container(ptr,ptr,ptr,ptr)",
        kernel="annotate_contiguous",
    ),
    Export(
        "void __sanitizer_annotate_double_ended_contiguous_container(ptr,ptr,ptr,ptr,ptr,ptr)",
        kernel="annotate_double_ended",
    ),
    Export(
        "i32 __sanitizer_verify_contiguous_container(ptr,ptr,ptr)",
        kernel="verify_contiguous",
        quick=True,
    ),
    Export(
        "i32 __sanitizer_verify_double_ended_contiguous_container(ptr,ptr,ptr,ptr)",
        kernel="verify_double_ended",
        quick=True,
    ),
    Export(
        "ptr __sanitizer_contiguous_container_find_bad_address(ptr,ptr,ptr)",
        kernel="misfit_contiguous",
        quick=True,
    ),
    Export(
        "ptr __sanitizer_double_ended_contiguous_container_find_bad_address(ptr,ptr,ptr,ptr)",
        kernel="misfit_double_ended",
        quick=True,
    ),
)
