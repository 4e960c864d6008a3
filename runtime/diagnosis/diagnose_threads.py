"""Threads that are neither joined nor detached when the program ends: `thread leak`.

A thread that has ended counts, as in ThreadSanitizer: what it leaves behind waits for a join that
never comes.  So does one that has not begun.  One that still runs ends with the process, which many
programs intend; so does the last of all threads, whose end is the program's.  Threads with one
creation stack are one finding.

`thread finished with ignores enabled`: an annotation began to ignore accesses or synchronisation,
and its end never came.  The places that count are in IGNORES (thread_words.py).
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable
from typing import Any

from irsan.reports.model.report import Finding, Frame, Stack, ThreadLeak
from irsan.reports.text.race import IGNORES_LEFT
from irsan.runtime import arena
from irsan.runtime.diagnosis.diagnose_locks import diagnose_misuse, is_about_ignores
from irsan.runtime.diagnosis.diagnose_race import DescribeAddress, thread_stacks
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.field_offsets import field_offset
from irsan.runtime.layout.thread_states import FINISHED, FREE, RUNNABLE, first_stack_pointer
from irsan.runtime.layout.thread_words import IGNORE_BYTES, IGNORES, MAX_IGNORES
from irsan.runtime.records.context import CONTEXT_DTYPE, THREAD_DTYPE
from irsan.runtime.views.thread_facts import find_thread, thread_records

StackToFrames = Callable[[int], tuple[Frame, ...]]

THREAD_LEAK_KIND = "thread leak"
_CURRENT = field_offset(CONTEXT_DTYPE, "thread")
_N_THREADS = field_offset(CONTEXT_DTYPE, "schedule.n_threads")
_STATE = field_offset(THREAD_DTYPE, "state")
_IGNORES = field_offset(THREAD_DTYPE, "race.n_ignores")  # two words


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
        if int(record["state"]) == FINISHED or _has_not_begun(record)
        if int(record["tid"]) not in (0, int(last["tid"]))
    ]


def _has_not_begun(record: Any) -> bool:
    """Whether a thread that is not detached still stands before its first instruction."""
    is_waiting = int(record["state"]) == RUNNABLE and not int(record["detached"])
    return is_waiting and int(record["sp"]) == first_stack_pointer(int(record["stack"]["hi"]))


def left_behind(ctx: Any, stack_to_frames: StackToFrames) -> list[Finding]:
    """What a program that ends has left undone: ignores of the running thread, leaked threads."""
    if _has_joined_all():
        return []
    left = ignores_left(ctx, stack_to_frames)
    leaked = leaked_threads(ctx, stack_to_frames)
    return [left, *leaked] if left else leaked


def diagnose_lock_fault(
    ctx: Any, stack_to_frames: StackToFrames, describe_address: DescribeAddress
) -> Finding:
    """The finding for MUTEX_MISUSE in ctx.fault: of a lock, or of annotations without an end."""
    left = ignores_left(ctx, stack_to_frames) if is_about_ignores(ctx) else None
    return left or diagnose_misuse(ctx, stack_to_frames, describe_address)


def _has_joined_all() -> bool:
    """Whether only the running thread is left, and ignores nothing: the usual end, told quickly."""
    current = _word(memory_map.CONTEXT_ADDR + _CURRENT)
    n_threads = min(_word(memory_map.CONTEXT_ADDR + _N_THREADS), memory_map.MAX_LIVE_THREADS)
    others = (memory_map.slot_to_thread(slot) for slot in range(n_threads))
    ignores = _word(current + _IGNORES) or _word(current + _IGNORES + 8)
    return not ignores and all(
        at == current or _word(at + _STATE) == FREE for at in others
    )


def _word(addr: int) -> int:
    return ctypes.c_uint64.from_address(addr).value


def ignores_left(ctx: Any, stack_to_frames: StackToFrames) -> Finding | None:
    """The finding for what the running thread, which ends, still ignores; None for nothing.

    Its words are cleared: it is reported once.
    """
    record = arena.view_record(int(ctx["thread"]), THREAD_DTYPE)
    tid = int(record["tid"])
    begun = [*_noted_stacks(record, 0), *_noted_stacks(record, 1)]
    record["race"]["n_ignores"] = 0
    if not begun:
        return None
    threads, created = thread_stacks(ctx, {tid}, stack_to_frames)
    stacks = (
        Stack("access", f"T{tid}", stack_to_frames(stack), subject=subject)
        for subject, stack in enumerate(begun)
    )
    return Finding(
        tool="ThreadSanitizer",
        kind=IGNORES_LEFT,
        thread=f"T{tid}",
        stacks=(*stacks, *created),
        threads=threads,
        fatal=False,
    )


def _noted_stacks(record: Any, what: int) -> list[int]:
    """Stack ids where a thread began to ignore accesses (0) or synchronisation (1)."""
    n_noted = min(int(record["race"]["n_ignores"][what]), MAX_IGNORES)
    at = IGNORES + (int(record["slot"]) * 2 + what) * IGNORE_BYTES
    return list((ctypes.c_uint32 * n_noted).from_address(at))
