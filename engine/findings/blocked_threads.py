"""A guest in which no thread can run: a deadlock with its cycle of waits, or a lost wake-up.

    who waits for what is in the thread records; who holds a lock is in the lock itself
    a cycle of holders                       -> deadlock
    none, but a thread waits for a wake-up   -> lost wakeup: who should call it has slept or ended
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from irsan.engine.findings.run_limits import threads_refused
from irsan.engine.guest.machine import Machine
from irsan.reports.model.details import TURN
from irsan.reports.model.report import BlockedThreads, Finding, Frame, Stack, ThreadWait
from irsan.runtime.diagnosis.diagnose_race import thread_stacks
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.thread_states import (
    BLOCKED,
    RUNNABLE,
    WAIT_CONDITION,
    WAIT_FUTEX,
    WAIT_JOIN,
    WAIT_MUTEX,
    WAIT_NAMES,
    WAIT_READ_LOCK,
    WAIT_SEMAPHORE,
    WAIT_SHARED_LOCK,
    WAIT_SHARED_MUTEX,
    WAIT_SPIN,
    WAIT_WRITE_LOCK,
)

DEADLOCK: Final = "deadlock"
StackToFrames = Callable[[int], tuple[Frame, ...]]

# Byte of the word in a lock that holds its owner's tid + 1: see the interceptors of each.
_OWNER_BYTE = {
    WAIT_MUTEX: 8, WAIT_READ_LOCK: 4, WAIT_WRITE_LOCK: 4, WAIT_SPIN: 0,
    WAIT_SHARED_MUTEX: 20, WAIT_SHARED_LOCK: 16,
}  # fmt: skip
_WAKE_UPS = {WAIT_CONDITION, WAIT_SEMAPHORE, WAIT_FUTEX}


def blocked_finding(machine: Machine, stack_to_frames: StackToFrames) -> Finding:
    """The finding for a guest whose threads all wait for ever.

    Where irsan has refused to create threads, who waits for these is no bug of the program.
    """
    blocked = [thread for thread in machine.threads() if int(thread["state"]) == BLOCKED]
    cycle = _cycle([wait_of(thread) for thread in blocked])
    blocked.sort(key=lambda thread: _rank(thread, cycle))
    kinds = {int(thread["wait"]["kind"]) for thread in blocked}
    is_lost = not cycle and bool(kinds & _WAKE_UPS)
    n_refused = 0 if cycle else threads_refused(machine.ctx)
    kind = "lost wakeup (all threads asleep for ever)" if is_lost else DEADLOCK
    return replace(
        finding_of_waits(machine, blocked, stack_to_frames, cycle),
        kind=f"all threads wait for ever, {n_refused} were refused" if n_refused else kind,
        verdict="limit" if n_refused else "bug",
        hints=("Every thread is blocked for ever.",),
    )


def alive_threads(machine: Machine) -> list[Any]:
    """Records of the threads that have not ended."""
    return [thread for thread in machine.threads() if int(thread["state"]) in (RUNNABLE, BLOCKED)]


def finding_of_waits(
    machine: Machine,
    shown: Sequence[Any],
    stack_to_frames: StackToFrames,
    cycle: tuple[str, ...] = (),
) -> Finding:
    """The finding about threads and what each waits for, with its stack; the kind is left open."""
    waits = tuple(wait_of(thread) for thread in shown)
    stacks = [
        Stack("access", wait.thread, stack_to_frames(stack_of(machine, thread)), subject=subject)
        for subject, (wait, thread) in enumerate(zip(waits, shown, strict=True))
    ]
    tids = {int(thread["tid"]) for thread in shown}
    threads, created = thread_stacks(machine.ctx, tids, stack_to_frames)
    return Finding(
        tool="ThreadSanitizer",
        kind="",
        thread=waits[0].thread if waits else "T0",
        stacks=(*stacks, *created),
        threads=threads,
        details=BlockedThreads(waits, cycle),
    )


def _rank(thread: Any, cycle: Sequence[str]) -> int:
    """What explains the others comes first: the cycle, then whoever does not just wait for ends."""
    if f"T{int(thread['tid'])}" in cycle:
        return 0
    return 2 if int(thread["wait"]["kind"]) == WAIT_JOIN else 1


def wait_of(thread: Any) -> ThreadWait:
    """What a thread waits for, and who can end that: its turn, where it can run."""
    if int(thread["state"]) == RUNNABLE:
        return ThreadWait(f"T{int(thread['tid'])}", TURN, 0)
    kind, address = int(thread["wait"]["kind"]), int(thread["wait"]["addr"])
    holder = ""
    if kind == WAIT_JOIN:
        holder = f"T{_tid_of_record(address)}" if address else ""
    elif kind in _OWNER_BYTE:
        owner = ctypes.c_uint32.from_address(address + _OWNER_BYTE[kind]).value
        holder = f"T{owner - 1}" if owner else ""
    what = WAIT_NAMES.get(kind, "something")
    return ThreadWait(f"T{int(thread['tid'])}", what, address, holder)


def _tid_of_record(address: int) -> int:
    """Number of the thread whose record is at `address` (its first word)."""
    return ctypes.c_uint64.from_address(address).value


def _cycle(waits: Sequence[ThreadWait]) -> tuple[str, ...]:
    """Threads that wait for each other, each for the next one's; () when there is no cycle."""
    holder_of = {wait.thread: wait.holder for wait in waits if wait.holder}
    for first in holder_of:
        path = [first]
        while (after := holder_of.get(path[-1], "")) and after not in path:
            path.append(after)
        if after:
            return tuple(path[path.index(after) :])
    return ()


def stack_of(machine: Machine, thread: Any) -> int:
    """Stack id of a thread that is not running: look through its own call stack for a moment."""
    kernel = machine.runtime.kernel
    current = int(machine.ctx["thread"])
    target = memory_map.slot_to_thread(int(thread["slot"]))
    if target == current:
        return kernel("current_stack_id") & 0xFFFF_FFFF
    routine = int(machine.ctx["routine"])  # the interceptor that the running thread is in
    kernel("switch_threads", target)
    machine.ctx["routine"] = 0
    found = kernel("current_stack_id") & 0xFFFF_FFFF
    kernel("switch_threads", current)
    machine.ctx["routine"] = routine
    return found
