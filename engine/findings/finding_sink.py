"""Where findings about the running thread go: completed, recorded, passed to the program."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from irsan.engine.findings.findings import FindingsRecorder
from irsan.engine.findings.guest_callbacks import GuestCallbacks
from irsan.engine.findings.site_frames import SiteFrames
from irsan.engine.glue.switch import SAVED_BP_OFFSET, SAVED_BYTES
from irsan.engine.guest.machine import Machine, Outcome, Served
from irsan.reports.model.report import Finding, Frame, Stack
from irsan.runtime import arena
from irsan.runtime.diagnosis.describe import GlobalTable
from irsan.runtime.diagnosis.diagnose_timeline import with_timeline
from irsan.runtime.diagnosis.memory_rows import memory_around
from irsan.runtime.diagnosis.openmp_names import with_region_names
from irsan.runtime.views.heap_view import are_facts_at


class FindingSink:
    """The sink of one run."""

    def __init__(
        self,
        recorder: FindingsRecorder,
        callbacks: GuestCallbacks,
        frames: SiteFrames,
        globals_: GlobalTable,
    ) -> None:
        self._recorder, self._callbacks = recorder, callbacks
        self._frames, self._globals = frames, globals_
        self._shows_memory = recorder.writes_data and recorder.flags.get_bool("show_memory")
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
        finding = self.explained(machine, finding)
        n_before = len(self._recorder.findings)
        must_stop = self._recorder.add(
            finding, lambda: self._callbacks.before_report(machine, finding, sp)
        )
        is_told, ends = len(self._recorder.findings) > n_before, ends or must_stop
        if is_told:
            self._recorder.add_extras(machine.ctx, finding, ends=ends)
        if is_told or must_stop:  # one that is only counted may end the program, too
            self._callbacks.after_report(machine, finding, ends=ends, sp=sp)
        return must_stop

    def explained(self, machine: Machine, finding: Finding, previous_epoch: int = 0) -> Finding:
        """The finding with the memory around and what its threads did before, if that is wanted.

        previous_epoch: of the earlier access of a race
        """
        if self._shows_memory and finding.memory is None:
            memory = memory_around(
                finding, self._frames.layout_of, self._record_of(finding),
                partial(are_facts_at, machine.ctx),
            )  # fmt: skip
            finding = replace(finding, memory=memory)
        finding = with_region_names(finding)
        return with_timeline(
            machine.ctx, finding, self._places_of_site, previous_epoch, self._name_at
        )

    def _record_of(self, finding: Finding) -> tuple[str, int]:
        """What the access takes its bytes for, where it is the program's own."""
        stack = finding.stack("access")
        frame = stack.frames[0] if stack and stack.frames else None
        known = frame is not None and not frame.interceptor and finding.access is not None
        return self._frames.record_at(frame.pc) if frame and known else ("", 0)

    def _name_at(self, address: int) -> str:
        """The global that an address is in, with the offset in it."""
        self._globals.adopt_registered()
        entry = self._globals.nearest(address) if address else None
        if entry is None or not entry.lo <= address < entry.lo + max(entry.size_bytes, 1):
            return ""
        offset = address - entry.lo
        return f"{entry.name}+{offset}" if offset else entry.name

    def _places_of_site(self, site: int) -> tuple[Frame, ...]:
        return self._recorder.user_code.marked_frames(self._frames.of_site(site))

    def _within_context_size(self, stack: Stack) -> Stack:
        """Stacks of heap blocks end at malloc_context_size frames, those of stores on a value's way
        at store_context_size; the innermost frame stays."""
        limit = self._limits.get(stack.role)
        return stack if limit is None else replace(stack, frames=stack.frames[: max(limit, 1)])
