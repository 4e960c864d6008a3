"""Descriptors of irsan's own, which a program that closes everything leaves alone.

Their numbers lie above what the program is given (engine/guest/own_descriptors.py); to close one
does nothing, and nothing can be put in its place.

Source: close_range(2), closefrom(3), dup(2).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.errno_values import fail_with_errno
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import real_function
from irsan.runtime.kernels.race.descriptors import descriptor_replaced
from irsan.runtime.layout import outside_words as ow

OWN_DESCRIPTORS = ow.OWN_DESCRIPTORS
MAX_OWN = ow.MAX_OWN_DESCRIPTORS
EBADF = np.int32(9)
CLOSES_ON_EXEC = np.int32(4)
I32_0 = np.int32(0)
U32_0 = np.uint32(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_LAST = np.uint64(0xFFFF_FFFF)

real_close_range = real_function("close_range", 3)
real_dup2 = real_function("dup2", 2)
real_dup3 = real_function("dup3", 3)


@kernel("b1(ctx,i32)")
def is_own_descriptor(ctx: Any, descriptor: Any) -> Any:
    """Whether a descriptor is irsan's."""
    if descriptor < I32_0:
        return False
    word = np.uint64(descriptor) + U64_1
    for index in range(OWN_DESCRIPTORS, OWN_DESCRIPTORS + MAX_OWN):
        if ctx.outside[index] == word:
            return True
    return False


@kernel("u64(ctx,u64,u64)")
def next_own(ctx: Any, first: Any, last: Any) -> Any:
    """The lowest descriptor of irsan in [first, last]; last + 1: there is none."""
    found = last + U64_1
    for index in range(OWN_DESCRIPTORS, OWN_DESCRIPTORS + MAX_OWN):
        word = ctx.outside[index]
        if word > first and word - U64_1 < found:
            found = word - U64_1
    return found


@kernel("i32(ctx,u32,u32,i32)", outlined=True)
def i_close_range(ctx: Any, first: Any, last: Any, flags: Any) -> Any:
    """close_range, around what is irsan's."""
    low, high, how = np.uint64(first), np.uint64(last), np.uint64(flags)
    if low > high or flags & CLOSES_ON_EXEC != I32_0:
        return np.int32(np.uint32(real_close_range(low, high, how)))
    while low <= high:
        own = next_own(ctx, low, high)
        if own > low and np.uint32(real_close_range(low, own - U64_1, how)) != U32_0:
            return np.int32(-1)
        low = own + U64_1
    return I32_0


@kernel("void(ctx,i32)")
def i_closefrom(ctx: Any, first: Any) -> None:
    """closefrom."""
    i_close_range(ctx, np.uint32(max(first, I32_0)), np.uint32(U64_LAST), I32_0)


@kernel("i32(ctx,i32,u64)")
def replaced(ctx: Any, old: Any, result: Any) -> Any:
    """What dup2 did."""
    new = np.int32(np.uint32(result))
    if new >= I32_0:
        descriptor_replaced(ctx, old, new)
    return new


@kernel("i32(ctx,i32,i32)")
def i_dup2(ctx: Any, old: Any, new: Any) -> Any:
    """dup2; a number of irsan's is as one above RLIMIT_NOFILE."""
    if is_own_descriptor(ctx, new):
        return fail_with_errno(ctx, EBADF)
    return replaced(ctx, old, real_dup2(np.uint64(old), np.uint64(new)))


@kernel("i32(ctx,i32,i32,i32)")
def i_dup3(ctx: Any, old: Any, new: Any, flags: Any) -> Any:
    """dup3."""
    if is_own_descriptor(ctx, new):
        return fail_with_errno(ctx, EBADF)
    return replaced(ctx, old, real_dup3(np.uint64(old), np.uint64(new), np.uint64(flags)))


EXPORTS = (
    Export("i32 close_range(u32,u32,i32)", kernel="i_close_range"),
    Export("void closefrom(i32)", kernel="i_closefrom"),
    Export("i32 dup2(i32,i32)", kernel="i_dup2"),
    Export("i32 dup3(i32,i32,i32)", kernel="i_dup3"),
)
