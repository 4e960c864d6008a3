"""popen, pclose and system: a child lives meanwhile, and real time is a bound.

A command that leaves a job in the background (`sleep 1; kill $PPID &`) leaves a process that the
program hears of later, so real time stays a bound.

    alone           the host's function, which blocks
    other threads   system: the shell is spawned, and asked for again and again
                    pclose: the pipe is closed, and the host's function called when the child ended

Sources: popen(3), system(3); `_IO_proc_file` in glibc's iopopen.c.
Deviation: with other threads system leaves SIGINT, SIGQUIT and SIGCHLD to the program's handlers.
"""

from __future__ import annotations

from irsan.interceptors.registry import Export
from irsan.interceptors.text.strings_compare import check_text, check_two_texts
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u8,
    load_u32,
    load_u64,
    real_function,
    real_syscall,
    real_wait4,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.out_parameters import FD_SETS, SCRATCH_ROOM
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.threads.shared_memory import child_begun, child_ended
from irsan.runtime.kernels.threads.waiting import (
    STREAM_DESCRIPTOR,
    block_trying,
    may_block_natively,
    resume_trying,
)
from irsan.runtime.layout import libc_layout as libc

FAILED = -1
AMPERSAND = ord("&")
TO_FILE = ord(">")
FROM_FILE = ord("<")
WNOHANG = libc.constant("WNOHANG")
WNOWAIT = libc.constant("WNOWAIT")
WEXITED = 4
P_PID = 1
O_CLOEXEC = 0o2000000
SYS_EVENTFD = libc.constant("SYS_eventfd2")
SYS_DUP3 = libc.constant("SYS_dup3")
SYS_CLOSE = libc.constant("SYS_close")
#: glibc's struct _IO_proc_file: what popen has started
STREAM_PID = 224
NO_SHELL = 127 << 8  # the status of a child that could not start it
SHELL_PATH = int.from_bytes(b"/bin/sh\0", "little")
SHELL_NAME = int.from_bytes(b"sh\0", "little")
SHELL_OPTION = int.from_bytes(b"-c\0", "little")
# Scratch memory: three words of text, the shell's arguments, its number; a siginfo_t.
PATH, NAME, OPTION, WORDS, PID = FD_SETS, FD_SETS + 8, FD_SETS + 16, FD_SETS + 24, FD_SETS + 56
SIGINFO = FD_SETS + 64
SI_PID = libc.offset("siginfo_t.si_pid")

real_popen = real_function("popen", 2)
real_pclose = real_function("pclose", 1)
real_system = real_function("system", 1)
real_fflush = real_function("fflush", 1)
real_waitid = real_function("waitid", 5)
real_posix_spawn = real_function("posix_spawn", 6)


@kernel
def leaves_a_job(command: u64) -> bool:
    """Whether a command of the shell has an `&` that is no part of `&&`, `>&` or `<&`."""
    before = u64(0)
    at = command
    here = u64(load_u8(at))
    while here != 0:
        is_pair = here == AMPERSAND and u64(load_u8(at + 1)) == AMPERSAND
        if here == AMPERSAND and not is_pair and before != TO_FILE and before != FROM_FILE:
            return True
        at += 1 + u64(is_pair)
        before = here
        here = u64(load_u8(at))
    return False


@kernel
def i_popen(ctx: Context, command: u64, mode: u64) -> u64:
    """popen: a child lives until pclose, or until a wait for it."""
    if not check_two_texts(ctx, command, mode):
        return 0
    stream = real_popen(command, mode)
    if stream != 0:
        child_begun(ctx)
    return stream


@kernel
def lives(pid: u64) -> bool:
    """Whether a child of this process has not ended."""
    store_u32(SIGINFO + SI_PID, 0)
    status = real_waitid(P_PID, pid, SIGINFO, WEXITED | WNOHANG | WNOWAIT, 0)
    return i32(u32(status)) == 0 and load_u32(SIGINFO + SI_PID) == 0


@kernel(outlined=True)
def close_pipe(stream: u64) -> None:
    """The child of popen sees the end of its pipe; the stream keeps a descriptor, to be closed."""
    real_fflush(stream)
    other = real_syscall(SYS_EVENTFD, 0, O_CLOEXEC, 0, 0, 0)
    real_syscall(SYS_DUP3, other, u64(load_u32(stream + STREAM_DESCRIPTOR)), O_CLOEXEC, 0, 0)
    real_syscall(SYS_CLOSE, other, 0, 0, 0, 0)


@kernel
def i_pclose(ctx: Context, stream: u64) -> i32:
    """pclose: no status when the child was waited for before."""
    waits = resume_trying(ctx)
    if stream != 0 and (waits or not may_block_natively(ctx)):
        pid = u64(load_u32(stream + STREAM_PID))
        if not waits and lives(pid):
            close_pipe(stream)
        if lives(pid):
            block_trying(ctx, 0)
            return FAILED
        ctx.outside.try_streak = 0
    status = i32(u32(real_pclose(stream)))
    if status >= 0:
        child_ended(ctx)
    return status


@kernel(outlined=True)
def spawn_shell(ctx: Context, command: u64) -> bool:
    """Start `sh -c command`; its number is kept in retry_word.  Whether that went well."""
    store_u64(PATH, SHELL_PATH)
    store_u64(NAME, SHELL_NAME)
    store_u64(OPTION, SHELL_OPTION)
    store_u64(WORDS, NAME)
    store_u64(u64(WORDS) + 8, OPTION)
    store_u64(u64(WORDS) + 16, command)
    store_u64(u64(WORDS) + 24, 0)
    environment = load_u64(ctx.c_library.environ_addr)
    status = real_posix_spawn(PID, PATH, 0, 0, WORDS, environment)
    thread_at(ctx.thread).wait.retry_word = u64(load_u32(PID))
    return i32(u32(status)) == 0


@kernel
def shell_ended(ctx: Context, command: u64) -> None:
    """What system has started is over."""
    ctx.outside.try_streak = 0
    if command == 0 or not leaves_a_job(command):
        child_ended(ctx)


@kernel(outlined=True)
def system_beside(ctx: Context, command: u64, begins: bool) -> i32:
    """system, while other threads run."""
    if begins:
        if not spawn_shell(ctx, command):
            return NO_SHELL
        child_begun(ctx)
    pid = thread_at(ctx.thread).wait.retry_word
    found = i32(u32(real_wait4(pid, SCRATCH_ROOM, WNOHANG, 0)))
    if found == 0:
        block_trying(ctx, 0)
        return FAILED
    shell_ended(ctx, command)
    if found < 0:
        return FAILED
    return i32(load_u32(SCRATCH_ROOM))


@kernel
def i_system(ctx: Context, command: u64) -> i32:
    """system."""
    if resume_trying(ctx):
        return system_beside(ctx, command, False)
    if not check_text(ctx, command):
        return FAILED
    if command != 0 and not may_block_natively(ctx):
        return system_beside(ctx, command, True)
    child_begun(ctx)
    status = i32(u32(real_system(command)))
    shell_ended(ctx, command)
    return status


EXPORTS = (
    Export("ptr popen(ptr,ptr)", kernel="i_popen"),
    Export("i32 pclose(ptr)", kernel="i_pclose"),
    Export("i32 system(ptr)", kernel="i_system"),
)
