"""Signals that wait for a thread together with their siginfo_t, in the order they were sent.

A standard signal waits once, and what comes meanwhile is lost; a real-time signal waits as often
as it was sent.  The bit in thread.signals says that at least one waits.

Source: signal(7), sigqueue(3).  Layout: runtime/records/threads/timer_records.py.
Cost: O(signals waiting) each, which are few.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u32,
    load_u64,
    real_memcpy,
    real_memmove,
    store_u64,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.records.threads.timer_records import (
    INFO_BYTES,
    MAX_QUEUED,
    N_QUEUED,
    QUEUE,
    QUEUED_BYTES,
)

FIRST_REAL_TIME = 32


@kernel
def find_queued(thread_addr: u64, number: u64) -> u64:
    """Address of the oldest entry of a signal for a thread; 0: none."""
    entry = u64(QUEUE)
    end = QUEUE + load_u64(N_QUEUED) * QUEUED_BYTES
    while entry < end:
        if load_u64(entry) == thread_addr and load_u64(entry + 8) == number:
            return entry
        entry += QUEUED_BYTES
    return 0


@kernel
def waits_with_facts(number: u64, facts: u64) -> bool:
    """Whether a signal waits for any thread that says these two words: code, and what follows it.

    facts: the u32 at byte 8 of the siginfo_t, and that at byte 16 in the high half
    """
    entry = u64(QUEUE)
    end = QUEUE + load_u64(N_QUEUED) * QUEUED_BYTES
    while entry < end:
        info = entry + 16
        found = u64(load_u32(info + 8)) | u64(load_u32(info + 16)) << 32
        if load_u64(entry + 8) == number and found == facts:
            return True
        entry += QUEUED_BYTES
    return False


@kernel
def queue_signal(thread_addr: u64, number: u64, info: u64) -> bool:
    """Append a signal with its siginfo_t; false when it is lost: it waits already, or no room."""
    n_queued = load_u64(N_QUEUED)
    if n_queued >= MAX_QUEUED:
        return False
    if number < FIRST_REAL_TIME and find_queued(thread_addr, number) != 0:
        return False
    entry = QUEUE + n_queued * QUEUED_BYTES
    store_u64(entry, thread_addr)
    store_u64(entry + 8, number)
    real_memcpy(entry + 16, info, INFO_BYTES)
    store_u64(N_QUEUED, n_queued + 1)
    return True


@kernel
def take_queued(ctx: Context, number: u64, target: u64) -> bool:
    """The running thread takes a signal: its siginfo_t goes to `target`; false when it has none.

    Another one of the same number that waits is due at once.
    """
    entry = find_queued(ctx.thread, number)
    if entry == 0:
        return False
    real_memcpy(target, entry + 16, INFO_BYTES)
    n_left = load_u64(N_QUEUED) - 1
    rest = QUEUE + n_left * QUEUED_BYTES - entry
    real_memmove(entry, entry + QUEUED_BYTES, rest)
    store_u64(N_QUEUED, n_left)
    if find_queued(ctx.thread, number) != 0:
        thread = thread_at(ctx.thread)
        thread.signals = thread.signals | 1 << (number - 1)
    return True


@kernel
def forget_queued(thread_addr: u64) -> None:
    """A thread has ended: what waited for it is lost."""
    entry = u64(QUEUE)
    end = QUEUE + load_u64(N_QUEUED) * QUEUED_BYTES
    kept = u64(QUEUE)
    while entry < end:
        if load_u64(entry) != thread_addr:
            if kept != entry:
                real_memmove(kept, entry, QUEUED_BYTES)
            kept += QUEUED_BYTES
        entry += QUEUED_BYTES
    store_u64(N_QUEUED, u64((kept - QUEUE) // QUEUED_BYTES))
