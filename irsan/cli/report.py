"""`irsan report`: the commands on reports already written. Words in, a status out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from irsan.errors import OutputError
from irsan.reports.renderers import renderer_names

STATUS_FINDINGS = 66

report_app = typer.Typer(help="Work on reports already written.", no_args_is_help=True)

ReportFile = Annotated[Path, typer.Argument(metavar="IN.json", help="A report in JSON.")]
Output = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FILE", help="Default: print it.")
]
FailOnWords = Annotated[
    str,
    typer.Option("--fail-on", metavar="LIST", help="Rules and levels that fail (error, any)."),
]
TriageFile = Annotated[
    Path | None,
    typer.Option("--triage", metavar="FILE", help="Verdicts; default: .irsan/triage.json."),
]
DiffForm = Annotated[str, typer.Option("--format", metavar="FORM", help="text or json.")]


@report_app.command()
def convert(
    report: ReportFile,
    to: Annotated[
        str, typer.Option(metavar="FORM", help=f"One of {', '.join(renderer_names())}.")
    ] = "text",
    output: Output = None,
) -> None:
    """Write a JSON report in another form."""
    from irsan.cli.convert import convert_report

    write_output(convert_report(report, to), output)


@report_app.command()
def merge(
    paths: Annotated[
        list[Path], typer.Argument(metavar="FILES...", help="Reports in JSON, or folders of them.")
    ],
    to: Annotated[
        str, typer.Option(metavar="FORM", help=f"One of {', '.join(renderer_names())}.")
    ] = "json",
    output: Output = None,
) -> None:
    """Join reports of many runs: one finding once, with where each was seen.

    Files that are empty, cut off or no reports are named and counted, and the rest is joined.

    Exit status: 0 when at least one report was read, whatever it says; 2 when none was.
    """
    from irsan.arguments import require_known
    from irsan.cli.report_commands import merged_report
    from irsan.reports.renderers import renderer

    render = renderer(require_known(to, renderer_names(), "--to"))
    write_output(render(merged_report(paths, sys.stderr)), output)


@report_app.command()
def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD.json", help="The earlier report.")],
    new: Annotated[Path, typer.Argument(metavar="NEW.json", help="The later report.")],
    form: DiffForm = "text",
    fail_on: FailOnWords = "",
    triage: TriageFile = None,
    output: Output = None,
) -> None:
    """Say which findings are new, fixed, moved or as they were.

    Exit status: 66 when a new finding fails (see --fail-on), else 0; 2 for a file that is no
    report.
    """
    from irsan.cli.report_commands import diff_reports

    text, fails = diff_reports(old, new, form, fail_on, triage)
    write_output(text, output)
    raise typer.Exit(STATUS_FINDINGS if fails else 0)


@report_app.command()
def triage(
    report: ReportFile,
    identifiers: Annotated[
        list[str] | None,
        typer.Option("--id", metavar="ID", help="Finding, by the first digits of its id."),
    ] = None,
    verdict: Annotated[
        str | None, typer.Option(metavar="WORD", help="bug, benign or wont-fix.")
    ] = None,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why; asked of every verdict.")] = "",
    author: Annotated[str, typer.Option(metavar="NAME", help="Who says so (optional).")] = "",
    expires: Annotated[
        str, typer.Option(metavar="DATE", help="Last day, as 2027-06-30; default: for ever.")
    ] = "",
    file: TriageFile = None,
    drop_stale: Annotated[
        bool, typer.Option("--drop-stale", help="Take out verdicts on what REPORT has not.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Status 66 for stale and expired verdicts.")
    ] = False,
) -> None:
    """Keep verdicts on findings in a file of the repository; without --id, list them.

    Exit status: 0; with --strict 66 when a verdict is stale or has expired; 2 for a wrong word.
    """
    from irsan.cli.triage import triage_report

    said = None if verdict is None else (verdict, reason, author, expires)
    text, has_old = triage_report(report, tuple(identifiers or ()), said, file, drop=drop_stale)
    write_output(text, None)
    raise typer.Exit(STATUS_FINDINGS if strict and has_old else 0)


def write_output(text: str, path: Path | None) -> None:
    """Print a text, or put it in a file. Raises OutputError when that cannot be written."""
    if path is None:
        sys.stdout.write(text)
        return
    from irsan.reports.atomic_file import write_atomically

    try:
        write_atomically(path, text)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror}") from None
