"""From the facts of a lock's misuse, and from cycles of the lock order, to the report model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from irsan.reports.model.report import Finding, Frame, LockCycle, Stack
from irsan.runtime.diagnosis.diagnose_race import DescribeAddress, thread_stacks
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.records.race import lock_records as lr
from irsan.runtime.views.lock_graph import LockEdge
from irsan.runtime.views.lock_view import LockNames, destroyed_before, lock_facts

StackToFrames = Callable[[int], tuple[Frame, ...]]

MISUSES: dict[int, str] = {
    lr.DESTROY_LOCKED: "destroy of a locked mutex",
    lr.DOUBLE_LOCK: "double lock of a mutex",
    lr.INVALID_ACCESS: "use of an invalid mutex (e.g. uninitialized or destroyed)",
    lr.BAD_UNLOCK: "unlock of an unlocked mutex (or by a wrong thread)",
    lr.BAD_READ_LOCK: "read lock of a write locked mutex",
    lr.BAD_READ_UNLOCK: "read unlock of a write locked mutex",
    lr.WAIT_WITHOUT_MUTEX: "wait on a condition variable without its mutex",
    lr.WAIT_WITH_TWO_MUTEXES: "wait on a condition variable with two mutexes",
    lr.ENDED_HOLDING: "mutex held at thread exit",
    lr.HELD_WRONGLY: "mutex held in the wrong context",
}
LOCK_CYCLE_KIND = "lock-order-inversion (potential deadlock)"


def is_lock_misuse(ctx: Any) -> bool:
    """Whether ctx.fault is about a lock."""
    return int(ctx["fault"][0]) == FaultKind.MUTEX_MISUSE


def is_about_ignores(ctx: Any) -> bool:
    """Whether ctx.fault says that a thread ends which still ignores something."""
    return is_lock_misuse(ctx) and int(ctx["fault"][6]) == lr.IGNORES_LEFT


def diagnose_misuse(
    ctx: Any, stack_to_frames: StackToFrames, describe_address: DescribeAddress
) -> Finding:
    """The finding for the misuse of a lock in ctx.fault."""
    fault = [int(word) for word in ctx["fault"]]
    address, stack, tid = fault[1], fault[4], fault[5]
    which, other_stack, number = fault[6:9]
    if which == lr.ENDED_HOLDING and not stack_to_frames(stack):
        stack, other_stack = other_stack, 0  # the thread's function has returned
    destroyed = destroyed_before(number) if which == lr.INVALID_ACCESS else 0
    if destroyed:
        number, other_stack = destroyed, lock_facts(destroyed).newest_stack
    names = LockNames()
    names.name(number)
    names.held(fault[9])
    locations, stacks = describe_address(address)
    other = [Stack("previous", f"T{tid}", stack_to_frames(other_stack))] if other_stack else []
    threads, created = thread_stacks(ctx, {tid}, stack_to_frames)
    return Finding(
        tool="ThreadSanitizer",
        kind=MISUSES[which],
        thread=f"T{tid}",
        stacks=(
            Stack("access", f"T{tid}", stack_to_frames(stack)),
            *other,
            *stacks,
            *names.creation_stacks(stack_to_frames),
            *created,
        ),
        locations=locations,
        mutexes=names.facts(),
        threads=threads,
        address=address,
        fatal=False,
    )


def diagnose_cycle(
    ctx: Any,
    cycle: Sequence[LockEdge],
    stack_to_frames: StackToFrames,
    *,
    with_second_stacks: bool,
) -> Finding:
    """The finding for a potential deadlock; stacks of both locks of an edge if asked for."""
    names = LockNames()
    for edge in cycle:
        names.name(edge.held)
    stacks: list[Stack] = []
    for subject, edge in enumerate(cycle):
        thread = f"T{edge.tid}"
        frames = stack_to_frames(edge.taken_stack)
        stacks.append(Stack("access", thread, frames, subject=subject))
        if with_second_stacks:
            frames = stack_to_frames(edge.held_stack)
            stacks.append(Stack("previous", thread, frames, subject=subject))
    threads, created = thread_stacks(ctx, {edge.tid for edge in cycle}, stack_to_frames)
    return Finding(
        tool="ThreadSanitizer",
        kind=LOCK_CYCLE_KIND,
        thread=f"T{cycle[-1].tid}",
        stacks=(*stacks, *names.creation_stacks(stack_to_frames), *created),
        mutexes=names.facts(),
        threads=threads,
        details=LockCycle(tuple(names.name(edge.held) for edge in cycle)),
        fatal=False,
    )

