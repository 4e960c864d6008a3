"""prctl, tcgetattr, eventfd_read and similar: objects that system calls fill or read.

Sizes are those of x86-64 Linux: siginfo_t 128 bytes, struct termios 60.

Source: the interceptors of LLVM's sanitizer_common_interceptors.inc; the manual pages of section 2.
"""

from __future__ import annotations

from irsan.interceptors.files.ioctl import EXPORTS as DEVICE_EXPORTS
from irsan.interceptors.memory.passed_memory import ask_text, read, written
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, i64, u64
from irsan.runtime.kernels.threads.waiting import await_input
from irsan.runtime.layout import libc_layout as libc

SET_NAME = libc.constant("PR_SET_NAME")
GET_NAME = libc.constant("PR_GET_NAME")
STACK_BYTES = libc.size("stack_t")
PAGE = 4096


@kernel
def ask_prctl(ctx: Context, operation: i32, argument: u64) -> None:
    """Before prctl: PR_SET_NAME reads a string."""
    if operation == SET_NAME:
        ask_text(ctx, argument)


@kernel
def filled_by_prctl(ctx: Context, status: i32, operation: i32, argument: u64) -> None:
    """prctl: PR_GET_NAME writes 16 bytes."""
    if status == 0 and operation == GET_NAME:
        written(ctx, argument, 16)


@kernel
def ask_capabilities(ctx: Context, header: u64) -> None:
    """Before capget: which version is meant, and whose."""
    read(ctx, header, 8)


@kernel
def check_capset(ctx: Context, header: u64, data: u64) -> bool:
    """capset."""
    read(ctx, header, 8)
    read(ctx, data, 12)
    return True


@kernel
def residency_written(ctx: Context, status: i32, n_bytes: u64, target: u64) -> None:
    """mincore: a byte for each page."""
    if status == 0:
        written(ctx, target, (n_bytes + PAGE - 1) // PAGE)


@kernel
def ask_event(ctx: Context, descriptor: i32) -> None:
    """Before eventfd_read."""
    await_input(ctx, descriptor)


@kernel
def ask_msgsnd(ctx: Context, _queue: i32, message: u64, n_bytes: u64) -> None:
    """Before msgsnd: the type and the text."""
    read(ctx, message, 8 + n_bytes)


@kernel
def message_written(ctx: Context, n_bytes: i64, message: u64) -> None:
    """msgrcv."""
    if n_bytes >= 0:
        written(ctx, message, 8 + u64(n_bytes))


@kernel
def check_alternate_stack(ctx: Context, new: u64, old: u64) -> bool:
    """sigaltstack; the stack itself is used when a signal comes."""
    read(ctx, new, STACK_BYTES)
    written(ctx, old, STACK_BYTES)
    return True


_SIGINFO = libc.size("siginfo_t")
_TERMIOS = libc.size("struct termios")
_CAPABILITIES = libc.size("struct cap_data")
_PRIORITY = libc.size("struct sched_param")
_RANDOM = libc.size("struct random_data")
_DRAND48 = libc.size("struct drand48_data")
_MASK = libc.SIGNAL_MASK_BYTES
# prototype, kernel, pointers, sizes, the check before the call
_FILLED = (
    ("i32 tcgetattr(i32,ptr)", "written_when_zero", (1,), (_TERMIOS,), ""),
    ("i32 eventfd_read(i32,ptr)", "written_when_zero", (1,), (8,), "ask_event"),
    ("i32 getloadavg(ptr,i32)", "items_written", (0,), (8,), ""),
    ("i32 capget(ptr,ptr)", "written_when_zero", (1,), (_CAPABILITIES,), "ask_capabilities"),
    ("i32 mincore(ptr,u64,ptr)", "residency_written", (1, 2), (), ""),
    ("i32 prctl(i32,ptr,u64,u64,u64)", "filled_by_prctl", (0, 1), (), "ask_prctl"),
    ("i32 sigandset(ptr,ptr,ptr)", "written_when_zero", (0,), (_MASK,), ""),
    ("i32 sigorset(ptr,ptr,ptr)", "written_when_zero", (0,), (_MASK,), ""),
    ("i32 random_r(ptr,ptr)", "two_when_zero", (0, 1), (_RANDOM, 4), ""),
    ("i32 drand48_r(ptr,ptr)", "two_when_zero", (0, 1), (_DRAND48, 8), ""),
    ("i32 lrand48_r(ptr,ptr)", "two_when_zero", (0, 1), (_DRAND48, 8), ""),
    ("i32 pthread_attr_getdetachstate(ptr,ptr)", "written_when_zero", (1,), (4,), ""),
    ("i32 pthread_attr_getguardsize(ptr,ptr)", "written_when_zero", (1,), (8,), ""),
    ("i32 pthread_attr_getstacksize(ptr,ptr)", "written_when_zero", (1,), (8,), ""),
    ("i32 pthread_attr_getstack(ptr,ptr,ptr)", "two_when_zero", (1, 2), (8, 8), ""),
    ("i32 pthread_attr_getscope(ptr,ptr)", "written_when_zero", (1,), (4,), ""),
    ("i32 pthread_attr_getinheritsched(ptr,ptr)", "written_when_zero", (1,), (4,), ""),
    ("i32 pthread_attr_getschedparam(ptr,ptr)", "written_when_zero", (1,), (_PRIORITY,), ""),
    ("i32 pthread_attr_getschedpolicy(ptr,ptr)", "written_when_zero", (1,), (4,), ""),
    ("i32 pthread_attr_getaffinity_np(ptr,u64,ptr)", "counted_when_zero", (1, 2), (), ""),
)
_ATTRIBUTES = (
    "mutexattr_gettype", "mutexattr_getpshared", "mutexattr_getrobust", "mutexattr_getprotocol",
    "mutexattr_getprioceiling", "rwlockattr_getpshared", "rwlockattr_getkind_np",
    "condattr_getpshared", "condattr_getclock", "barrierattr_getpshared",
)  # fmt: skip

EXPORTS = (
    *DEVICE_EXPORTS,
    *(
        Export(prototype, kernel=name, real_first=True, takes=takes, constants=sizes, before=before)
        for prototype, name, takes, sizes, before in _FILLED
    ),
    *(
        Export(f"i32 pthread_{name}(ptr,ptr)", kernel="written_when_zero", real_first=True,
               takes=(1,), constants=(4,))
        for name in _ATTRIBUTES
    ),
    Export("i32 getentropy(ptr,u64)", kernel="counted_when_zero", real_first=True, takes=(1, 0)),
    Export("i32 sigaltstack(ptr,ptr)", kernel="check_alternate_stack", then_real=True,
           real="irsan_sigaltstack"),
    Export("i32 capset(ptr,ptr)", kernel="check_capset", then_real=True),
    Export("i32 clock_settime(i32,ptr)", kernel="check_object_read", then_real=True, takes=(1,),
           constants=(libc.size("struct timespec"),)),
    Export("i32 backtrace(ptr,i32)", kernel="items_written", real_first=True, takes=(0,),
           constants=(8,)),
)  # fmt: skip
