"""alarm, ualarm, setitimer, getitimer: the real-time timer runs on virtual time.

Timers that count processor time stay the host's.  Sending, masking and awaiting signals is glue
(engine/glue/signals/signals.py), because it calls handlers; what sigaction and the masks read and
write of the caller's memory is checked here.

    struct sigaction 152 bytes | sigset_t: the 8 bytes that the kernel knows
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.memory.passed_memory import read, used, written
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.combined.timers import PERIOD, row_at, set_alarm, time_left
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.threads.virtual_clock import NS_PER_S
from irsan.runtime.layout import libc_layout as libc

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
NS_PER_US = np.uint64(1000)
US_PER_S = np.uint64(1_000_000)
FAR_S = np.uint64(4_000_000_000)
REAL_TIMER = np.int32(libc.constant("ITIMER_REAL"))
ACTION_BYTES = libc.size("struct sigaction")
MASK_BYTES = libc.SIGNAL_MASK_BYTES
FLAGS_AT = np.uint64(libc.offset("struct sigaction.sa_flags"))
TIMER_BYTES = np.uint64(libc.size("struct itimerval"))


@kernel("u64(u64)")
def load_timeval_ns(addr: Any) -> Any:
    """Nanoseconds in a `struct timeval`, at most those of FAR_S."""
    return min(load_u64(addr), FAR_S) * NS_PER_S + load_u64(addr + U64_8) * NS_PER_US


@kernel("void(u64,u64)")
def store_timeval(addr: Any, ns: Any) -> Any:
    """Write ns as a `struct timeval`, rounded up to a microsecond."""
    us = np.uint64((ns + NS_PER_US - U64_1) // NS_PER_US)
    seconds = np.uint64(us // US_PER_S)
    store_u64(addr, seconds)
    store_u64(addr + U64_8, us - seconds * US_PER_S)


@kernel("u32(ctx,u32)")
def i_alarm(ctx: Any, seconds: Any) -> Any:
    """alarm: seconds that the old one had left, rounded up."""
    left = set_alarm(ctx, np.uint64(seconds) * NS_PER_S, U64_0)
    return np.uint32((left + NS_PER_S - U64_1) // NS_PER_S)


@kernel("u32(ctx,u32,u32)")
def i_ualarm(ctx: Any, first_us: Any, period_us: Any) -> Any:
    """ualarm: microseconds that the old one had left."""
    period_ns = np.uint64(period_us) * NS_PER_US
    return np.uint32(set_alarm(ctx, np.uint64(first_us) * NS_PER_US, period_ns) // NS_PER_US)


@kernel("b1(ctx,i32,u64,u64)")
def i_setitimer(ctx: Any, which: Any, new: Any, old: Any) -> Any:
    """setitimer: false when it was the real-time timer, which is done here."""
    used(ctx, new, TIMER_BYTES)
    if which != REAL_TIMER or new == U64_0:
        return True
    for offset in (np.uint64(8), np.uint64(24)):
        if load_u64(new + offset) >= US_PER_S:
            return True  # the host says that it is invalid
    period_ns = load_u64(row_at(U64_0) + PERIOD)
    asked_ns = load_timeval_ns(new + U64_16)
    asked_period_ns = load_timeval_ns(new)
    left = set_alarm(ctx, asked_ns, asked_period_ns)
    if old != U64_0:
        written(ctx, old, TIMER_BYTES)
        store_timeval(old, period_ns)
        store_timeval(old + U64_16, left)
    return False


@kernel("b1(ctx,i32,u64)")
def i_getitimer(ctx: Any, which: Any, target: Any) -> Any:
    """getitimer: false when it was the real-time timer."""
    if which != REAL_TIMER:
        return True
    alarm = row_at(U64_0)
    written(ctx, target, TIMER_BYTES)
    store_timeval(target, load_u64(alarm + PERIOD))
    store_timeval(target + U64_16, time_left(ctx, alarm))
    return False


@kernel("void(ctx,i32,u64)")
def ask_sigaction(ctx: Any, _number: Any, action: Any) -> None:
    """Before sigaction."""
    read(ctx, action, np.uint64(ACTION_BYTES))
    if action != U64_0:
        used(ctx, action, U64_16)  # the handler, and as much of the mask as the kernel knows
        used(ctx, action + FLAGS_AT, U64_4)


@kernel("void(ctx,i32,u64)")
def ask_sigmask(ctx: Any, _how: Any, mask: Any) -> None:
    """Before sigprocmask."""
    read(ctx, mask, U64_8)


def _old_written(name: str, before: str, n_bytes: int, real: str) -> Export:
    return Export(
        f"i32 {name}(i32,ptr,ptr)",
        kernel="written_when_zero",
        real_first=True,
        before=before,
        takes=(2,),
        constants=(n_bytes,),
        real=real,
    )


EXPORTS = (
    _old_written("sigaction", "ask_sigaction", ACTION_BYTES, "irsan_set_action"),
    _old_written("sigprocmask", "ask_sigmask", MASK_BYTES, "irsan_sigprocmask"),
    _old_written("pthread_sigmask", "ask_sigmask", MASK_BYTES, "irsan_pthread_sigmask"),
    Export(
        "i32 sigpending(ptr)",
        kernel="written_when_zero",
        real_first=True,
        takes=(0,),
        constants=(MASK_BYTES,),
        real="irsan_sigpending",
    ),
    Export("u32 alarm(u32)", kernel="i_alarm"),
    Export("u32 ualarm(u32,u32)", kernel="i_ualarm"),
    Export("i32 setitimer(i32,ptr,ptr)", kernel="i_setitimer", then_real=True),
    Export("i32 getitimer(i32,ptr)", kernel="i_getitimer", then_real=True),
)
