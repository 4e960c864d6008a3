"""Threads that nobody has joined or detached when the program ends: `thread leak`.

Only a thread that has ended counts, as in ThreadSanitizer: what it leaves behind waits for a join
that never comes.  One that still runs ends with the process, which many programs intend; so does
the last of all threads, whose end is the program's.  Threads with one creation stack are one
finding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from irsan.reports.model import Finding, Frame, Stack, ThreadLeak
from irsan.runtime import arena
from irsan.runtime.records import THREAD_DTYPE
from irsan.runtime.thread_facts import find_thread, thread_records
from irsan.runtime.thread_states import FINISHED

StackToFrames = Callable[[int], tuple[Frame, ...]]

THREAD_LEAK_KIND = "thread leak"


def leaked_threads(ctx: Any, stack_to_frames: StackToFrames) -> list[Finding]:
    """A finding for each place whose threads have ended without a join, oldest first."""
    first_of: dict[int, int] = {}
    counts: Counter[int] = Counter()
    for tid, stack in sorted(_ended_threads(ctx)):
        first_of.setdefault(stack, tid)
        counts[stack] += 1
    found = []
    for stack, tid in first_of.items():
        known = find_thread(ctx, tid)
        if known is not None:
            frames = stack_to_frames(stack)
            found.append(
                Finding(
                    tool="ThreadSanitizer",
                    kind=THREAD_LEAK_KIND,
                    thread="T0",
                    stacks=(Stack("thread-creation", f"T{tid}", frames),),
                    threads=(known.facts,),
                    details=ThreadLeak(f"T{tid}", counts[stack] - 1),
                    fatal=False,
                )
            )
    return found


def _ended_threads(ctx: Any) -> list[tuple[int, int]]:
    """(number, creation stack) of every thread but the main one that waits for its join."""
    last = arena.view_record(int(ctx["thread"]), THREAD_DTYPE)
    return [
        (int(record["tid"]), int(record["creation_stack"]))
        for record in thread_records(ctx)
        if int(record["state"]) == FINISHED and int(record["tid"]) not in (0, int(last["tid"]))
    ]
