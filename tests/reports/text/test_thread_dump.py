"""Where threads are: one entry for threads of one stack and one wait, in lines or with stacks."""

from __future__ import annotations

from irsan.reports.model.details import JOIN, TURN
from irsan.reports.model.report import (
    BlockedThreads,
    Finding,
    Frame,
    Stack,
    ThreadFacts,
    ThreadWait,
)
from irsan.reports.text.style import TextStyle
from irsan.reports.text.thread_dump import format_thread_dump

WORK, MAIN = Frame("work", "a.c", 4, 5), Frame("main", "a.c", 9, 3)


def finding_of(*threads: tuple[ThreadWait, Frame]) -> Finding:
    stacks = tuple(
        Stack("access", wait.thread, (frame,), subject=subject)
        for subject, (wait, frame) in enumerate(threads)
    )
    return Finding(
        tool="ThreadSanitizer",
        kind="",
        thread="T0",
        stacks=stacks,
        threads=(ThreadFacts("T1", name="loader"),),
        details=BlockedThreads(tuple(wait for wait, _ in threads)),
    )


def lines_of(*threads: tuple[ThreadWait, Frame], with_stacks: bool = False) -> list[str]:
    text = format_thread_dump(finding_of(*threads), TextStyle(), with_stacks=with_stacks)
    return text.splitlines()


def test_what_each_waits_for() -> None:
    assert lines_of(
        (ThreadWait("T0", JOIN, 0, "T1"), MAIN),
        (ThreadWait("T1", "mutex", 0x40, "T2"), WORK),
        (ThreadWait("T2", "sleep", 0), WORK),
        (ThreadWait("T3", TURN, 0), WORK),
        (ThreadWait("T4", "OpenMP team", 0), WORK),
    ) == [
        "  main thread waits for thread T1 (loader) to end in main a.c:9:3",
        "  thread T1 (loader) waits for a mutex at 0x000000000040, held by thread T2"
        " in work a.c:4:5",
        "  thread T2 sleeps in work a.c:4:5",
        "  thread T3 is in work a.c:4:5",
        "  thread T4 waits for its OpenMP team in work a.c:4:5",
    ]


def test_threads_of_one_place_and_one_wait_are_one_entry() -> None:
    same = [(ThreadWait(f"T{n}", "semaphore", 0x40), WORK) for n in range(2, 9)]
    other = [(ThreadWait("T9", "semaphore", 0x40), MAIN), (ThreadWait("T10", TURN, 0), WORK)]
    more = (ThreadWait("T11", TURN, 0), WORK)
    assert lines_of(*same, *other, more) == [
        "  threads T2, T3, T4, T5 and 3 more wait for a semaphore at 0x000000000040"
        " in work a.c:4:5",
        "  thread T9 waits for a semaphore at 0x000000000040 in main a.c:9:3",
        "  threads T10 and T11 are in work a.c:4:5",
    ]


def test_stacks() -> None:
    assert lines_of((ThreadWait("T0", TURN, 0), MAIN), with_stacks=True) == [
        "  main thread is here:", "    #0 main a.c:9:3", "",
    ]  # fmt: skip


def test_a_thread_without_a_stack() -> None:
    finding = finding_of((ThreadWait("T0", "input", 0), Frame()))
    text = format_thread_dump(finding, TextStyle(), with_stacks=False)
    assert text.startswith("  main thread waits for input")
