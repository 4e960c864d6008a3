"""alarm, ualarm, setitimer, getitimer: the real-time timer runs on virtual time.

Timers that count processor time stay the host's.  Sending, masking and awaiting signals is glue
(engine/glue/templates/signals/signal_actions.ll), because it calls handlers; what sigaction and
the masks read and write of the caller's memory is checked here.

    struct sigaction 152 bytes | sigset_t: the 8 bytes that the kernel knows
"""

from __future__ import annotations

from irsan.interceptors.memory.passed_memory import acted_upon, read, used, written
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.combined.timer_types import timer_numbered
from irsan.runtime.kernels.combined.timers import set_alarm, time_left
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.threads.virtual_clock import NS_PER_S
from irsan.runtime.layout import libc_layout as libc

NS_PER_US = 1000
US_PER_S = 1_000_000
FAR_S = 4_000_000_000
REAL_TIMER = libc.constant("ITIMER_REAL")
ACTION_BYTES = libc.size("struct sigaction")
MASK_BYTES = libc.SIGNAL_MASK_BYTES
FLAGS_AT = libc.offset("struct sigaction.sa_flags")
TIMER_BYTES = libc.size("struct itimerval")


@kernel
def load_timeval_ns(addr: u64) -> u64:
    """Nanoseconds in a `struct timeval`, at most those of FAR_S."""
    return min(load_u64(addr), u64(FAR_S)) * NS_PER_S + load_u64(addr + 8) * NS_PER_US


@kernel
def store_timeval(addr: u64, ns: u64) -> None:
    """Write ns as a `struct timeval`, rounded up to a microsecond."""
    us = u64((ns + NS_PER_US - 1) // NS_PER_US)
    seconds = u64(us // US_PER_S)
    store_u64(addr, seconds)
    store_u64(addr + 8, us - seconds * US_PER_S)


@kernel
def i_alarm(ctx: Context, seconds: u32) -> u32:
    """alarm: seconds that the old one had left, rounded up."""
    left = set_alarm(ctx, u64(seconds) * NS_PER_S, 0)
    return u32((left + NS_PER_S - 1) // NS_PER_S)


@kernel
def i_ualarm(ctx: Context, first_us: u32, period_us: u32) -> u32:
    """ualarm: microseconds that the old one had left."""
    period_ns = u64(period_us) * NS_PER_US
    return u32(set_alarm(ctx, u64(first_us) * NS_PER_US, period_ns) // NS_PER_US)


@kernel
def i_setitimer(ctx: Context, which: i32, new: u64, old: u64) -> bool:
    """setitimer: false when it was the real-time timer, which is done here."""
    acted_upon(ctx, new, TIMER_BYTES)
    if which != REAL_TIMER or new == 0:
        return True
    for offset in (u64(8), u64(24)):
        if load_u64(new + offset) >= US_PER_S:
            return True  # the host says that it is invalid
    period_ns = timer_numbered(0).period
    asked_ns = load_timeval_ns(new + 16)
    asked_period_ns = load_timeval_ns(new)
    left = set_alarm(ctx, asked_ns, asked_period_ns)
    if old != 0:
        written(ctx, old, TIMER_BYTES)
        store_timeval(old, period_ns)
        store_timeval(old + 16, left)
    return False


@kernel
def i_getitimer(ctx: Context, which: i32, target: u64) -> bool:
    """getitimer: false when it was the real-time timer."""
    if which != REAL_TIMER:
        return True
    alarm = timer_numbered(0)
    written(ctx, target, TIMER_BYTES)
    store_timeval(target, alarm.period)
    store_timeval(target + 16, time_left(ctx, alarm))
    return False


@kernel
def ask_sigaction(ctx: Context, _number: i32, action: u64) -> None:
    """Before sigaction."""
    read(ctx, action, ACTION_BYTES)
    if action != 0:
        used(ctx, action, 16)  # the handler, and as much of the mask as the kernel knows
        used(ctx, action + FLAGS_AT, 4)


@kernel
def ask_sigmask(ctx: Context, _how: i32, mask: u64) -> None:
    """Before sigprocmask."""
    read(ctx, mask, 8)


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
