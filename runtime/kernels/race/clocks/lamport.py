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

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, store_u32
from irsan.runtime.kernels.race.clocks.race_words import CLOCK_BITS, LOW32
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.kernels.thread_slots import slot_to_thread
from irsan.runtime.layout.options import CLOCK, CLOCK_LAMPORT
from irsan.runtime.records.race.clock_records import LAMPORTS


@kernel(inlined=True)
def lamport_place(epoch: u64) -> u64:
    """Address of the Lamport time of an epoch."""
    return LAMPORTS + epoch * 4


@kernel(inlined=True)
def lamport_next(ctx: Context, epoch: u64, earlier: u64) -> None:
    """An epoch begins right after another one, of the same thread or of its creator."""
    if ctx.options[CLOCK] & CLOCK_LAMPORT != 0:
        store_u32(lamport_place(epoch), u32(load_u32(lamport_place(earlier)) + 1))


@kernel
def lamport_now(ctx: Context) -> u32:
    """The latest Lamport time of any thread, 0 when they are not kept.  O(threads)"""
    if ctx.options[CLOCK] & CLOCK_LAMPORT == 0:
        return 0
    time = load_u32(lamport_place(u64(ctx.epoch)))
    for index in range(ctx.schedule.n_threads):
        thread = thread_at(slot_to_thread(u64(index)))
        time = max(time, load_u32(lamport_place(thread.epoch & LOW32)))
    return time


@kernel
def lamport_restart(ctx: Context, epoch: u64, time: u32) -> None:
    """An epoch begins after all that happened until `time`."""
    if ctx.options[CLOCK] & CLOCK_LAMPORT != 0:
        store_u32(lamport_place(epoch), u32(time + 1))


@kernel(outlined=True)
def lamport_learned(ctx: Context) -> None:
    """The running thread has learned of others: its time comes after all it knows.  O(sids)"""
    if ctx.options[CLOCK] & CLOCK_LAMPORT == 0:
        return
    own = u64(ctx.epoch)
    time = load_u32(lamport_place(own))
    for index in range(ctx.race.n_sids):
        sid = u64(index)
        known = u64(load_u32(ctx.vc + sid * 4))
        if known != 0 and sid != own >> CLOCK_BITS:
            time = max(time, u32(load_u32(lamport_place(known)) + 1))
    store_u32(lamport_place(own), time)
