"""What a program may ask of a report: counts, order of threads, words, limits."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import Any

from irsan.engine.findings.races.race_reports import (
    RaceReports,
    location_type,
    short_kind,
    threads_of,
)
from irsan.reports.model.report import (
    Access,
    Finding,
    Frame,
    HeapRegion,
    MutexFacts,
    Stack,
    ThreadFacts,
    ThreadStack,
    TlsBlock,
)
from irsan.runtime.diagnosis.diagnose_locks import LOCK_CYCLE_KIND, MISUSES
from irsan.runtime.records.race.lock_records import BAD_UNLOCK

FRAMES = (Frame("f", "a.c", 3, pc=0x111), Frame("main", "a.c", 9, pc=0x222))
RACE = Finding(
    tool="ThreadSanitizer",
    kind="data race",
    thread="T2",
    access=Access("atomic write", 8, 0x1000, "T2"),
    previous_access=Access("read", 4, 0x1004, "T0"),
    stacks=(Stack("access", "T2", FRAMES), Stack("mutex-creation", "T0", FRAMES[1:], mutex="M0")),
    locations=(HeapRegion(0x1000, "inside", 0, 0x1000, 0x1010),),
    threads=(ThreadFacts("T2", "worker", 12, "finished", "T1"),),
    mutexes=(MutexFacts("M0", 0x3000, destroyed=True),),
)
MACHINE: Any = SimpleNamespace()


def places(count: int) -> tuple[Any, list[int]]:
    """`count` words, and their addresses."""
    words = (ctypes.c_int64 * count)()
    return words, [ctypes.addressof(words) + 8 * i for i in range(count)]


def test_nobody_learns_anything_while_no_report_is_told() -> None:
    reports = RaceReports()
    assert reports.current(MACHINE, []) == 0
    assert reports.mutex(MACHINE, [1, 0, 0, 0, 0, 0, 0]) == 0
    assert reports.unique_tid(MACHINE, [1, 0, 0]) == 0
    handle = reports.begin(RACE)
    assert handle != 0
    assert reports.current(MACHINE, []) == handle
    reports.end()
    assert reports.current(MACHINE, []) == 0


def test_accesses_come_latest_first_with_their_stacks() -> None:
    reports, remembered = RaceReports(), list[Frame]()
    reports.remember = remembered.extend
    reports.begin(RACE)
    words, at = places(8)
    assert reports.access(MACHINE, [0, 0, *at[:5], at[5], 3]) == 1
    assert [words[i] for i in range(8)] == [2, 0x1000, 8, 1, 1, 0x111, 0x222, 0]
    assert tuple(remembered) == FRAMES
    words, at = places(8)
    assert reports.access(MACHINE, [0, 1, *at[:5], at[5], 3]) == 1
    assert [words[i] for i in range(6)] == [0, 0x1004, 4, 0, 0, 0]
    assert reports.access(MACHINE, [0, 2, *at[:5], at[5], 3]) == 0


def test_a_trace_ends_where_the_room_ends() -> None:
    reports = RaceReports()
    reports.begin(RACE)
    words, at = places(3)
    assert reports.access(MACHINE, [0, 0, 0, 0, 0, 0, 0, at[0], 1]) == 1
    assert list(words) == [0x111, 0, 0]


def test_mutexes_and_threads() -> None:
    reports = RaceReports()
    reports.begin(RACE)
    words, at = places(5)
    assert reports.mutex(MACHINE, [0, 0, *at[:3], at[3], 2]) == 1
    assert list(words) == [0, 0x3000, 1, 0x222, 0]
    assert [facts.thread for facts in threads_of(RACE)] == ["T2", "T0"]
    words, at = places(1)
    assert reports.unique_tid(MACHINE, [0, 1, at[0]]) == 1
    assert words[0] == 0


def test_words() -> None:
    assert short_kind("data race on vptr (ctor/dtor vs virtual call)") == "data-race-vptr"
    assert short_kind(MISUSES[BAD_UNLOCK]) == "mutex-bad-unlock"
    assert short_kind(LOCK_CYCLE_KIND) == "lock-order-inversion"
    assert location_type(ThreadStack(1, "T0")) == "stack"
    assert location_type(TlsBlock(1, "T0")) == "tls"
