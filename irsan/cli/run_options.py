"""The options of `irsan run`, which other commands that run programs have as well.

    requested(words, engine, sanitize, ...)    the options of a run, from a command line's words
    with_run_options(command)                  a command that has all of them beside its own
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from irsan.arguments import (
    chosen_library,
    gate_options,
    misplaced_options,
    option_defaults,
    parse_sanitizers,
    report_targets,
    require_known,
    split_words,
)
from irsan.cli.build import BuildTree, program_of_tree
from irsan.engine.cache import print_notice
from irsan.engine.injected_words import INJECTABLE, parse_injected
from irsan.engine.options import DEFAULT_SANITIZERS, ENGINES, SANITIZERS, RunOptions
from irsan.engine.start_of_clock import clock_of
from irsan.given_environment import given_environment
from irsan.reports.renderers import renderer_names
from irsan.runtime.layout.options import SCHEDULERS

SANITIZE_DEFAULT = ",".join(name for name in SANITIZERS if name in DEFAULT_SANITIZERS)

OptLevel = Annotated[
    int,
    typer.Option(
        "-O", metavar="LEVEL", min=0, max=3, help="Compiler's optimisation level, -O0 to -O3."
    ),
]
CompilerCommand = Annotated[
    str | None,
    typer.Option("--cc", metavar="COMMAND", help="Compiler for C and C++ sources: a clang or zig."),
]
CFlags = Annotated[
    list[str] | None,
    typer.Option("--cflag", metavar="WORD", help="Another word for the compiler (repeatable)."),
]
OpenMP = Annotated[
    bool, typer.Option("-fopenmp", help="Compile OpenMP's pragmas, as --cflag=-fopenmp.")
]
Standard = Annotated[
    str | None, typer.Option("--std", metavar="NAME", help="Language standard, as c17 or c++20.")
]
Includes = Annotated[
    list[str] | None, typer.Option("-I", metavar="FOLDER", help="Folder of headers (repeatable).")
]
Defines = Annotated[
    list[str] | None,
    typer.Option("-D", metavar="MACRO", help="Macro, as NAME or NAME=VALUE (repeatable)."),
]
Libraries = Annotated[
    list[str] | None,
    typer.Option("-l", metavar="NAME", help="Library to link, as a linker finds it (repeatable)."),
]
LibraryFolders = Annotated[
    list[str] | None,
    typer.Option("-L", metavar="FOLDER", help="Folder of libraries (repeatable)."),
]
StandardLibrary = Annotated[
    str | None,
    typer.Option(
        "--stdlib", metavar="NAME",
        help="C++ library of the bundled compiler: checked (default), or native, without checks.",
    ),
]  # fmt: skip
Sanitizers = Annotated[
    str,
    typer.Option(metavar="LIST", help=f"Comma list of {', '.join(SANITIZERS)}; or all."),
]


@dataclass(frozen=True, slots=True)
class Requested:
    """A run as it was asked for. token: of IRSAN_OPTIONS, to be replayed; "" for none."""

    options: RunOptions
    words: tuple[str, ...]
    token: str = ""


def requested(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="PROGRAM... [--] [ARGS]...",
            help="Source (.c .cc .cpp .cxx .C, .rs .zig .f90 .d .m), IR (.ll .bc), object and "
            "library files (.o .a .so), or an executable of irsan-cc; then the program's "
            "arguments. Write -- before arguments that are themselves named so. @FILE stands for "
            "the words in it.",
        ),
    ],
    engine: Annotated[
        str | None, typer.Option(metavar="NAME", help="What executes: jit (default) or interp.")
    ] = None,
    sanitize: Sanitizers = SANITIZE_DEFAULT,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=0, max=2**64 - 1, help="Start of every random choice (default 0)."
        ),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="NAME", help=f"How threads take turns: {', '.join(SCHEDULERS)}."),
    ] = None,
    report_format: Annotated[
        list[str] | None,
        typer.Option(metavar="FORM", help=f"{', '.join(renderer_names())} (repeatable)."),
    ] = None,
    report_path: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="File for the report of the same position (repeatable)."),
    ] = None,
    root: Annotated[
        str, typer.Option(metavar="FOLDER", help="What paths in reports are relative to.")
    ] = "",
    baseline: Annotated[
        str, typer.Option(metavar="FILE", help="Earlier report; what it has fails no run.")
    ] = "",
    fail_on: Annotated[
        str, typer.Option(metavar="LIST", help="Rules and levels that fail the run: error, any.")
    ] = "",
    triage: Annotated[
        str, typer.Option(metavar="FILE", help="Verdicts; default: .irsan/triage.json.")
    ] = "",
    clock: Annotated[
        str | None,
        typer.Option(
            metavar="START",
            help="What the date is when the program starts: a date (default 2000-01-01), now, or"
            " seed to draw one.",
        ),
    ] = None,
    inject: Annotated[
        str | None,
        typer.Option(
            metavar="LIST", help=f"Failures to inject by the seed: {', '.join(INJECTABLE)}; all."
        ),
    ] = None,
    stats: Annotated[bool, typer.Option("--stats", help="Print what the run did.")] = False,
    opt_level: OptLevel = 1,
    cc: CompilerCommand = None,
    cflag: CFlags = None,
    openmp: OpenMP = False,
    std: Standard = None,
    include: Includes = None,
    define: Defines = None,
    library: Libraries = None,
    library_folder: LibraryFolders = None,
    stdlib: StandardLibrary = None,
    build: BuildTree = None,
) -> Requested:
    """The run that these words ask for. Raises UsageError."""
    checks, argv0 = parse_sanitizers(sanitize), ""
    if build is not None:
        program, arguments, argv0 = program_of_tree(build, words, checks)
        programs: tuple[Path, ...] = (program,)
    else:
        programs, arguments = split_words(words)
    defaults = option_defaults(os.environ)
    chosen_seed = defaults.seed if seed is None else seed
    injected = parse_injected(inject or defaults.inject)
    options = RunOptions(
        programs=programs,
        arguments=arguments,
        engine=require_known(engine or defaults.engine, ENGINES, "--engine"),
        sanitize=checks,
        argv0=argv0,
        seed=chosen_seed,
        clock_s=clock_of(clock or defaults.clock_start, injected, chosen_seed),
        inject=injected,
        scheduler=require_known(scheduler or defaults.scheduler, SCHEDULERS, "--scheduler"),
        opt_level=opt_level,
        cc=cc,
        cflags=(("-fopenmp",) * openmp + tuple(cflag or ())),
        std=std,
        includes=tuple(include or ()),
        defines=tuple(define or ()),
        libraries=tuple(library or ()),
        library_folders=tuple(library_folder or ()),
        stdlib=chosen_library(stdlib, defaults),
        reports=report_targets(report_format or (), report_path or ()),
        stats=stats,
        gate=gate_options(
            root or defaults.gate.root,
            baseline or str(defaults.gate.baseline or ""),
            fail_on or defaults.gate.fail_on,
            triage or str(defaults.gate.triage or ""),
        ),
        environment=given_environment(),
    )
    return Requested(options, tuple(words), defaults.schedule)


def with_run_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with the options of a run in front of its own; it is given a Requested first."""
    shared = inspect.signature(requested).parameters
    own = [*inspect.signature(command).parameters.values()][1:]

    @wraps(command)
    def typed(**given: Any) -> Any:
        asked = requested(**{name: given.pop(name) for name in shared})
        return command(asked, **given)

    hints = {**get_type_hints(requested, include_extras=True)}
    hints |= get_type_hints(command, include_extras=True)
    parameters = [
        each.replace(annotation=hints[each.name], kind=inspect.Parameter.KEYWORD_ONLY)
        for each in (*shared.values(), *own)
    ]
    vars(typed)["__signature__"] = inspect.Signature(parameters)
    typed.__annotations__ = {each.name: each.annotation for each in parameters}
    return typed


def warn_of_misplaced(words: tuple[str, ...], more: tuple[str, ...] = ()) -> None:
    """Say which of irsan's options the program gets. more: options of this command alone."""
    own = ("--sanitize", "--seed", "--report-format", "--report-path", "--cflag", "--scheduler")
    for word in misplaced_options(words, own + more):
        print_notice(
            f"{word} comes after the program, so the program gets it; irsan's options go before "
            "the program (write -- before the program's arguments to silence this)"
        )


def replayed(options: RunOptions, token: str) -> RunOptions:
    """The options with everything that the replay token decides. Raises UsageError for no token."""
    from irsan.engine.replay import parse_replay_token

    found = parse_replay_token(token)
    return replace(
        options, seed=found.seed, opt_level=found.opt_level, sanitize=found.sanitize,
        schedule=token, clock_s=found.clock_s, scheduler=found.scheduler,
        scheduler_words=found.scheduler_words, inject=found.inject,
    )  # fmt: skip
