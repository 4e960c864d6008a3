"""syscall(): calls whose answers belong to the program's own world, made without the C library.

    syscall(SYS_futex, ...)            goes to the scheduler (futex.py)
    syscall(SYS_clock_gettime, ...)    the virtual clock, as clock_gettime
    syscall(SYS_statx, ...)            the kernel, then file times are turned, as statx
    syscall(SYS_gettid), SYS_tgkill    what the program was told of its threads (thread_ids.py);
                                       signals are sent by the glue (signal_sending.ll)

Every other call is the kernel's.

Source: syscall(2).
"""

from __future__ import annotations

from irsan.interceptors.files.file_times import stat_written, statx_written
from irsan.interceptors.registry import Export
from irsan.interceptors.system.time import i_clock_gettime, i_gettimeofday, i_time
from irsan.interceptors.threads.futex import ASK_KERNEL, futex_call
from irsan.interceptors.threads.thread_ids import thread_call
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import real_syscall
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, i64, u64
from irsan.runtime.layout import libc_layout as libc

SYS_FUTEX = libc.constant("SYS_futex")
SYS_CLOCK_GETTIME = libc.constant("SYS_clock_gettime")
SYS_GETTIMEOFDAY = libc.constant("SYS_gettimeofday")
SYS_TIME = libc.constant("SYS_time")
SYS_STAT = libc.constant("SYS_stat")  # then fstat
SYS_LSTAT = libc.constant("SYS_lstat")
SYS_FSTATAT = libc.constant("SYS_newfstatat")
SYS_STATX = libc.constant("SYS_statx")
STAT_BYTES = libc.size("struct stat")
STATX_BYTES = libc.size("struct statx")


@kernel
def clock_call(ctx: Context, number: u64, a: u64, b: u64) -> i64:
    """A question about the time, or ASK_KERNEL."""
    if number == SYS_CLOCK_GETTIME:
        return i64(i_clock_gettime(ctx, i32(a), b))
    if number == SYS_GETTIMEOFDAY:
        return i64(i_gettimeofday(ctx, a, b))
    if number == SYS_TIME:
        return i64(i_time(ctx, a))
    return ASK_KERNEL


@kernel
def file_call(ctx: Context, number: u64, a: u64, b: u64, c: u64, d: u64, e: u64) -> i64:
    """A question about a file, or ASK_KERNEL."""
    is_stat = number >= SYS_STAT and number <= SYS_LSTAT
    if not is_stat and number != SYS_FSTATAT and number != SYS_STATX:
        return ASK_KERNEL
    status = i32(real_syscall(number, a, b, c, d, e))
    if number == SYS_STATX:
        statx_written(ctx, status, e, STATX_BYTES)
    else:
        stat_written(ctx, status, b if is_stat else c, STAT_BYTES)
    return i64(status)


@kernel
def i_syscall(ctx: Context, number: u64, a: u64, b: u64, c: u64, d: u64, e: u64) -> i64:
    """syscall: its result, or ASK_KERNEL when the kernel must do it."""
    if number == SYS_FUTEX:
        return futex_call(ctx, a, b, c, d)
    result = clock_call(ctx, number, a, b)
    if result == ASK_KERNEL:
        result = file_call(ctx, number, a, b, c, d, e)
    if result == ASK_KERNEL:
        result = thread_call(ctx, number, a, b, c)
    return result


EXPORTS = (
    Export(
        "i64 syscall(u64,u64,u64,u64,u64,u64,u64)",
        kernel="i_syscall",
        then_real=True,
        real="irsan_syscall",
    ),
)
