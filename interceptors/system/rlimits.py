"""Limits of the process: the program's are its own, irsan's work at the end must still be possible.

    soft limits         are the system's, so forbidden calls fail as natively
    hard limits         are remembered: the system keeps the old ones, up to which irsan lifts the
                        soft ones for its own work (engine/guest/own_limits.py)
    RLIMIT_AS, _DATA,   are remembered alone: irsan's tables take more, and its own stack is not
    _STACK              the program's

A program that this one becomes (exec) gets them all, of those of memory the soft ones.

Source: setrlimit(2).
Deviation: the limits of memory are returned when asked for, and nothing is refused for them.
"""

from __future__ import annotations

from irsan.interceptors.errno_values import EINVAL, EPERM, OK, fail_with_errno
from irsan.interceptors.memory.passed_memory import read, written
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, real_function, real_getpid, store_u64
from irsan.runtime.kernels.out_parameters import FD_SETS
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.layout import outside_words as ow
from irsan.runtime.layout.outside_words import LIMITS, N_LIMITS

ROW_BYTES = ow.LIMIT_BYTES
REMEMBERED = 1 << 9 | 1 << 2 | 1 << 3  # RLIMIT_AS, RLIMIT_DATA, RLIMIT_STACK
NOW_PLACE = FD_SETS
NEW_PLACE = FD_SETS + 16
OLD_PLACE = FD_SETS + 32

real_setrlimit = real_function("setrlimit", 2)
real_getrlimit = real_function("getrlimit", 2)
real_prlimit = real_function("prlimit", 4)
real_geteuid = real_function("geteuid", 0)


@kernel
def as_answer(word: u64) -> i32:
    """The int that a function of the C library returned."""
    return i32(u32(word))


@kernel
def limit_row(resource: i32) -> u64:
    """Address of {soft, hard, is set} of a limit."""
    return LIMITS + u64(resource) * ROW_BYTES


@kernel(outlined=True)
def get_limit(resource: i32, place: u64) -> i32:
    """Write what the program knows as a limit; -1 with errno for none."""
    status = as_answer(real_getrlimit(u64(resource), place))
    if status == OK and load_u64(limit_row(resource) + 16) != 0:
        store_u64(place, load_u64(limit_row(resource)))
        store_u64(place + 8, load_u64(limit_row(resource) + 8))
    return status


@kernel
def is_remembered_alone(resource: i32) -> bool:
    """Whether a limit is none for the system."""
    return REMEMBERED >> u32(resource) & 1 != 0


@kernel
def set_system_limit(resource: i32, soft: u64, hard: u64) -> i32:
    """The system's soft limit; its hard one is never lowered."""
    real_getrlimit(u64(resource), OLD_PLACE)
    store_u64(NEW_PLACE, soft)
    store_u64(NEW_PLACE + 8, max(hard, load_u64(OLD_PLACE + 8)))
    return as_answer(real_setrlimit(u64(resource), NEW_PLACE))


@kernel(outlined=True)
def set_limit(ctx: Context, resource: i32, new: u64) -> i32:
    """What setrlimit does."""
    status = get_limit(resource, NOW_PLACE)
    if status != OK:
        return status
    soft, hard = load_u64(new), load_u64(new + 8)
    if soft > hard:
        return fail_with_errno(ctx, EINVAL)
    if hard > load_u64(NOW_PLACE + 8) and real_geteuid() & 0xFFFF_FFFF != 0:
        return fail_with_errno(ctx, EPERM)
    if not is_remembered_alone(resource):
        status = set_system_limit(resource, soft, hard)
        if status != OK:
            return status
    row = limit_row(resource)
    store_u64(row, soft)
    store_u64(row + 8, hard)
    store_u64(row + 16, 1)
    ctx.outside.limits_are_set = 1
    return OK


@kernel
def i_setrlimit(ctx: Context, resource: i32, new: u64) -> i32:
    """setrlimit."""
    if resource < 0 or resource >= N_LIMITS or new == 0:
        return as_answer(real_setrlimit(u64(resource), new))
    read(ctx, new, 16)
    return set_limit(ctx, resource, new)


@kernel
def i_getrlimit(ctx: Context, resource: i32, target: u64) -> i32:
    """getrlimit."""
    if resource < 0 or resource >= N_LIMITS or target == 0:
        return as_answer(real_getrlimit(u64(resource), target))
    status = get_limit(resource, target)
    if status == OK:
        written(ctx, target, 16)
    return status


@kernel
def i_prlimit(ctx: Context, process: i32, resource: i32, new: u64, old: u64) -> i32:
    """prlimit: of another process it is the system's alone."""
    is_own = process == 0 or u32(process) == u32(real_getpid())
    if not is_own or resource < 0 or resource >= N_LIMITS:
        pid, number = u64(process), u64(resource)
        return as_answer(real_prlimit(pid, number, new, old))
    if new != 0:
        read(ctx, new, 16)
    status = get_limit(resource, OLD_PLACE)
    soft, hard = load_u64(OLD_PLACE), load_u64(OLD_PLACE + 8)
    if status == OK and new != 0:
        status = set_limit(ctx, resource, new)
    if status == OK and old != 0:
        store_u64(old, soft)
        store_u64(old + 8, hard)
        written(ctx, old, 16)
    return status


@kernel(outlined=True)
def pass_limits_on(ctx: Context, is_begun: bool) -> None:
    """Another program is to begin here with the limits of this one; or it could not, after all."""
    if ctx.outside.limits_are_set == 0:
        return
    resource = i32(0)
    while resource < N_LIMITS:
        row = limit_row(resource)
        if load_u64(row + 16) != 0:
            if not is_remembered_alone(resource):
                real_setrlimit(u64(resource), row)
            else:  # only what can be taken back
                real_getrlimit(u64(resource), OLD_PLACE)
                old_hard = load_u64(OLD_PLACE + 8)
                set_system_limit(resource, load_u64(row) if is_begun else old_hard, 0)
        resource = i32(resource + 1)


EXPORTS = (
    Export("i32 setrlimit(i32,ptr)", kernel="i_setrlimit"),
    Export("i32 setrlimit64(i32,ptr)", kernel="i_setrlimit"),
    Export("i32 getrlimit(i32,ptr)", kernel="i_getrlimit"),
    Export("i32 getrlimit64(i32,ptr)", kernel="i_getrlimit"),
    Export("i32 prlimit(i32,i32,ptr,ptr)", kernel="i_prlimit"),
    Export("i32 prlimit64(i32,i32,ptr,ptr)", kernel="i_prlimit"),
)
