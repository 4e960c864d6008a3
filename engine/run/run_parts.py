"""The parts that serve one run of a program, wired to each other and to its machine.

    recorder        collects findings and writes them
    events          answers the kernels; asks callbacks, the program's own functions
    symbols         names places for the program; external_code, places that are not ours to know
    tracing         writes the trace of the run, if one is wanted
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from irsan.engine.findings.fault_lines import FaultLines
from irsan.engine.findings.findings import FindingsRecorder
from irsan.engine.findings.guest_callbacks import GuestCallbacks
from irsan.engine.findings.host_events import GuestEvents
from irsan.engine.findings.injected import behind_injected, injection_of
from irsan.engine.findings.last_words import LastWords
from irsan.engine.findings.leak_searches import LeakSearches
from irsan.engine.findings.resident_limit import watch_allocations
from irsan.engine.findings.run_symbols import RunSymbols
from irsan.engine.findings.site_frames import SiteFrames
from irsan.engine.flag_options import exclusive_signals, flags_to_options
from irsan.engine.guest.guest_timers import set_calendar, start_file_times
from irsan.engine.guest.machine import GuestStart, Machine
from irsan.engine.options import SAMPLING_SANITIZERS, RunOptions
from irsan.engine.recording.recorder import Recorder
from irsan.engine.run.external_code import ExternalCode
from irsan.engine.run.provenance_run import start_provenance
from irsan.engine.run.run_interface import RunInterface, function_frame
from irsan.engine.run.uninitialised_run import start_uninitialised
from irsan.runtime.flags.flags import Flags
from irsan.runtime.layout.thread_states import DEFAULT_PREEMPT_MEAN
from irsan.runtime.records.memory import poison_records
from irsan.runtime.views.sync_history import start_ring

if TYPE_CHECKING:
    from irsan.engine.run.prepared import Stages
    from irsan.engine.run.run_guest import LinkedGuest

_SEQ_CST: Final = 5  # as a number of LLVM's memory orders


@dataclass(frozen=True, slots=True)
class RunParts:
    """One run's parts; `words` are the options that kernels read."""

    machine: Machine
    recorder: FindingsRecorder
    frames: SiteFrames
    callbacks: GuestCallbacks
    events: GuestEvents
    external_code: ExternalCode
    leaks: LeakSearches
    tracing: Recorder | None
    words: dict[int, int]
    keeps_timeline: bool

    def start(self, start: GuestStart, flags: Flags) -> None:
        """Begin the program's main thread, which runs nothing yet, and what looks at its memory."""
        self.machine.start_main(start)
        self.callbacks.start(self.machine)
        self.external_code.start(self.machine)
        self.events.limit.start(self.machine)
        if self.events.profile.is_wanted:
            watch_allocations(self.machine)
        _set_interface_words(self.machine, flags)
        if self.tracing is not None:
            self.tracing.start(self.machine.ctx)
        elif self.keeps_timeline:
            start_ring(self.machine.ctx)


def wire_parts(
    options: RunOptions, flags: Flags, guest: LinkedGuest, stages: Stages
) -> RunParts:
    """The parts of a linked program's run, with the machine's options set."""
    recorder = FindingsRecorder(options, flags, guest.program_image.key, stages)
    routines, linker = guest.runtime_image.routines, guest.program.linker
    frames = SiteFrames(
        guest.sites, routines, str(options.programs[0]),
        shows_syscall_hooks="address" in options.sanitize,
    )  # fmt: skip
    named = partial(function_frame, guest.program, str(options.programs[0]))
    callbacks = GuestCallbacks(recorder, linker.symbols)
    lines = FaultLines(linker, guest.program_image.objects)
    lines.add_numbered(linker, guest.program.library_objects)
    events = GuestEvents(recorder, frames, guest.program.globals, named, callbacks, lines)
    program = guest.program
    events.last_words = LastWords(callbacks.call, program.function, program.is_own_call)
    events.last_words.panics = events.panics
    machine = Machine(guest.runtime, events.handlers(), guest.host_routines)
    machine.on_fork = recorder.start_child
    if options.inject:
        recorder.explained = partial(behind_injected, machine.ctx, frames)
        recorder.injection = partial(injection_of, machine.ctx, options.inject)
    symbols = RunSymbols(events.places, named, lambda: recorder.style("AddressSanitizer"))
    callbacks.race_reports.remember = symbols.remember
    external_code = ExternalCode(callbacks.call, linker.symbols)
    frames.of_code, frames.of_external_code = named, external_code.frames_at
    machine.interface = RunInterface(recorder, callbacks, symbols, events, external_code)
    tracing = Recorder(options.trace, frames.of_site) if options.trace else None
    words = _configure(machine, options, flags, tracing)
    start_uninitialised(options.sanitize, flags, routines)
    start_provenance(options.sanitize)
    leaks = _leak_searches(options, guest, recorder, events)
    machine.leaks = leaks
    return RunParts(
        machine, recorder, frames, callbacks, events, external_code, leaks, tracing, words,
        keeps_timeline=recorder.writes_data and _wants_timeline(options, flags),
    )  # fmt: skip


def _configure(
    machine: Machine, options: RunOptions, flags: Flags, tracing: Recorder | None
) -> dict[int, int]:
    words = flags_to_options(flags, options.sanitize)
    if tracing is not None:
        words = tracing.option_words(words)
        machine.on_fork = tracing.before_child(machine.on_fork)
    machine.configure(
        options.seed,
        DEFAULT_PREEMPT_MEAN,
        words,
        address="address" in options.sanitize,
        thread="thread" in options.sanitize,
        plain_heap=options.sanitize <= SAMPLING_SANITIZERS,
    )
    set_calendar(options.clock_s)
    start_file_times(options.clock_s)
    return words


def _wants_timeline(options: RunOptions, flags: Flags) -> bool:
    return "thread" in options.sanitize and flags.tsan.get_bool("timeline")


def _leak_searches(
    options: RunOptions, guest: LinkedGuest, recorder: FindingsRecorder, events: GuestEvents
) -> LeakSearches:
    return LeakSearches(
        recorder,
        events.stack_to_frames,
        guest.program.writable_segments,
        guest.host_libraries,
        is_wanted="leak" in options.sanitize,
    )


def _set_interface_words(machine: Machine, flags: Flags) -> None:
    """What kernels and glue ask of flags beside the options."""
    words = machine.ctx["interface"]
    words["exclusive_signals"] = exclusive_signals(flags)
    n_kept = min(max(flags.asan.get_int("track_poison"), 0), poison_records.MAX_ENTRIES)
    words["n_poisonings_kept"] = n_kept
    is_checked = flags.asan.get_bool("free_size_mismatch")
    words["annotations_off"] = int(not flags.tsan.get_bool("enable_annotations"))
    words["free_sizes_unchecked"] = int(not is_checked)
    words["checks_ioctl"] = int(flags.asan.get_bool("handle_ioctl"))
    forces_order = flags.tsan.get_bool("force_seq_cst_atomics")
    words["added_order"] = _SEQ_CST if forces_order else 0
    words["library_unseen"] = int(flags.tsan.get_bool("ignore_interceptors_accesses"))
    words["joins_unchecked"] = int(not flags.get_bool("detect_invalid_join"))
    machine.dies_after_fork = flags.tsan.get_bool("die_after_fork")
    machine.ctx["descriptors"]["io_sync"] = flags.tsan.get_int("io_sync")
