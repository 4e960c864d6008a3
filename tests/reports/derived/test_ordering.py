"""Why two accesses are not ordered: by releases and by mutexes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from irsan.reports.derived.ordering import event_words, why_unordered
from irsan.reports.model.report import Finding, Frame, HeldMutex
from irsan.reports.model.timeline import Timeline, TimelineEdge, TimelineEvent
from tests.reports import samples

RACE = samples.RACES["race-global"]
AT = Frame("work", "/src/work.c", 8)


def race(before: str = "", now: str = "", timeline: Timeline | None = None) -> Finding:
    assert RACE.access is not None and RACE.previous_access is not None
    held, held_before = (tuple(HeldMutex(name) for name in names) for names in (now, before))
    return replace(
        RACE,
        access=replace(RACE.access, thread="T0", operation="read", mutexes=held),
        previous_access=replace(
            RACE.previous_access, thread="T1", operation="write", mutexes=held_before
        ),
        threads=(), timeline=timeline,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("before", "now", "words"),
    [
        ("", "", "No mutex was held at either access"),
        ("A", "", "A was held at the earlier access only: held at the later one as well"),
        ("", "B", "B was held at the later access only: held at the earlier one as well"),
        ("A", "B", "A was held at the earlier access and B at the later one"),
    ],
)
def test_mutexes(before: str, now: str, words: str) -> None:
    (sentence,) = why_unordered(race(before, now))
    assert words in sentence


def test_a_mutex_held_at_both_explains_nothing() -> None:
    assert why_unordered(race("A", "A")) == ()


def test_a_release_that_nobody_acquired() -> None:
    events = (
        TimelineEvent(0, "T1", "release", 0x7000),
        TimelineEvent(1, "T0", "acquire", 0x7000),
        TimelineEvent(2, "T1", "unlock", 0x7100, "M1", frame=AT),
    )
    timeline = Timeline(events, (TimelineEdge(0, 1),), previous=2)
    first, second, _ = why_unordered(race(timeline=timeline))
    assert "the first release of thread T1 is “unlock M1” in work.c:8" in first
    assert "The main thread acquired nothing that comes from there before its read" in first
    assert "“release of 0x7000”" in second and "came before the write" in second


def test_nothing_was_released() -> None:
    timeline = Timeline((TimelineEvent(0, "T1", "lock", 1),), (), previous=1)
    first, _ = why_unordered(race(timeline=timeline))
    assert first == (
        "Behind its write, thread T1 released nothing, so no thread could learn of it."
    )


def test_what_is_no_race_has_no_reason() -> None:
    assert why_unordered(Finding("LeakSanitizer", "direct-leak")) == ()


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (TimelineEvent(0, "T0", "create thread", other="T1"), "create T1"),
        (TimelineEvent(0, "T0", "join thread", other="T1"), "join T1"),
        (TimelineEvent(0, "T1", "end"), "end of thread"),
        (TimelineEvent(0, "T1", "read lock", 16, "M0"), "read lock M0"),
        (TimelineEvent(0, "T1", "acquire", 16), "acquire of 0x10"),
        (TimelineEvent(0, "T1", "lock", 16, "M0", object_name="guard"), "lock M0 (guard)"),
        (TimelineEvent(0, "T1", "release", 16, object_name="ready"), "release of ready"),
        (TimelineEvent(0, "T0", "send signal", other="T1", signal=10), "send SIGUSR1 to T1"),
        (TimelineEvent(0, "T0", "set handler", signal=15), "handler of SIGTERM set"),
        (TimelineEvent(0, "T1", "begin handler", signal=99), "handler of signal 99 begins"),
        (TimelineEvent(0, "T1", "end handler", signal=10), "handler of SIGUSR1 ends"),
    ],
)
def test_words(event: TimelineEvent, words: str) -> None:
    assert event_words(event) == words
