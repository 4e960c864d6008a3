"""Explorations: the same result with any number of hosts, and where they stop."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from irsan.engine.options import ReportTarget
from irsan.explore.command import explore
from irsan.explore.explorer import Explorer, ExploreRequest
from irsan.explore.playing.hosts import Hosts
from irsan.explore.portfolio import Strategy
from irsan.explore.schedules import NO_END, Limits
from irsan.reports.formats.json_report import json_to_report
from tests.explore.programs import DEADLOCK, RACE, WAYS, options_for


def report_of(request: ExploreRequest, folder: Path) -> tuple[int, dict[str, Any]]:
    path = folder / "report.json"
    options = replace(request.options, reports=(ReportTarget("json", path),))
    status = explore(replace(request, options=options))
    found = json.loads(path.read_text())
    for changing in ("timing", "pid"):
        del found[changing]
    return status, found


def test_the_number_of_hosts_changes_nothing(tmp_path: Path) -> None:
    request = ExploreRequest(options_for(tmp_path, RACE), 100)
    one, two = (report_of(replace(request, n_jobs=n), tmp_path) for n in (1, 2))
    assert one == two
    status, report = one
    assert status == 66
    facts = report["exploration"]
    assert facts["n_schedules"] == 100 == sum(o["n_schedules"] for o in facts["outcomes"])
    assert {o["output"] for o in facts["outcomes"]} == {"0\n", "41\n", "42\n"}
    (finding,) = report["findings"]
    assert finding["kind"] == "data race" and "timeline" in finding
    assert finding["explored"]["n_schedules"] < 100


def test_both_engines_play_the_same_schedules(tmp_path: Path) -> None:
    """A token of one engine is good for the other: its sites have the same numbers in both."""
    reports = []
    for engine in ("jit", "interp"):
        options = replace(options_for(tmp_path, RACE), engine=engine)
        _, report = report_of(ExploreRequest(options, 64), tmp_path)
        reports.append(report["exploration"])
    assert any("-ssurw." in outcome["first"]["schedule"] for outcome in reports[0]["outcomes"])
    assert reports[0] == reports[1]


def test_every_token_replays_its_outcome(tmp_path: Path) -> None:
    options = options_for(tmp_path, RACE)
    _, report = report_of(ExploreRequest(options, 60, n_jobs=2), tmp_path)
    for outcome in report["exploration"]["outcomes"]:
        words = [sys.executable, "-m", "irsan", "replay", outcome["first"]["schedule"]]
        words += ["--cc", options.cc or "", str(options.programs[0])]
        run = subprocess.run(words, capture_output=True, text=True, check=False)
        assert (run.stdout, run.returncode) == (outcome["output"], outcome["exit_status"])


def test_a_report_of_many_schedules_can_be_read_and_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "deadlock.json"
    targets = (ReportTarget("text"), ReportTarget("json", path))
    options = replace(options_for(tmp_path, DEADLOCK), reports=targets)
    assert explore(ExploreRequest(options, 60)) == 66
    printed = capsys.readouterr().err
    assert "irsan explore: 60 schedules: " in printed
    assert "found first by schedule" in printed
    report = json_to_report(path.read_text())
    assert report.exploration is not None
    assert {"deadlock", "exit status 0"} == {o.ending for o in report.exploration.outcomes}
    for finding in report.findings:
        assert finding.explored is not None
        assert f"irsan replay {finding.explored.first.schedule} " in printed


def test_the_first_hit_by_number_is_the_last_schedule(tmp_path: Path) -> None:
    request = ExploreRequest(options_for(tmp_path, DEADLOCK), NO_END, until_found=True)
    found = []
    for n_hosts in (1, 2):
        explorer = Explorer(request)
        with Hosts(n_hosts) as hosts:
            explorer.play(hosts)
        assert explorer.result.hit is not None
        assert explorer.result.n_schedules == explorer.result.hit.index + 1
        found.append(explorer.result.hit)
    assert found[0] == found[1]


def test_time_ends_an_exploration(tmp_path: Path) -> None:
    explorer = Explorer(ExploreRequest(options_for(tmp_path, WAYS), NO_END, time_s=0.5))
    with Hosts(1) as hosts:
        explorer.play(hosts)
    assert explorer.budget.is_out_of_time
    assert explorer.result.n_schedules > 0


def test_a_program_that_never_ends_is_an_outcome(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = replace(options_for(tmp_path, WAYS, "hang"), reports=(ReportTarget("text"),))
    assert explore(ExploreRequest(options, 2, limits=Limits(time_s=0.3))) == 124
    assert "no end within 0.3 s" in capsys.readouterr().err


def test_one_strategy_with_one_schedule_has_one_interleaving(tmp_path: Path) -> None:
    options = options_for(tmp_path, RACE)
    explorer = Explorer(ExploreRequest(options, 5, strategies=(Strategy("round_robin"),)))
    with Hosts(1) as hosts:
        explorer.play(hosts)
    assert len(explorer.result.interleavings) == 1
    assert [*explorer.result.tallies] == ["round_robin"]
