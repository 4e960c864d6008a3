"""A schedule that is explored and makes no progress: it has had more points than it may."""

from __future__ import annotations

from dataclasses import replace

from irsan.engine.findings.blocked_threads import StackToFrames, alive_threads, finding_of_waits
from irsan.engine.guest.machine import Machine
from irsan.reports.model.report import Finding
from irsan.runtime.layout.explore_words import IDLE_POINTS
from irsan.runtime.layout.thread_states import BLOCKED


def has_run_on(machine: Machine) -> bool:
    """Whether the guest came back because its schedule is too long."""
    explore = machine.ctx["explore"]
    if not explore["is_on"] or not explore["limit"]:
        return False
    return bool(explore["steps"] > explore["limit"] or explore["n_idle"] > IDLE_POINTS)


def unending_finding(machine: Machine, stack_to_frames: StackToFrames) -> Finding:
    """Where each thread is. Threads that can run come first: they do not get on."""
    alive = sorted(alive_threads(machine), key=lambda thread: int(thread["state"]) == BLOCKED)
    steps = int(machine.ctx["explore"]["steps"])
    return replace(
        finding_of_waits(machine, alive, stack_to_frames),
        kind="no progress (threads run for ever)",
        verdict="heuristic",
        hints=(f"The schedule has had {steps} points, and the program has not ended.",),
    )
