"""What the race detector's kernels find: races, misuse and order of locks, threads and signals.

A kernel that has found one returns and leaves it in ctx.fault.  With `Served(result=1)` the same
call is made again, as if for the first time.
"""

from __future__ import annotations

from irsan.engine.findings.expected_races import ExpectedRaces
from irsan.engine.findings.finding_sink import FindingSink
from irsan.engine.findings.findings import FindingsRecorder
from irsan.engine.findings.races.external_tags import ExternalTags
from irsan.engine.findings.races.race_reports import RaceReports
from irsan.engine.findings.site_frames import SiteFrames
from irsan.engine.guest.machine import Machine, Outcome, Served
from irsan.reports.model.locations import LibraryState
from irsan.reports.model.report import FileDescriptor, GlobalVariable, Location, Stack
from irsan.runtime.diagnosis.describe import Places, describe_address
from irsan.runtime.diagnosis.diagnose_locks import diagnose_cycle, is_lock_misuse
from irsan.runtime.diagnosis.diagnose_race import diagnose_race
from irsan.runtime.diagnosis.diagnose_signals import (
    AFTER_FORK_MESSAGE,
    diagnose_thread_fault,
    is_start_after_fork,
    is_thread_fault,
)
from irsan.runtime.diagnosis.diagnose_threads import diagnose_lock_fault
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.records.race.descriptor_records import DescriptorFacts, descriptor_at
from irsan.runtime.records.race.library_states import state_at
from irsan.runtime.views.lock_graph import LockGraph
from irsan.runtime.views.lock_view import edge_at, edge_columns, mark_in_cycle
from irsan.runtime.views.stackdepot import sites_of_stack

Described = tuple[tuple[Location, ...], tuple[Stack, ...]]


class RaceFaults:
    """The race detector's findings of one run."""

    def __init__(
        self,
        recorder: FindingsRecorder,
        frames: SiteFrames,
        places: Places,
        sink: FindingSink,
        reports: RaceReports,
    ) -> None:
        self.expected = ExpectedRaces(recorder, places)
        self.tags = ExternalTags()
        self._recorder, self._frames, self._places = recorder, frames, places
        self._sink, self._reports = sink, reports
        self._lock_graph = LockGraph(edge_at)
        self.pairs: set[tuple[int, int]] = set()  # sites of the two accesses of a race

    def serve(self, machine: Machine) -> Served | None:
        """Tell of the fault in ctx.fault; None when it is not the race detector's."""
        ctx, kind = machine.ctx, int(machine.ctx["fault"][0])
        if is_lock_misuse(ctx):
            finding = diagnose_lock_fault(ctx, self._frames.of_stack, self._describe)
            served = self._sink.record(machine, finding)
            return served if served.outcome else Served(result=1)  # now it is done all the same
        if is_thread_fault(ctx):
            frames = self._frames
            finding = diagnose_thread_fault(ctx, frames.of_stack, frames.of_code)
            return self._sink.record(machine, finding)
        if is_start_after_fork(ctx):
            self._recorder.write(AFTER_FORK_MESSAGE)
            status = self._recorder.flags.tsan.get_int("exitcode")
            return Served(outcome=Outcome(status=status, is_stopped=True))
        if kind == FaultKind.LOCK_ORDER:
            return self._lock_order(machine)
        return self._data_race(machine) if kind == FaultKind.DATA_RACE else None

    def _data_race(self, machine: Machine) -> Served:
        ctx = machine.ctx
        if self.expected.covers(int(ctx["fault"][1]), int(ctx["fault"][2])):
            return Served()
        frames = self._frames
        first, second = (next(sites_of_stack(int(ctx["fault"][at])), 0) for at in (4, 7))
        self.pairs.add((min(first, second), max(first, second)))
        finding = diagnose_race(ctx, frames.of_site, self._describe, frames.access_size)
        finding = self.tags.named(finding, int(ctx["fault"][4]), int(ctx["fault"][7]))
        finding = self._sink.explained(machine, finding, int(ctx["fault"][6]))
        self._reports.external_tag = self.tags.newest
        return self._sink.record(machine, finding)

    def _lock_order(self, machine: Machine) -> Served:
        """Locks are taken in an order that may close a cycle; the lock is then tried again."""
        n_edges = int(machine.ctx["locks"]["n_edges"])
        n_before = int(machine.ctx["fault"][6])
        cycles = self._lock_graph.new_cycles(*edge_columns(n_edges), n_before)
        for number in self._lock_graph.in_cycle:
            mark_in_cycle(number)
        second = self._recorder.flags.tsan.get_bool("second_deadlock_stack")
        for cycle in cycles:
            finding = diagnose_cycle(
                machine.ctx, cycle, self._frames.of_stack, with_second_stacks=second
            )
            served = self._sink.record(machine, finding)
            if served.outcome:
                return served
        return Served(result=1)

    def _describe(self, address: int) -> Described:
        descriptor = descriptor_at(address)
        if descriptor is not None:
            return self._describe_descriptor(descriptor)
        state = state_at(address)
        if state is not None:
            return (LibraryState(state.functions, state.instead),), ()
        found = describe_address(self._places, address)
        location = self.tags.with_type(self._places.ctx, found.location)
        if isinstance(location, GlobalVariable) and not location.module:
            known = self._places.globals.nearest(address)
            location = self._frames.in_module(location, known.symbol if known else "")
        return (location,), found.stacks

    def _describe_descriptor(self, facts: DescriptorFacts) -> Described:
        thread, frames = f"T{facts.tid}", self._frames.of_stack(facts.stack)
        location = FileDescriptor(facts.number, thread, closed=facts.is_closed)
        return (location,), (Stack("free" if facts.is_closed else "allocation", thread, frames),)
