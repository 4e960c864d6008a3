"""What a trace says of locks and sync objects: the clocks of the run, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.runtime.records.race import trace_records as tr
from irsan.runtime.records.race.lock_records import MODE_WRITE
from tests.engine.recording.raw_events import CELL, Raw, access, lines, raw, translated
from tests.oracles.clocks import ACQUIRE, RELAXED, RELEASE, NaiveClocks
from tests.traces.analysed import fed

MUTEX, RWLOCK, SEMAPHORE = 0x7000_1000, 0x7000_2000, 0x7000_3000
READERS = 8  # behind a rwlock: where its readers release
N_THREADS = 4
VERBS = (
    "access", "access", "access", "mutex", "mutex", "write_lock", "read_lock", "post", "wait",
    "store", "load", "exchange", "look", "fence_acquire", "fence_release", "publish", "clear",
    "destroy",
)  # fmt: skip
STEPS = st.lists(
    st.tuples(st.sampled_from(VERBS), st.integers(0, N_THREADS - 1), st.integers(0, 1)),
    max_size=40,
)


@dataclass
class Run:
    """A run that leaves raw events, and what the oracle knows of it."""

    events: list[Raw] = field(default_factory=list)
    clocks: NaiveClocks = field(default_factory=NaiveClocks)
    writers: dict[int, int] = field(default_factory=dict)
    readers: dict[int, set[int]] = field(default_factory=dict)
    written: list[tuple[int, int]] = field(default_factory=list)
    races: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.clocks.start()
        for tid in range(1, N_THREADS):
            self.note(tr.FORK, 0, tid)
            self.clocks.fork(0, tid)

    def note(self, operation: int, tid: int, address: int = 0, more: int = 0) -> None:
        """Leave an event; its site is its number."""
        self.events.append(raw(operation, tid, len(self.events) + 1, address, more))

    def do_access(self, tid: int, _which: int) -> None:
        site = len(self.events) + 1
        self.events.append(access(tid, site, CELL, 4, 1))
        if not all(self.clocks.knows(tid, other, time) for other, time in self.written):
            self.races.append(site)
        self.written.append((tid, self.clocks.threads[tid].clock[tid]))

    def do_mutex(self, tid: int, which: int) -> None:
        lock = MUTEX + 64 * which
        if lock not in self.writers:
            self.note(tr.ACQUIRE, tid, lock)
            self.note(tr.LOCKED, tid, lock, MODE_WRITE)
            self.clocks.acquire(tid, lock)
            self.writers[lock] = tid
        elif self.writers[lock] == tid:
            del self.writers[lock]
            self.note(tr.RELEASE_STORE, tid, lock)
            self.note(tr.UNLOCKED, tid, lock, tid)
            self.clocks.release_store(tid, lock)

    def do_write_lock(self, tid: int, which: int) -> None:
        lock = RWLOCK + 64 * which
        if lock not in self.writers and not self.readers.get(lock):
            self.note(tr.ACQUIRE, tid, lock)
            self.note(tr.ACQUIRE, tid, lock + READERS)
            self.note(tr.LOCKED, tid, lock, MODE_WRITE)
            self.clocks.acquire(tid, lock)
            self.clocks.acquire(tid, lock + READERS)
            self.writers[lock] = tid
        elif self.writers.get(lock) == tid:
            del self.writers[lock]
            self.note(tr.RELEASE_STORE, tid, lock)
            self.note(tr.UNLOCKED, tid, lock, tid)
            self.clocks.release_store(tid, lock)

    def do_read_lock(self, tid: int, which: int) -> None:
        lock = RWLOCK + 64 * which
        holders = self.readers.setdefault(lock, set())
        if tid in holders:
            holders.discard(tid)
            self.note(tr.RELEASE, tid, lock + READERS)
            self.clocks.release(tid, lock + READERS)
        elif lock not in self.writers:
            holders.add(tid)
            self.note(tr.ACQUIRE, tid, lock)
            self.note(tr.LOCKED, tid, lock)
            self.clocks.acquire(tid, lock)

    def do_post(self, tid: int, which: int) -> None:
        self.note(tr.RELEASE, tid, SEMAPHORE + 8 * which)
        self.clocks.release(tid, SEMAPHORE + 8 * which)

    def do_wait(self, tid: int, which: int) -> None:
        self.note(tr.ACQUIRE, tid, SEMAPHORE + 8 * which)
        self.clocks.acquire(tid, SEMAPHORE + 8 * which)

    do_load = do_wait

    def do_store(self, tid: int, which: int) -> None:
        self.note(tr.RELEASE_STORE, tid, SEMAPHORE + 8 * which)
        self.clocks.release_store(tid, SEMAPHORE + 8 * which)

    def do_exchange(self, tid: int, which: int) -> None:
        self.do_wait(tid, which)
        self.do_store(tid, which)

    def do_look(self, tid: int, which: int) -> None:
        self.note(tr.LOOK, tid, SEMAPHORE + 8 * which)
        self.clocks.observe(tid, SEMAPHORE + 8 * which, RELAXED)

    def do_fence_acquire(self, tid: int, _which: int) -> None:
        self.note(tr.FENCE_ACQUIRE, tid)
        self.clocks.fence(tid, ACQUIRE)

    def do_fence_release(self, tid: int, _which: int) -> None:
        self.note(tr.FENCE_RELEASE, tid)
        self.clocks.fence(tid, RELEASE)

    def do_publish(self, tid: int, which: int) -> None:
        if self.clocks.threads[tid].fence is not None:
            self.note(tr.PUBLISH, tid, SEMAPHORE + 8 * which)
            self.clocks.modify(tid, SEMAPHORE + 8 * which, RELAXED)

    def do_clear(self, tid: int, which: int) -> None:
        self.note(tr.CLEAR, tid, SEMAPHORE + 8 * which)
        self.clocks.written.pop(SEMAPHORE + 8 * which, None)

    def do_destroy(self, tid: int, which: int) -> None:
        lock = MUTEX + 64 * which
        if lock not in self.writers:
            self.note(tr.FORGET, tid, lock)
            self.clocks.written.pop(lock, None)


def made(steps: list[tuple[str, int, int]]) -> Run:
    run = Run()
    for verb, tid, which in steps:
        getattr(run, f"do_{verb}")(tid, which)
    return run


def racy_sites(events: list[Raw], most_messengers: int) -> list[int]:
    """Sites of the second accesses of races, by happens-before over the trace."""
    text = translated(events, most_messengers)
    sites = [line.site for line in lines(text)]
    return [sites[number - 1] for number in fed(text, "hb").racy_events]


@settings(max_examples=400, deadline=None)
@given(STEPS)
def test_a_trace_orders_as_the_run_did(steps: list[tuple[str, int, int]]) -> None:
    run = made(steps)
    assert racy_sites(run.events, 1000) == run.races


@settings(max_examples=200, deadline=None)
@given(STEPS, st.integers(0, 4))
def test_with_fewer_messengers_races_may_be_hidden_and_none_added(
    steps: list[tuple[str, int, int]], most_messengers: int
) -> None:
    run = made(steps)
    assert set(racy_sites(run.events, most_messengers)) <= set(run.races)


def text_of(*events: tuple[int, ...]) -> list[str]:
    """Events without sites, as lines without locations."""
    numbered = [raw(*event[:2], 0, *event[2:]) for event in events]
    return [line.rpartition("|")[0] for line in translated(numbered).splitlines()]


def test_a_mutex_is_a_lock() -> None:
    assert text_of(
        (tr.LOCKED, 1, MUTEX, MODE_WRITE), (tr.RELEASE_STORE, 1, MUTEX), (tr.UNLOCKED, 1, MUTEX, 1),
        (tr.ACQUIRE, 2, MUTEX), (tr.LOCKED, 2, MUTEX, MODE_WRITE),
    ) == ["T1|acq(70001000)", "T1|rel(70001000)", "T2|acq(70001000)"]  # fmt: skip


def test_all_acquirers_of_a_release_join_its_messenger_once() -> None:
    wait = (tr.ACQUIRE, 2, SEMAPHORE)
    others = (tr.ACQUIRE, 3, SEMAPHORE), (tr.ACQUIRE, 1, SEMAPHORE)
    assert text_of((tr.RELEASE, 1, SEMAPHORE), wait, wait, *others) == [
        "T1|fork(m1)", "m1|begin", "T2|join(m1)", "T3|join(m1)"
    ]  # fmt: skip


def test_a_lock_that_its_owner_never_gave_up_is_taken_all_the_same() -> None:
    taken = (tr.LOCKED, 1, MUTEX, MODE_WRITE)
    assert text_of(taken, (tr.LOCKED, 2, MUTEX, MODE_WRITE))[1:] == [
        "T1|rel(70001000)", "T2|acq(70001000)"
    ]  # fmt: skip
    ended = text_of(taken, (tr.THREAD_END, 1), (tr.JOIN, 0, 1), (tr.LOCKED, 2, MUTEX, MODE_WRITE))
    assert ended[1:] == ["T1|rel(70001000)", "T0|join(T1)", "T2|acq(70001000)"]


def test_a_destroyed_lock_has_another_name() -> None:
    taken = (tr.LOCKED, 1, MUTEX, MODE_WRITE), (tr.UNLOCKED, 1, MUTEX, 1)
    assert text_of(*taken, (tr.FORGET, 1, MUTEX), *taken)[2:] == [
        "T1|acq(70001000#1)", "T1|rel(70001000#1)"
    ]  # fmt: skip


def test_a_finalizer_comes_after_all_threads() -> None:
    assert text_of((tr.FORK, 0, 1), (tr.FORK, 0, 2), (tr.FINALIZE, 2))[2:] == [
        "T0|fork(m1)", "m1|begin", "T2|join(m1)", "T1|fork(m2)", "m2|begin", "T2|join(m2)",
    ]  # fmt: skip
