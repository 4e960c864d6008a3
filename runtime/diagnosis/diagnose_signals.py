"""From the facts of signal handlers, forks and joins to the report model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from irsan.reports.model.report import Finding, Frame, SignalHandlerFault, Stack
from irsan.runtime.diagnosis.diagnose_race import thread_stacks
from irsan.runtime.records.threads import signal_records as sr
from irsan.runtime.records.threads.signal_records import ThreadFault

StackToFrames = Callable[[int], tuple[Frame, ...]]

UNSAFE_CALL_KIND = "signal-unsafe call inside of a signal"
SPOILED_ERRNO_KIND = "signal handler spoils errno"
INVALID_JOIN_KINDS: dict[int, str] = {
    sr.JOINED: "join of an already joined thread",
    sr.DETACHED: "join of a detached thread",
}
AFTER_FORK_MESSAGE = (
    "ThreadSanitizer: starting new threads after multi-threaded fork is not supported."
    " Dying (set die_after_fork=0 to override)\n"
)
_FINDINGS = (ThreadFault.SIGNAL_UNSAFE, ThreadFault.ERRNO_SPOILED, ThreadFault.INVALID_JOIN)


def is_thread_fault(ctx: Any) -> bool:
    """Whether ctx.fault is a finding of this file."""
    return int(ctx["fault"][0]) in _FINDINGS


def is_start_after_fork(ctx: Any) -> bool:
    """Whether ctx.fault says that a thread may not be created."""
    return int(ctx["fault"][0]) == ThreadFault.THREAD_AFTER_FORK


def diagnose_thread_fault(
    ctx: Any, stack_to_frames: StackToFrames, code_to_frame: Callable[[int], Frame]
) -> Finding:
    """The finding in ctx.fault.

    code_to_frame  the function at an address, as the frame of its first line
    """
    kind, address = int(ctx["fault"][0]), int(ctx["fault"][1])
    stack, tid, number, handler = (int(ctx["fault"][word]) for word in (4, 5, 6, 7))
    frames = stack_to_frames(stack)
    if kind == ThreadFault.ERRNO_SPOILED:
        frames = (code_to_frame(handler), *frames)
    threads, created = thread_stacks(ctx, {tid}, stack_to_frames)
    is_join = kind == ThreadFault.INVALID_JOIN
    return Finding(
        tool="ThreadSanitizer",
        kind=INVALID_JOIN_KINDS[number] if is_join else _signal_kind(kind),
        thread=f"T{tid}",
        stacks=(Stack("access", f"T{tid}", frames), *created),
        threads=threads,
        details=None if is_join else SignalHandlerFault(number),
        address=address or None,
        fatal=False,
    )


def _signal_kind(kind: int) -> str:
    return SPOILED_ERRNO_KIND if kind == ThreadFault.ERRNO_SPOILED else UNSAFE_CALL_KIND
