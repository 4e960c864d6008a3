"""Misuse of the guarded pool, found by a kernel or by the processor."""

from __future__ import annotations

from dataclasses import replace

from irsan.engine.findings.crash import Crash
from irsan.engine.findings.finding_sink import FindingSink
from irsan.engine.findings.findings import FindingsRecorder
from irsan.engine.findings.site_frames import SiteFrames
from irsan.engine.guest.machine import Machine, Outcome, Served
from irsan.runtime.diagnosis.diagnose_guarded import diagnose_guarded_crash, diagnose_guarded_fault


class GuardedFaults:
    """The pool's findings of one run."""

    def __init__(
        self, recorder: FindingsRecorder, frames: SiteFrames, sink: FindingSink
    ) -> None:
        self._recorder, self._frames, self._sink = recorder, frames, sink

    def serve_fault(self, machine: Machine, address: int) -> Served:
        """A kernel has found a misuse of the guarded pool."""
        frames = self._frames.of_stack(int(machine.ctx["fault"][4]))
        finding = diagnose_guarded_fault(
            machine.ctx, address, frames, self._frames.of_site, fatal=self._pool_is_fatal
        )
        served = self._sink.record(machine, finding)
        if served.outcome is None:
            machine.runtime.kernel("guarded_recover", address)
        return served

    def serve_crash(self, machine: Machine, crash: Crash, stack_id: int) -> Served:
        """The processor has found one; the instruction runs again if the run goes on."""
        finding = diagnose_guarded_crash(
            machine.ctx,
            crash,
            int(machine.current_thread()["tid"]),
            self._frames.of_stack(stack_id),
            self._frames.of_site,
            size_bytes=self._frames.access_size(stack_id),
            fatal=self._pool_is_fatal,
        )
        if self._recorder.add(replace(finding, sp=crash.rsp, bp=crash.rbp)):
            return Served(outcome=Outcome(is_stopped=True))
        machine.runtime.kernel("guarded_recover", crash.address)
        return Served()

    @property
    def _pool_is_fatal(self) -> bool:
        return not self._recorder.flags.gwp_asan.get_bool("Recoverable")
