"""The drawn timeline: rows in order, a column for each thread, the accesses where they stand."""

from __future__ import annotations

from dataclasses import replace

from irsan.reports.html.timeline_picture import COLUMN, ROW, picture_of
from irsan.reports.model.report import BlockedThreads, Finding, Frame, LockCycle
from irsan.reports.model.timeline import Timeline, TimelineEdge, TimelineEvent
from tests.reports import samples

RACE = samples.RACES["race-global"]
EVENTS = (
    TimelineEvent(0, "T0", "create thread", other="T1"),
    TimelineEvent(3, "T1", "lock", 0x7000, "M0", frame=Frame("work", "/src/a.c", 7)),
    TimelineEvent(5, "T1", "unlock", 0x7000, "M0"),
)


def race() -> Finding:
    assert RACE.access is not None and RACE.previous_access is not None
    return replace(
        RACE,
        access=replace(RACE.access, thread="T0"),
        previous_access=replace(RACE.previous_access, thread="T1"),
        timeline=Timeline(EVENTS, (TimelineEdge(0, 3),), previous=5, n_omitted=4),
    )


def test_accesses_stand_among_the_events() -> None:
    picture = picture_of(race(), "/src")
    assert picture is not None
    assert [(box.style, box.thread) for box in picture.boxes] == [
        ("event", "T0"), ("event", "T1"), ("previous", "T1"), ("event", "T1"), ("access", "T0"),
    ]  # fmt: skip
    assert [box.y for box in picture.boxes] == [picture.boxes[0].y + ROW * n for n in range(5)]
    assert {box.thread: box.x for box in picture.boxes}["T1"] - picture.boxes[0].x == COLUMN
    assert picture.boxes[1].place == "a.c:7"
    assert picture.boxes[1].text == "lock M0"


def test_an_edge_is_drawn_and_told() -> None:
    picture = picture_of(race(), "")
    assert picture is not None
    assert [arrow.title for arrow in picture.arrows] == ["T1 lock M0 learned from T0 create T1"]
    assert picture.boxes[1].learned_from == "T0: create T1"
    assert picture.gap
    assert picture.notes == ("4 steps of these threads are left out.",)


def test_an_edge_to_a_step_that_is_not_shown_is_left_out() -> None:
    finding = race()
    assert finding.timeline is not None
    lost = replace(finding.timeline, edges=(TimelineEdge(1, 3), TimelineEdge(0, 99)))
    picture = picture_of(replace(finding, timeline=lost), "")
    assert picture is not None and picture.arrows == ()


def test_without_a_timeline_there_is_no_picture() -> None:
    assert picture_of(RACE, "") is None


def rows(finding: Finding) -> list[tuple[str, str, str, str]]:
    picture = picture_of(finding, "/src")
    assert picture is not None
    return [(box.style, box.thread, box.whole, box.place) for box in picture.boxes]


def test_the_lock_that_closes_a_cycle_is_last() -> None:
    inversion = samples.RACES["lock-order-inversion"]
    facts = inversion.details
    assert isinstance(facts, LockCycle)
    stack = inversion.stack("access", subject=1)
    assert stack is not None
    held, wanted = facts.mutexes[1], facts.mutexes[(1 + 1) % len(facts.mutexes)]
    event = TimelineEvent(4, stack.thread, "lock", 0x7000, held)
    told = replace(inversion, timeline=Timeline((event,)))
    last = rows(told)[-1]
    assert last[:3] == ("access", stack.thread, f"lock {wanted}: closes the cycle")
    assert last[3].startswith("a.c:")
    unknown = Timeline((replace(event, mutex="M9"),))
    assert [row[0] for row in rows(replace(inversion, timeline=unknown))] == ["event"]


def test_blocked_threads_end_with_what_they_wait_for() -> None:
    deadlock = replace(samples.RACES["deadlock"], timeline=Timeline((EVENTS[0],)))
    facts = deadlock.details
    assert isinstance(facts, BlockedThreads)
    found = rows(deadlock)[1:]
    assert [row[1] for row in found] == [wait.thread for wait in facts.waits]
    assert all(style == "access" and words.startswith("waits for ") for style, _, words, _ in found)


def test_an_access_that_is_no_race_has_no_number() -> None:
    uaf = replace(samples.MEMORY["heap-use-after-free"], timeline=Timeline((EVENTS[0],)))
    assert rows(uaf)[-1][2] == "read of 4 bytes"
