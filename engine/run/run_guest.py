"""Link the images, run the guest, collect findings, render reports, end the process rightly."""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from irsan.engine.cache import Cache
from irsan.engine.findings.crash import CrashHandler
from irsan.engine.findings.findings import FindingsRecorder
from irsan.engine.findings.host_events import GuestEvents
from irsan.engine.findings.odr_report import conflicts_of, odr_findings
from irsan.engine.findings.run_limits import run_limits
from irsan.engine.findings.site_frames import SiteFrames
from irsan.engine.glue.gaps import PAGE_BYTES
from irsan.engine.guest.arena_gaps import close_arena, close_range
from irsan.engine.guest.explored_schedule import begin_schedule, may_try_locks
from irsan.engine.guest.guest_link import LinkedProgram, link_program, opens_libraries
from irsan.engine.guest.guest_timers import set_calendar, start_file_times
from irsan.engine.guest.image_memory import LinkedRuntime
from irsan.engine.guest.injected_failures import begin_injection
from irsan.engine.guest.machine import GuestStart, Outcome
from irsan.engine.guest.openmp_settings import start_openmp, uses_openmp
from irsan.engine.guest.own_descriptors import own_standard_error, tell_kernels
from irsan.engine.guest.own_limits import lift_limits
from irsan.engine.guest.program_symbols import ProgramSymbols
from irsan.engine.guest.shown_variables import shown_variables
from irsan.engine.options import RunOptions
from irsan.engine.program_image.program import ProgramImage
from irsan.engine.reporting.report_extras import sleep_for
from irsan.engine.reporting.run_stats import print_stats
from irsan.engine.run.cxx_library import RunCxxLibrary
from irsan.engine.run.host_routines import Routine, host_routines
from irsan.engine.run.opened_libraries import OpenedLibraries
from irsan.engine.run.own_suppressions import ask_for_suppressions, brings_suppressions
from irsan.engine.run.run_parts import RunParts, wire_parts
from irsan.engine.run.run_process import (
    disarm_timers,
    end_process,
    flush_guest_streams,
    prepare_process,
)
from irsan.engine.run.run_surroundings import keep_what_reports_need
from irsan.engine.run.self_launch import launcher, starts_programs
from irsan.engine.run.start_notes import memory_layout
from irsan.engine.runtime_image.image import RuntimeImage
from irsan.instrument.sites.sites import JoinedSites, sites_of
from irsan.reports.model.names import demangled
from irsan.reports.model.report import AccessCount
from irsan.runtime import arena
from irsan.runtime.diagnosis.access_counts import most_accessed
from irsan.runtime.flags.flags import Flags
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.inject_words import CLOCK
from irsan.runtime.process_files import keep_root, keep_spare
from irsan.runtime.views.heap_view import heap_top
from irsan.runtime.views.native_roots import host_libraries
from irsan.runtime.views.registered_globals import (
    ignore_globals,
    poison_redzone,
    registered_globals_text,
)
from irsan.streams import empty_filled_descriptors, fill_closed_descriptors

_LIST_GLOBALS = 2  # report_globals

if TYPE_CHECKING:
    from irsan.engine.run.prepared import Stages
    from irsan.instrument.globals.odr import Conflict


@dataclass(frozen=True, slots=True)
class LinkedGuest:
    """A program and the runtime at their addresses in this process, ready to run once.

    Nothing of it has run: a process may be forked here, once per run.  `launchers` is the folder of
    scripts that start programs anew, None for one that starts none.  `host_libraries`: those
    that were loaded before the program was linked.  `host_routines`: what serves exports in Python,
    looked up here, as a forked process would copy each page of the tables.
    """

    runtime_image: RuntimeImage
    runtime: LinkedRuntime
    program_image: ProgramImage
    program: LinkedProgram
    sites: JoinedSites
    host_routines: Mapping[int, Routine]
    launchers: Path | None = None
    host_libraries: frozenset[str] = frozenset()


def link_runtime(image: RuntimeImage) -> LinkedRuntime:
    """Reserve the arena and place the runtime in it."""
    arena.reserve_arena()
    return LinkedRuntime(image)


def link_guest(
    runtime_image: RuntimeImage,
    runtime: LinkedRuntime,
    program_image: ProgramImage,
    options: RunOptions,
    cache: Cache,
    served: Mapping[int, Routine] | None = None,
) -> LinkedGuest:
    """Place a program beside the linked runtime. served: of host_routines, where that is known."""
    checks_address = "address" in options.sanitize
    before = host_libraries()
    library = RunCxxLibrary(options, cache, runtime_image, program_image.plan.checked_level)
    program = link_program(program_image, runtime, library, cache, reports_odr=checks_address)
    sites = sites_of(program_image.sites)
    sites.add_late(library.sites())
    is_starter = starts_programs(program.linker.undefined_names)
    launchers = cache.tool_dir("launchers") if is_starter else None
    served = host_routines(runtime_image.routines) if served is None else served
    return LinkedGuest(
        runtime_image, runtime, program_image, program, sites, served, launchers, before
    )


@dataclass(frozen=True, slots=True)
class StartedGuest:
    """A guest whose first instruction has not run yet, with all that serves it.

    A process may be forked here, once per schedule.  `how_globals`: the flag report_globals;
    `conflicts`: definitions to be reported;  `has_tries`: of begin_schedule.
    """

    options: RunOptions
    flags: Flags
    guest: LinkedGuest
    stages: Stages
    parts: RunParts
    how_globals: int
    conflicts: Sequence[Conflict] = ()
    has_tries: bool = False


def run_guest(options: RunOptions, flags: Flags, guest: LinkedGuest, stages: Stages) -> int:
    """Run a linked program and end the process as its run says; it never returns."""
    started = start_guest(options, flags, guest, stages)
    return _end(started, play_guest(started, options))


def start_guest(
    options: RunOptions, flags: Flags, guest: LinkedGuest, stages: Stages
) -> StartedGuest:
    """Bring a linked program to its first instruction."""
    own_stderr = own_standard_error()
    parts = wire_parts(options, flags, guest, stages)
    files = parts.recorder.report_files.descriptors
    for descriptor in (own_stderr, keep_root(), *files, *keep_spare()):
        if descriptor is not None:
            tell_kernels(parts.machine.ctx, descriptor)
    how_globals = _poison_globals(options, flags, guest)
    _start(parts, options, flags, guest)
    prepare_process(flags)
    conflicts = conflicts_of(guest.program_image) if "address" in options.sanitize else ()
    has_tries = may_try_locks(guest.program.linker.undefined_names)
    return StartedGuest(
        options, flags, guest, stages, parts, how_globals, conflicts, has_tries
    )  # fmt: skip


def play_guest(started: StartedGuest, schedule: RunOptions) -> Outcome:
    """Run a started guest to its end and search for leaks.

    schedule: options whose seed, scheduler and words decide how threads take turns
    """
    choose_schedule(started, schedule)
    empty_filled_descriptors()
    with CrashHandler(started.guest.runtime.symbols):
        return play_chosen(started)


def choose_schedule(
    started: StartedGuest, schedule: RunOptions, is_traced: bool = False
) -> None:
    """Say how the threads of a started guest will take turns; is_traced: its events are left."""
    begin_schedule(
        started.parts.machine, schedule.seed, schedule.scheduler, schedule.scheduler_words,
        has_tries=started.has_tries, is_traced=is_traced,
    )  # fmt: skip
    begin_injection(started.parts.machine.ctx, schedule.seed, schedule.inject)
    if CLOCK in schedule.inject:  # each schedule has a date of its own
        set_calendar(schedule.clock_s)
        start_file_times(schedule.clock_s)


def is_plain_run(started: StartedGuest) -> bool:
    """Whether nothing has to be done between a choice of schedule and the guest's first event."""
    parts, symbols = started.parts, started.guest.program.linker.symbols
    is_asked = brings_suppressions(symbols) or parts.callbacks.knows_of_run
    return not (is_asked or started.conflicts or parts.recorder.suppressed())


def play_chosen(started: StartedGuest) -> Outcome:
    """Run a guest whose schedule is chosen, while its crashes are caught."""
    parts, guest = started.parts, started.guest
    started_s = time.perf_counter()
    ask_for_suppressions(parts.machine, parts.recorder, guest.program.linker.symbols)
    outcome = Outcome()
    if started.conflicts:
        outcome = _report_odr(started.conflicts, parts.recorder, guest)
    if not outcome.is_stopped:
        outcome = _run_program(parts)
    parts.leaks.search_after_exit(parts.machine)
    started.stages.run_s = time.perf_counter() - started_s
    if outcome.is_stopped:  # a program that ends by itself has flushed what it wants to
        flush_guest_streams()
    return outcome


def _end(started: StartedGuest, outcome: Outcome) -> int:
    """Report what was found and end the process."""
    options, flags, parts = started.options, started.flags, started.parts
    recorder = parts.recorder
    if started.how_globals >= _LIST_GLOBALS:
        module = str(options.programs[0])
        recorder.write(registered_globals_text(os.getpid(), module, demangled))
    status = _finish(parts, options, flags, outcome)
    if options.stats:
        print_stats(parts.machine, started.guest.program, len(recorder.findings))
    return leave_process(recorder, outcome, status)


def leave_process(recorder: FindingsRecorder, outcome: Outcome, status: int) -> int:
    """End this process as the program and its findings say; it never returns."""
    if recorder.ends_by_abort(outcome):
        return end_process(Outcome(signal=signal.SIGABRT), status, has_findings=False)
    return end_process(outcome, status, has_findings=bool(recorder.findings))


def _start(parts: RunParts, options: RunOptions, flags: Flags, guest: LinkedGuest) -> None:
    """All up to the program's first instruction, printed and delayed as the flags say."""
    recorder = parts.recorder
    sleep_for(flags, "sleep_before_init", recorder.write)
    is_told = "address" in options.sanitize and flags.asan.get_int("verbosity") > 0
    if is_told:
        recorder.write("\n".join([*memory_layout(flags, parts.words), ""]))
    parts.leaks.start(parts.machine.ctx, guest.program.linker.symbols)
    _close_gaps(parts, guest, has_shadow="address" in options.sanitize)
    if uses_openmp(guest.program.linker.undefined_names):
        entry = guest.runtime.symbols["__irsan_omp_worker"]
        start_openmp(options.environment, entry, recorder.write)
    parts.start(_guest_start(options, guest), flags)
    _know_itself(parts, options, guest)
    end = -(-parts.machine.start_end // PAGE_BYTES) * PAGE_BYTES
    close_range(end, memory_map.START_HI, has_shadow="address" in options.sanitize)
    if is_told:
        recorder.write(f"=={os.getpid()}==AddressSanitizer Init done\n")
    sleep_for(flags, "sleep_after_init", recorder.write)


def _know_itself(parts: RunParts, options: RunOptions, guest: LinkedGuest) -> None:
    """What the program can ask about its own code and surroundings."""
    machine = parts.machine
    memory, linker = machine.start_memory, guest.program.linker
    path = ctypes.string_at(memory.path)
    own = ProgramSymbols.of_run(linker, guest.runtime, os.fsdecode(path), memory.auxiliary)
    machine.own_symbols = own
    own.images = (guest.program, guest.sites)
    if opens_libraries(guest.program_image):
        own.opened = _opened_libraries(parts, options, guest, guest.sites)
    machine.ctx["outside"]["program_info"] = own.describe_program()
    machine.before_leaving = partial(keep_what_reports_need, options, guest.sites.files)


def _opened_libraries(
    parts: RunParts, options: RunOptions, guest: LinkedGuest, sites: JoinedSites
) -> OpenedLibraries:
    from irsan.engine.run.prepared import prepare_library

    return OpenedLibraries(
        guest.program, guest.runtime, sites, parts.events.fault_lines,
        partial(prepare_library, options, guest.runtime_image),
        has_shadow="address" in options.sanitize,
    )  # fmt: skip


def _close_gaps(parts: RunParts, guest: LinkedGuest, *, has_shadow: bool) -> None:
    """What belongs to no object of the program, nor to irsan, is inaccessible from now on."""
    segments = [*guest.runtime.segments, *guest.program.linker.segments]
    record = (memory_map.CONTEXT_ADDR, memory_map.CONTEXT_ADDR + memory_map.CONTEXT_SIZE)
    close_arena(
        [
            record,
            *((one.lo, one.hi) for one in segments),
            (memory_map.START_LO, memory_map.START_HI),
        ],
        [(one.lo, one.hi) for one in guest.runtime.segments if one.prot & mmap.PROT_WRITE],
        shown_variables(guest.runtime.symbols),
        heap_top(parts.machine.ctx),
        has_shadow=has_shadow,
    )
    if signal.SIGSEGV in signal.pthread_sigmask(signal.SIG_BLOCK, ()):
        parts.machine.runtime.kernel("stop_asking")


def _finish(parts: RunParts, options: RunOptions, flags: Flags, outcome: Outcome) -> int:
    """Write what is reported at the end of a run; returns its exit status."""
    recorder, ctx = parts.recorder, parts.machine.ctx
    recorder.write(run_limits(ctx))
    recorder.statistics = _access_counts(options, flags, parts.events, parts.frames)
    status = recorder.finish(outcome)
    if parts.tracing is not None:
        status = parts.tracing.finish(ctx) or status
    return status


def _poison_globals(options: RunOptions, flags: Flags, guest: LinkedGuest) -> int:
    """Poison what lies between globals as the flags say; returns report_globals."""
    how_globals = flags.asan.get_int("report_globals")
    if not how_globals:
        ignore_globals()
    elif "address" in options.sanitize:
        partly = flags.asan.get_bool("poison_partial")
        for lo, hi in guest.program.linker.redzones:
            poison_redzone(lo if partly else -(-lo // 8) * 8, hi)
    return how_globals


def _run_program(parts: RunParts) -> Outcome:
    machine = parts.machine
    parts.callbacks.initialised(machine)
    outcome = machine.run()
    if not (outcome.is_stopped or outcome.signal):
        parts.callbacks.finished(machine)
    lift_limits()
    fill_closed_descriptors()
    disarm_timers()
    return parts.events.ended(machine, outcome)


def _access_counts(
    options: RunOptions, flags: Flags, events: GuestEvents, frames: SiteFrames
) -> tuple[AccessCount, ...]:
    view = flags.dbsan
    if "dumb" not in options.sanitize or not view.get_bool("print_frequent_access"):
        return ()
    return most_accessed(
        events.places,
        frames.of_site,
        top=view.get_int("top"),
        min_count=view.get_int("min_count"),
    )


def _report_odr(
    conflicts: Sequence[Conflict], recorder: FindingsRecorder, guest: LinkedGuest
) -> Outcome:
    """Conflicting definitions are reported before the program runs; whether that stops it."""
    level = recorder.flags.asan.get_int("detect_odr_violation")
    symbols = guest.program.linker.symbols
    fatal = recorder.flags.asan.get_bool("halt_on_error")
    found = odr_findings(conflicts, level, symbols, fatal=fatal)
    return Outcome(is_stopped=any(recorder.add(finding) for finding in found))


def _guest_start(options: RunOptions, guest: LinkedGuest) -> GuestStart:
    program, name = guest.program, options.programs[0]
    if guest.launchers is not None and not options.argv0:
        name = launcher(options, guest.launchers)
    words = [options.argv0 or str(name), *options.arguments]
    path = Path(name).absolute()
    environment = [f"{name}={value}" for name, value in options.environment.items()]
    return GuestStart(
        main=program.main,
        constructors=program.constructors,
        finalizers=program.finalizers,
        arguments=[os.fsencode(word) for word in words],
        environment=[os.fsencode(word) for word in environment],
        path=os.fsencode(path),
        tls_image=program.tls_image,
        tls_offset=program.tls_offset,
        swapped_tls=program.swapped_tls,
        first_tls_module=program.first_tls_module,
        cxx=program.cxx,
        stack_bytes=_main_stack_bytes(options.engine, len(program.tls_image)),
    )


def _main_stack_bytes(engine: str, tls_bytes: int) -> int:
    """What the main thread's slot has room for where frames are larger than compiled ones."""
    if engine != "interp":
        return memory_map.DEFAULT_STACK_BYTES
    return max(
        memory_map.DEFAULT_STACK_BYTES, memory_map.STACK_SLOT_BYTES - memory_map.MIB - tls_bytes
    )
