"""One run from the command line's options to the exit status.

    compile -> build or load images -> link -> run the guest -> report -> end the process

The guest runs in this very process, so the last act is `os._exit`: no destructor of a library that
the guest has used runs twice, and what the guest left undone stays undone.
"""

from __future__ import annotations

import datetime
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from irsan.engine.cache import Cache, open_cache, print_notice, say_once
from irsan.engine.options import AVAILABLE_SANITIZERS, RunOptions
from irsan.engine.progress import standard_progress
from irsan.engine.replay import HASH_DIGITS, parse_replay_token
from irsan.errors import MissingSymbolsError, OutputError, UnsupportedError, UsageError

if TYPE_CHECKING:
    from irsan.engine.frontend import CompiledUnit
    from irsan.engine.jit.build import RuntimeImage
    from irsan.engine.jit.image_memory import LinkedRuntime
    from irsan.engine.jit.program import ProgramImage
    from irsan.runtime.flag_table import Owner
    from irsan.runtime.flags import Flags


@dataclass(slots=True)
class Stages:
    """Seconds spent per stage of a run, when it started, and what the program was made of."""

    frontend_s: float = 0.0
    instrument_s: float = 0.0
    codegen_s: float = 0.0
    run_s: float = 0.0
    is_cached: bool = False
    started: str = ""
    units: Sequence[CompiledUnit] = ()


@dataclass(frozen=True, slots=True)
class PreparedProgram:
    """Images of the runtime and of a program, what making them took, its own default options.

    units: what the program was made of.
    """

    runtime: RuntimeImage
    program: ProgramImage
    stages: Stages
    cache: Cache
    defaults: Mapping[Owner, str]
    units: Sequence[CompiledUnit]


@dataclass(frozen=True, slots=True)
class ReadyRuntime:
    """The runtime, linked in this process.

    start_afresh: becomes a process of its own, for a program that cannot run in this one.
    """

    image: RuntimeImage
    linked: LinkedRuntime
    start_afresh: Callable[[], NoReturn]


def run(options: RunOptions, ready: ReadyRuntime | None = None) -> int:
    """Run a program under the sanitizers; returns its exit status.

    ready: a runtime that this process has linked, from the same sources; None to link one.
    Raises UsageError (2) for bad input, UnsupportedError (69), InternalError (70).
    """
    from irsan.engine.frontend import check_readable_program
    from irsan.runtime.numpy_import import import_numpy_alone

    for program in options.programs:
        check_readable_program(program, may_be_native=True)
    for target in options.reports:
        if target.path is not None and not target.is_per_process:
            require_writable(target.path)
    if options.trace is not None and "thread" not in options.sanitize:
        raise UsageError("a trace is what the race detector sees: add thread to --sanitize")
    _refuse_preloaded(options.environment)
    import_numpy_alone()
    from irsan.engine.jit.run_guest import link_guest, link_runtime, run_guest
    from irsan.engine.snapshot.own_loader import needs_own_loader

    started = datetime.datetime.now(datetime.timezone.utc)
    prepared = prepare(options, ready)
    if ready is not None and needs_own_loader(prepared.program, options.environment):
        ready.start_afresh()
    prepared.stages.started = started.isoformat(timespec="seconds").replace("+00:00", "Z")
    prepared.stages.units = prepared.units
    flags = read_flags(options, prepared.defaults)
    _say_if_changed(options.schedule, prepared.program.key)
    runtime = link_runtime(prepared.runtime) if ready is None else ready.linked
    try:
        guest = link_guest(prepared.runtime, runtime, prepared.program, options, prepared.cache)
    except MissingSymbolsError as error:
        from irsan.engine.missing_symbols import with_places

        raise with_places(error, prepared.units) from error
    return run_guest(options, flags, guest, prepared.stages)


def require_writable(path: Path) -> None:
    """Say no to a report that could not be written behind the run. Raises OutputError (74).

    What is no regular file, as a pipe, is not opened: that could wait for a reader.
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            return
        path.open("a").close()
    except OSError as error:
        raise OutputError(f"the report {path} cannot be written: {error.strerror}") from None


def _refuse_preloaded(environment: Mapping[str, str]) -> None:
    """A library that was loaded before irsan waits natively, which would stop every thread."""
    libraries = environment.get("LD_PRELOAD", "").replace(":", " ").split()
    if libraries:
        raise UnsupportedError(
            f"LD_PRELOAD={' '.join(libraries)}: a preloaded library calls the system behind "
            "irsan's back; run without LD_PRELOAD"
        )


def _say_if_changed(schedule: str | None, program_key: str) -> None:
    """A replay of another program than the token's is one of another schedule."""
    if schedule is None:
        return
    if parse_replay_token(schedule).program_hash != program_key[:HASH_DIGITS]:
        print_notice(
            f"{schedule} was made with another build of the program, or by another irsan: "
            "the same seed need not give the same schedule"
        )


def read_flags(options: RunOptions, defaults: Mapping[Owner, str] | None = None) -> Flags:
    """The flags of the options' environment over the program's own (`defaults`).

    What is wrong with them goes to standard error; with strict_flags=1 it is a UsageError.
    """
    from irsan.runtime.flags import format_help, parse_flags

    program = str(options.programs[0])
    parsed = parse_flags(options.environment, defaults, program=program, pid=os.getpid())
    if parsed.warnings and parsed.flags.get_bool("strict_flags"):
        raise UsageError("; ".join(parsed.warnings))
    for warning in parsed.warnings:
        print(f"irsan: warning: {warning}", file=sys.stderr)
    if parsed.flags.verbosity:
        for note in parsed.notes:
            print(f"irsan: note: {note}", file=sys.stderr)
    if parsed.flags.help:
        print(format_help(parsed.flags), end="")
    return parsed.flags


def prepare(options: RunOptions, ready: ReadyRuntime | None = None) -> PreparedProgram:
    """Compile, instrument and generate code, or take what the cache has; errors as for `run`."""
    from irsan.engine.jit.build import load_or_build_runtime
    from irsan.engine.jit.program import load_or_build_program
    from irsan.engine.program_defaults import program_defaults
    from irsan.engine.program_parts import gather_parts
    from irsan.engine.undefined_flags import UNDEFINED_NOTICE
    from irsan.instrument.check_names import UNDEFINED

    _refuse_missing_sanitizers(options.sanitize)
    cache = open_cache(options.cache_environment())
    stages = Stages()
    started = time.perf_counter()
    parts = gather_parts(options.programs, options.frontend(), cache, options.environment)
    units = parts.units
    stages.frontend_s = time.perf_counter() - started
    if UNDEFINED in options.sanitize and any(UNDEFINED in unit.marked for unit in units):
        say_once(cache, UNDEFINED_NOTICE)
    progress = standard_progress(options.environment)
    runtime = load_or_build_runtime(cache, progress) if ready is None else ready.image
    defaults = program_defaults(units)
    checks = checks_to_insert(options.sanitize, options.environment, defaults, options.cflags)
    program = load_or_build_program(
        units, checks, runtime, cache, progress, options.engine, parts.plan
    )
    stages.instrument_s, stages.codegen_s = program.instrument_s, program.codegen_s
    stages.is_cached = program.is_cached
    progress("")
    return PreparedProgram(runtime, program, stages, cache, defaults, units)


def prepare_library(
    options: RunOptions,
    runtime: RuntimeImage,
    path: Path,
    loaded: frozenset[str],
    taken: list[tuple[int, int]],
) -> ProgramImage:
    """The image of a library with IR that a running program opens; errors as for `run`.

    loaded: real paths of the libraries with IR that there are;  taken: site numbers in use.
    """
    from irsan.engine.jit.program import build_program
    from irsan.engine.program_parts import gather_library

    cache = open_cache(options.cache_environment())
    parts = gather_library(path, loaded, cache, options.environment)
    checks = checks_to_insert(options.sanitize, options.environment, cflags=options.cflags)
    image = build_program(
        parts.units, checks, runtime, "", engine=options.engine, cache=cache, is_alone=False,
        taken=taken,
    )  # fmt: skip
    return replace(image, plan=parts.plan)


def checks_to_insert(
    sanitizers: frozenset[str],
    environment: Mapping[str, str],
    defaults: Mapping[Owner, str] | None = None,
    cflags: Sequence[str] = (),
) -> frozenset[str]:
    """The sanitizers, and what flags and the compiler's words change of the checks in the code."""
    from irsan.engine.front_end_flags import bits_words, left_out
    from irsan.instrument.check_names import ADDRESS, MEMORY, THREAD

    found = set(sanitizers)
    if ADDRESS in sanitizers:
        found |= _asked_by_flags(environment, defaults)
    if THREAD in sanitizers:
        found |= left_out(cflags)
    if MEMORY in sanitizers:
        found |= bits_words(cflags)
    return frozenset(found)


def _asked_by_flags(
    environment: Mapping[str, str], defaults: Mapping[Owner, str] | None
) -> set[str]:
    from irsan.instrument.check_names import INNER_BOUNDS, OBJECT_BOUNDS, POINTER_PAIRS
    from irsan.runtime.flags import parse_flags

    flags = parse_flags(environment, defaults).flags
    level = flags.get_int("check_object_bounds")
    asked = {
        POINTER_PAIRS: flags.asan.get_int("detect_invalid_pointer_pairs") > 0,
        OBJECT_BOUNDS: level > 0,
        INNER_BOUNDS: level > 1,
    }
    return {name for name, is_asked in asked.items() if is_asked}


def _refuse_missing_sanitizers(wanted: frozenset[str]) -> None:
    missing = wanted - AVAILABLE_SANITIZERS
    if missing:
        raise UnsupportedError(
            f"--sanitize {','.join(sorted(missing))}: not in this release; "
            f"choose from {','.join(sorted(AVAILABLE_SANITIZERS))}"
        )
