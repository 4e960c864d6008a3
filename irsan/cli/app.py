"""The command line: words in, records to the engine, a status out. No work is done here.

Everything heavy (numba, llvmlite, rich) is imported inside the command that needs it, so that
`irsan --help` answers in a fifth of a second.
"""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer

from irsan.arguments import parse_sanitizers
from irsan.cli.build import add_build_commands
from irsan.cli.explore import add_explore_commands, run_with_seeds
from irsan.cli.report import report_app
from irsan.cli.run_options import (
    SANITIZE_DEFAULT,
    CFlags,
    CompilerCommand,
    Defines,
    Includes,
    OptLevel,
    Requested,
    Sanitizers,
    Standard,
    replayed,
    warn_of_misplaced,
    with_run_options,
)
from irsan.cli.trace import trace_app, trace_request
from irsan.engine.options import FrontendOptions
from irsan.errors import UnsupportedError, UsageError
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
add_explore_commands(app)

# Everything after the first program is the program's, so options come before it.
_PROGRAM_LAST = {"allow_interspersed_args": False}
_TRACE_OPTIONS = ("-o", "--output", "--format", "--every-access")
_ANY_WORDS = {"allow_interspersed_args": False, "ignore_unknown_options": True}

Output = Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="File to write.")]
OneProgram = Annotated[
    Path, typer.Argument(metavar="PROGRAM", help="Source, .ll file or bitcode under any name.")
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
@with_run_options
def run(
    asked: Requested,
    context: typer.Context,
    seeds: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1,
            help="Run with N seeds, from --seed on, and report what all have found (see explore).",
        ),
    ] = None,
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
    options, token = asked.options, schedule or asked.token
    warn_of_misplaced(asked.words, _TRACE_OPTIONS if record else ("--seeds",))
    if record:
        trace = trace_request(options.programs, output, trace_format, every_access)
        options = replace(options, trace=trace)
    if seeds is not None:
        raise typer.Exit(run_with_seeds(options, seeds, is_alone=not (token or record)))
    from irsan.engine.commands import session

    ready = None if record else context.obj  # linked already, in a saved process
    options = replayed(options, token) if token else options
    raise typer.Exit(session.run(options, ready, leaves_process=ready is None and not record))


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
    sanitize: Sanitizers = SANITIZE_DEFAULT,
    portable: Annotated[
        bool,
        typer.Option("--portable", help="Only hooks that compiler-rt knows: links natively."),
    ] = False,
    stats: Annotated[
        bool,
        typer.Option("--stats", help="Say how many checks analyses left out or moved, and why."),
    ] = False,
    stats_path: Annotated[
        Path | None,
        typer.Option("--stats-path", metavar="FILE", help="Write the same as JSON."),
    ] = None,
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
    if portable and (stats or stats_path):
        raise UsageError("--stats is about what the engine runs: leave --portable out")
    found = instrument_command.instrument_to_file(
        program, output, options, checks, portable=portable
    )
    if stats:
        print(found.table(), file=sys.stderr)
    if stats_path is not None:
        instrument_command.write_stats(found, stats_path)


@app.command()
def link(
    programs: Annotated[
        list[Path],
        typer.Argument(metavar="PROGRAM...", help="Sources, .ll files or bitcode under any name."),
    ],
    output: Output,
    as_text: Annotated[bool, typer.Option("-S", help="Write LLVM IR text, not bitcode.")] = False,
    opt_level: OptLevel = 1,
    cc: CompilerCommand = None,
    cflag: CFlags = None,
    std: Standard = None,
    include: Includes = None,
    define: Defines = None,
) -> None:
    """Link several modules into one, with LLVM's rules; write bitcode, or LLVM IR text with -S."""
    from irsan.engine.commands import link_command

    options = _frontend_options(opt_level, cc, cflag, std, include, define)
    link_command.link_to_file(programs, output, options, as_text=as_text)


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


@cache
def whole_command() -> Any:
    """The command line with all commands, as typer's parser has it; made once."""
    return typer.main.get_command(app)


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
