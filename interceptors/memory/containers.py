"""Containers that say which part of their storage is in use: the rest is container-overflow.

    contiguous      | begin ... in use ... middle | fc ................. end |
    double ended    | storage begin  fc | in use | fc          storage end |

Source: sanitizer/common_interface_defs.h for the contract; LLVM's asan_poisoning.cpp for what is
kept of a granule that the container shares with its neighbours.
Soundness: bytes before the used part in its first granule count as used: a granule cannot say
"only the last bytes".
"""

from __future__ import annotations

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
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.report_fault import report_fault
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.layout.options import DETECT_CONTAINER_OVERFLOW

NOT_7 = 0xFFFF_FFFF_FFFF_FFF8
BAD_ANNOTATION = int(FaultKind.BAD_ANNOTATION)


@kernel
def marks_containers(ctx: Context) -> bool:
    """Whether annotations have any effect."""
    return ctx.sanitize_address != 0 and ctx.options[DETECT_CONTAINER_OVERFLOW] != 0


@kernel
def move_middle(ctx: Context, old_middle: u64, new_middle: u64) -> None:
    """The used part of a contiguous container ends elsewhere."""
    if new_middle >= old_middle:
        unpoison_range(ctx, old_middle, new_middle - old_middle)
        return
    poison_range(ctx, new_middle, old_middle - new_middle, CONTAINER)


@kernel
def annotate_contiguous(
    ctx: Context, begin: u64, end: u64, old_middle: u64, new_middle: u64
) -> None:
    """__sanitizer_annotate_contiguous_container; bounds out of order are BAD_ANNOTATION."""
    if not marks_containers(ctx):
        return
    is_old_inside = begin <= old_middle and old_middle <= end
    if not (is_old_inside and begin <= new_middle and new_middle <= end):
        report_fault(ctx, BAD_ANNOTATION, begin, end - begin, 0)
        ctx.fault[6] = 4
        ctx.fault[7], ctx.fault[8] = begin, end
        ctx.fault[9], ctx.fault[10] = old_middle, new_middle
        return
    if is_arena(begin):
        move_middle(ctx, old_middle, new_middle)


@kernel
def move_both_ends(
    ctx: Context, begin: u64, end: u64, old_lo: u64, old_hi: u64, new_lo: u64, new_hi: u64
) -> None:
    """The used part of a container moves from [old_lo, old_hi) to [new_lo, new_hi)."""
    if old_lo < old_hi:
        lo = max(old_lo & NOT_7, begin)
        poison_range(ctx, lo, old_hi - lo, CONTAINER)
    if new_lo < new_hi:
        unpoison_range(ctx, new_lo, new_hi - new_lo)


@kernel
def annotate_double_ended(
    ctx: Context, begin: u64, end: u64, old_lo: u64, old_hi: u64, new_lo: u64, new_hi: u64
) -> None:
    """__sanitizer_annotate_double_ended_contiguous_container."""
    if not marks_containers(ctx):
        return
    is_old_inside = begin <= old_lo and old_lo <= old_hi and old_hi <= end
    if not (is_old_inside and begin <= new_lo and new_lo <= new_hi and new_hi <= end):
        report_fault(ctx, BAD_ANNOTATION, begin, end - begin, 0)
        ctx.fault[6] = 6
        ctx.fault[7], ctx.fault[8] = begin, end
        ctx.fault[9], ctx.fault[10] = old_lo, old_hi
        ctx.fault[11], ctx.fault[12] = new_lo, new_hi
        return
    if is_arena(begin):
        move_both_ends(ctx, begin, end, old_lo, old_hi, new_lo, new_hi)


@kernel
def first_addressable(ctx: Context, addr: u64, end: u64) -> u64:
    """First byte of [addr, end) that may be touched, 0 when none may.  O(size)."""
    while addr < end:
        if not is_poisoned(addr):
            return addr
        addr += 1
    return 0


@kernel
def own_end(ctx: Context, end: u64) -> u64:
    """Where a container's own last granule ends: before one that it shares with live bytes."""
    if (end & 7) != 0 and not is_poisoned(end):
        return end & NOT_7
    return end


@kernel
def misfit_double_ended(ctx: Context, begin: u64, lo: u64, hi: u64, end: u64) -> u64:
    """First byte whose shadow contradicts the annotation, 0 when none does."""
    if not marks_containers(ctx) or not is_arena(begin):
        return 0
    end = max(own_end(ctx, end), begin)
    used_lo = min(max(lo & NOT_7, begin), end)
    used_hi = min(hi, end)
    if lo >= hi or used_lo >= used_hi:
        return first_addressable(ctx, begin, end if lo >= hi else used_lo)
    found = first_addressable(ctx, begin, used_lo)
    if found == 0:
        found = first_poisoned(ctx, used_lo, used_hi - used_lo)
    if found == 0:
        found = first_addressable(ctx, used_hi, end)
    return found


@kernel
def misfit_contiguous(ctx: Context, begin: u64, middle: u64, end: u64) -> u64:
    """First byte whose shadow contradicts the annotation, 0 when none does."""
    return misfit_double_ended(ctx, begin, begin, middle, end)


@kernel
def verify_contiguous(ctx: Context, begin: u64, middle: u64, end: u64) -> i32:
    """__sanitizer_verify_contiguous_container: 1 when the shadow agrees."""
    if misfit_contiguous(ctx, begin, middle, end) == 0:
        return 1
    return 0


@kernel
def verify_double_ended(ctx: Context, begin: u64, lo: u64, hi: u64, end: u64) -> i32:
    """__sanitizer_verify_double_ended_contiguous_container."""
    if misfit_double_ended(ctx, begin, lo, hi, end) == 0:
        return 1
    return 0


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
