"""Limits of the process: the program's are its own, irsan's work at the end must still be possible.

    soft limits         are the system's, so what is forbidden fails as natively
    hard limits         are remembered: the system keeps the old ones, up to which irsan lifts the
                        soft ones for its own work (engine/guest/own_limits.py)
    RLIMIT_AS, _DATA,   are remembered alone: irsan's tables take more, and its own stack is not
    _STACK              the program's

A program that this one becomes (exec) gets them all, of those of memory the soft ones.

Source: setrlimit(2).
Deviation: the limits of memory are told to who asks, and nothing is refused for them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.errno_values import EINVAL, EPERM, OK, fail_with_errno
from irsan.interceptors.memory.passed_memory import read, written
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, real_function, real_getpid, store_u64
from irsan.runtime.kernels.out_parameters import FD_SETS
from irsan.runtime.layout import outside_words as ow

LIMITS = np.uint64(ow.LIMITS)
N_LIMITS = np.int32(ow.N_LIMITS)
ROW_BYTES = np.uint64(ow.LIMIT_BYTES)
LIMITS_ARE_SET = ow.LIMITS_ARE_SET
REMEMBERED = np.uint32(1 << 9 | 1 << 2 | 1 << 3)  # RLIMIT_AS, RLIMIT_DATA, RLIMIT_STACK
I32_0 = np.int32(0)
U32_0 = np.uint32(0)
U32_1 = np.uint32(1)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
NOW_PLACE = FD_SETS
NEW_PLACE = np.uint64(FD_SETS + np.uint64(16))
OLD_PLACE = np.uint64(FD_SETS + np.uint64(32))

real_setrlimit = real_function("setrlimit", 2)
real_getrlimit = real_function("getrlimit", 2)
real_prlimit = real_function("prlimit", 4)
real_geteuid = real_function("geteuid", 0)


@kernel("i32(u64)")
def as_answer(word: Any) -> Any:
    """The int that a function of the C library returned."""
    return np.int32(np.uint32(word))


@kernel("u64(i32)")
def limit_row(resource: Any) -> Any:
    """Address of {soft, hard, is set} of a limit."""
    return LIMITS + np.uint64(resource) * ROW_BYTES


@kernel("i32(i32,u64)", outlined=True)
def get_limit(resource: Any, place: Any) -> Any:
    """Write what the program knows as a limit; -1 with errno for none."""
    status = as_answer(real_getrlimit(np.uint64(resource), place))
    if status == OK and load_u64(limit_row(resource) + U64_16) != U64_0:
        store_u64(place, load_u64(limit_row(resource)))
        store_u64(place + U64_8, load_u64(limit_row(resource) + U64_8))
    return status


@kernel("b1(i32)")
def is_remembered_alone(resource: Any) -> Any:
    """Whether a limit is none for the system."""
    return REMEMBERED >> np.uint32(resource) & U32_1 != U32_0


@kernel("i32(i32,u64,u64)")
def set_system_limit(resource: Any, soft: Any, hard: Any) -> Any:
    """The system's soft limit; its hard one is never lowered."""
    real_getrlimit(np.uint64(resource), OLD_PLACE)
    store_u64(NEW_PLACE, soft)
    store_u64(NEW_PLACE + U64_8, max(hard, load_u64(OLD_PLACE + U64_8)))
    return as_answer(real_setrlimit(np.uint64(resource), NEW_PLACE))


@kernel("i32(ctx,i32,u64)", outlined=True)
def set_limit(ctx: Any, resource: Any, new: Any) -> Any:
    """What setrlimit does."""
    status = get_limit(resource, NOW_PLACE)
    if status != OK:
        return status
    soft, hard = load_u64(new), load_u64(new + U64_8)
    if soft > hard:
        return fail_with_errno(ctx, EINVAL)
    if hard > load_u64(NOW_PLACE + U64_8) and real_geteuid() & np.uint64(0xFFFF_FFFF) != U64_0:
        return fail_with_errno(ctx, EPERM)
    if not is_remembered_alone(resource):
        status = set_system_limit(resource, soft, hard)
        if status != OK:
            return status
    row = limit_row(resource)
    store_u64(row, soft)
    store_u64(row + U64_8, hard)
    store_u64(row + U64_16, U64_1)
    ctx.outside[LIMITS_ARE_SET] = U64_1
    return OK


@kernel("i32(ctx,i32,u64)")
def i_setrlimit(ctx: Any, resource: Any, new: Any) -> Any:
    """setrlimit."""
    if resource < I32_0 or resource >= N_LIMITS or new == U64_0:
        return as_answer(real_setrlimit(np.uint64(resource), new))
    read(ctx, new, U64_16)
    return set_limit(ctx, resource, new)


@kernel("i32(ctx,i32,u64)")
def i_getrlimit(ctx: Any, resource: Any, target: Any) -> Any:
    """getrlimit."""
    if resource < I32_0 or resource >= N_LIMITS or target == U64_0:
        return as_answer(real_getrlimit(np.uint64(resource), target))
    status = get_limit(resource, target)
    if status == OK:
        written(ctx, target, U64_16)
    return status


@kernel("i32(ctx,i32,i32,u64,u64)")
def i_prlimit(ctx: Any, process: Any, resource: Any, new: Any, old: Any) -> Any:
    """prlimit: of another process it is the system's alone."""
    is_own = process == I32_0 or np.uint32(process) == np.uint32(real_getpid())
    if not is_own or resource < I32_0 or resource >= N_LIMITS:
        pid, number = np.uint64(process), np.uint64(resource)
        return as_answer(real_prlimit(pid, number, new, old))
    if new != U64_0:
        read(ctx, new, U64_16)
    status = get_limit(resource, OLD_PLACE)
    soft, hard = load_u64(OLD_PLACE), load_u64(OLD_PLACE + U64_8)
    if status == OK and new != U64_0:
        status = set_limit(ctx, resource, new)
    if status == OK and old != U64_0:
        store_u64(old, soft)
        store_u64(old + U64_8, hard)
        written(ctx, old, U64_16)
    return status


@kernel("void(ctx,b1)", outlined=True)
def pass_limits_on(ctx: Any, is_begun: Any) -> None:
    """Another program is to begin here with the limits of this one; or it could not, after all."""
    if ctx.outside[LIMITS_ARE_SET] == U64_0:
        return
    resource = I32_0
    while resource < N_LIMITS:
        row = limit_row(resource)
        if load_u64(row + U64_16) != U64_0:
            if not is_remembered_alone(resource):
                real_setrlimit(np.uint64(resource), row)
            else:  # only what can be taken back
                real_getrlimit(np.uint64(resource), OLD_PLACE)
                old_hard = load_u64(OLD_PLACE + U64_8)
                set_system_limit(resource, load_u64(row) if is_begun else old_hard, U64_0)
        resource += np.int32(1)


EXPORTS = (
    Export("i32 setrlimit(i32,ptr)", kernel="i_setrlimit"),
    Export("i32 setrlimit64(i32,ptr)", kernel="i_setrlimit"),
    Export("i32 getrlimit(i32,ptr)", kernel="i_getrlimit"),
    Export("i32 getrlimit64(i32,ptr)", kernel="i_getrlimit"),
    Export("i32 prlimit(i32,i32,ptr,ptr)", kernel="i_prlimit"),
    Export("i32 prlimit64(i32,i32,ptr,ptr)", kernel="i_prlimit"),
)
