"""`irsan explore`, and its short form `irsan run --seeds N`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from irsan.cli.run_options import Requested, replayed, warn_of_misplaced, with_run_options
from irsan.engine.options import DEFAULT_SCHEDULER
from irsan.errors import UsageError

if TYPE_CHECKING:
    from irsan.engine.options import RunOptions

_OWN_OPTIONS: Final = (
    "--schedules", "--time", "--until-found", "--strategy", "--jobs", "--campaign",
    "--exhaustive", "--cluster",
)  # fmt: skip
_TIME: Final = re.compile(r"(\d+(?:\.\d+)?)(s|m|min|h|)\Z")
_UNITS_S: Final = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def add_explore_commands(app: typer.Typer) -> None:
    """Put the commands into the command line."""
    app.command(context_settings={"allow_interspersed_args": False})(with_run_options(explore))

    @app.command(
        context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True}
    )
    def shrink(
        token: Annotated[str, typer.Argument(help="The replay token printed under a report.")],
        words: Annotated[
            list[str],
            typer.Argument(metavar="[RUN OPTIONS] PROGRAM... [--] [ARGS]...", help="As for run."),
        ],
    ) -> None:
        """Take switches between threads out of a schedule until none can go; show what is left."""
        command = typer.main.get_command(app)
        again = ["explore", "--shrink", token, *words]
        status = command.main(again, prog_name="irsan", standalone_mode=False)
        raise typer.Exit(status if isinstance(status, int) else 0)


def explore(
    asked: Requested,
    schedules: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="How many schedules to play (default 1000)."),
    ] = None,
    time: Annotated[
        str, typer.Option(metavar="TIME", help="When to stop, as 60s or 5m.")
    ] = "",
    until_found: Annotated[
        bool, typer.Option("--until-found", help="Stop at the first schedule that shows something.")
    ] = False,
    strategy: Annotated[
        str, typer.Option(metavar="LIST", help="Who chooses schedules, in turn, as pos,pct:3.")
    ] = "",
    jobs: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Processes that play them (default: all cores)."),
    ] = None,
    cluster: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Play them on a Dask cluster: tcp://HOST:PORT of its scheduler, or its file.",
        ),
    ] = "",
    exhaustive: Annotated[
        bool,
        typer.Option(
            "--exhaustive", help="Play every interleaving of a small test, and say so."
        ),
    ] = False,
    campaign: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Explore many programs, and keep what came of them in a database: "
            "PROGRAM... are programs, folders of them, and lists of command lines."
        ),
    ] = None,
    schedule_time: Annotated[
        str, typer.Option(metavar="TIME", help="What one schedule may take.")
    ] = "10s",
    shrink: Annotated[str | None, typer.Option(hidden=True)] = None,
) -> None:
    """Run a program under many thread schedules; report what all of them have shown.

    Each finding, and each way in which the program has ended, comes with the token of the first
    schedule that shows it: irsan replay TOKEN PROGRAM runs that one again.

    Exit status: 66 when something was found that fails a run, as for irsan run; else the first that
    was not 0, 124 for a schedule that did not end.
    """
    from irsan.explore.command import explore as explore_program
    from irsan.explore.command import standard_input
    from irsan.explore.explorer import DEFAULT_SCHEDULES, ExploreRequest, processors
    from irsan.explore.portfolio import parse_strategies
    from irsan.explore.schedules import NO_END, Limits

    options = asked.options
    warn_of_misplaced(asked.words, _OWN_OPTIONS)
    if shrink is not None:
        from irsan.explore.shrink import shrink as shrink_schedule

        raise typer.Exit(shrink_schedule(replayed(options, shrink), jobs or processors()))
    names = strategy or ("" if options.scheduler == DEFAULT_SCHEDULER else options.scheduler)
    _refuse_contradictions(options, names, jobs, cluster, is_exhaustive=exhaustive)
    n_schedules = schedules or (NO_END if time or exhaustive else DEFAULT_SCHEDULES)
    request = ExploreRequest(
        options,
        n_schedules,
        time_s=parse_time(time, "--time") if time else None,
        until_found=until_found,
        strategies=parse_strategies("script" if exhaustive else names),
        is_exhaustive=exhaustive,
        n_jobs=1 if exhaustive else jobs or processors(),
        cluster=cluster,
        limits=Limits(time_s=parse_time(schedule_time, "--schedule-time")),
        stdin=standard_input(),
    )
    if campaign is not None:
        if exhaustive:
            raise UsageError("--campaign counts schedules: it does not go with --exhaustive")
        from irsan.explore.campaign import run_campaign

        raise typer.Exit(run_campaign(campaign, asked.words, request))
    raise typer.Exit(explore_program(request))


def _refuse_contradictions(
    options: RunOptions, names: str, jobs: int | None, cluster: str, *, is_exhaustive: bool
) -> None:
    """Raises UsageError for options of which one says what the other does not allow."""
    if is_exhaustive and names:
        raise UsageError("--exhaustive plays every schedule: it goes with no --strategy")
    if is_exhaustive and options.inject:
        raise UsageError(
            "--exhaustive plays every schedule under one seed: what --inject draws would be the "
            "same in all of them; explore with --inject alone"
        )
    if is_exhaustive and cluster:
        raise UsageError("--exhaustive plays one schedule at a time: it goes with no --cluster")
    if cluster and jobs is not None:
        raise UsageError("--jobs is about this machine: it does not go with --cluster")


def run_with_seeds(options: RunOptions, n_seeds: int, *, is_alone: bool) -> int:
    """`irsan run --seeds N`. is_alone: without a schedule of its own, or a trace."""
    from irsan.explore.command import explore as explore_program
    from irsan.explore.command import standard_input
    from irsan.explore.explorer import ExploreRequest, processors
    from irsan.explore.portfolio import Strategy

    if not is_alone:
        raise UsageError("--seeds draws schedules: it goes neither with a replay nor with a trace")
    request = ExploreRequest(
        options,
        n_seeds,
        strategies=(Strategy(options.scheduler),),
        n_jobs=processors(),
        stdin=standard_input(),
    )
    return explore_program(request)


def parse_time(text: str, option: str) -> float:
    """Seconds. Raises UsageError for what is no time, or none at all."""
    match = _TIME.match(text.strip())
    seconds = float(match[1]) * _UNITS_S[match[2]] if match else 0.0
    if seconds <= 0:
        raise UsageError(f"{option} {text}: write a time as 60s, 5m or 1h")
    return seconds
