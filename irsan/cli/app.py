"""The command line: words in, records to the engine, a status out. No work is done here.

Everything heavy (numba, llvmlite, rich) is imported inside the command that needs it, so that
`irsan --help` answers in a fifth of a second.
"""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from irsan.cli.arguments import (
    gate_options,
    misplaced_options,
    option_defaults,
    parse_sanitizers,
    report_targets,
    require_known,
    split_words,
)
from irsan.cli.build import BuildTree, add_build_commands, program_of_tree
from irsan.cli.report import report_app
from irsan.cli.trace import trace_app, trace_request
from irsan.engine.cache import print_notice
from irsan.engine.options import (
    DEFAULT_SANITIZERS,
    ENGINES,
    SANITIZERS,
    FrontendOptions,
    RunOptions,
)
from irsan.engine.start_of_clock import parse_clock_start
from irsan.errors import UnsupportedError, UsageError
from irsan.given_environment import given_environment
from irsan.reports.renderers import renderer_names
from irsan.runtime.layout.options import SCHEDULERS
from irsan.versions import versions_text

app = typer.Typer(
    name="irsan",
    help="Runs C, C++ and LLVM IR programs and reports their data races and memory errors.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

app.add_typer(report_app, name="report")
app.add_typer(trace_app, name="trace")
add_build_commands(app)

# Everything after the first program is the program's, so options come before it.
_PROGRAM_LAST = {"allow_interspersed_args": False}
_TRACE_OPTIONS = ("-o", "--output", "--format", "--every-access")
_ANY_WORDS = {"allow_interspersed_args": False, "ignore_unknown_options": True}
_SANITIZE_DEFAULT = ",".join(name for name in SANITIZERS if name in DEFAULT_SANITIZERS)

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
Output = Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="File to write.")]
OneProgram = Annotated[
    Path, typer.Argument(metavar="PROGRAM", help="Source, .ll file or bitcode under any name.")
]
Sanitizers = Annotated[
    str,
    typer.Option(metavar="LIST", help=f"Comma list of {', '.join(SANITIZERS)}; or all."),
]


@app.callback(invoke_without_command=True)
def _before_any_command(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, help="Print versions and exit.")
    ] = False,
) -> None:
    if version:
        typer.echo(versions_text())
        raise typer.Exit(0)
    require_supported_machine(sys.platform, platform.machine())


@app.command(context_settings=_PROGRAM_LAST)
def run(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="PROGRAM... [--] [ARGS]...",
            help="Source (.c .cc .cpp .cxx .C), IR (.ll .bc), object and library files (.o .a "
            ".so), or an executable of irsan-cc; then the program's arguments. Write -- before "
            "arguments that are themselves named so. @FILE stands for the words in it.",
        ),
    ],
    engine: Annotated[
        str | None, typer.Option(metavar="NAME", help="What executes: jit (default) or interp.")
    ] = None,
    sanitize: Sanitizers = _SANITIZE_DEFAULT,
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
    stats: Annotated[bool, typer.Option("--stats", help="Print what the run did.")] = False,
    opt_level: OptLevel = 1,
    cc: CompilerCommand = None,
    cflag: CFlags = None,
    std: Standard = None,
    include: Includes = None,
    define: Defines = None,
    library: Libraries = None,
    library_folder: LibraryFolders = None,
    build: BuildTree = None,
    schedule: Annotated[str | None, typer.Option(hidden=True)] = None,
    record: Annotated[bool, typer.Option("--record", hidden=True)] = False,
    output: Annotated[Path | None, typer.Option("-o", "--output", hidden=True)] = None,
    trace_format: Annotated[str | None, typer.Option("--format", hidden=True)] = None,
    every_access: Annotated[bool, typer.Option("--every-access", hidden=True)] = False,
) -> None:
    """Run a program under sanitizers; report what is wrong with it.

    The default checks find memory errors, data races and leaks. Undefined behaviour, uninitialised
    values, pointer provenance and the guarded pool are added by --sanitize, or by --sanitize all.

    Options come before the program: what follows it belongs to the program. IRSAN_OPTIONS may
    give defaults, as in IRSAN_OPTIONS=seed=7.

    Exit status: the program's own when nothing was found that fails the run, 66 when something was
    (--fail-on, --baseline and verdicts say what fails), 2 for bad usage
    or a program that does not compile, 69 for what is not supported, 70 for an error of irsan, 74
    for a report that cannot be written.
    """
    is_traced = bool(output or trace_format or every_access)
    if is_traced and not record:
        raise UsageError("-o, --format and --every-access are options of irsan trace record")
    checks, argv0 = parse_sanitizers(sanitize), ""
    if build is not None:
        program, arguments, argv0 = program_of_tree(build, words, checks)
        programs: tuple[Path, ...] = (program,)
    else:
        programs, arguments = split_words(words)
    _warn_of_misplaced(words, _TRACE_OPTIONS if record else ())
    defaults = option_defaults(os.environ)
    schedule = schedule or defaults.schedule or None
    chosen_seed = defaults.seed if seed is None else seed
    options = RunOptions(
        programs=programs,
        arguments=arguments,
        engine=require_known(engine or defaults.engine, ENGINES, "--engine"),
        sanitize=checks,
        argv0=argv0,
        seed=chosen_seed,
        clock_s=parse_clock_start(clock or defaults.clock_start, chosen_seed),
        scheduler=require_known(scheduler or defaults.scheduler, SCHEDULERS, "--scheduler"),
        opt_level=opt_level,
        cc=cc,
        cflags=tuple(cflag or ()),
        std=std,
        includes=tuple(include or ()),
        defines=tuple(define or ()),
        libraries=tuple(library or ()),
        library_folders=tuple(library_folder or ()),
        reports=report_targets(report_format or (), report_path or ()),
        stats=stats,
        gate=gate_options(
            root or defaults.gate.root,
            baseline or str(defaults.gate.baseline or ""),
            fail_on or defaults.gate.fail_on,
            triage or str(defaults.gate.triage or ""),
        ),
        trace=trace_request(programs, output, trace_format, every_access) if record else None,
        environment=given_environment(),
    )
    from irsan.engine.commands import session

    raise typer.Exit(session.run(options if schedule is None else replayed(options, schedule)))


@app.command(context_settings=_ANY_WORDS)
def replay(
    token: Annotated[str, typer.Argument(help="The replay token printed under a report.")],
    words: Annotated[
        list[str],
        typer.Argument(metavar="[RUN OPTIONS] PROGRAM... [--] [ARGS]...", help="As for run."),
    ],
) -> None:
    """Run a program again with exactly the thread schedule of a report."""
    command = typer.main.get_command(app)
    again = ["run", "--schedule", token, *words]
    status = command.main(again, prog_name="irsan", standalone_mode=False)
    raise typer.Exit(status if isinstance(status, int) else 0)


@app.command()
def instrument(
    program: OneProgram,
    output: Output,
    sanitize: Sanitizers = _SANITIZE_DEFAULT,
    portable: Annotated[
        bool,
        typer.Option("--portable", help="Only hooks that compiler-rt knows: links natively."),
    ] = False,
    opt_level: OptLevel = 1,
    cc: CompilerCommand = None,
    cflag: CFlags = None,
    std: Standard = None,
    include: Includes = None,
    define: Defines = None,
) -> None:
    """Write the instrumented program as LLVM IR text (or bitcode, for an output named .bc)."""
    from irsan.engine.commands import instrument_command
    from irsan.engine.run.prepared import checks_to_insert

    options = _frontend_options(opt_level, cc, cflag, std, include, define)
    names = parse_sanitizers(sanitize)
    checks = checks_to_insert(frozenset(names), os.environ)
    instrument_command.instrument_to_file(program, output, options, checks, portable=portable)


@app.command("dump-bitstream")
def dump_bitstream(program: OneProgram) -> None:
    """Print the blocks and records of a program's bitcode, as they are in the file."""
    from irsan.engine.commands import dump_commands

    dump_commands.dump_bitstream(program, FrontendOptions(), sys.stdout)


@app.command("dump-ir")
def dump_ir(
    program: OneProgram,
    opt_level: OptLevel = 1,
    cc: CompilerCommand = None,
    cflag: CFlags = None,
    std: Standard = None,
    include: Includes = None,
    define: Defines = None,
) -> None:
    """Print a program as irsan's own IR model reads it: LLVM assembly text."""
    from irsan.engine.commands import dump_commands

    options = _frontend_options(opt_level, cc, cflag, std, include, define)
    dump_commands.dump_ir(program, options, sys.stdout)


@app.command()
def doctor() -> None:
    """Check this machine: compiler, LLVM, cache folder, memory. Status 0 when all is well."""
    from irsan.engine.commands import doctor as checks

    raise typer.Exit(checks.run_doctor(os.environ, sys.stdout))


def replayed(options: RunOptions, token: str) -> RunOptions:
    """The options with everything that the replay token decides. Raises UsageError for no token."""
    from irsan.engine.replay import parse_replay_token

    found = parse_replay_token(token)
    return replace(
        options, seed=found.seed, opt_level=found.opt_level, sanitize=found.sanitize,
        schedule=token, clock_s=found.clock_s, scheduler=found.scheduler,
        scheduler_words=found.scheduler_words,
    )  # fmt: skip


def require_supported_machine(system: str, machine: str) -> None:
    """Raises UnsupportedError anywhere but on Linux x86-64."""
    if system.startswith("linux") and machine.lower() in ("x86_64", "amd64"):
        return
    raise UnsupportedError(f"irsan runs on Linux x86-64 only; this is {system} {machine}")


def _frontend_options(
    opt_level: int,
    cc: str | None,
    cflag: list[str] | None,
    std: str | None,
    include: list[str] | None,
    define: list[str] | None,
) -> FrontendOptions:
    return FrontendOptions(
        opt_level=opt_level,
        cc=cc,
        cflags=tuple(cflag or ()),
        std=std,
        includes=tuple(include or ()),
        defines=tuple(define or ()),
    )


def _warn_of_misplaced(words: list[str], more: tuple[str, ...]) -> None:
    own = ("--sanitize", "--seed", "--report-format", "--report-path", "--cflag", "--scheduler")
    for word in misplaced_options(words, own + more):
        print_notice(
            f"{word} comes after the program, so the program gets it; irsan's options go before "
            "the program (write -- before the program's arguments to silence this)"
        )
