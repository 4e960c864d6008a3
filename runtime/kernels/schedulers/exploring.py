"""Schedules that are explored: one choice before each event that other threads may see.

    event      a synchronisation operation, an atomic access, an access at a watched site
    point      an event is about to happen and several threads could go on: the strategy chooses
               whose event happens next; that thread runs up to its next event

Between two events of a thread nothing happens that others can see, unless there is a race; so
switches before events are enough, and what is behind an event is the next point's choice.  Plain
accesses become events where races were found: the sites that the schedule is given, and whatever
touches what was touched there.

What no race tells of, a frame that ends while another thread still writes to it, shows only when a
thread is late behind the operation by which it has let others go on: a post, an unlock, a signal,
an atomic write, a thread that begins.  So behind one in BEHIND_SHARE of these, by where they stand,
there is a point, too (GOES_ON).  It is drawn from the seed, without the strategy's generator; in a
program without races such points show nothing, so all of them would cost more than they find.

A thread is asked before its event (`event_point`).  Where another one is chosen, it is switched out
there; a kernel that asks its caller to come again (RETRY) marks that its question was answered.

Fairness: a thread that does SPIN_EVENTS events at one place, FAIR_EVENTS in a row, or EVENT_FUEL
safepoints without one, spins; it and one that yields come behind all others.

A run leaves the switches that differ from the default rule (bounded.py) in SWITCHES: a script that
repeats it; and, where it is traced, its events (event_rows.py).

Strategies: one file each, named in `_place` and `_happen`.
"""

from __future__ import annotations

from irsan.runtime.kernels.actions import NONE
from irsan.runtime.kernels.fuel import set_fuel
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import store_u32
from irsan.runtime.kernels.random import mixed_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import b1, i64, u32, u64
from irsan.runtime.kernels.schedulers.bounded import default_place, delay_place, preempt_place
from irsan.runtime.kernels.schedulers.draws import draw_below
from irsan.runtime.kernels.schedulers.event_rows import note_row, threads_that_can_go_on
from irsan.runtime.kernels.schedulers.pct import draw_changes, pct_place
from irsan.runtime.kernels.schedulers.pending import (
    best_place,
    lower_score,
    place_to_thread,
)
from irsan.runtime.kernels.schedulers.pos import pos_event
from irsan.runtime.kernels.schedulers.race_directed import directed_place
from irsan.runtime.kernels.schedulers.rff import rff_event, rff_place
from irsan.runtime.kernels.schedulers.script import script_place
from irsan.runtime.kernels.schedulers.surw import spend_share, surw_event, surw_place, urw_place
from irsan.runtime.layout.explore_words import (
    BEHIND_SHARE,
    EVENT_FUEL,
    FAIR_EVENTS,
    GOES_ON,
    IDLE_POINTS,
    LOWERED_SCORE,
    MAX_SWITCHES,
    SPIN_EVENTS,
    STARTS,
    SWITCHES,
    WAKES,
)
from irsan.runtime.layout.options import SCHEDULER, SCHEDULERS
from irsan.runtime.layout.thread_states import RUNNABLE

PCT = SCHEDULERS.index("pct")
POS = SCHEDULERS.index("pos")
URW = SCHEDULERS.index("urw")
SURW = SCHEDULERS.index("surw")
DELAY = SCHEDULERS.index("delay")
PREEMPT = SCHEDULERS.index("preempt")
RACE_DIRECTED = SCHEDULERS.index("race_directed")
SCRIPT = SCHEDULERS.index("script")
RFF = SCHEDULERS.index("rff")
HASH_PRIME = 0x100000001B3


@kernel
def begin_exploring(ctx: Context) -> None:
    """A schedule begins; its words and its seed are in ctx.explore."""
    ctx.explore.is_on = 1
    ctx.explore.lowest = LOWERED_SCORE
    ctx.turns.attention = 1  # behind atomic writes it is asked
    strategy = ctx.options[SCHEDULER]
    if strategy == PCT or strategy == DELAY or strategy == PREEMPT:
        draw_changes(ctx)


@kernel
def _place(ctx: Context) -> u64:
    """What the strategy chooses among several runnable threads."""
    strategy = ctx.options[SCHEDULER]
    if strategy == PCT:
        return pct_place(ctx)
    if strategy == POS:
        return best_place(ctx)
    if strategy == SURW:
        return surw_place(ctx)
    if strategy == URW:
        return urw_place(ctx)
    if strategy == RACE_DIRECTED:
        return directed_place(ctx)
    if strategy == DELAY:
        return delay_place(ctx)
    if strategy == PREEMPT:
        return preempt_place(ctx)
    if strategy == SCRIPT:
        return script_place(ctx)
    if strategy == RFF:
        return rff_place(ctx)
    return draw_below(ctx, ctx.schedule.n_runnable)


@kernel
def _happen(ctx: Context, thread_addr: u64) -> None:
    """A thread's pending event happens: it is noted, and the strategy learns of it.

    One that goes on does nothing that others see: it is none of those that make an interleaving.
    """
    thread = thread_at(thread_addr)
    event = thread.point
    place = (thread.tid & 0xFFFF) | (u64(event.kind) << 16) | (u64(event.site) << 32)
    if ctx.explore.is_tracing != 0:
        note_row(ctx, place, thread.slot, event.object, threads_that_can_go_on(ctx))
    strategy = ctx.options[SCHEDULER]
    if event.kind == GOES_ON:
        event.site = 0  # what it waits for next is not there
        if strategy == POS or strategy == SURW or strategy == RFF:
            event.score = 0
        return
    ctx.explore.order_hash = (ctx.explore.order_hash ^ place) * HASH_PRIME
    if strategy == POS:
        pos_event(ctx, thread)
    elif strategy == SURW:
        surw_event(ctx, thread)
    elif strategy == RFF:
        rff_event(ctx, thread)
    elif strategy == URW:
        spend_share(thread)


@kernel
def note_switch(ctx: Context, slot: u64) -> None:
    """Leave a choice that the default rule does not make."""
    n = ctx.explore.n_switches
    if n < MAX_SWITCHES:
        store_u32(SWITCHES + n * 8, u32(ctx.explore.steps))
        store_u32(SWITCHES + n * 8 + 4, u32(slot))
    ctx.explore.n_switches = n + 1


@kernel
def _choose(ctx: Context) -> u64:
    """Place of the thread whose event happens next, of several; one more point."""
    ctx.explore.steps += 1
    place = _place(ctx)
    if place != default_place(ctx):
        note_switch(ctx, thread_at(place_to_thread(place)).slot)
    ctx.explore.is_spinning = 0
    return place


@kernel(inlined=True)
def _note_streak(ctx: Context) -> b1:
    """Count the running thread's events in a row; whether it spins."""
    thread = thread_at(ctx.thread)
    if ctx.explore.last_slot != thread.slot:
        ctx.explore.last_slot = thread.slot
        ctx.explore.in_row = 0
        ctx.explore.at_place = 0
    is_same = thread.point.site == ctx.explore.last_site
    ctx.explore.at_place = ctx.explore.at_place + 1 if is_same else u64(0)
    ctx.explore.last_site = thread.point.site
    ctx.explore.in_row += 1
    return ctx.explore.at_place >= SPIN_EVENTS or ctx.explore.in_row >= FAIR_EVENTS


@kernel(inlined=True)
def _fall_behind(ctx: Context) -> None:
    """The running thread spins or yields: it comes behind all others."""
    ctx.explore.is_spinning = 1
    ctx.explore.in_row = 0
    ctx.explore.at_place = 0
    lower_score(ctx, thread_at(ctx.thread))


@kernel
def event_point(ctx: Context, touched: u64, kind: u64, needs: u64) -> None:
    """The running thread is about to do an event; another one is chosen, or it may.

    touched: the object's address;  kind: READS or WRITES;  needs: address of a word that is 0
    where the event does not wait, 0 = unknown.  Another thread: ctx.explore.chosen.
    """
    thread = thread_at(ctx.thread)
    if thread.point.asks_again != 0:
        thread.point.asks_again = 0
        return
    thread.point.object = touched
    thread.point.kind = kind
    thread.point.needs = needs
    thread.point.site = u64(ctx.site)
    ctx.explore.n_idle = 0
    set_fuel(ctx, i64(EVENT_FUEL))
    if ctx.schedule.n_runnable > 1:
        if _note_streak(ctx):
            _fall_behind(ctx)
        chosen = thread_at(place_to_thread(_choose(ctx))).slot
        if chosen != thread.slot:
            ctx.explore.chosen = chosen + 1
            set_fuel(ctx, 0)
            return
    _happen(ctx, ctx.thread)


@kernel(inlined=True)
def _is_point_behind(ctx: Context) -> b1:
    """Whether there is a point behind what is done at this site; drawn from the schedule's seed."""
    if ctx.explore.behind == 0:
        return False
    return mixed_u64(ctx.explore.behind ^ u64(ctx.site)) & (u64(BEHIND_SHARE) - 1) == 0


@kernel
def point_behind(ctx: Context) -> b1:
    """The running thread has let others go on; whether one of them does so at once.

    Then that is ctx.explore.chosen, and the fuel is gone.
    """
    is_asked = ctx.schedule.n_runnable > 1 and ctx.action == NONE
    if not is_asked or not _is_point_behind(ctx):
        return False
    thread = thread_at(ctx.thread)
    thread.point.object = 0
    thread.point.kind = GOES_ON
    thread.point.needs = 0
    thread.point.site = u64(ctx.site)
    chosen = thread_at(place_to_thread(_choose(ctx))).slot
    if chosen == thread.slot:
        _happen(ctx, ctx.thread)
        return False
    ctx.explore.chosen = chosen + 1
    set_fuel(ctx, 0)
    return True


@kernel
def is_overlong(ctx: Context) -> b1:
    """Whether the schedule has had more points than it may: it makes no progress."""
    is_long = ctx.explore.steps > ctx.explore.limit or ctx.explore.n_idle > IDLE_POINTS
    return is_long and ctx.explore.limit != 0


@kernel
def _place_of_slot(ctx: Context, slot: u64) -> u64:
    """Place in the runnable list of the thread in a slot; of the first when it is not there."""
    place = u64(0)
    while place < ctx.schedule.n_runnable:
        if thread_at(place_to_thread(place)).slot == slot:
            return place
        place += 1
    return u64(0)


@kernel
def explored_place(ctx: Context) -> u64:
    """Place of the thread that goes on: the one chosen at a point, or one that is chosen now."""
    slot = ctx.explore.chosen
    ctx.explore.chosen = 0
    place = u64(0)
    if ctx.schedule.n_runnable > 1:
        if slot == 0:
            if thread_at(ctx.thread).state == RUNNABLE:
                _fall_behind(ctx)
                ctx.explore.n_idle += 1
            place = _choose(ctx)
        else:
            place = _place_of_slot(ctx, slot - 1)
    _happen(ctx, place_to_thread(place))
    return place


@kernel(inlined=True)
def event_of_wake(ctx: Context, thread_addr: u64, touched: u64) -> None:
    """A thread can run: what it does first, on what it has waited for; 0: it begins."""
    point = thread_at(thread_addr).point
    point.object = touched
    point.kind = STARTS if touched == 0 else WAKES
    point.asks_again = 0
