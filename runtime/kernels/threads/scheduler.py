"""Who can run, who waits, and what time it is: a preemptive scheduler over green threads.

    runnable list   u32[n_runnable] slots at RUN_LIST; a thread's place is in its record
    fuel            ctx.fuel counts safepoints down; at zero the scheduler is asked
    virtual clock   ctx.schedule.clock_ns advances a little with every question, by safepoints while
                    one thread runs alone (fuel.py), faster when others sleep, who may have to wake
                    it from a loop, and jumps to the earliest wake-up when no thread can run

One OS thread runs all guest threads, so no kernel here needs an atomic.  Who goes on of several
that can run is the strategy's choice (schedulers/strategy.py: a random walk, unless asked
otherwise), and so is when it is asked again.  A synchronisation operation costs `SYNC_FUEL`
safepoints, so that switches cluster where they matter.  A run that has switched
`EXPLORED_SWITCHES` times is a long one, whose operations come again and again: from then on they
cost `LATE_SYNC_FUEL`, and a thread does about ten of them at a stretch instead of two.  The first
operations of a run, and of a new thread, are looked at more closely: turns.py.  Where threads do no
such operation for long, they run for longer at a stretch: fuel.py, "Calm".

Invariants: a thread is in the runnable list iff its state is RUNNABLE; the running thread is in it.
"""

from __future__ import annotations

from irsan.runtime.kernels.actions import NONE, RETRY, YIELD
from irsan.runtime.kernels.fuel import count_work, forget_work, set_fuel
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, store_u32
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of, thread_at
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.kernels.schedulers.exploring import event_of_wake, explored_place, is_overlong
from irsan.runtime.kernels.schedulers.strategy import choose_place, choose_waiter
from irsan.runtime.kernels.thread_slots import slot_to_thread
from irsan.runtime.kernels.threads.awaited import are_all_known, forget_awaited, sleep_awaiting
from irsan.runtime.kernels.threads.real_time import catch_up, hold_back
from irsan.runtime.kernels.threads.turns import (
    LOOK_SHARE,
    hasten_exit,
    refuel,
    released_point,
    take_point,
)
from irsan.runtime.layout.explore_words import EVENT_FUEL
from irsan.runtime.layout.memory_map import RUN_LIST
from irsan.runtime.layout.thread_states import (
    BLOCKED,
    FINISHED,
    FREE,
    RUNNABLE,
    SHARED_TICK_NS,
    UNCONTENDED_FUEL,
    WAIT_INPUT,
    WAIT_SIGNALLED,
    WAIT_TIMED_OUT,
    WATCHED_NS,
)

MAX = 0xFFFF_FFFF_FFFF_FFFF
TICK_NS = 50
GOLDEN = 0x9E37_79B9_7F4A_7C15
BUCKET_SHIFT = 64 - 6
HASH_PRIME = 0x100000001B3

S_RUNNABLE = RUNNABLE
S_BLOCKED = BLOCKED
S_FINISHED = FINISHED
S_FREE = FREE
W_INPUT = WAIT_INPUT
TRY_PERIOD = 64  # questions to the scheduler between two rounds of tries
PAUSE_US = 1000
TRIES_SHIFT, LONGEST = 3, 10  # 2^10 us is a PAUSE_US
LONG_STREAK = 80
SLEEPERS_PER_TURN = 32
NS_PER_US = 1000
W_SIGNALLED = WAIT_SIGNALLED
W_TIMED_OUT = WAIT_TIMED_OUT


@kernel
def make_runnable(ctx: Context, thread_addr: u64) -> None:
    """Append a thread to the runnable list; its state becomes RUNNABLE."""
    thread = thread_at(thread_addr)
    thread.state = S_RUNNABLE
    thread.run_index = ctx.schedule.n_runnable
    store_u32(RUN_LIST + ctx.schedule.n_runnable * 4, u32(thread.slot))
    ctx.schedule.n_runnable = ctx.schedule.n_runnable + 1
    if ctx.explore.is_on != 0:
        event_of_wake(ctx, thread_addr, thread.wait.addr)
        set_fuel(ctx, EVENT_FUEL)
    else:
        set_fuel(ctx, 0)


@kernel
def leave_runnable(ctx: Context, thread_addr: u64, state: u64) -> None:
    """Take a thread out of the runnable list (the last one fills its place); set its state."""
    thread = thread_at(thread_addr)
    last = ctx.schedule.n_runnable - 1
    moved_slot = load_u32(RUN_LIST + last * 4)
    store_u32(RUN_LIST + thread.run_index * 4, moved_slot)
    thread_at(slot_to_thread(u64(moved_slot))).run_index = thread.run_index
    ctx.schedule.n_runnable = last
    thread.state = state


@kernel
def wait_bucket(kind: u64, addr: u64) -> u64:
    """Index of the word of `waiters` that counts threads blocked on (kind, addr), and others."""
    return ((addr + kind) * GOLDEN) >> BUCKET_SHIFT


@kernel
def block_current(ctx: Context, kind: u64, addr: u64, wake_ns: u64) -> None:
    """Block the running thread on (kind, addr) and ask the glue to call again once it is woken.

    wake_ns is virtual time, 0 = no timeout.  The next call sees `take_resuming() == kind`.
    """
    thread = thread_at(ctx.thread)
    thread.wait.kind = kind
    thread.wait.addr = addr
    thread.wait.wake_ns = wake_ns
    thread.wait.status = W_SIGNALLED
    thread.wait.resuming = kind
    ctx.action = RETRY
    ctx.schedule.waiters[wait_bucket(kind, addr)] += 1
    if wake_ns != 0:
        ctx.schedule.n_timed = ctx.schedule.n_timed + 1
        ctx.schedule.next_wake_ns = min(ctx.schedule.next_wake_ns, wake_ns)
    leave_runnable(ctx, ctx.thread, S_BLOCKED)


@kernel(inlined=True)
def take_resuming(ctx: Context) -> u64:
    """Wait kind that has just ended for the running thread (0: a first call); clears it."""
    thread = thread_at(ctx.thread)
    kind = thread.wait.resuming
    thread.wait.resuming = 0
    return kind


@kernel
def wake_thread(ctx: Context, thread_addr: u64, status: u64) -> None:
    """Make a blocked thread runnable; `status` says how its wait ended."""
    thread = thread_at(thread_addr)
    if thread.wait.wake_ns != 0:
        ctx.schedule.n_timed = ctx.schedule.n_timed - 1
    if thread.wait.kind == W_INPUT:
        ctx.outside.n_trying = ctx.outside.n_trying - 1
    ctx.schedule.waiters[wait_bucket(thread.wait.kind, thread.wait.addr)] -= 1
    thread.wait.wake_ns = 0
    thread.wait.kind = 0
    thread.wait.status = status
    make_runnable(ctx, thread_addr)
    thread.wait.addr = 0


@kernel
def wake_waiters(ctx: Context, kind: u64, addr: u64, limit: u64) -> u64:
    """Wake up to `limit` threads blocked on (kind, addr); returns how many.

    The strategy says at which of them to begin.

    O(1) when no thread waits for that, else O(threads).
    """
    n = ctx.schedule.n_threads
    start = choose_waiter(ctx)
    if ctx.schedule.waiters[wait_bucket(kind, addr)] == 0:
        return 0
    woken = u64(0)
    i = u64(0)
    while i < n and woken < limit:
        slot = start + i
        if slot >= n:
            slot = slot - n
        addr_of_thread = slot_to_thread(slot)
        thread = thread_at(addr_of_thread)
        if thread.state == S_BLOCKED and thread.wait.addr == addr and thread.wait.kind == kind:
            wake_thread(ctx, addr_of_thread, W_SIGNALLED)
            woken = woken + 1
        i = i + 1
    return woken


@kernel
def earliest_wake_ns(ctx: Context) -> u64:
    """Virtual time of the earliest timed wait or of the alarm; all ones when there is none."""
    earliest = u64(MAX)
    if ctx.signals.rings_at != 0:
        earliest = ctx.signals.rings_at
    slot = u64(0)
    while slot < ctx.schedule.n_threads:
        thread = thread_at(slot_to_thread(slot))
        if thread.state == S_BLOCKED and thread.wait.wake_ns != 0:
            earliest = min(earliest, thread.wait.wake_ns)
        slot = slot + 1
    return earliest


@kernel
def wake_expired(ctx: Context) -> None:
    """Wake every thread whose timed wait has ended by ctx.clock_ns.

    O(threads) each turn at most; with many sleepers every few turns: they wake a bit later.
    """
    if ctx.schedule.clock_ns < ctx.schedule.next_wake_ns:
        return
    earliest = u64(MAX)
    for slot in range(ctx.schedule.n_threads):
        thread = thread_at(slot_to_thread(u64(slot)))
        if thread.state != S_BLOCKED or thread.wait.wake_ns == 0:
            continue
        if thread.wait.wake_ns <= ctx.schedule.clock_ns:
            wake_thread(ctx, addr_of(thread), W_TIMED_OUT)
        else:
            earliest = min(earliest, thread.wait.wake_ns)
    pause_ns = ctx.schedule.n_timed // SLEEPERS_PER_TURN * SHARED_TICK_NS
    ctx.schedule.next_wake_ns = max(earliest, ctx.schedule.clock_ns + pause_ns)


@kernel
def pause_for_real(ctx: Context) -> None:
    """Sleep for PAUSE_US, or until the earliest timed wait ends or the outside is heard of; virtual
    time passes as well.

    Other processes answer each other fast: they are asked soon first, then ever later.
    """
    pause_us = u64(PAUSE_US)
    if ctx.outside.others != 0 and not are_all_known(ctx):
        tries = ctx.outside.try_streak >> TRIES_SHIFT
        pause_us = min(pause_us, 1 << min(tries, u64(LONGEST)))
    if ctx.schedule.n_timed != 0:
        left_ns = max(earliest_wake_ns(ctx), ctx.schedule.clock_ns) - ctx.schedule.clock_ns
        pause_us = min(pause_us, u64(left_ns // NS_PER_US) + 1)
    errno = load_u32(ctx.c_library.errno_addr)
    pause_us = sleep_awaiting(ctx, pause_us)
    store_u32(ctx.c_library.errno_addr, errno)
    if ctx.outside.others != 0:
        catch_up(ctx)
    else:
        ctx.schedule.clock_ns = ctx.schedule.clock_ns + pause_us * NS_PER_US


@kernel(outlined=True)
def pass_idle_time(ctx: Context) -> None:
    """The clock jumps to the next timed wait's end; while others matter, that time passes."""
    earliest = earliest_wake_ns(ctx)
    while ctx.outside.others != 0 and ctx.schedule.clock_ns < earliest:
        if ctx.signals.noted != 0:
            return
        ctx.outside.try_streak = max(ctx.outside.try_streak, u64(LONG_STREAK))
        pause_for_real(ctx)
    ctx.schedule.clock_ns = max(ctx.schedule.clock_ns, earliest)
    ctx.schedule.next_wake_ns = 0


@kernel
def retry_trying(ctx: Context) -> None:
    """Who waits for the outside asks again, when it is time: once a round if no other thread
    runs.
    """
    ctx.outside.try_countdown = ctx.outside.try_countdown - 1
    if ctx.schedule.n_runnable > 1 and ctx.outside.try_countdown - 1 < TRY_PERIOD:
        return
    last = thread_at(slot_to_thread(u64(load_u32(RUN_LIST))))
    if ctx.schedule.n_runnable == 1 and last.wait.resuming == W_INPUT:
        return
    ctx.outside.try_countdown = TRY_PERIOD
    if ctx.schedule.n_runnable == 0 and ctx.outside.try_streak > 2 * ctx.outside.n_trying:
        pause_for_real(ctx)
    forget_awaited(ctx)
    slot = u64(0)
    while slot < ctx.schedule.n_threads:
        addr = slot_to_thread(slot)
        if thread_at(addr).state == S_BLOCKED and thread_at(addr).wait.kind == W_INPUT:
            wake_thread(ctx, addr, W_SIGNALLED)
        slot = slot + 1


@kernel
def schedule_next(ctx: Context) -> u64:
    """Address of the record of the thread that runs next, or 0 when none can ever run.

    Advances the virtual clock; jumps it to the earliest timed wait when no thread is runnable.
    """
    is_shared = ctx.schedule.n_runnable > 1
    ctx.schedule.clock_ns += u64(SHARED_TICK_NS) << ctx.turns.stretch if is_shared else u64(TICK_NS)
    if ctx.outside.others != 0:
        hold_back(ctx)
    if ctx.outside.n_trying != 0:
        retry_trying(ctx)
    if ctx.turns.exit_left != 0:
        hasten_exit(ctx)
    if ctx.schedule.n_timed != 0:
        if ctx.schedule.n_runnable == 0:
            pass_idle_time(ctx)
        wake_expired(ctx)
    if ctx.schedule.n_runnable == 0 or is_overlong(ctx):
        return 0
    index = u64(0)
    if ctx.explore.is_on != 0:
        index = explored_place(ctx)
    elif ctx.schedule.n_runnable > 1:
        index = choose_place(ctx)
        forget_work(ctx)
    refuel(ctx)
    slot = u64(load_u32(RUN_LIST + index * 4))
    ctx.schedule.hash = (ctx.schedule.hash ^ slot) * HASH_PRIME
    return slot_to_thread(slot)


@kernel
def safepoint_slow(ctx: Context) -> bool:
    """Fuel has run out: true when another thread must be asked for, else refuel and go on."""
    is_awaited = ctx.schedule.n_timed != 0 or ctx.outside.n_trying != 0
    if ctx.schedule.n_runnable <= 1 and not is_awaited:
        count_work(ctx)
        set_fuel(ctx, UNCONTENDED_FUEL)
        return False
    forget_work(ctx)
    if ctx.schedule.n_runnable <= 1:
        ctx.schedule.clock_ns = ctx.schedule.clock_ns + WATCHED_NS
    else:
        ctx.turns.calm += 1
    return True


@kernel
def sync_point(ctx: Context) -> None:
    """A synchronisation operation that gives nothing away: a lock, a wait, an atomic load."""
    take_point(ctx, LOOK_SHARE)


@kernel
def release_point(ctx: Context) -> None:
    """The running thread has let others go on: they may do so now."""
    released_point(ctx)
    if ctx.fuel <= 0 and ctx.schedule.n_runnable > 1 and ctx.action == NONE:
        ctx.action = YIELD
