"""Descriptors of irsan's own, which a program that closes everything leaves alone.

Their numbers lie above what the program is given (engine/guest/own_descriptors.py); to close one
does nothing, and nothing can be put in its place.

Source: close_range(2), closefrom(3), dup(2).
"""

from __future__ import annotations

from irsan.interceptors.errno_values import fail_with_errno
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import real_function
from irsan.runtime.kernels.race.descriptors import descriptor_replaced
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.records.subsystems import MAX_OWN_DESCRIPTORS

EBADF = 9
CLOSES_ON_EXEC = 4
LAST = 0xFFFF_FFFF

real_close_range = real_function("close_range", 3)
real_dup2 = real_function("dup2", 2)
real_dup3 = real_function("dup3", 3)


@kernel
def is_own_descriptor(ctx: Context, descriptor: i32) -> bool:
    """Whether a descriptor is irsan's."""
    if descriptor < 0:
        return False
    word = u64(descriptor) + 1
    for index in range(MAX_OWN_DESCRIPTORS):  # noqa: SIM110
        if ctx.outside.own_descriptors[index] == word:
            return True
    return False


@kernel
def next_own(ctx: Context, first: u64, last: u64) -> u64:
    """The lowest descriptor of irsan in [first, last]; last + 1: there is none."""
    found = last + 1
    for index in range(MAX_OWN_DESCRIPTORS):
        word = ctx.outside.own_descriptors[index]
        if word > first and word - 1 < found:
            found = word - 1
    return found


@kernel(outlined=True)
def i_close_range(ctx: Context, first: u32, last: u32, flags: i32) -> i32:
    """close_range, around irsan's own descriptors."""
    low, high, how = u64(first), u64(last), u64(flags)
    if low > high or flags & CLOSES_ON_EXEC != 0:
        return i32(u32(real_close_range(low, high, how)))
    while low <= high:
        own = next_own(ctx, low, high)
        if own > low and u32(real_close_range(low, own - 1, how)) != 0:
            return i32(-1)
        low = own + 1
    return 0


@kernel
def i_closefrom(ctx: Context, first: i32) -> None:
    """closefrom."""
    i_close_range(ctx, u32(max(first, i32(0))), u32(LAST), 0)


@kernel
def replaced(ctx: Context, old: i32, result: u64) -> i32:
    """What dup2 did."""
    new = i32(u32(result))
    if new >= 0:
        descriptor_replaced(ctx, old, new)
    return new


@kernel
def i_dup2(ctx: Context, old: i32, new: i32) -> i32:
    """dup2; a number of irsan's is as one above RLIMIT_NOFILE."""
    if is_own_descriptor(ctx, new):
        return fail_with_errno(ctx, EBADF)
    return replaced(ctx, old, real_dup2(u64(old), u64(new)))


@kernel
def i_dup3(ctx: Context, old: i32, new: i32, flags: i32) -> i32:
    """dup3."""
    if is_own_descriptor(ctx, new):
        return fail_with_errno(ctx, EBADF)
    return replaced(ctx, old, real_dup3(u64(old), u64(new), u64(flags)))


EXPORTS = (
    Export("i32 close_range(u32,u32,i32)", kernel="i_close_range"),
    Export("void closefrom(i32)", kernel="i_closefrom"),
    Export("i32 dup2(i32,i32)", kernel="i_dup2"),
    Export("i32 dup3(i32,i32,i32)", kernel="i_dup3"),
)
