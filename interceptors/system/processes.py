"""wait and similar: while one guest thread waits for a child process, the others run.

A child that was waited for can matter no more: real time is no bound any longer.

Status and usage count as written whenever the call does not fail, as in the original: with WNOHANG
and no child to report, too.

Source: wait4(2); the wait interceptors of LLVM's sanitizer_common_interceptors.inc.
"""

from __future__ import annotations

from irsan.interceptors.memory.passed_memory import written
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.injected import is_interrupted
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, real_function, real_wait4, store_u32
from irsan.runtime.kernels.out_parameters import FD_SETS, SCRATCH_ROOM
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.threads.cancellation import cancel_due
from irsan.runtime.kernels.threads.shared_memory import child_ended
from irsan.runtime.kernels.threads.waiting import (
    BY_ENDING,
    block_trying,
    ended_by_handler,
    may_block_natively,
    resume_trying,
)
from irsan.runtime.layout import libc_layout as libc

FAILED = -1
RUSAGE_BYTES = libc.size("struct rusage")
ANY_CHILD = -1
WNOHANG = libc.constant("WNOHANG")
STOPPED = 0x7F  # low bits of the status of a child that goes on later
CONTINUED = 0xFFFF
WNOWAIT = libc.constant("WNOWAIT")
ENDED = libc.constant("CLD_DUMPED")  # the last of the codes that say so
SIGINFO_BYTES = libc.size("siginfo_t")
SI_CODE = libc.offset("siginfo_t.si_code")
SI_PID = libc.offset("siginfo_t.si_pid")
SIGINFO_PLACE = FD_SETS

real_waitid = real_function("waitid", 5)


@kernel
def told_of(ctx: Context, status: u64) -> None:
    """A child has ended, if its status says so."""
    word = load_u32(status)
    if word & STOPPED != STOPPED and word != CONTINUED:
        child_ended(ctx)


@kernel
def i_wait4(ctx: Context, child: i32, status: u64, options: i32, usage: u64) -> i32:
    """wait4: natively when no other thread could run meanwhile."""
    if cancel_due(ctx):
        return FAILED
    begins = thread_at(ctx.thread).wait.resuming == 0
    if options & WNOHANG == 0 and begins and is_interrupted(ctx):
        return FAILED
    asked = options
    if resume_trying(ctx) or not may_block_natively(ctx):
        asked = i32(options | WNOHANG)
    place = u64(SCRATCH_ROOM) if status == 0 else status
    found = i32(u32(real_wait4(u64(child), place, u64(asked), usage)))
    if found == 0 and options & WNOHANG == 0:
        if ended_by_handler(ctx, BY_ENDING):
            return FAILED
        block_trying(ctx, 0)
        return 0
    ctx.outside.try_streak = 0
    if found > 0:
        told_of(ctx, place)
    if found >= 0:
        written(ctx, status, 4)
        written(ctx, usage, RUSAGE_BYTES)
    return found


@kernel
def i_wait3(ctx: Context, status: u64, options: i32, usage: u64) -> i32:
    """wait3."""
    return i_wait4(ctx, ANY_CHILD, status, options, usage)


@kernel
def i_waitpid(ctx: Context, child: i32, status: u64, options: i32) -> i32:
    """waitpid."""
    return i_wait4(ctx, child, status, options, 0)


@kernel
def i_wait(ctx: Context, status: u64) -> i32:
    """wait."""
    return i_wait4(ctx, ANY_CHILD, status, 0, 0)


@kernel
def i_waitid(ctx: Context, kind: i32, number: i32, info: u64, options: i32) -> i32:
    """waitid."""
    if cancel_due(ctx):
        return FAILED
    begins = thread_at(ctx.thread).wait.resuming == 0
    if options & WNOHANG == 0 and begins and is_interrupted(ctx):
        return FAILED
    asked = u64(options)
    if resume_trying(ctx) or not may_block_natively(ctx):
        asked |= WNOHANG
    place = u64(SIGINFO_PLACE) if info == 0 else info
    store_u32(place + SI_PID, 0)
    status = real_waitid(u64(kind), u64(number), place, asked, 0)
    failed = i32(u32(status)) != 0
    child = load_u32(place + SI_PID)
    if not failed and child == 0 and options & WNOHANG == 0:
        if ended_by_handler(ctx, BY_ENDING):
            return FAILED
        block_trying(ctx, 0)
        return 0
    ctx.outside.try_streak = 0
    if failed:
        return FAILED
    written(ctx, info, SIGINFO_BYTES)
    is_reaped = child != 0 and options & WNOWAIT == 0
    if is_reaped and load_u32(place + SI_CODE) <= ENDED:
        child_ended(ctx)
    return 0


EXPORTS = (
    Export("i32 waitid(i32,i32,ptr,i32)", kernel="i_waitid"),
    Export("i32 wait(ptr)", kernel="i_wait"),
    Export("i32 waitpid(i32,ptr,i32)", kernel="i_waitpid"),
    Export("i32 wait3(ptr,i32,ptr)", kernel="i_wait3"),
    Export("i32 wait4(i32,ptr,i32,ptr)", kernel="i_wait4"),
    Export("i32 __wait4(i32,ptr,i32,ptr)", kernel="i_wait4"),
)
