"""Timelines: which steps are shown, where the earlier access stands, who has learned from whom."""

from __future__ import annotations

from irsan.reports.model.report import Frame, Stack
from irsan.runtime.diagnosis.diagnose_timeline import (
    N_BEFORE,
    N_BEHIND,
    N_NEWEST,
    edges_of,
    make_timeline,
    within_handler,
)
from irsan.runtime.views.sync_history import SyncStep

M, N = 0x7000_0000, 0x7000_0040


def epoch(tid: int, clock: int) -> int:
    return tid << 20 | clock


def frames(site: int) -> tuple[Frame, ...]:
    library = Frame("std::mutex::lock", "/usr/include/mutex", 9, library=True)
    return (library, Frame("work", "work.c", site))


STEPS = [
    SyncStep(0, 0, "create thread", 1, 10, epoch(0, 1)),
    SyncStep(1, 0, "lock", N, 11, epoch(0, 2)),
    SyncStep(2, 0, "unlock", N, 12, epoch(0, 2)),
    SyncStep(3, 1, "lock", N, 20, epoch(1, 1)),
    SyncStep(4, 1, "unlock", N, 21, epoch(1, 1)),
    SyncStep(5, 0, "lock", M, 13, epoch(0, 3)),
]  # fmt: skip


def test_a_creation_and_a_lock_are_learned_from() -> None:
    assert [(edge.before, edge.after) for edge in edges_of(STEPS)] == [(0, 3), (2, 3)]


def test_a_join_learns_from_the_end_of_its_thread() -> None:
    steps = [SyncStep(0, 1, "end", 0, 0, 1), SyncStep(1, 0, "join thread", 1, 5, 1)]
    assert [(edge.before, edge.after) for edge in edges_of(steps)] == [(0, 1)]


def test_the_earlier_access_stands_before_the_release_that_ends_its_epoch() -> None:
    made = make_timeline(STEPS, {0, 1}, {M: "M0"}, frames, epoch(1, 1))
    assert made.previous == 4
    assert not made.is_cut and not made.n_omitted
    assert [event.mutex for event in made.events][-1] == "M0"


def test_an_access_that_nothing_was_released_behind_stands_at_the_end() -> None:
    assert make_timeline(STEPS, {0, 1}, {}, frames, epoch(1, 2)).previous == 6


def test_places_are_the_programs_own() -> None:
    events = make_timeline(STEPS, {0, 1}, {}, frames).events
    assert [event.frame.line for event in events if event.frame] == [10, 11, 12, 20, 21, 13]


def test_threads_that_took_no_part_are_left_out_with_their_edges() -> None:
    made = make_timeline(STEPS, {0}, {}, frames)
    assert {event.thread for event in made.events} == {"T0"}
    assert made.edges == ()


def test_the_middle_of_a_long_stretch_is_left_out() -> None:
    steps = [SyncStep(n, 1, "release", M, 1, epoch(1, n)) for n in range(1000)]
    made = make_timeline(steps, {1}, {}, frames, epoch(1, 100))
    orders = [event.order for event in made.events]
    first = list(range(100 - N_BEFORE, 100 + N_BEHIND))
    assert orders == [*first, *range(1000 - N_NEWEST, 1000)]
    assert made.n_omitted == 1000 - len(orders)


def test_a_ring_that_has_forgotten_says_so() -> None:
    assert make_timeline(STEPS[1:], {0, 1}, {}, frames).is_cut


HANDLED = [
    SyncStep(0, 0, "set handler", N, 9, epoch(0, 1), 10),
    SyncStep(1, 0, "send signal", 1, 10, epoch(0, 2), 10),
    SyncStep(2, 1, "begin handler", N, 20, epoch(1, 1), 10),
    SyncStep(3, 1, "end handler", 0, 21, epoch(1, 1), 10),
    SyncStep(4, 1, "unlock", M, 22, epoch(1, 1)),
]  # fmt: skip


def test_a_handler_has_learned_from_who_has_set_it() -> None:
    made = make_timeline(HANDLED, {0, 1}, {}, frames)
    assert [(edge.before, edge.after) for edge in made.edges] == [(0, 2)]
    assert [(each.address, each.other, each.signal) for each in made.events[:4]] == [
        (0, "", 10), (0, "T1", 10), (0, "", 10), (0, "", 10),
    ]  # fmt: skip


def test_an_access_in_a_handler_stands_before_its_end() -> None:
    made = make_timeline(HANDLED, {0, 1}, {}, frames, epoch(1, 1))
    assert made.previous == 4
    outer = Frame("work", "work.c", 20)
    interrupted = Stack("previous", "T1", (Frame("handler", "work.c", 7), outer))
    assert within_handler(made, interrupted).previous == 3
    elsewhere = Stack("previous", "T1", (outer,))
    assert within_handler(made, elsewhere).previous == 4
    released = [HANDLED[0], *HANDLED[2:4], SyncStep(5, 1, "unlock", N, 1, epoch(1, 1)),
                SyncStep(6, 1, "unlock", M, 22, epoch(1, 2))]  # fmt: skip
    behind = make_timeline(released, {0, 1}, {}, frames, epoch(1, 2))
    assert within_handler(behind, interrupted).previous == 6
