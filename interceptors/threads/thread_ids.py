"""gettid and the calls that take what it gives: the system's numbers of threads.

All threads of a program are one thread of the system, so the system's number is the same for all.
Programs take it for the owner of a lock, or as a key: each thread has its own here.

    first thread    the process's, as the system has it; in a child the thread that has forked
    others          above FIRST_ID, where the system gives none: from the process and the thread

    gettid, syscall(SYS_gettid)
    tgkill, tkill                  to a thread of this process: as pthread_kill
    sched_setaffinity, setpriority and similar, of a thread of this process: the whole program's

Source: gettid(2), tgkill(2), sched_setaffinity(2), setpriority(2); PID_MAX_LIMIT of Linux.
Deviation: /proc/self/task has none of these numbers.
"""

from __future__ import annotations

from irsan.interceptors.memory.passed_memory import acted_upon, written_when_zero
from irsan.interceptors.registry import REAL_ANSWERS, Export
from irsan.runtime.kernels.combined.fibers import own_tid
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import real_function, real_getpid, real_syscall
from irsan.runtime.kernels.record_types import Context, Thread
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, i64, u32, u64
from irsan.runtime.kernels.thread_slots import slot_to_thread
from irsan.runtime.kernels.threads.signals import is_alive
from irsan.runtime.layout import libc_layout as libc

FIRST_ID = 1 << 22
N_IDS = (1 << 31) - FIRST_ID
IDS_PER_PROCESS = 512  # before those of the next process begin
SYS_GETTID = libc.constant("SYS_gettid")
SYS_SCHED_SETPARAM = libc.constant("SYS_sched_setparam")  # then getparam, set- and getscheduler
SYS_SCHED_GETSCHEDULER = libc.constant("SYS_sched_getscheduler")
SYS_SCHED_SETAFFINITY = libc.constant("SYS_sched_setaffinity")
SYS_SCHED_GETAFFINITY = SYS_SCHED_SETAFFINITY + 1
SYS_GETPRIORITY = libc.constant("SYS_getpriority")
SYS_SETPRIORITY = SYS_GETPRIORITY + 1
PRIO_PROCESS = libc.constant("PRIO_PROCESS")
PARAMETER_BYTES = libc.size("struct sched_param")
ASK_KERNEL = REAL_ANSWERS

real_setaffinity = real_function("sched_setaffinity", 3)
real_getaffinity = real_function("sched_getaffinity", 3)
real_setparam = real_function("sched_setparam", 2)
real_getparam = real_function("sched_getparam", 2)
real_setscheduler = real_function("sched_setscheduler", 3)
real_getscheduler = real_function("sched_getscheduler", 1)
real_getpriority = real_function("getpriority", 2)
real_setpriority = real_function("setpriority", 3)


@kernel
def thread_to_id(ctx: Context, thread: Thread, process: u64) -> u64:
    """The system's number of a thread, as the program is told."""
    tid = own_tid(thread)
    if tid == ctx.outside.first_tid:
        return process
    return FIRST_ID + (process * u64(IDS_PER_PROCESS) + tid) % u64(N_IDS)


@kernel
def thread_with_id(ctx: Context, process: i32, number: i32) -> u64:
    """Address of the record of a living thread of this process, 0 if there is none.

    process: 0 for whichever has that thread.
    """
    own = u64(u32(real_getpid()))
    if process != 0 and u64(u32(process)) != own:
        return u64(0)
    for slot in range(ctx.schedule.n_threads):
        addr = slot_to_thread(u64(slot))
        is_it = thread_to_id(ctx, thread_at(addr), own) == u64(u32(number))
        if is_it and is_alive(ctx, addr):
            return addr
    return u64(0)


@kernel
def to_own(ctx: Context, number: i32) -> i32:
    """What the system knows a thread of this process by; other numbers as they are."""
    if number >= FIRST_ID and thread_with_id(ctx, i32(0), number) != 0:
        return i32(0)
    return number


@kernel
def i_gettid(ctx: Context) -> i32:
    """gettid."""
    return i32(thread_to_id(ctx, thread_at(ctx.thread), u64(u32(real_getpid()))))


@kernel
def thread_call(ctx: Context, number: u64, a: u64, b: u64, c: u64) -> i64:
    """syscall of what concerns a thread, or ASK_KERNEL."""
    if number == SYS_GETTID:
        return i64(i_gettid(ctx))
    is_scheduling = number >= SYS_SCHED_SETPARAM and number <= SYS_SCHED_GETSCHEDULER
    is_affinity = number == SYS_SCHED_SETAFFINITY or number == SYS_SCHED_GETAFFINITY
    if (is_scheduling or is_affinity) and to_own(ctx, i32(a)) != i32(a):
        return i64(i32(real_syscall(number, 0, b, c, 0, 0)))
    is_priority = number == SYS_GETPRIORITY or number == SYS_SETPRIORITY
    if is_priority and a == PRIO_PROCESS and to_own(ctx, i32(b)) != i32(b):
        return i64(i32(real_syscall(number, a, 0, c, 0, 0)))
    return ASK_KERNEL


@kernel
def i_sched_setaffinity(ctx: Context, number: i32, n_bytes: u64, processors: u64) -> i32:
    """sched_setaffinity."""
    acted_upon(ctx, processors, n_bytes)
    return i32(real_setaffinity(to_own(ctx, number), n_bytes, processors))


@kernel
def i_sched_getaffinity(ctx: Context, number: i32, n_bytes: u64, processors: u64) -> i32:
    """sched_getaffinity."""
    status = i32(real_getaffinity(to_own(ctx, number), n_bytes, processors))
    written_when_zero(ctx, status, processors, n_bytes)
    return status


@kernel
def i_sched_setparam(ctx: Context, number: i32, parameter: u64) -> i32:
    """sched_setparam."""
    acted_upon(ctx, parameter, PARAMETER_BYTES)
    return i32(real_setparam(to_own(ctx, number), parameter))


@kernel
def i_sched_getparam(ctx: Context, number: i32, parameter: u64) -> i32:
    """sched_getparam."""
    status = i32(real_getparam(to_own(ctx, number), parameter))
    written_when_zero(ctx, status, parameter, PARAMETER_BYTES)
    return status


@kernel
def i_sched_setscheduler(ctx: Context, number: i32, policy: i32, parameter: u64) -> i32:
    """sched_setscheduler."""
    acted_upon(ctx, parameter, PARAMETER_BYTES)
    return i32(real_setscheduler(to_own(ctx, number), policy, parameter))


@kernel
def i_sched_getscheduler(ctx: Context, number: i32) -> i32:
    """sched_getscheduler."""
    return i32(real_getscheduler(to_own(ctx, number)))


@kernel
def i_getpriority(ctx: Context, which: i32, who: i32) -> i32:
    """getpriority."""
    if which == PRIO_PROCESS:
        who = to_own(ctx, who)
    return i32(real_getpriority(which, who))


@kernel
def i_setpriority(ctx: Context, which: i32, who: i32, priority: i32) -> i32:
    """setpriority."""
    if which == PRIO_PROCESS:
        who = to_own(ctx, who)
    return i32(real_setpriority(which, who, priority))


EXPORTS = (
    Export("i32 gettid()", kernel="i_gettid"),
    Export("i32 sched_setaffinity(i32,u64,ptr)", kernel="i_sched_setaffinity"),
    Export("i32 sched_getaffinity(i32,u64,ptr)", kernel="i_sched_getaffinity"),
    Export("i32 sched_setparam(i32,ptr)", kernel="i_sched_setparam"),
    Export("i32 sched_getparam(i32,ptr)", kernel="i_sched_getparam"),
    Export("i32 sched_setscheduler(i32,i32,ptr)", kernel="i_sched_setscheduler"),
    Export("i32 sched_getscheduler(i32)", kernel="i_sched_getscheduler"),
    Export("i32 getpriority(i32,i32)", kernel="i_getpriority"),
    Export("i32 setpriority(i32,i32,i32)", kernel="i_setpriority"),
)
