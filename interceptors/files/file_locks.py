"""Locks of files: flock, lockf, and fcntl's.  While one thread waits for one, the others run.

    flock(fd, LOCK_EX)          asked with LOCK_NB, again and again
    fcntl(fd, F_SETLKW, l)      asked with F_SETLK; F_OFD_SETLKW with F_OFD_SETLK
    lockf(fd, F_LOCK, n)        asked with F_TLOCK

A thread that is alone waits natively.  What has a lock on a file can be another process, so waiting
is never a deadlock.

Sources: flock(2), fcntl(2), lockf(3).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, real_fcntl, real_function, store_u32
from irsan.runtime.kernels.threads.cancellation import cancel_due
from irsan.runtime.kernels.threads.scheduler import TRY_STREAK
from irsan.runtime.kernels.threads.waiting import (
    BY_ENDING,
    block_trying,
    ended_by_handler,
    may_block_natively,
    resume_trying,
)

I32_0 = np.int32(0)
I32_FAILED = np.int32(-1)
U64_0 = np.uint64(0)
U32_EAGAIN = np.uint32(11)
U32_EACCES = np.uint32(13)
LOCK_UN = np.int32(8)
LOCK_NB = np.int32(4)
F_SETLKW = np.int32(7)
F_OFD_SETLKW = np.int32(38)
I32_1 = np.int32(1)
F_LOCK = np.int32(1)
F_TLOCK = np.int32(2)

real_flock = real_function("flock", 2)
real_lockf = real_function("lockf", 3)


@kernel("b1(ctx)")
def asks_natively(ctx: Any) -> Any:
    """Whether a thread may wait for a lock natively: nobody else waits for it to go on."""
    return not resume_trying(ctx) and may_block_natively(ctx)


@kernel("i32(ctx,u64,u32)")
def locked_or_waits(ctx: Any, answer: Any, errno: Any) -> Any:
    """What a call that did not wait says; if the lock is another's, the thread waits.

    errno: as it was before
    """
    status = np.int32(np.uint32(answer))
    if status >= I32_0:
        ctx.outside[TRY_STREAK] = U64_0
        return status
    found = load_u32(ctx.errno_addr)
    if found != U32_EAGAIN and found != U32_EACCES:
        return status
    store_u32(ctx.errno_addr, errno)
    if ended_by_handler(ctx, BY_ENDING):
        return I32_FAILED
    block_trying(ctx, U64_0)
    return I32_FAILED


@kernel("i32(ctx,i32,i32)")
def i_flock(ctx: Any, descriptor: Any, operation: Any) -> Any:
    """flock."""
    file, asked = np.uint64(descriptor), np.uint64(operation)
    if operation & (LOCK_NB | LOCK_UN) != I32_0 or asks_natively(ctx):
        return np.int32(np.uint32(real_flock(file, asked)))
    errno = load_u32(ctx.errno_addr)
    return locked_or_waits(ctx, real_flock(file, np.uint64(operation | LOCK_NB)), errno)


@kernel("i32(ctx,i32,i32,i64)")
def i_lockf(ctx: Any, descriptor: Any, command: Any, length: Any) -> Any:
    """lockf."""
    file, size = np.uint64(descriptor), np.uint64(length)
    if cancel_due(ctx):
        return I32_FAILED
    if command != F_LOCK or asks_natively(ctx):
        return np.int32(np.uint32(real_lockf(file, np.uint64(command), size)))
    errno = load_u32(ctx.errno_addr)
    return locked_or_waits(ctx, real_lockf(file, np.uint64(F_TLOCK), size), errno)


@kernel("i32(ctx,i32,i32,u64)")
def i_fcntl(ctx: Any, descriptor: Any, command: Any, argument: Any) -> Any:
    """fcntl: only waiting for a lock is not the system's."""
    file = np.uint64(descriptor)
    waits = command == F_SETLKW or command == F_OFD_SETLKW
    if waits and cancel_due(ctx):
        return I32_FAILED
    if not waits or asks_natively(ctx):
        return np.int32(np.uint32(real_fcntl(file, np.uint64(command), argument)))
    errno = load_u32(ctx.errno_addr)
    tried = np.uint64(command - I32_1)
    return locked_or_waits(ctx, real_fcntl(file, tried, argument), errno)


EXPORTS = (
    Export("i32 flock(i32,i32)", kernel="i_flock"),
    Export("i32 lockf(i32,i32,i64)", kernel="i_lockf"),
    Export("i32 lockf64(i32,i32,i64)", kernel="i_lockf"),
    Export("i32 fcntl(i32,i32,u64)", kernel="i_fcntl"),
    Export("i32 fcntl64(i32,i32,u64)", kernel="i_fcntl"),
)
