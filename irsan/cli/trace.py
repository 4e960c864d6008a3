"""`irsan trace`: the commands on recorded executions. Words in, a status out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from irsan.arguments import require_known
from irsan.engine.options import TraceRequest
from irsan.engine.recording.trace_files import form_of
from irsan.errors import UsageError

STATUS_RACES = 66
ANALYSES = ("hb", "shb", "maz", "fasttrack", "wcp", "syncp", "lockset")
CLOCKS = ("vector", "tree")
FORMS = ("std", "binary")
REPORT_FORMATS = ("text", "json")

_ANY_WORDS = {"allow_interspersed_args": False, "ignore_unknown_options": True}

trace_app = typer.Typer(help="Work on recorded executions (traces).", no_args_is_help=True)

TraceFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="STD text, plain or gzip, or irsan's binary form.")
]


@trace_app.command()
def analyze(
    file: TraceFile,
    analysis: Annotated[
        str, typer.Option(metavar="LIST", help=f"Comma list of {', '.join(ANALYSES)}.")
    ] = "hb",
    clock: Annotated[
        str,
        typer.Option(metavar="NAME", help="vector or tree; what has no choice takes vectors."),
    ] = "vector",
    report_format: Annotated[
        str, typer.Option(metavar="FORM", help=f"{' or '.join(REPORT_FORMATS)}.")
    ] = "text",
    report_path: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the report there, not to stdout.")
    ] = None,
    sites: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where the locations are; default: FILE.sites, if any."),
    ] = None,
) -> None:
    """Analyse a trace for races.

    Exit status: 66 when some analysis reports something, 0 when none does, 2 for a file that is no
    trace, 69 for one that is too big.
    """
    names = parse_analyses(analysis)
    require_known(clock, CLOCKS, "--clock")
    require_known(report_format, REPORT_FORMATS, "--report-format")
    from irsan.traces.analyze import analyze_trace
    from irsan.traces.progress import file_progress
    from irsan.traces.report import RENDERERS
    from irsan.traces.site_names import places_of

    places = places_of(file, sites)
    with file_progress(file, "analysing") as on_progress:
        results = analyze_trace(file, names, clock, on_progress)
    _write(RENDERERS[report_format](results, places), report_path)
    raise typer.Exit(STATUS_RACES if any(result.racy_events for result in results) else 0)


@trace_app.command()
def convert(
    source: Annotated[Path, typer.Argument(metavar="A", help="A trace in either form.")],
    target: Annotated[
        Path, typer.Argument(metavar="B", help="Where to write it: .std, .std.gz or .irt.")
    ],
    to: Annotated[
        str | None,
        typer.Option(
            metavar="FORM",
            help="std or binary; else as B's name says, else the form that A is not in.",
        ),
    ] = None,
) -> None:
    """Write a trace in the other form: STD text or compressed binary."""
    form = None if to is None else require_known(to, FORMS, "--to")
    from irsan.traces.progress import file_progress
    from irsan.traces.trace_file import convert_trace

    with file_progress(source, "converting") as on_progress:
        convert_trace(source, target, form, on_progress)


@trace_app.command(context_settings=_ANY_WORDS)
def record(
    context: typer.Context,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[-o FILE] [--format std|binary] [--every-access] [RUN OPTIONS] PROGRAM... "
            "[--] [ARGS]...",
            help="As for run; --sanitize is thread unless it is said.",
        ),
    ],
) -> None:
    """Run a program and write its events to a trace.

    -o FILE: .std or .std.gz (STD text), .irt (binary); default: the program's name with .std.
    --format std|binary: the form, for other names.
    --every-access: do not leave out accesses that repeat the newest one of their place.

    Exit status: as for run; 2 for a file that cannot be written, 74 for a trace that is not whole.
    """
    command = context.find_root().command
    run = ["run", "--record", "--sanitize", "thread", *words]
    status = command.main(run, prog_name="irsan", standalone_mode=False)
    raise typer.Exit(status if isinstance(status, int) else 0)


def trace_request(
    programs: Sequence[Path], path: Path | None, form: str | None, every_access: bool
) -> TraceRequest:
    """What `record` was asked for.  Raises UsageError for a form that does not exist."""
    if form is not None:
        require_known(form, FORMS, "--format")
    path = path or Path(f"{programs[0].stem}.{'irt' if form == 'binary' else 'std'}")
    return TraceRequest(path, form_of(path, form), every_access)


def parse_analyses(text: str) -> tuple[str, ...]:
    """`hb,shb` as a tuple, each name once. Raises UsageError for a name that does not exist."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise UsageError(f"--analysis names none of: {', '.join(ANALYSES)}")
    return tuple(dict.fromkeys(require_known(name, ANALYSES, "--analysis") for name in names))


def _write(text: str, path: Path | None) -> None:
    if path is None:
        sys.stdout.write(text)
        return
    try:
        path.write_text(text)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error
