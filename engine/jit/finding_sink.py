"""Where findings about the running thread go: completed, recorded, told to the program."""

from __future__ import annotations

from dataclasses import replace

from irsan.engine.jit.findings import FindingsRecorder
from irsan.engine.jit.guest_callbacks import GuestCallbacks
from irsan.engine.jit.machine import Machine, Outcome, Served
from irsan.engine.jit.switch import SAVED_BP_OFFSET, SAVED_BYTES
from irsan.reports.model import Finding, Stack
from irsan.runtime import arena


class FindingSink:
    """The sink of one run."""

    def __init__(self, recorder: FindingsRecorder, callbacks: GuestCallbacks) -> None:
        self._recorder, self._callbacks = recorder, callbacks
        block_limit = recorder.flags.get_int("malloc_context_size")
        store_limit = recorder.flags.msan.get_int("store_context_size")
        self._limits = {
            "allocation": block_limit, "free": block_limit, "store-origin": store_limit,
        }  # fmt: skip

    def record(self, machine: Machine, finding: Finding) -> Served:
        """A kernel has left a finding; it gets the running thread's stack pointer."""
        sp = int(machine.current_thread()["sp"])
        (bp,) = arena.view_words(sp + SAVED_BP_OFFSET, 1).tolist()
        stacks = tuple(self._within_context_size(stack) for stack in finding.stacks)
        finding = replace(finding, sp=sp + SAVED_BYTES, bp=bp, stacks=stacks)
        if self.add(machine, finding):
            return Served(outcome=Outcome(is_stopped=True))
        return Served()

    def add(self, machine: Machine, finding: Finding, *, ends: bool = False, sp: int = 0) -> bool:
        """Record a finding and do what follows a report; true when the run must stop for it.

        ends: the program ends by it in any case;  sp: end of the stack at a native fault
        """
        n_before = len(self._recorder.findings)
        must_stop = self._recorder.add(
            finding, lambda: self._callbacks.before_report(machine, finding, sp)
        )
        is_told, ends = len(self._recorder.findings) > n_before, ends or must_stop
        if is_told:
            self._recorder.add_extras(machine.ctx, finding, ends=ends)
        if is_told or must_stop:  # what is only counted with another may end the program, too
            self._callbacks.after_report(machine, finding, ends=ends, sp=sp)
        return must_stop

    def _within_context_size(self, stack: Stack) -> Stack:
        """Stacks of heap blocks end at malloc_context_size frames, those of stores on a value's way
        at store_context_size; the innermost frame stays."""
        limit = self._limits.get(stack.role)
        return stack if limit is None else replace(stack, frames=stack.frames[: max(limit, 1)])
