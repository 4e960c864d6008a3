"""What the glue asks about one signal: whose it is, what its default does, what its handler gets.

Bit n - 1 of a set stands for signal n in the kernel's sets; in EXCLUSIVE and FATAL it is bit n, and
signal 64, which has none there, ends the process.
"""

from __future__ import annotations

from typing import Final

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, real_getpid, store_u32
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.kernels.threads.virtual_clock import NS_PER_S
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.records.threads.signal_records import FATAL_SIGNALS

LAST: Final = 64
FATAL: Final = sum(1 << number for number in FATAL_SIGNALS if number < LAST)
SENT_TO_THREAD: Final = libc.constant("SI_TKILL") & 0xFFFF_FFFF
CODE_AT: Final = libc.offset("siginfo_t.si_code")
PID_AT: Final = libc.offset("siginfo_t.si_pid")


@kernel
def is_exclusive_signal(ctx: Context, number: u32) -> bool:
    """Whether irsan handles a signal in any case (handle_segv=2 and similar)."""
    return (ctx.interface.exclusive_signals >> u64(number & 63)) & 1 != 0


@kernel
def ends_by_default(number: u32) -> bool:
    """Whether the default action of a signal ends the process."""
    return number == LAST or (u64(FATAL) >> u64(number & 63)) & 1 != 0


@kernel
def fill_thread_signal(info: u64, number: u32) -> None:
    """The facts that a handler gets of a signal that pthread_kill sends."""
    store_u32(info, number)
    store_u32(info + CODE_AT, SENT_TO_THREAD)
    store_u32(info + PID_AT, u32(real_getpid()))


@kernel
def timeout_to_deadline(ctx: Context, timeout: u64) -> u64:
    """Virtual time at which a wait with a `struct timespec` ends; 0 without one: never."""
    if timeout == 0:
        return 0
    return ctx.schedule.clock_ns + load_u64(timeout) * NS_PER_S + load_u64(timeout + 8)
