"""Locks of files: flock, lockf, and fcntl's.  While one thread waits for one, the others run.

    flock(fd, LOCK_EX)          asked with LOCK_NB, again and again
    fcntl(fd, F_SETLKW, l)      asked with F_SETLK; F_OFD_SETLKW with F_OFD_SETLK
    lockf(fd, F_LOCK, n)        asked with F_TLOCK

A thread that is alone waits natively.  What has a lock on a file can be another process, so waiting
is never a deadlock.

Sources: flock(2), fcntl(2), lockf(3).
"""

from __future__ import annotations

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.injected import is_interrupted
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, real_fcntl, real_function, store_u32
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, i64, u32, u64
from irsan.runtime.kernels.threads.cancellation import cancel_due
from irsan.runtime.kernels.threads.waiting import (
    BY_ENDING,
    block_trying,
    ended_by_handler,
    may_block_natively,
    resume_trying,
)

FAILED = -1
EAGAIN = 11
EACCES = 13
LOCK_UN = 8
LOCK_NB = 4
F_SETLKW = 7
F_OFD_SETLKW = 38
F_LOCK = 1
F_TLOCK = 2

real_flock = real_function("flock", 2)
real_lockf = real_function("lockf", 3)


@kernel
def asks_natively(ctx: Context) -> bool:
    """Whether a thread may wait for a lock natively: no other thread waits for it to go on."""
    return not resume_trying(ctx) and may_block_natively(ctx)


@kernel
def lock_is_interrupted(ctx: Context) -> bool:
    """Whether a call that may wait for a lock, and begins, ends with EINTR."""
    return thread_at(ctx.thread).wait.resuming == 0 and is_interrupted(ctx)


@kernel
def locked_or_waits(ctx: Context, answer: u64, errno: u32) -> i32:
    """What a call that did not wait says; if the lock is another's, the thread waits.

    errno: as it was before
    """
    status = i32(u32(answer))
    if status >= 0:
        ctx.outside.try_streak = 0
        return status
    found = load_u32(ctx.c_library.errno_addr)
    if found != EAGAIN and found != EACCES:
        return status
    store_u32(ctx.c_library.errno_addr, errno)
    if ended_by_handler(ctx, BY_ENDING):
        return FAILED
    block_trying(ctx, 0)
    return FAILED


@kernel
def i_flock(ctx: Context, descriptor: i32, operation: i32) -> i32:
    """flock."""
    file, asked = u64(descriptor), u64(operation)
    waits = operation & (LOCK_NB | LOCK_UN) == 0
    if waits and lock_is_interrupted(ctx):
        return FAILED
    if not waits or asks_natively(ctx):
        return i32(u32(real_flock(file, asked)))
    errno = load_u32(ctx.c_library.errno_addr)
    return locked_or_waits(ctx, real_flock(file, u64(operation | LOCK_NB)), errno)


@kernel
def i_lockf(ctx: Context, descriptor: i32, command: i32, length: i64) -> i32:
    """lockf."""
    file, size = u64(descriptor), u64(length)
    if cancel_due(ctx) or (command == F_LOCK and lock_is_interrupted(ctx)):
        return FAILED
    if command != F_LOCK or asks_natively(ctx):
        return i32(u32(real_lockf(file, u64(command), size)))
    errno = load_u32(ctx.c_library.errno_addr)
    return locked_or_waits(ctx, real_lockf(file, u64(F_TLOCK), size), errno)


@kernel
def i_fcntl(ctx: Context, descriptor: i32, command: i32, argument: u64) -> i32:
    """fcntl: only waiting for a lock is not the system's."""
    file = u64(descriptor)
    waits = command == F_SETLKW or command == F_OFD_SETLKW
    if waits and (cancel_due(ctx) or lock_is_interrupted(ctx)):
        return FAILED
    if not waits or asks_natively(ctx):
        return i32(u32(real_fcntl(file, u64(command), argument)))
    errno = load_u32(ctx.c_library.errno_addr)
    tried = u64(command - 1)
    return locked_or_waits(ctx, real_fcntl(file, tried, argument), errno)


EXPORTS = (
    Export("i32 flock(i32,i32)", kernel="i_flock"),
    Export("i32 lockf(i32,i32,i64)", kernel="i_lockf"),
    Export("i32 lockf64(i32,i32,i64)", kernel="i_lockf"),
    Export("i32 fcntl(i32,i32,u64)", kernel="i_fcntl"),
    Export("i32 fcntl64(i32,i32,u64)", kernel="i_fcntl"),
)
