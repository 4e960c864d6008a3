"""Descriptors that blocked threads wait for: a pause ends when one of them is ready.

    AWAITED    a struct pollfd of 8 bytes for each: {descriptor i32, events u16, 0}
               ctx.outside.n_awaited of them, of ctx.outside.n_known threads

A thread enters its descriptors as it blocks (waiting.py).  Each round of tries wakes all threads
that wait for the outside, so the table begins anew then (scheduler.py).  Who waits for a child, a
lock of a file or a word in shared memory has none here, and is asked again when the pause is over.

An entry that has outlived its thread's wait, as a handler has ended that, can only make a pause
short: all are forgotten behind it.  Some are ready and do not help, as an unconnected datagram
socket whose receiver is full: then every other pause is a whole one.

Source: poll(2).  Deviation: of a table that is full the rest is seen up to a pause later.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u64,
    real_function,
    real_memcpy,
    real_usleep,
    store_u64,
)
from irsan.runtime.kernels.out_parameters import SCRATCH_ZERO_TIME
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.threads.real_time import real_ns
from irsan.runtime.layout import memory_map

MAX_AWAITED = 4096
POLL_BYTES = 8
AWAITED = memory_map.table("awaited descriptors", POLL_BYTES * (MAX_AWAITED + 1024))
NS_PER_US = 1000
PATIENCE = 64  # rounds of tries that a ready descriptor may lead to in vain, each without a pause
READY_TO_READ, URGENT, READY_TO_WRITE = 1, 2, 4  # POLLIN, POLLPRI, POLLOUT

real_ppoll = real_function("ppoll", 4)


@kernel
def poll_word(descriptor: i32, events: u64) -> u64:
    """A struct pollfd that asks for events of a descriptor."""
    return u64(u32(descriptor)) | events << 32


@kernel
def note_polls(ctx: Context, polls: u64, n_polls: u64) -> None:
    """The running thread blocks until one of these structures is ready; none is no news."""
    n_awaited = ctx.outside.n_awaited
    if n_polls == 0 or n_polls > u64(MAX_AWAITED) - n_awaited:
        return
    real_memcpy(AWAITED + n_awaited * POLL_BYTES, polls, n_polls * POLL_BYTES)
    ctx.outside.n_awaited = n_awaited + n_polls
    ctx.outside.n_known += 1


@kernel
def polls_behind(ctx: Context) -> u64:
    """Where `sets_to_polls` writes."""
    return AWAITED + ctx.outside.n_awaited * POLL_BYTES


@kernel
def sets_to_polls(ctx: Context, limit: u64, reads: u64, writes: u64, errors: u64) -> u64:
    """Write what select was asked for behind the table; how many structures that are.

    limit          descriptors below it, at most 1024
    reads, ...     addresses of an fd_set each, 0 = none
    """
    place = polls_behind(ctx)
    n_polls = u64(0)
    for descriptor in range(limit):
        word, bit = (u64(descriptor) >> 6) << 3, u64(1) << (u64(descriptor) & 63)
        events = u64(0)
        if reads != 0 and load_u64(reads + word) & bit != 0:
            events |= READY_TO_READ
        if writes != 0 and load_u64(writes + word) & bit != 0:
            events |= READY_TO_WRITE
        if errors != 0 and load_u64(errors + word) & bit != 0:
            events |= URGENT
        if events != 0:
            store_u64(place + n_polls * POLL_BYTES, poll_word(i32(descriptor), events))
            n_polls += 1
    return n_polls


@kernel
def forget_awaited(ctx: Context) -> None:
    """All threads that wait for the outside ask again."""
    ctx.outside.n_awaited = 0
    ctx.outside.n_known = 0


@kernel
def are_all_known(ctx: Context) -> bool:
    """Whether each thread that waits for the outside has its descriptors in the table."""
    return ctx.outside.n_known >= ctx.outside.n_trying


@kernel
def wakes_in_vain(ctx: Context) -> bool:
    """Whether the last pause was cut short, and nobody has got on for many rounds."""
    return ctx.outside.was_ready != 0 and ctx.outside.try_streak > PATIENCE * ctx.outside.n_trying


@kernel
def sleep_awaiting(ctx: Context, pause_us: u64) -> u64:
    """Sleep, but only until a descriptor is ready that a thread waits for; for how long, in us."""
    if ctx.outside.n_known == 0 or ctx.outside.n_trying == 0 or wakes_in_vain(ctx):
        ctx.outside.was_ready = 0
        real_usleep(pause_us)
        return pause_us
    began_ns = real_ns()
    store_u64(SCRATCH_ZERO_TIME, 0)
    store_u64(SCRATCH_ZERO_TIME + 8, pause_us * NS_PER_US)
    found = u32(real_ppoll(AWAITED, ctx.outside.n_awaited, SCRATCH_ZERO_TIME, 0))
    ctx.outside.was_ready = u64(found != 0)
    return min(pause_us, u64((real_ns() - began_ns) // NS_PER_US) + 1)
