"""What an executable made by irsan-cc becomes when it is started: a run of the IR that it carries.

    python -c BOOT CACHE /path/of/executable argv[0] argv[1] ...        (engine/builds/start.c)

It starts at the real date, as it works with other programs and with the dates of files;
IRSAN_OPTIONS=clock_start=2000-01-01 makes it the same in every run, as `irsan run` does.
The cache folder is the build's, unless IRSAN_CACHE_DIR names another: test suites give their
programs a home of their own.

Everything that a command line could say comes from the build (its checks) and the environment:
IRSAN_OPTIONS and the tools' own variables. The environment itself is the program's.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from irsan.__main__ import run_explained
from irsan.engine.options import DEFAULT_SANITIZERS, RunOptions
from irsan.given_environment import given_environment
from irsan.low_heap import leave_low_heap

if TYPE_CHECKING:
    from irsan.engine.run.prepared import ReadyRuntime

_REAL_DATE = "now"
_OPEN_FILES = "/proc/self/fd/"


def main(words: Sequence[str], ready: ReadyRuntime | None = None) -> int:
    """Run an executable; words: a cache folder, its path, and its argv as the caller gave it.

    ready: the runtime, where this process has it linked (engine/snapshot).
    """
    if ready is None:
        leave_low_heap()
    cache, executable, argv0, *arguments = words
    return run_explained(
        lambda: _run(cache, _named(executable), argv0, tuple(arguments), ready)
    )


def _named(executable: str) -> Path:
    """The executable; a copy of one that has been deleted, which start.c has left open."""
    if not executable.startswith(_OPEN_FILES):
        return Path(executable)
    from irsan.cachedir import private_folder

    name = Path(executable).readlink().name.removesuffix(" (deleted)")
    copy = Path(private_folder().name, name)
    copy.write_bytes(Path(executable).read_bytes())
    os.close(int(executable.removeprefix(_OPEN_FILES)))
    return copy


def _run(
    cache: str, executable: Path, argv0: str, arguments: tuple[str, ...], ready: ReadyRuntime | None
) -> int:
    from irsan.engine.commands import session

    options = built_options(executable, argv0, arguments)
    if cache and os.access(cache, os.W_OK):
        options = replace(options, cache_folder=cache)
        os.environ.setdefault("IRSAN_CACHE_DIR", cache)  # for requests of this process
    return session.run(options, ready)


def built_options(executable: Path, argv0: str, arguments: tuple[str, ...]) -> RunOptions:
    """The options of a run of an executable. Raises UsageError for wrong IRSAN_OPTIONS."""
    from irsan.arguments import (
        chosen_library,
        option_defaults,
        parse_sanitizers,
        report_targets,
        require_known,
    )
    from irsan.engine.injected_words import parse_injected
    from irsan.engine.inputs.carried import carried_checks
    from irsan.engine.options import ENGINES
    from irsan.engine.start_of_clock import clock_of
    from irsan.runtime.layout.options import SCHEDULERS

    said = option_defaults(os.environ)
    injected = parse_injected(said.inject)
    checks = carried_checks(executable) or DEFAULT_SANITIZERS
    return RunOptions(
        programs=(executable,),
        arguments=arguments,
        argv0=argv0,
        engine=require_known(said.engine, ENGINES, "IRSAN_OPTIONS: engine"),
        sanitize=parse_sanitizers(said.sanitize) if said.sanitize else checks,
        stdlib=chosen_library(None, said),
        seed=said.seed,
        clock_s=clock_of(said.clock_start or _REAL_DATE, injected, said.seed),
        inject=injected,
        scheduler=require_known(said.scheduler, SCHEDULERS, "IRSAN_OPTIONS: scheduler"),
        schedule=said.schedule or None,
        reports=report_targets(said.report_formats, [Path(one) for one in said.report_paths]),
        gate=said.gate,
        environment=given_environment(),
    )
