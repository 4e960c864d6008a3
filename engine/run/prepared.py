"""A program made ready to run: compiled, instrumented, generated, or taken from the cache.

    prepare            a program that is started
    prepare_library    a library with IR that a running program opens
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from irsan.engine.cache import Cache, open_cache, say_once
from irsan.engine.options import AVAILABLE_SANITIZERS, RunOptions
from irsan.engine.progress import standard_progress
from irsan.errors import UnsupportedError

if TYPE_CHECKING:
    from irsan.engine.front_end.compiled_unit import CompiledUnit
    from irsan.engine.guest.image_memory import LinkedRuntime
    from irsan.engine.program_image.program import ProgramImage
    from irsan.engine.run.host_routines import Routine
    from irsan.engine.runtime_image.image import RuntimeImage
    from irsan.runtime.flags.flag_table import Owner



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

    routines: of host_routines.
    start_afresh: becomes a process of its own, for a program that cannot run in this one.
    """

    image: RuntimeImage
    linked: LinkedRuntime
    routines: Mapping[int, Routine]
    start_afresh: Callable[[], NoReturn]


def prepare(options: RunOptions, runtime: RuntimeImage | None = None) -> PreparedProgram:
    """Compile, instrument and generate code, or take what the cache has; errors as for `run`.

    runtime: the one that is linked already, if there is one
    """
    from irsan.engine.front_end.program_defaults import program_defaults
    from irsan.engine.front_end.undefined_flags import UNDEFINED_NOTICE
    from irsan.engine.inputs.program_parts import gather_parts
    from irsan.engine.program_image.program import load_or_build_program
    from irsan.engine.runtime_image.stored import load_or_build_runtime
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
    runtime = runtime or load_or_build_runtime(cache, progress)
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
    from irsan.engine.inputs.program_parts import gather_library
    from irsan.engine.program_image.program import build_program

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
    from irsan.engine.front_end.front_end_flags import bits_words, left_out
    from irsan.instrument.check_names import ADDRESS, MEMORY, THREAD

    found = set(sanitizers)
    if not found.isdisjoint((ADDRESS, THREAD, MEMORY)):
        found |= _asked_by_flags(environment, defaults, has_addresses=ADDRESS in sanitizers)
    if THREAD in sanitizers:
        found |= left_out(cflags)
    if MEMORY in sanitizers:
        found |= bits_words(cflags)
    return frozenset(found)


def _asked_by_flags(
    environment: Mapping[str, str],
    defaults: Mapping[Owner, str] | None,
    *,
    has_addresses: bool,
) -> set[str]:
    from irsan.instrument.check_names import (
        ALL_CHECKS,
        INNER_BOUNDS,
        OBJECT_BOUNDS,
        POINTER_PAIRS,
    )
    from irsan.runtime.flags.flags import parse_flags

    flags = parse_flags(environment, defaults).flags
    kept = {ALL_CHECKS} if flags.get_bool("keep_all_checks") else set()
    if not has_addresses:
        return kept
    level = flags.get_int("check_object_bounds")
    asked = {
        POINTER_PAIRS: flags.asan.get_int("detect_invalid_pointer_pairs") > 0,
        OBJECT_BOUNDS: level > 0,
        INNER_BOUNDS: level > 1,
    }
    return kept | {name for name, is_asked in asked.items() if is_asked}


def _refuse_missing_sanitizers(wanted: frozenset[str]) -> None:
    missing = wanted - AVAILABLE_SANITIZERS
    if missing:
        raise UnsupportedError(
            f"--sanitize {','.join(sorted(missing))}: not in this release; "
            f"choose from {','.join(sorted(AVAILABLE_SANITIZERS))}"
        )
