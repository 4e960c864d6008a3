"""Lamport times, for reports: one number per epoch that grows along happens-before.

    a thread starts     1, or its creator's time + 1
    a tick              own time + 1
    a thread learns     the greater of its own time and (the latest that it knows of another) + 1

A thread's time is kept for every epoch, in a table by epoch (clock_records.py), and a learned clock
is a row of epochs: so no message has to carry its sender's time.  If an access happens before one
of another thread its Lamport time is smaller; the reverse does not hold, which is why no detector
here rests on it.  Kept only if the flag `print_clocks` asks for it.

Source: Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM 1978.
Deviation: time goes on with synchronisation only, not with every event of a thread.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, store_u32
from irsan.runtime.kernels.race.clocks.race_words import (
    N_SIDS,
    U64_0,
    U64_4,
    U64_CLOCK_BITS,
    U64_LOW32,
)
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.thread_slots import slot_to_thread
from irsan.runtime.layout import options
from irsan.runtime.records.clock_records import LAMPORTS

CLOCK = options.CLOCK

U32_1 = np.uint32(1)
U64_LAMPORT = np.uint64(options.CLOCK_LAMPORT)
U64_LAMPORTS = np.uint64(LAMPORTS)


@kernel("u64(u64)", inlined=True)
def lamport_place(epoch: Any) -> Any:
    """Address of the Lamport time of an epoch."""
    return U64_LAMPORTS + epoch * U64_4


@kernel("void(ctx,u64,u64)", inlined=True)
def lamport_next(ctx: Any, epoch: Any, earlier: Any) -> Any:
    """An epoch begins right after another one, of the same thread or of its creator."""
    if ctx.options[CLOCK] & U64_LAMPORT != U64_0:
        store_u32(lamport_place(epoch), np.uint32(load_u32(lamport_place(earlier)) + U32_1))


@kernel("u32(ctx)")
def lamport_now(ctx: Any) -> Any:
    """The latest Lamport time of any thread, 0 when they are not kept.  O(threads)"""
    if ctx.options[CLOCK] & U64_LAMPORT == U64_0:
        return np.uint32(0)
    time = load_u32(lamport_place(np.uint64(ctx.epoch)))
    for index in range(ctx.n_threads):
        thread = thread_at(slot_to_thread(np.uint64(index)))
        time = max(time, load_u32(lamport_place(thread.epoch & U64_LOW32)))
    return time


@kernel("void(ctx,u64,u32)")
def lamport_restart(ctx: Any, epoch: Any, time: Any) -> Any:
    """An epoch begins after all that happened until `time`."""
    if ctx.options[CLOCK] & U64_LAMPORT != U64_0:
        store_u32(lamport_place(epoch), np.uint32(time + U32_1))


@kernel("void(ctx)", outlined=True)
def lamport_learned(ctx: Any) -> Any:
    """The running thread has learned of others: its time comes after all it knows.  O(sids)"""
    if ctx.options[CLOCK] & U64_LAMPORT == U64_0:
        return
    own = np.uint64(ctx.epoch)
    time = load_u32(lamport_place(own))
    for index in range(ctx.race[N_SIDS]):
        sid = np.uint64(index)
        known = np.uint64(load_u32(ctx.vc + sid * U64_4))
        if known != U64_0 and sid != own >> U64_CLOCK_BITS:
            time = max(time, np.uint32(load_u32(lamport_place(known)) + U32_1))
    store_u32(lamport_place(own), time)
