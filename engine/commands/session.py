"""One run from the command line's options to the exit status.

    compile -> build or load images -> link -> run the guest -> report -> end the process

The guest runs in this very process, so the last act is `os._exit`: no destructor of a library that
the guest has used runs twice, and what the guest left undone stays undone.
"""

from __future__ import annotations

import datetime
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from irsan.engine.cache import print_notice
from irsan.engine.commands.run_ahead import leave_saved_run
from irsan.engine.options import RunOptions
from irsan.engine.replay import HASH_DIGITS, parse_replay_token
from irsan.engine.run.prepared import ReadyRuntime, prepare
from irsan.errors import MissingSymbolsError, OutputError, UnsupportedError, UsageError

if TYPE_CHECKING:
    from irsan.runtime.flags.flag_table import Owner
    from irsan.runtime.flags.flags import Flags

_MALLOC_DEBUG = "libc_malloc_debug.so"


def run(
    options: RunOptions, ready: ReadyRuntime | None = None, *, leaves_process: bool = False
) -> int:
    """Run a program under the sanitizers; returns its exit status.

    ready: a runtime that this process has linked, from the same sources; None to link one.
    leaves_process: the next ones of its kind may go on from a saved process (run_ahead.py).
    Raises UsageError (2) for bad input, UnsupportedError (69), InternalError (70).
    """
    from irsan.runtime.numpy_import import import_numpy_alone

    check_before_run(options)
    import_numpy_alone()
    from irsan.engine.run.run_guest import link_guest, link_runtime, run_guest
    from irsan.engine.snapshot.own_loader import needs_own_loader

    started = datetime.datetime.now(datetime.timezone.utc)
    prepared = prepare(options, None if ready is None else ready.image)
    if leaves_process:
        leave_saved_run(os.environ)
    if ready is not None and needs_own_loader(prepared.program, options.environment):
        ready.start_afresh()
    prepared.stages.started = started.isoformat(timespec="seconds").replace("+00:00", "Z")
    prepared.stages.units = prepared.units
    flags = read_flags(options, prepared.defaults)
    say_if_changed(options.schedule, prepared.program.key)
    runtime = link_runtime(prepared.runtime) if ready is None else ready.linked
    served = None if ready is None else ready.routines
    try:
        guest = link_guest(
            prepared.runtime, runtime, prepared.program, options, prepared.cache, served
        )
    except MissingSymbolsError as error:
        from irsan.engine.front_end.missing_symbols import with_places

        raise with_places(error, prepared.units) from error
    return run_guest(options, flags, guest, prepared.stages)


def check_before_run(options: RunOptions) -> None:
    """Say no to what could not be run, or not be reported. Raises as `run`."""
    from irsan.engine.front_end.frontend import check_readable_program

    for program in options.programs:
        check_readable_program(program, may_be_native=True)
    for target in options.reports:
        if target.path is not None and not target.is_per_process:
            require_writable(target.path)
    if options.trace is not None and "thread" not in options.sanitize:
        raise UsageError("a trace is what the race detector sees: add thread to --sanitize")
    _refuse_preloaded(options.environment)


def require_writable(path: Path) -> None:
    """Say no to a report that could not be written behind the run. Raises OutputError (74).

    A pipe, or any other file that is not regular, is not opened: that could wait for a reader.
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            return
        path.open("a").close()
    except OSError as error:
        raise OutputError(f"the report {path} cannot be written: {error.strerror}") from None


def _refuse_preloaded(environment: Mapping[str, str]) -> None:
    """A library that was loaded before irsan waits natively, which would stop every thread.

    glibc's own that checks malloc does not: test suites preload it, as git's does.
    """
    libraries = environment.get("LD_PRELOAD", "").replace(":", " ").split()
    if any(_MALLOC_DEBUG not in one for one in libraries):
        raise UnsupportedError(
            f"LD_PRELOAD={' '.join(libraries)}: a preloaded library calls the system behind "
            "irsan's back; run without LD_PRELOAD"
        )


def say_if_changed(schedule: str | None, program_key: str) -> None:
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

    Their mistakes go to standard error; with strict_flags=1 one is a UsageError.
    """
    from irsan.runtime.flags.flags import format_help, parse_flags

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

