"""wait and its kin: while one guest thread waits for a child process, the others run.

A child that was waited for can matter no more: real time is no bound any longer.

Status and usage count as written whenever the call does not fail, as in the original: with WNOHANG
and no child to tell of, too.

Source: wait4(2); the wait interceptors of LLVM's sanitizer_common_interceptors.inc.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.memory.passed_memory import written
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, real_function, real_wait4, store_u32
from irsan.runtime.kernels.out_parameters import FD_SETS, SCRATCH_ROOM
from irsan.runtime.kernels.threads.cancellation import cancel_due
from irsan.runtime.kernels.threads.scheduler import TRY_STREAK
from irsan.runtime.kernels.threads.shared_memory import child_ended
from irsan.runtime.kernels.threads.waiting import (
    BY_ENDING,
    block_trying,
    ended_by_handler,
    may_block_natively,
    resume_trying,
)
from irsan.runtime.layout import libc_layout as libc

I32_0 = np.int32(0)
I32_FAILED = np.int32(-1)
U32_0 = np.uint32(0)
U64_0 = np.uint64(0)
U64_4 = np.uint64(4)
RUSAGE_BYTES = np.uint64(libc.size("struct rusage"))
ANY_CHILD = np.int32(-1)
WNOHANG = np.int32(libc.constant("WNOHANG"))
U64_WNOHANG = np.uint64(libc.constant("WNOHANG"))
U32_STOPPED = np.uint32(0x7F)  # low bits of the status of a child that goes on later
U32_CONTINUED = np.uint32(0xFFFF)
WNOWAIT = np.int32(libc.constant("WNOWAIT"))
U32_ENDED = np.uint32(libc.constant("CLD_DUMPED"))  # the last of the codes that say so
SIGINFO_BYTES = np.uint64(libc.size("siginfo_t"))
SI_CODE = np.uint64(libc.offset("siginfo_t.si_code"))
SI_PID = np.uint64(libc.offset("siginfo_t.si_pid"))
SIGINFO_PLACE = FD_SETS

real_waitid = real_function("waitid", 5)


@kernel("void(ctx,u64)")
def told_of(ctx: Any, status: Any) -> None:
    """A child has ended, if its status says so."""
    word = load_u32(status)
    if word & U32_STOPPED != U32_STOPPED and word != U32_CONTINUED:
        child_ended(ctx)


@kernel("i32(ctx,i32,u64,i32,u64)")
def i_wait4(ctx: Any, child: Any, status: Any, options: Any, usage: Any) -> Any:
    """wait4: natively when nobody else could run meanwhile."""
    if cancel_due(ctx):
        return I32_FAILED
    asked = options
    if resume_trying(ctx) or not may_block_natively(ctx):
        asked = options | WNOHANG
    place = SCRATCH_ROOM if status == U64_0 else status
    found = np.int32(np.uint32(real_wait4(np.uint64(child), place, np.uint64(asked), usage)))
    if found == I32_0 and options & WNOHANG == I32_0:
        if ended_by_handler(ctx, BY_ENDING):
            return I32_FAILED
        block_trying(ctx, U64_0)
        return I32_0
    ctx.outside[TRY_STREAK] = U64_0
    if found > I32_0:
        told_of(ctx, place)
    if found >= I32_0:
        written(ctx, status, U64_4)
        written(ctx, usage, RUSAGE_BYTES)
    return found


@kernel("i32(ctx,u64,i32,u64)")
def i_wait3(ctx: Any, status: Any, options: Any, usage: Any) -> Any:
    """wait3."""
    return i_wait4(ctx, ANY_CHILD, status, options, usage)


@kernel("i32(ctx,i32,u64,i32)")
def i_waitpid(ctx: Any, child: Any, status: Any, options: Any) -> Any:
    """waitpid."""
    return i_wait4(ctx, child, status, options, U64_0)


@kernel("i32(ctx,u64)")
def i_wait(ctx: Any, status: Any) -> Any:
    """wait."""
    return i_wait4(ctx, ANY_CHILD, status, I32_0, U64_0)


@kernel("i32(ctx,i32,i32,u64,i32)")
def i_waitid(ctx: Any, kind: Any, number: Any, info: Any, options: Any) -> Any:
    """waitid."""
    if cancel_due(ctx):
        return I32_FAILED
    asked = np.uint64(options)
    if resume_trying(ctx) or not may_block_natively(ctx):
        asked |= U64_WNOHANG
    place = SIGINFO_PLACE if info == U64_0 else info
    store_u32(place + SI_PID, U32_0)
    status = real_waitid(np.uint64(kind), np.uint64(number), place, asked, U64_0)
    failed = np.int32(np.uint32(status)) != I32_0
    child = load_u32(place + SI_PID)
    if not failed and child == U32_0 and options & WNOHANG == I32_0:
        if ended_by_handler(ctx, BY_ENDING):
            return I32_FAILED
        block_trying(ctx, U64_0)
        return I32_0
    ctx.outside[TRY_STREAK] = U64_0
    if failed:
        return I32_FAILED
    written(ctx, info, SIGINFO_BYTES)
    is_reaped = child != U32_0 and options & WNOWAIT == I32_0
    if is_reaped and load_u32(place + SI_CODE) <= U32_ENDED:
        child_ended(ctx)
    return I32_0


EXPORTS = (
    Export("i32 waitid(i32,i32,ptr,i32)", kernel="i_waitid"),
    Export("i32 wait(ptr)", kernel="i_wait"),
    Export("i32 waitpid(i32,ptr,i32)", kernel="i_waitpid"),
    Export("i32 wait3(ptr,i32,ptr)", kernel="i_wait3"),
    Export("i32 wait4(i32,ptr,i32,ptr)", kernel="i_wait4"),
    Export("i32 __wait4(i32,ptr,i32,ptr)", kernel="i_wait4"),
)
