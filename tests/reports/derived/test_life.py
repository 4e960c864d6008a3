"""The life of an object: who passed it on, derived from the steps of the threads."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.reports.derived.life import life_of, newest_way
from irsan.reports.model.report import Finding, Frame, Stack, ThreadFacts
from irsan.reports.model.timeline import Timeline, TimelineEdge, TimelineEvent
from tests.oracles.happens_before import newest_known
from tests.reports import samples

THREADS = ("T0", "T1", "T2", "T3")
MAKE, USE = Frame("make", "/src/a.c", 3), Frame("use", "/src/a.c", 9)


def freed_by_another(timeline: Timeline | None, *threads: ThreadFacts) -> Finding:
    """A block of T0 that T1 has used after T0 has freed it."""
    stacks = (
        Stack("access", "T1", (USE,)), Stack("allocation", "T0", (MAKE,)),
        Stack("free", "T0", (MAKE,)), Stack("thread-creation", "T1", (MAKE,)),
    )  # fmt: skip
    return Finding(
        "AddressSanitizer", "heap-use-after-free", thread="T1", stacks=stacks,
        threads=threads, timeline=timeline,
    )  # fmt: skip


def words(finding: Finding) -> list[str]:
    return [step.words for step in life_of(finding, "/src")]


def test_by_a_lock() -> None:
    events = (
        TimelineEvent(0, "T0", "create thread", other="T1"),
        TimelineEvent(1, "T0", "unlock", 0x7000, "M0", frame=MAKE),
        TimelineEvent(2, "T1", "lock", 0x7000, "M0", frame=USE),
    )
    made = freed_by_another(Timeline(events, (TimelineEdge(0, 2), TimelineEdge(1, 2))))
    steps = life_of(made, "/src")
    assert [(step.words, str(step.place)) for step in steps] == [
        ("Allocated by main thread", "a.c:3"),
        ("Passed on by main thread: unlock M0", "a.c:3"),
        ("Taken by thread T1: lock M0", "a.c:9"),
        ("Freed by main thread", "a.c:3"),
        ("Thread T1 here", "a.c:9"),
    ]


def test_by_a_creation() -> None:
    events = (
        TimelineEvent(0, "T0", "create thread", other="T1"), TimelineEvent(1, "T1", "lock", 16),
    )  # fmt: skip
    told = words(freed_by_another(Timeline(events, (TimelineEdge(0, 1),))))
    assert told[1:3] == ["Passed on by main thread: create T1", "Freed by main thread"]
    assert words(freed_by_another(None, ThreadFacts("T1", created_by="T0"))) == told


def test_by_the_creation_of_another_thread() -> None:
    line = ThreadFacts("T1", created_by="T2"), ThreadFacts("T2", created_by="T0")
    told = words(freed_by_another(None, *line))
    assert told[1:3] == ["Passed on by main thread: create T2", "Passed on by thread T2: create T1"]


def test_by_nothing_that_is_known() -> None:
    told = words(freed_by_another(Timeline((), ())))
    assert told[1] == "No step that is known passed it from main thread to thread T1"


def test_what_was_never_allocated_has_no_life() -> None:
    assert life_of(samples.RACES["race-global"], "/src") == ()


def test_one_thread_passes_nothing() -> None:
    made = freed_by_another(None)
    own = replace(made, stacks=tuple(replace(each, thread="T0") for each in made.stacks))
    assert len(words(own)) == 3


@st.composite
def timelines(draw: st.DrawFn) -> Timeline:
    """Steps of four threads; some have learned from an older step of another thread."""
    threads = draw(st.lists(st.sampled_from(THREADS), min_size=1, max_size=24))
    events = tuple(TimelineEvent(n, thread, "lock", 16) for n, thread in enumerate(threads))
    edges = []
    for after in range(len(events)):
        for before in draw(st.lists(st.integers(0, after), max_size=2)):  # made, and a lock taken
            if threads[before] != threads[after]:
                edges.append(TimelineEdge(before, after))
    return Timeline(events, tuple(edges))


@settings(deadline=None)
@given(timelines(), st.integers(0, 24))
def test_the_way_is_one_and_the_newest(timeline: Timeline, before: int) -> None:
    way = newest_way(timeline, "T0", "T1", before)
    newest = newest_known(timeline, "T0", "T1", before)
    assert (way[0][0].order if way else None) == newest
    edges = {(edge.before, edge.after) for edge in timeline.edges}
    assert {(one.order, other.order) for one, other in way} <= edges
    for (_, taken), (passed, _) in pairwise(way):
        assert taken.thread == passed.thread and taken.order <= passed.order
    if way:
        last = way[-1][1]
        assert way[0][0].thread == "T0" and last.thread == "T1" and last.order < before
