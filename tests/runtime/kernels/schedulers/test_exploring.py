"""The exploring strategies and their naive twin: every choice, every switch, every event."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from irsan.engine.guest.explored_schedule import (
    STRATEGIES,
    ScheduleWords,
    begin_schedule,
    events_of,
    switches_of,
)
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.schedulers.exploring import begin_exploring
from irsan.runtime.kernels.threads import event_points, scheduler, switching
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.thread_states import WAIT_MUTEX
from irsan.runtime.seeding import seed_to_rng_words
from tests.conftest import fresh_guest
from tests.oracles.strategies import NaiveExplorer, NaiveThread
from tests.support.green import slot_to_addr

SITES = st.integers(1, 4)
OBJECTS = st.sampled_from([0x1000, 0x2000, 0x3000])
WORDS = st.builds(
    ScheduleWords,
    depth=st.integers(0, 5),
    length=st.integers(0, 30),
    sites=st.lists(SITES, max_size=2, unique=True).map(tuple),
    rest=st.lists(st.integers(0, 8), max_size=12).map(tuple),
)
PAIRS = st.lists(
    st.tuples(st.integers(1, 20), st.integers(0, 5)), max_size=8, unique_by=lambda pair: pair[0]
).map(lambda pairs: tuple(word for pair in sorted(pairs) for word in pair))


class _Machine:
    """As much of a machine as begin_schedule asks for."""

    def __init__(self, ctx: Any) -> None:
        self.ctx, self.runtime = ctx, self

    def kernel(self, name: str) -> None:
        assert name == "begin_exploring"
        begin_exploring(self.ctx)


class ExploringTwins(RuleBasedStateMachine):
    """Threads do events, wait, are woken, yield; who goes on must agree."""

    @initialize(
        strategy=st.sampled_from(STRATEGIES),
        seed=st.integers(0, 2**64 - 1),
        count=st.integers(1, 5),
        words=WORDS,
        pairs=PAIRS,
    )
    def begin(
        self, strategy: str, seed: int, count: int, words: ScheduleWords, pairs: tuple[int, ...]
    ) -> None:
        rest = pairs if strategy == "script" else words.rest
        words = ScheduleWords(words.depth, words.length, words.sites, rest)
        self.guest = fresh_guest()
        self.ctx = self.guest.ctx
        begin_schedule(_Machine(self.ctx), seed, strategy, words.as_words(), is_traced=True)
        self.records = [self.guest.main, *(self.guest.new_thread(n) for n in range(1, count))]
        self.twin = NaiveExplorer(
            strategy, seed_to_rng_words(~seed)[0], words.depth, words.length, words.sites, rest,
            0 if strategy == "script" and not words.depth else seed_to_rng_words(~seed)[1] | 1,
            [NaiveThread(slot, 0 if slot else None) for slot in range(count)],
        )  # fmt: skip
        for slot in range(count):
            self.records[slot]["tid"], self.records[slot]["parent_tid"] = slot, 0
            scheduler.make_runnable(self.ctx, slot_to_addr(slot))
            self.twin.wake(slot)
        self.waits: dict[int, int] = {}

    def reschedule(self) -> int | None:
        """What the glue does: ask, and switch."""
        record = scheduler.schedule_next(self.ctx)
        if not record:
            return None
        if record != int(self.ctx["thread"]):
            switching.switch_threads(self.ctx, record)
        slot = (record - memory_map.THREADS) // memory_map.THREAD_STRIDE
        if self.records[slot]["point"]["asks_again"]:  # its call comes again, and is not asked
            assert not event_points.event_is_left(self.ctx, 0, 0)
        return slot

    @precondition(lambda self: self.twin.runnable)
    @rule(touched=OBJECTS, site=SITES)
    def do_event(self, touched: int, site: int) -> None:
        before = self.twin.current
        self.ctx["site"] = site
        expected = self.twin.event(touched, 1, site)
        is_left = event_points.event_is_left(self.ctx, touched, 0)
        assert is_left == (expected != before)
        if is_left:
            assert self.ctx["action"] == actions.RETRY
            self.ctx["action"] = actions.NONE
            assert self.reschedule() == expected
        self.compare()

    @precondition(lambda self: self.twin.runnable)
    @rule(site=SITES)
    def let_others_go_on(self, site: int) -> None:
        before = self.twin.current
        self.ctx["site"] = site
        expected = self.twin.let_on(site)
        event_points.switch_behind(self.ctx)
        assert (self.ctx["action"] == actions.YIELD) == (expected != before)
        if expected != before:
            self.ctx["action"] = actions.NONE
            assert self.reschedule() == expected
        self.compare()

    @precondition(lambda self: len(self.twin.runnable) > 1)
    @rule(touched=OBJECTS)
    def wait(self, touched: int) -> None:
        slot = self.twin.current
        self.waits[slot] = touched
        scheduler.block_current(self.ctx, WAIT_MUTEX, touched, 0)
        self.ctx["action"] = actions.NONE
        expected = self.twin.leave()
        if expected is not None:
            assert self.reschedule() == expected
        self.compare()

    @precondition(lambda self: self.waits and self.twin.runnable)
    @rule(number=st.integers(0, 9))
    def wake(self, number: int) -> None:
        slot = sorted(self.waits)[number % len(self.waits)]
        self.twin.wake(slot, self.waits.pop(slot))
        scheduler.wake_thread(self.ctx, slot_to_addr(slot), 0)
        scheduler.take_resuming(self.ctx)
        self.compare()

    @precondition(lambda self: self.twin.runnable)
    @rule()
    def give_way(self) -> None:
        expected = self.twin.give_way()
        assert self.reschedule() == expected
        self.compare()

    def compare(self) -> None:
        """Points, switches and events so far."""
        explore, twin = self.ctx["explore"], self.twin
        assert int(explore["steps"]) == twin.steps
        assert int(explore["n_events"]) == len(twin.events)
        rows = events_of(self.ctx)
        assert [(row.tid, row.site, row.touched) for row in rows] == twin.events
        if rows:
            assert rows[-1].step == twin.steps
        assert switches_of(self.ctx) == tuple(w for pair in twin.switches for w in pair)


ExploringTwins.TestCase.settings = settings(max_examples=150, stateful_step_count=60, deadline=None)
TestExploring = ExploringTwins.TestCase
