"""Signals that wait for a thread together with their siginfo_t, in the order they were sent.

A standard signal waits once, and what comes meanwhile is lost; a real-time signal waits as often
as it was sent.  The bit in thread.signals says that at least one waits.

Source: signal(7), sigqueue(3).  Layout: runtime/records/timer_records.py.
Cost: O(signals waiting) each, which are few.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u32,
    load_u64,
    real_memcpy,
    real_memmove,
    store_u64,
)
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.records import timer_records as tr

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
U64_32 = np.uint64(32)
FIRST_REAL_TIME = np.uint64(32)
N_QUEUED = np.uint64(tr.N_QUEUED)
QUEUE = np.uint64(tr.QUEUE)
QUEUED_BYTES = np.uint64(tr.QUEUED_BYTES)
MAX_QUEUED = np.uint64(tr.MAX_QUEUED)
U64_INFO_BYTES = np.uint64(tr.INFO_BYTES)


@kernel("u64(u64,u64)")
def find_queued(thread_addr: Any, number: Any) -> Any:
    """Address of the oldest entry of a signal for a thread; 0: none."""
    entry = QUEUE
    end = QUEUE + load_u64(N_QUEUED) * QUEUED_BYTES
    while entry < end:
        if load_u64(entry) == thread_addr and load_u64(entry + U64_8) == number:
            return entry
        entry += QUEUED_BYTES
    return U64_0


@kernel("b1(u64,u64)")
def waits_with_facts(number: Any, facts: Any) -> Any:
    """Whether a signal waits for any thread that says these two words: code, and what follows it.

    facts: the u32 at byte 8 of the siginfo_t, and that at byte 16 in the high half
    """
    entry = QUEUE
    end = QUEUE + load_u64(N_QUEUED) * QUEUED_BYTES
    while entry < end:
        info = entry + U64_16
        found = np.uint64(load_u32(info + U64_8)) | np.uint64(load_u32(info + U64_16)) << U64_32
        if load_u64(entry + U64_8) == number and found == facts:
            return True
        entry += QUEUED_BYTES
    return False


@kernel("b1(u64,u64,u64)")
def queue_signal(thread_addr: Any, number: Any, info: Any) -> Any:
    """Append a signal with its siginfo_t; false when it is lost: it waits already, or no room."""
    n_queued = load_u64(N_QUEUED)
    if n_queued >= MAX_QUEUED:
        return False
    if number < FIRST_REAL_TIME and find_queued(thread_addr, number) != U64_0:
        return False
    entry = QUEUE + n_queued * QUEUED_BYTES
    store_u64(entry, thread_addr)
    store_u64(entry + U64_8, number)
    real_memcpy(entry + U64_16, info, U64_INFO_BYTES)
    store_u64(N_QUEUED, n_queued + U64_1)
    return True


@kernel("b1(ctx,u64,u64)")
def take_queued(ctx: Any, number: Any, target: Any) -> Any:
    """The running thread takes a signal: its siginfo_t goes to `target`; false when it has none.

    Another one of the same number that waits is due at once.
    """
    entry = find_queued(ctx.thread, number)
    if entry == U64_0:
        return False
    real_memcpy(target, entry + U64_16, U64_INFO_BYTES)
    n_left = load_u64(N_QUEUED) - U64_1
    rest = QUEUE + n_left * QUEUED_BYTES - entry
    real_memmove(entry, entry + QUEUED_BYTES, rest)
    store_u64(N_QUEUED, n_left)
    if find_queued(ctx.thread, number) != U64_0:
        thread = thread_at(ctx.thread)
        thread.signals = thread.signals | U64_1 << (number - U64_1)
    return True


@kernel("void(u64)")
def forget_queued(thread_addr: Any) -> None:
    """A thread has ended: what waited for it is lost."""
    entry = QUEUE
    end = QUEUE + load_u64(N_QUEUED) * QUEUED_BYTES
    kept = QUEUE
    while entry < end:
        if load_u64(entry) != thread_addr:
            if kept != entry:
                real_memmove(kept, entry, QUEUED_BYTES)
            kept += QUEUED_BYTES
        entry += QUEUED_BYTES
    store_u64(N_QUEUED, np.uint64((kept - QUEUE) // QUEUED_BYTES))
