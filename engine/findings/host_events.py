"""Serving the guest's events: findings, crashes, and a guest in which no thread can run."""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from irsan.engine.findings.blocked_threads import DEADLOCK, blocked_finding
from irsan.engine.findings.crash import Crash, read_crash
from irsan.engine.findings.fault_lines import FaultLines
from irsan.engine.findings.finding_sink import FindingSink
from irsan.engine.findings.findings import FindingsRecorder
from irsan.engine.findings.guarded_faults import GuardedFaults
from irsan.engine.findings.guest_callbacks import GuestCallbacks
from irsan.engine.findings.heap_profile import HeapProfile, heap_profile_lines
from irsan.engine.findings.last_words import DeathNote, LastWords, with_last_words
from irsan.engine.findings.outside_end import (
    ALWAYS_STACKS,
    NEVER,
    end_finding,
    sender_in_words,
    shows_stacks,
    tells_of_end,
)
from irsan.engine.findings.outside_signals import LONG_S, await_signal, may_be_woken, passes_time
from irsan.engine.findings.panics import Panics, has_panicked
from irsan.engine.findings.race_faults import RaceFaults
from irsan.engine.findings.resident_limit import ResidentLimit, limit_finding
from irsan.engine.findings.site_frames import SiteFrames
from irsan.engine.findings.undefined_reports import UndefinedReports
from irsan.engine.findings.unending import has_run_on, unending_finding
from irsan.engine.findings.wild_accesses import WildAccesses
from irsan.engine.guest.machine import EventHandler, Machine, Outcome, Served
from irsan.errors import InternalError
from irsan.reports.model.report import (
    Details,
    Finding,
    Frame,
    SignalFacts,
    Stack,
)
from irsan.reports.text.thread_dump import format_thread_dump
from irsan.runtime import arena
from irsan.runtime.diagnosis.describe import GlobalTable, Places
from irsan.runtime.diagnosis.diagnose_bounds import (
    diagnose_bounds,
    is_bounds_fault,
    within_last_granule,
)
from irsan.runtime.diagnosis.diagnose_crash import (
    diagnose_crash,
    with_constant,
    with_depth,
)
from irsan.runtime.diagnosis.diagnose_guarded import (
    guarded_address,
)
from irsan.runtime.diagnosis.diagnose_memory import diagnose_memory, is_memory_fault
from irsan.runtime.diagnosis.diagnose_provenance import diagnose_provenance, is_provenance_fault
from irsan.runtime.diagnosis.diagnose_threads import left_behind
from irsan.runtime.diagnosis.diagnose_uninitialised import (
    diagnose_uninitialised,
    is_uninitialised_fault,
    origin_story,
)
from irsan.runtime.layout import events, memory_map
from irsan.runtime.layout.faults import ASK_AGAIN
from irsan.runtime.records.context import CONTEXT_DTYPE
from irsan.runtime.views.guarded_view import is_guarded
from irsan.runtime.views.mappings import confirm_fault

_SHOWN_CODE_BYTES = 16

_WRITE = 1


class GuestEvents:
    """The handlers of one run, and what they need to explain what they see."""

    def __init__(
        self,
        recorder: FindingsRecorder,
        frames: SiteFrames,
        globals_: GlobalTable,
        word_to_frame: Callable[[int], Frame],
        callbacks: GuestCallbacks,
        fault_lines: FaultLines,
    ) -> None:
        self._recorder = recorder
        self.callbacks = callbacks
        self.limit = ResidentLimit(recorder.flags)
        self.profile = HeapProfile(is_wanted=recorder.flags.get_bool("heap_profile"))
        self.fault_lines = fault_lines
        self._frames = frames
        self._reports_panics = recorder.flags.get_bool("report_panics")
        self._checks_partial = recorder.flags.asan.get_bool("poison_partial")
        self._last_outside: tuple[int, ...] = ()
        self._has_told_of_sleep = False
        self.places = Places(
            arena.view_record(memory_map.CONTEXT_ADDR, CONTEXT_DTYPE),
            self.stack_to_frames,
            globals_,
            word_to_frame,
        )
        self._sink = FindingSink(recorder, callbacks, frames, globals_)
        self.wild = WildAccesses(recorder.flags)
        self._guarded = GuardedFaults(recorder, frames, self._sink)
        reports = callbacks.race_reports
        self._races = RaceFaults(recorder, frames, self.places, self._sink, reports)
        self.expected, self.tags = self._races.expected, self._races.tags
        self.undefined = UndefinedReports(recorder, frames, self._sink)
        self.last_words: LastWords | None = None
        self.panics = Panics(self.stack_to_frames)

    @property
    def racing_sites(self) -> set[tuple[int, int]]:
        """Sites of the two accesses of each race so far, reported or not."""
        return self._races.pairs

    def handlers(self) -> dict[int, EventHandler]:
        """Event number -> handler, for `Machine`."""
        return {
            events.REPORT: self.report,
            events.CRASH: self.crash,
            events.IDLE: self.idle,
            events.ALLOCATED: self.allocated,
            events.FREEING: self.callbacks.freeing,
        }

    def stack_to_frames(self, stack_id: int) -> tuple[Frame, ...]:
        """Frames of a stack id."""
        return self._frames.of_stack(stack_id)

    def report(self, machine: Machine) -> Served:
        """A kernel has found something; it may ask for its call to be made again."""
        ctx = machine.ctx
        is_asked_again, ctx["fault"][ASK_AGAIN] = bool(ctx["fault"][ASK_AGAIN]), 0
        served = self._tell(machine)
        return Served(result=1) if is_asked_again and served.outcome is None else served

    def _tell(self, machine: Machine) -> Served:
        ctx = machine.ctx
        guarded = guarded_address(ctx)
        if guarded is not None:
            return self._guarded.serve_fault(machine, guarded)
        if is_memory_fault(ctx):
            if self._is_told_already(ctx):
                return Served()
            if not confirm_fault(ctx):
                return Served(result=1)  # the kernel looks again, at fresh mappings
            served = self.wild.serve(machine)
            if served is not None:
                return served
            fatal = self._recorder.flags.asan.get_bool("halt_on_error")
            self._tell_of_cookie(ctx)
            finding = diagnose_memory(self.places, self._frames.routine_name, fatal=fatal)
        elif is_bounds_fault(ctx):
            if not self._checks_partial and within_last_granule(ctx):
                return Served()
            fatal = self._recorder.flags.asan.get_bool("halt_on_error")
            finding = diagnose_bounds(self.places, fatal=fatal)
            self._last_outside = _access_facts(ctx)
        elif is_uninitialised_fault(ctx):
            finding = diagnose_uninitialised(
                self.places, self._frames.of_site, self._frames.routine_name,
                fatal=self._halts_on_uninitialised(),
            )  # fmt: skip
        elif is_provenance_fault(ctx):
            fatal = self._recorder.flags.asan.get_bool("halt_on_error")
            finding = diagnose_provenance(self.places, self._frames.of_site, fatal=fatal)
        else:
            served = self._races.serve(machine)
            if served is not None:
                return served
            raise InternalError(f"a kernel reported fault {int(ctx['fault'][0])}")
        return self._sink.record(machine, finding)

    def origin_story(self, word: int) -> tuple[str, tuple[Stack, ...]]:
        """What the value with an origin word was created by, and the stacks of its way."""
        return origin_story(self.places, self._frames.of_site, "T0", word)

    def _halts_on_uninitialised(self) -> bool:
        """Whether a use of an uninitialised value ends the program; it may say so itself."""
        survives = self._recorder.survives_uninitialised
        if survives is not None:
            return not survives
        view = self._recorder.flags.tool("msan")
        return view.get_bool("halt_on_error") and not view.get_bool("keep_going")

    def crash(self, machine: Machine) -> Served:
        """A native fault, or a signal that ends the program."""
        crash = read_crash(machine.ctx["crash"])
        if crash.has_address and is_guarded(machine.ctx, crash.address):
            return self._guarded.serve_crash(machine, crash, self._crash_stack(machine, crash))
        outcome = Outcome(signal=crash.signal)
        if self.wild.reports(crash.signal):
            self._report_crash(machine, crash)
        self._tell_where_threads_are(machine, crash)
        return Served(outcome=outcome)

    def _report_crash(self, machine: Machine, crash: Crash) -> None:
        thread, stack_id = machine.current_thread(), self._crash_stack(machine, crash)
        frames = self.stack_to_frames(stack_id)
        finding = diagnose_crash(crash, thread, frames, machine.ctx, self.stack_to_frames)
        finding = with_depth(with_constant(finding, self.places), machine.ctx, thread)
        if crash.signal == signal.SIGABRT and self.last_words is not None:
            note = self.last_words.of_crash(crash.rsp)
            if note.reason in ("", "abort") and has_panicked(frames):
                note = DeathNote("panic", note.message)
            finding = with_last_words(finding, note)
        if self._recorder.flags.get_bool("dump_instruction_bytes"):
            finding = replace(finding, details=_with_instruction_bytes(finding, crash.rip))
        self._sink.add(machine, finding, ends=True, sp=crash.rsp)

    def _tell_where_threads_are(self, machine: Machine, crash: Crash) -> None:
        """Who is ended by a signal from outside may hang: what each thread is at."""
        level = self._recorder.flags.get_int("dump_threads")
        if tells_of_end(machine.ctx, crash, level):
            head = f"irsan: ended by {sender_in_words(crash)}; its threads:\n"
            self._dump_threads(machine, head, with_stacks=shows_stacks(crash, level))

    def _tell_of_sleep(self, machine: Machine) -> None:
        """All threads have slept for long; a signal from outside could still wake one: say it."""
        level = self._recorder.flags.get_int("dump_threads")
        if level != NEVER and not self._has_told_of_sleep:
            self._has_told_of_sleep = True
            head = f"irsan: all threads have slept for {LONG_S} s, only a signal can wake them:\n"
            self._dump_threads(machine, head, with_stacks=level >= ALWAYS_STACKS)

    def _dump_threads(self, machine: Machine, head: str, *, with_stacks: bool) -> None:
        recorder = self._recorder
        finding = end_finding(machine, self.stack_to_frames)
        finding = recorder.user_code.marked(self._sink.explained(machine, finding))
        style = recorder.style(finding.tool)
        recorder.write(head + format_thread_dump(finding, style, with_stacks=with_stacks))

    def allocated(self, machine: Machine) -> Served:
        """A block was allocated, and the program or a limit wants to know."""
        addr, size_bytes, old_addr, is_due = (int(w) for w in machine.ctx["event"]["args"][:4])
        exceeded = self.limit.measure(machine) if is_due else None
        if is_due and self.profile.is_due(machine.ctx):
            style = self._recorder.style("AddressSanitizer")
            lines = heap_profile_lines(machine.ctx, self.stack_to_frames, style)
            self._recorder.write("\n".join([*lines, ""]))
        if exceeded is not None:
            stack_id = machine.runtime.kernel("current_stack_id") & 0xFFFF_FFFF
            thread = f"T{int(machine.current_thread()['tid'])}"
            stack = Stack("access", thread, self.stack_to_frames(stack_id))
            function = self._frames.routine_name(int(machine.ctx["routine"]))
            finding = limit_finding(thread, stack, function, size_bytes, exceeded)
            self._sink.add(machine, finding, ends=True)
            return Served(outcome=Outcome(is_stopped=True))
        if addr:
            self.callbacks.allocated(machine, addr, size_bytes, old_addr)
        elif not is_due:
            self._recorder.write(refusal_notice(self._recorder.sanitizers, size_bytes))
        return Served()

    def _crash_stack(self, machine: Machine, crash: Crash) -> int:
        """Stack id of a native fault, from the instruction's own site where a line table has it."""
        kernel, ctx = machine.runtime.kernel, machine.ctx
        behind = crash.signal == signal.SIGTRAP  # the only fault that leaves its instruction behind
        found = self.fault_lines.site_at(crash.rip - behind)
        if found is None:
            return kernel("current_stack_id") & 0xFFFF_FFFF
        before = int(ctx["site"]), int(ctx["routine"])
        ctx["routine"] = 0  # the program's own code runs, if inside a call of a library
        if found.has_frame:
            ctx["site"] = found.site
            stack_id = kernel("current_stack_id") & 0xFFFF_FFFF
        else:
            callers = kernel("current_stack_id") & 0xFFFF_FFFF
            stack_id = kernel("depot_put", callers, found.site) & 0xFFFF_FFFF
        ctx["site"], ctx["routine"] = before
        return stack_id

    def idle(self, machine: Machine) -> Served:
        """No thread can run: a deadlock, reported with every stack; or a signal must come."""
        if has_run_on(machine):
            finding = unending_finding(machine, self.stack_to_frames)
            self._recorder.add(self._sink.explained(machine, finding))
            return Served(outcome=Outcome(status=1, is_stopped=True))
        if passes_time(machine):
            return Served()
        finding = blocked_finding(machine, self.stack_to_frames)
        if finding.kind != DEADLOCK and may_be_woken(machine):
            await_signal(machine, partial(self._tell_of_sleep, machine))
            return Served()
        self._recorder.add(self._sink.explained(machine, finding))
        return Served(outcome=Outcome(status=1, is_stopped=True))

    def ended(self, machine: Machine, outcome: Outcome) -> Outcome:
        """The program has ended by itself: what it has left undone; how the run ends."""
        if outcome.is_stopped or outcome.signal:
            return outcome
        panic = self.panics.at_end(outcome) if self._reports_panics else None
        if panic is not None:
            self._recorder.add(panic)
        if not int(machine.ctx["sanitize_thread"]):
            return outcome
        for finding in left_behind(machine.ctx, self.stack_to_frames):
            if self._recorder.add(finding):
                return Outcome(outcome.status, is_stopped=True)
        return outcome

    def _tell_of_cookie(self, ctx: Any) -> None:
        """The delete[] that is about to be reported has read its array's length already."""
        cookie = int(ctx["interface"]["cookie_of_freed"])
        if cookie and cookie == int(ctx["fault"][1]):
            self._recorder.write(
                f"=={os.getpid()}==AddressSanitizer: loaded array cookie from free-d memory; "
                "expect a double-free report\n"
            )

    def _is_told_already(self, ctx: Any) -> bool:
        """Whether the shadow only repeats what the bounds of the same access have just said."""
        is_same = self._last_outside == _access_facts(ctx)
        self._last_outside = ()
        return is_same


def refusal_notice(sanitizers: frozenset[str], size_bytes: int) -> str:
    """The line about a null pointer that allocator_may_return_null=1 gave; some tools have none.

    size_bytes: what was asked for
    """
    tools = {"address": "AddressSanitizer", "leak": "LeakSanitizer"}
    tool = next((name for word, name in tools.items() if word in sanitizers), None)
    if tool is None:
        return ""
    return f"=={os.getpid()}==WARNING: {tool} failed to allocate {size_bytes:#x} bytes\n"


def _with_instruction_bytes(finding: Finding, pc: int) -> Details | None:
    """The facts of a signal with the code at its program counter, if that can be read."""
    facts = finding.details
    if not isinstance(facts, SignalFacts) or not arena.is_accessible(pc):
        return facts
    return replace(facts, instruction_bytes=ctypes.string_at(pc, _SHOWN_CODE_BYTES))


def _access_facts(ctx: Any) -> tuple[int, ...]:
    """Address, size, direction and stack of the access in ctx.fault."""
    address, size, flags, stack_id = (int(word) for word in ctx["fault"][1:5])
    return address, size, flags & _WRITE, stack_id
