"""Logical times in words."""

from __future__ import annotations

from irsan.reports.model.report import Access, AccessClock, KnownTime
from irsan.reports.text.clocks import logical_times


def told(known: tuple[KnownTime, ...], previous_time: int = 5) -> list[str]:
    """The lines on an access of T2 that knows `known`, and a previous one of T1."""
    access = Access("write", 4, 0x10, "T2", clock=AccessClock(3, 7, known))
    previous = Access("read", 4, 0x10, "T1", clock=AccessClock(previous_time, 6))
    return logical_times(access, previous)


def test_without_clocks_nothing_is_told() -> None:
    access = Access("write", 4, 0x10, "T2", clock=AccessClock(3, 7))
    assert logical_times(access, Access("read", 4, 0x10, "T1")) == []
    assert logical_times(Access("read", 4, 0x10, "T1"), access) == []


def test_a_thread_that_is_not_known() -> None:
    assert told(()) == [
        "  Logical times:",
        "    access: 3@T2, Lamport 7, knows no other thread",
        "    previous access: 5@T1, Lamport 6",
        "    T2 knows T1 not at all: 5@T1 is not before its access",
        "",
    ]


def test_a_thread_that_is_known_up_to_an_earlier_time() -> None:
    lines = told((KnownTime("T0", 9), KnownTime("T1", 4)))
    assert lines[1].endswith("knows T0 up to 9, T1 up to 4")
    assert lines[3] == "    T2 knows T1 only up to 4: 5@T1 is not before its access"


def test_accesses_that_are_ordered() -> None:
    """Eraser's locksets accuse what happens-before orders, too."""
    assert told((KnownTime("T1", 5),))[3] == "    T2 knows 5@T1: the accesses are ordered"


def test_many_threads_are_counted() -> None:
    line = told(tuple(KnownTime(f"T{n}", n) for n in range(1, 41)))[1]
    assert line.endswith("T16 up to 16 and 24 more")
    assert told((KnownTime("T1", 4),) * 16)[1].endswith("T1 up to 4")
