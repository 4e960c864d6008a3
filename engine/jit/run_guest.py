"""Link the images, run the guest, collect findings, render reports, end the process rightly."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from irsan.engine.cache import Cache
from irsan.engine.flag_options import exclusive_signals, flags_to_options
from irsan.engine.jit.build import RuntimeImage
from irsan.engine.jit.crash import CrashHandler
from irsan.engine.jit.external_code import ExternalCode
from irsan.engine.jit.fault_lines import FaultLines
from irsan.engine.jit.findings import FindingsRecorder
from irsan.engine.jit.guest_callbacks import GuestCallbacks
from irsan.engine.jit.guest_link import LinkedProgram, link_program
from irsan.engine.jit.host_events import GuestEvents
from irsan.engine.jit.host_routines import host_routines
from irsan.engine.jit.image_memory import LinkedRuntime
from irsan.engine.jit.leak_searches import LeakSearches
from irsan.engine.jit.machine import GuestStart, Machine, Outcome
from irsan.engine.jit.odr_report import odr_findings
from irsan.engine.jit.own_suppressions import ask_for_suppressions
from irsan.engine.jit.program import ProgramImage
from irsan.engine.jit.race_limits import race_limits
from irsan.engine.jit.report_extras import sleep_for
from irsan.engine.jit.resident_limit import watch_allocations
from irsan.engine.jit.run_interface import RunInterface, function_frame
from irsan.engine.jit.run_symbols import RunSymbols
from irsan.engine.jit.self_launch import launcher, starts_programs
from irsan.engine.jit.site_frames import SiteFrames
from irsan.engine.jit.start_notes import memory_layout
from irsan.engine.jit.uninitialised_run import start_uninitialised
from irsan.engine.options import SAMPLING_SANITIZERS, RunOptions
from irsan.engine.recording.recorder import Recorder
from irsan.instrument.sites import SiteTable
from irsan.reports.model import AccessCount
from irsan.reports.text_frames import demangled
from irsan.runtime import arena, poison_records
from irsan.runtime import heap_records as hr
from irsan.runtime.access_counts import most_accessed
from irsan.runtime.descriptor_records import IO_SYNC
from irsan.runtime.flags import Flags
from irsan.runtime.hook_words import CHECKS_IOCTL
from irsan.runtime.interface_notes import (
    ADDED_ORDER,
    ANNOTATIONS_OFF,
    EXCLUSIVE_SIGNALS,
    JOINS_UNCHECKED,
    LIBRARY_UNSEEN,
    SEQ_CST,
)
from irsan.runtime.interface_words import FREE_SIZES_UNCHECKED
from irsan.runtime.registered_globals import (
    ignore_globals,
    poison_redzone,
    registered_globals_text,
)
from irsan.runtime.thread_states import DEFAULT_PREEMPT_MEAN
from irsan.streams import empty_filled_descriptors, fill_closed_descriptors, silence_stdout

_BUFFER_BYTES = 4096
_LIST_GLOBALS = 2  # report_globals
_HEAP_WORDS = {
    "live": hr.N_LIVE, "live_bytes": hr.LIVE_BYTES, "freed": hr.N_FREED,
    "quarantined": hr.N_QUARANTINED, "peak_bytes": hr.PEAK_BYTES, "units": hr.UNITS,
}  # fmt: skip
_FULLY_BUFFERED, _LINE_BUFFERED = 0, 1  # setvbuf's modes

if TYPE_CHECKING:
    from irsan.engine.session import Stages


@dataclass(frozen=True, slots=True)
class LinkedGuest:
    """A program and the runtime at their addresses in this process, ready to run once.

    Nothing of it has run: a process may be forked here, once per run.  `launchers` is the folder of
    scripts that start programs anew, None for one that starts none.
    """

    runtime_image: RuntimeImage
    runtime: LinkedRuntime
    program_image: ProgramImage
    program: LinkedProgram
    sites: SiteTable
    launchers: Path | None = None


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
) -> LinkedGuest:
    """Place a program beside the linked runtime."""
    checks_address = "address" in options.sanitize
    program = link_program(
        program_image, runtime, partial(cxx_archives, options, cache),
        reports_odr=checks_address,
    )  # fmt: skip
    sites = SiteTable.from_json(program_image.sites)
    is_starter = starts_programs(program.linker.native_names())
    launchers = cache.tool_dir("launchers") if is_starter else None
    return LinkedGuest(runtime_image, runtime, program_image, program, sites, launchers)


def run_guest(options: RunOptions, flags: Flags, guest: LinkedGuest, stages: Stages) -> int:
    """Run a linked program and end the process as its run says; it never returns."""
    recorder = FindingsRecorder(options, flags, guest.program_image.key, stages)
    routines = guest.runtime_image.routines
    frames = SiteFrames(guest.sites, routines, str(options.programs[0]))
    named = partial(function_frame, guest.program, str(options.programs[0]))
    callbacks = GuestCallbacks(recorder, guest.program.linker.symbols)
    lines = FaultLines(guest.program.linker, guest.program_image.objects)
    events = GuestEvents(recorder, frames, guest.program.globals, named, callbacks, lines)
    machine = Machine(guest.runtime, events.handlers(), host_routines(routines))
    machine.on_fork = recorder.start_child
    symbols = RunSymbols(
        events.places, named, lambda: recorder.style("AddressSanitizer")
    )
    callbacks.race_reports.remember = symbols.remember
    external_code = ExternalCode(callbacks.call, guest.program.linker.symbols)
    frames.of_code, frames.of_external_code = named, external_code.frames_at
    machine.interface = RunInterface(recorder, callbacks, symbols, events, external_code)
    words = flags_to_options(flags, options.sanitize)
    tracing = Recorder(options.trace, frames.of_site) if options.trace else None
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
    start_uninitialised(options.sanitize, flags, routines)
    how_globals = _poison_globals(options, flags, guest)
    sleep_for(flags, "sleep_before_init", recorder.write)
    is_told = "address" in options.sanitize and flags.asan.get_int("verbosity") > 0
    if is_told:
        recorder.write("\n".join([*memory_layout(flags, words), ""]))
    machine.leaks = leaks = LeakSearches(
        recorder,
        events.stack_to_frames,
        guest.program.writable_segments(),
        is_wanted="leak" in options.sanitize,
    )
    leaks.start(machine.ctx, guest.program.linker.symbols)
    machine.start_main(_start(options, guest))
    callbacks.start(machine)
    external_code.start(machine)
    events.limit.start(machine)
    if events.profile.is_wanted:
        watch_allocations(machine)
    _set_interface_words(machine, flags)
    if tracing is not None:
        tracing.start(machine.ctx)
    if is_told:
        recorder.write(f"=={os.getpid()}==AddressSanitizer Init done\n")
    sleep_for(flags, "sleep_after_init", recorder.write)
    sys.stdout.flush()
    _buffer_standard_streams()
    if flags.get_bool("disable_coredump"):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    started = time.perf_counter()
    with CrashHandler(guest.runtime.symbols):
        ask_for_suppressions(machine, recorder, guest.program.linker.symbols)
        outcome = _report_odr(options, recorder, guest)
        if not outcome.is_stopped:
            outcome = _run_program(machine, callbacks, events)
    leaks.search_after_exit(machine)
    stages.run_s = time.perf_counter() - started
    if outcome.is_stopped:  # a program that ends by itself has flushed what it wants to
        _flush_guest_streams()
    if how_globals >= _LIST_GLOBALS:
        module = str(options.programs[0])
        recorder.write(registered_globals_text(os.getpid(), module, demangled))
    recorder.write(race_limits(machine.ctx))
    recorder.statistics = _access_counts(options, flags, events, frames)
    status = recorder.finish(outcome)
    if tracing is not None:
        status = tracing.finish(machine.ctx) or status
    if options.stats:
        _print_stats(machine, guest.program, len(recorder.findings))
    if recorder.ends_by_abort(outcome):
        return _end_process(Outcome(signal=signal.SIGABRT), status, has_findings=False)
    return _end_process(outcome, status, bool(recorder.findings))


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


def _run_program(machine: Machine, callbacks: GuestCallbacks, events: GuestEvents) -> Outcome:
    empty_filled_descriptors()
    callbacks.initialised(machine)
    outcome = machine.run()
    if not (outcome.is_stopped or outcome.signal):
        callbacks.finished(machine)
    fill_closed_descriptors()
    _disarm_timers()
    return events.ended(machine, outcome)


def _set_interface_words(machine: Machine, flags: Flags) -> None:
    """What kernels and glue ask of flags beside the options."""
    words = machine.ctx["interface"]
    words[EXCLUSIVE_SIGNALS] = exclusive_signals(flags)
    n_kept = min(max(flags.asan.get_int("track_poison"), 0), poison_records.MAX_ENTRIES)
    words[poison_records.N_KEPT] = n_kept
    is_checked = flags.asan.get_bool("free_size_mismatch")
    words[ANNOTATIONS_OFF] = int(not flags.tsan.get_bool("enable_annotations"))
    words[FREE_SIZES_UNCHECKED] = int(not is_checked)
    words[CHECKS_IOCTL] = int(flags.asan.get_bool("handle_ioctl"))
    forces_order = flags.tsan.get_bool("force_seq_cst_atomics")
    words[ADDED_ORDER] = SEQ_CST if forces_order else 0
    words[LIBRARY_UNSEEN] = int(flags.tsan.get_bool("ignore_interceptors_accesses"))
    words[JOINS_UNCHECKED] = int(not flags.get_bool("detect_invalid_join"))
    machine.dies_after_fork = flags.tsan.get_bool("die_after_fork")
    machine.ctx["sync"][IO_SYNC] = flags.tsan.get_int("io_sync")


def _disarm_timers() -> None:
    """A timer of the program would end this process once its handler is gone."""
    for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
        signal.setitimer(timer, 0)


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


def _report_odr(options: RunOptions, recorder: FindingsRecorder, guest: LinkedGuest) -> Outcome:
    """Conflicting definitions are told before the program runs; whether that stops it."""
    conflicts = guest.program_image.odr
    if "address" not in options.sanitize or conflicts == "[]":
        return Outcome()
    level = recorder.flags.asan.get_int("detect_odr_violation")
    symbols = guest.program.linker.symbols
    fatal = recorder.flags.asan.get_bool("halt_on_error")
    found = odr_findings(conflicts, level, symbols, fatal=fatal)
    return Outcome(is_stopped=any(recorder.add(finding) for finding in found))


def cxx_archives(options: RunOptions, cache: Cache) -> list[Path]:
    """The C++ library of the bundled compiler, built on first use."""
    from irsan.engine.compilers import choose_compiler, compiler_environment
    from irsan.engine.jit.zig_runtime import zig_cxx_archives
    from irsan.engine.session import progress_printer

    compiler = choose_compiler(options.cc, options.environment, cache)
    if compiler.kind != "zig":
        compiler = choose_compiler(f"{sys.executable} -m ziglang", options.environment, cache)
    environment = compiler_environment(options.environment, cache.tool_dir("zig"))
    progress = progress_printer(options)
    return zig_cxx_archives(compiler.cxx, compiler.identity, environment, progress)


def _start(options: RunOptions, guest: LinkedGuest) -> GuestStart:
    program, name = guest.program, options.programs[0]
    if guest.launchers is not None:
        name = launcher(options, guest.launchers)
    words = [str(name), *options.arguments]
    environment = [f"{name}={value}" for name, value in options.environment.items()]
    return GuestStart(
        main=program.main,
        constructors=program.constructors,
        finalizers=program.finalizers,
        arguments=[os.fsencode(word) for word in words],
        environment=[os.fsencode(word) for word in environment],
        tls_image=program.tls_image,
        tls_offset=program.tls_offset,
        swapped_tls=program.swapped_tls,
        cxx=program.cxx,
    )


def _buffer_standard_streams() -> None:
    """What a C program finds at its start: `python -u` has made these streams unbuffered."""
    if not os.environ.get("PYTHONUNBUFFERED"):
        return
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    for name, number in (("stdin", 0), ("stdout", 1)):
        mode = _LINE_BUFFERED if os.isatty(number) else _FULLY_BUFFERED
        # Without a buffer of ours, a stream that was unbuffered keeps its one byte.
        buffer = ctypes.c_void_p(libc.malloc(_BUFFER_BYTES))
        stream = ctypes.c_void_p.in_dll(libc, name)
        libc.setvbuf(stream, buffer, mode, ctypes.c_size_t(_BUFFER_BYTES))


def _flush_guest_streams() -> None:
    ctypes.CDLL(None).fflush(None)


def _end_process(outcome: Outcome, status: int, has_findings: bool) -> int:
    try:
        sys.stdout.flush()
    except OSError:
        silence_stdout()  # the sink has said so, and has written to standard error instead
    sys.stderr.flush()
    if outcome.signal and not has_findings:
        signal.signal(outcome.signal, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {outcome.signal})
        os.kill(os.getpid(), outcome.signal)
    os._exit(status)


def _print_stats(machine: Machine, program: LinkedProgram, n_findings: int) -> None:
    ctx = machine.ctx
    lines = [
        f"irsan: stats: {int(ctx['n_switches'])} thread switches, "
        f"{int(ctx['next_tid'])} threads, virtual time {int(ctx['clock_ns']) / 1e9:.6f} s, "
        f"{n_findings} findings"
    ]
    heap = {name: int(ctx["heap"][word]) for name, word in _HEAP_WORDS.items()}
    lines.append(
        f"irsan: stats: heap: {heap['live']} blocks of {heap['live_bytes']} bytes live, "
        f"{heap['freed']} freed, {heap['quarantined']} in quarantine, "
        f"{heap['peak_bytes']} bytes at most, {heap['units'] * hr.UNIT_BYTES} bytes of memory"
    )
    calls = program.native_calls()
    if calls:
        lines.append("irsan: stats: functions called natively, without an interceptor:")
        lines += [f"  {count:>12}  {name}" for name, count in calls.items()]
    print("\n".join(lines), file=sys.stderr)
