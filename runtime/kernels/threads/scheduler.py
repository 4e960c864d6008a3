"""Who runs next: a seeded, preemptive, random scheduler over green threads.

    runnable list   u32[n_runnable] slots at RUN_LIST; a thread's place is in its record
    fuel            ctx.fuel counts safepoints down; at zero the scheduler is asked
    virtual clock   ctx.clock_ns advances a little with every question, by safepoints while one
                    thread runs alone (fuel.py), faster when others sleep, who may have to wake it
                    from a loop, and jumps to the earliest wake-up when nobody can run

One OS thread runs all guest threads, so no kernel here needs an atomic.  At every scheduling point
the next thread is drawn uniformly from the runnable ones (random walk).  Preemption points are
drawn too: between two of them lie 1 .. 2*mean safepoints; a synchronisation operation costs
`SYNC_FUEL` safepoints, so that switches cluster where they matter.  A run that has switched
`EXPLORED_SWITCHES` times is a long one, whose operations come again and again: from then on they
cost `LATE_SYNC_FUEL`, and a thread does about ten of them at a stretch instead of two.  The first
operations of a run, and of a new thread, are looked at more closely: turns.py.

Deviation: a random walk has no probabilistic guarantee (Burckhardt et al., ASPLOS 2010, give one
for PCT); happens-before detection does not need the racy order itself to occur.
Invariants: a thread is in the runnable list iff its state is RUNNABLE; the running thread is in it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.actions import NONE, RETRY, YIELD
from irsan.runtime.kernels.fuel import count_work, forget_work, set_fuel
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, load_u32, real_usleep, store_u8, store_u32
from irsan.runtime.kernels.race.clocks.generations import note_reader
from irsan.runtime.kernels.random import random_below
from irsan.runtime.kernels.records import record_to_addr, thread_at
from irsan.runtime.kernels.thread_slots import slot_to_thread
from irsan.runtime.kernels.threads.library_tls import load_library_tls, save_library_tls
from irsan.runtime.kernels.threads.real_time import catch_up, hold_back
from irsan.runtime.kernels.threads.turns import (
    LOOK_SHARE,
    RELEASE_SHARE,
    draw_place,
    hasten_exit,
    refuel,
    take_point,
)
from irsan.runtime.layout import memory_map
from irsan.runtime.layout import outside_words as ow
from irsan.runtime.layout.thread_states import (
    BLOCKED,
    EXIT_LEFT,
    FINISHED,
    FREE,
    RUNNABLE,
    UNCONTENDED_FUEL,
    WAIT_INPUT,
    WAIT_SIGNALLED,
    WAIT_TIMED_OUT,
    WATCHED_NS,
)
from irsan.runtime.records.context import THREAD_DTYPE, field_offset

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_2 = np.uint64(2)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_MAX = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
TICK_NS = np.uint64(50)
SHARED_TICK_NS = np.uint64(5000)  # several threads have had about a thousand safepoints
U64_GOLDEN = np.uint64(0x9E37_79B9_7F4A_7C15)
U64_BUCKET_SHIFT = np.uint64(64 - 6)
HASH_PRIME = np.uint64(0x100000001B3)
RUN_LIST = np.uint64(memory_map.RUN_LIST)

S_RUNNABLE = np.uint64(RUNNABLE)
S_BLOCKED = np.uint64(BLOCKED)
S_FINISHED = np.uint64(FINISHED)
S_FREE = np.uint64(FREE)
HOST_TLS_OFFSET = np.uint64(field_offset(THREAD_DTYPE, "host_tls"))
W_INPUT = np.uint64(WAIT_INPUT)
N_TRYING, TRY_STREAK, TRY_COUNTDOWN = 0, 1, 2  # words of ctx.outside
OTHERS, NOTED = ow.OTHERS, 0  # words of ctx.outside, and of ctx.signals
TRY_PERIOD = np.uint64(64)  # questions to the scheduler between two rounds of tries
PAUSE_US = np.uint64(1000)
U64_TRIES_SHIFT, U64_LONGEST = np.uint64(3), np.uint64(10)  # 2^10 us is a PAUSE_US
U64_LONG_STREAK = np.uint64(80)
NS_PER_US = np.uint64(1000)
W_SIGNALLED = np.uint64(WAIT_SIGNALLED)
W_TIMED_OUT = np.uint64(WAIT_TIMED_OUT)
I64_UNCONTENDED = np.int64(UNCONTENDED_FUEL)
U64_WATCHED_NS = np.uint64(WATCHED_NS)
ALARM_AT = 1  # word of ctx.signals: virtual time at which the alarm rings, 0 = never


@kernel("void(ctx,u64)")
def make_runnable(ctx: Any, thread_addr: Any) -> Any:
    """Append a thread to the runnable list; its state becomes RUNNABLE."""
    thread = thread_at(thread_addr)
    thread.state = S_RUNNABLE
    thread.run_index = ctx.n_runnable
    store_u32(RUN_LIST + ctx.n_runnable * U64_4, np.uint32(thread.slot))
    ctx.n_runnable = ctx.n_runnable + U64_1
    set_fuel(ctx, np.int64(0))


@kernel("void(ctx,u64,u64)")
def leave_runnable(ctx: Any, thread_addr: Any, state: Any) -> Any:
    """Take a thread out of the runnable list (the last one fills its place); set its state."""
    thread = thread_at(thread_addr)
    last = ctx.n_runnable - U64_1
    moved_slot = load_u32(RUN_LIST + last * U64_4)
    store_u32(RUN_LIST + thread.run_index * U64_4, moved_slot)
    thread_at(slot_to_thread(np.uint64(moved_slot))).run_index = thread.run_index
    ctx.n_runnable = last
    thread.state = state


@kernel("u64(u64,u64)")
def wait_bucket(kind: Any, addr: Any) -> Any:
    """Word of ctx.waiters that counts the threads blocked on (kind, addr), among others."""
    return ((addr + kind) * U64_GOLDEN) >> U64_BUCKET_SHIFT


@kernel("void(ctx,u64,u64,u64)")
def block_current(ctx: Any, kind: Any, addr: Any, wake_ns: Any) -> Any:
    """Block the running thread on (kind, addr) and ask the glue to call again once it is woken.

    wake_ns is virtual time, 0 = no timeout.  The next call sees `take_resuming() == kind`.
    """
    thread = thread_at(ctx.thread)
    thread.wait_kind = kind
    thread.wait_addr = addr
    thread.wake_ns = wake_ns
    thread.wait_status = W_SIGNALLED
    thread.resuming = kind
    ctx.action = RETRY
    ctx.waiters[wait_bucket(kind, addr)] += U64_1
    if wake_ns != U64_0:
        ctx.n_timed = ctx.n_timed + U64_1
    leave_runnable(ctx, ctx.thread, S_BLOCKED)


@kernel("u64(ctx)", inlined=True)
def take_resuming(ctx: Any) -> Any:
    """Wait kind that has just ended for the running thread (0: a first call); clears it."""
    thread = thread_at(ctx.thread)
    kind = thread.resuming
    thread.resuming = U64_0
    return kind


@kernel("b1(ctx)", inlined=True)
def wants_switch(ctx: Any) -> Any:
    """Whether a synchronisation call should let others run first; then the action is RETRY."""
    if ctx.fuel > np.int64(0) or ctx.n_runnable <= U64_1:
        return False
    ctx.action = RETRY
    return True


@kernel("void(ctx,u64,u64)")
def wake_thread(ctx: Any, thread_addr: Any, status: Any) -> Any:
    """Make a blocked thread runnable; `status` says how its wait ended."""
    thread = thread_at(thread_addr)
    if thread.wake_ns != U64_0:
        ctx.n_timed = ctx.n_timed - U64_1
    if thread.wait_kind == W_INPUT:
        ctx.outside[N_TRYING] = ctx.outside[N_TRYING] - U64_1
    ctx.waiters[wait_bucket(thread.wait_kind, thread.wait_addr)] -= U64_1
    thread.wake_ns = U64_0
    thread.wait_kind = U64_0
    thread.wait_addr = U64_0
    thread.wait_status = status
    make_runnable(ctx, thread_addr)


@kernel("u64(ctx,u64,u64,u64)")
def wake_waiters(ctx: Any, kind: Any, addr: Any, limit: Any) -> Any:
    """Wake up to `limit` threads blocked on (kind, addr), from a random one; returns how many.

    O(1) when nobody waits for that, else O(threads).
    """
    n = ctx.n_threads
    start = random_below(ctx, n)
    if ctx.waiters[wait_bucket(kind, addr)] == U64_0:
        return U64_0
    woken = U64_0
    i = U64_0
    while i < n and woken < limit:
        slot = start + i
        if slot >= n:
            slot = slot - n
        addr_of_thread = slot_to_thread(slot)
        thread = thread_at(addr_of_thread)
        if thread.state == S_BLOCKED and thread.wait_addr == addr and thread.wait_kind == kind:
            wake_thread(ctx, addr_of_thread, W_SIGNALLED)
            woken = woken + U64_1
        i = i + U64_1
    return woken


@kernel("u64(ctx)")
def earliest_wake_ns(ctx: Any) -> Any:
    """Virtual time of the earliest timed wait or of the alarm; all ones when there is none."""
    earliest = U64_MAX
    if ctx.signals[ALARM_AT] != U64_0:
        earliest = ctx.signals[ALARM_AT]
    slot = U64_0
    while slot < ctx.n_threads:
        thread = thread_at(slot_to_thread(slot))
        if thread.state == S_BLOCKED and thread.wake_ns != U64_0:
            earliest = min(earliest, thread.wake_ns)
        slot = slot + U64_1
    return earliest


@kernel("void(ctx)")
def wake_expired(ctx: Any) -> Any:
    """Wake every thread whose timed wait has ended by ctx.clock_ns."""
    slot = U64_0
    while slot < ctx.n_threads:
        addr = slot_to_thread(slot)
        thread = thread_at(addr)
        if thread.state == S_BLOCKED and thread.wake_ns != U64_0 and thread.wake_ns <= ctx.clock_ns:
            wake_thread(ctx, addr, W_TIMED_OUT)
        slot = slot + U64_1


@kernel("void(ctx)")
def pause_for_real(ctx: Any) -> None:
    """Sleep for PAUSE_US, or until the earliest timed wait ends; virtual time passes as well.

    Other processes answer each other fast: they are asked soon first, then ever later.
    """
    pause_us = PAUSE_US
    if ctx.outside[OTHERS] != U64_0:
        tries = ctx.outside[TRY_STREAK] >> U64_TRIES_SHIFT
        pause_us = min(pause_us, U64_1 << min(tries, U64_LONGEST))
    if ctx.n_timed != U64_0:
        left_ns = max(earliest_wake_ns(ctx), ctx.clock_ns) - ctx.clock_ns
        pause_us = min(pause_us, np.uint64(left_ns // NS_PER_US) + U64_1)
    errno = load_u32(ctx.errno_addr)
    real_usleep(pause_us)
    store_u32(ctx.errno_addr, errno)
    if ctx.outside[OTHERS] != U64_0:
        catch_up(ctx)
    else:
        ctx.clock_ns = ctx.clock_ns + pause_us * NS_PER_US


@kernel("void(ctx)", outlined=True)
def pass_idle_time(ctx: Any) -> None:
    """The clock jumps to the next timed wait's end; while others matter, that time passes."""
    earliest = earliest_wake_ns(ctx)
    while ctx.outside[OTHERS] != U64_0 and ctx.clock_ns < earliest:
        if ctx.signals[NOTED] != U64_0:
            return
        ctx.outside[TRY_STREAK] = max(ctx.outside[TRY_STREAK], U64_LONG_STREAK)
        pause_for_real(ctx)
    ctx.clock_ns = max(ctx.clock_ns, earliest)


@kernel("void(ctx)")
def retry_trying(ctx: Any) -> None:
    """Who waits for the outside asks again, when it is time: once a round if nobody else runs."""
    ctx.outside[TRY_COUNTDOWN] = ctx.outside[TRY_COUNTDOWN] - U64_1
    if ctx.n_runnable > U64_1 and ctx.outside[TRY_COUNTDOWN] - U64_1 < TRY_PERIOD:
        return
    last = thread_at(slot_to_thread(np.uint64(load_u32(RUN_LIST))))
    if ctx.n_runnable == U64_1 and last.resuming == W_INPUT:
        return
    ctx.outside[TRY_COUNTDOWN] = TRY_PERIOD
    if ctx.n_runnable == U64_0 and ctx.outside[TRY_STREAK] > U64_2 * ctx.outside[N_TRYING]:
        pause_for_real(ctx)
    slot = U64_0
    while slot < ctx.n_threads:
        addr = slot_to_thread(slot)
        if thread_at(addr).state == S_BLOCKED and thread_at(addr).wait_kind == W_INPUT:
            wake_thread(ctx, addr, W_SIGNALLED)
        slot = slot + U64_1


@kernel("u64(ctx)")
def schedule_next(ctx: Any) -> Any:
    """Address of the record of the thread that runs next, or 0 when none can ever run.

    Advances the virtual clock; jumps it to the earliest timed wait when nobody is runnable.
    """
    ctx.clock_ns = ctx.clock_ns + (TICK_NS if ctx.n_runnable <= U64_1 else SHARED_TICK_NS)
    if ctx.outside[OTHERS] != U64_0:
        hold_back(ctx)
    if ctx.outside[N_TRYING] != U64_0:
        retry_trying(ctx)
    if ctx.turns[EXIT_LEFT] != U64_0:
        hasten_exit(ctx)
    if ctx.n_timed != U64_0:
        if ctx.n_runnable == U64_0:
            pass_idle_time(ctx)
        wake_expired(ctx)
    if ctx.n_runnable == U64_0:
        return U64_0
    index = U64_0
    if ctx.n_runnable > U64_1:
        index = draw_place(ctx)
        forget_work(ctx)
    refuel(ctx)
    slot = np.uint64(load_u32(RUN_LIST + index * U64_4))
    ctx.schedule_hash = (ctx.schedule_hash ^ slot) * HASH_PRIME
    return slot_to_thread(slot)


@kernel("b1(ctx)")
def safepoint_slow(ctx: Any) -> Any:
    """Fuel has run out: true when another thread must be asked for, else refuel and go on."""
    is_awaited = ctx.n_timed != U64_0 or ctx.outside[N_TRYING] != U64_0
    if ctx.n_runnable <= U64_1 and not is_awaited:
        count_work(ctx)
        set_fuel(ctx, I64_UNCONTENDED)
        return False
    forget_work(ctx)
    if ctx.n_runnable <= U64_1:
        ctx.clock_ns = ctx.clock_ns + U64_WATCHED_NS
    return True


@kernel("void(ctx)")
def sync_point(ctx: Any) -> Any:
    """A synchronisation operation that gives nothing away: a lock, a wait, an atomic load."""
    take_point(ctx, LOOK_SHARE)


@kernel("void(ctx)")
def release_point(ctx: Any) -> Any:
    """The running thread has let others go on: they may do so now."""
    take_point(ctx, RELEASE_SHARE)
    if ctx.fuel <= np.int64(0) and ctx.n_runnable > U64_1 and ctx.action == NONE:
        ctx.action = YIELD


@kernel("void(u64,u64,u64)", inlined=True)
def _copy_bytes(source: Any, target: Any, n: Any) -> Any:
    i = U64_0
    while i + U64_4 <= n:
        store_u32(target + i, load_u32(source + i))
        i = i + U64_4
    while i < n:
        store_u8(target + i, load_u8(source + i))
        i = i + U64_1


@kernel("void(ctx,u64)", inlined=True)
def save_thread(ctx: Any, thread_addr: Any) -> Any:
    """Copy the running thread's hot words from the Context to its record."""
    thread = thread_at(thread_addr)
    thread.epoch = np.uint64(ctx.epoch)
    thread.vc = ctx.vc
    thread.frame_top = ctx.frame_top
    thread.frame_limit = ctx.frame_limit
    thread.site = np.uint64(ctx.site)
    thread.ignore_depth = ctx.ignore_depth
    thread.tls = ctx.tls
    saved = record_to_addr(thread) + HOST_TLS_OFFSET
    i = U64_0
    while i < ctx.n_tls_ranges:
        _copy_bytes(ctx.tls_ranges[i * U64_2], saved, ctx.tls_ranges[i * U64_2 + U64_1])
        saved = saved + ctx.tls_ranges[i * U64_2 + U64_1]
        i = i + U64_1
    save_library_tls(ctx, thread.slot)


@kernel("void(ctx,u64)", inlined=True)
def load_thread(ctx: Any, thread_addr: Any) -> Any:
    """Make a thread the running one: its hot words go to the Context."""
    thread = thread_at(thread_addr)
    ctx.thread = thread_addr
    ctx.epoch = np.uint32(thread.epoch)
    note_reader(ctx)
    ctx.vc = thread.vc
    ctx.frame_top = thread.frame_top
    ctx.frame_limit = thread.frame_limit
    ctx.site = np.uint32(thread.site)
    ctx.ignore_depth = thread.ignore_depth
    ctx.tls = thread.tls
    saved = record_to_addr(thread) + HOST_TLS_OFFSET
    i = U64_0
    while i < ctx.n_tls_ranges:
        _copy_bytes(saved, ctx.tls_ranges[i * U64_2], ctx.tls_ranges[i * U64_2 + U64_1])
        saved = saved + ctx.tls_ranges[i * U64_2 + U64_1]
        i = i + U64_1
    load_library_tls(ctx, thread.slot)


@kernel("u64(ctx,u64)", inlined=True)
def switch_threads(ctx: Any, next_addr: Any) -> Any:
    """Save the running thread, load another; returns the record address of the old one."""
    previous = ctx.thread
    save_thread(ctx, previous)
    load_thread(ctx, next_addr)
    ctx.n_switches = ctx.n_switches + U64_1
    return previous
