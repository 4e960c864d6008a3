"""Campaigns: programs by many names, and one that is killed ends with the same findings."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from irsan.engine.options import ReportTarget
from irsan.errors import UsageError
from irsan.explore.campaign import commands_of, run_campaign
from irsan.explore.explorer import ExploreRequest
from irsan.reports.formats.json_report import json_to_report
from tests.explore.programs import DEADLOCK, LOST_UPDATE, RACE, options_for
from tests.support.irsan_runs import bundled_compiler

N_SCHEDULES = 60


def written(folder: Path) -> Path:
    """A list of three programs."""
    for name, text in (("race", RACE), ("deadlock", DEADLOCK), ("update", LOST_UPDATE)):
        (folder / f"{name}.c").write_text(text)
    path = folder / "list.txt"
    path.write_text("# three\nrace.c one 'two words'\n\ndeadlock.c\nupdate.c\n")
    return path


def rows(path: Path) -> dict[str, list[Any]]:
    """All that a campaign has kept, but for times."""
    with sqlite3.connect(path) as file:
        return {
            "programs": file.execute(
                "SELECT command, problem FROM programs ORDER BY id"
            ).fetchall(),
            "schedules": file.execute(
                "SELECT program, number, token, ending, status, digest, interleaving, facts "
                "FROM schedules ORDER BY program, number"
            ).fetchall(),
            "findings": file.execute(
                "SELECT program, key, number, fingerprint FROM findings ORDER BY program, key"
            ).fetchall(),
        }


def command(store: Path, programs: Path) -> list[str]:
    return [
        sys.executable, "-m", "irsan", "explore", "--campaign", str(store), "--cc",
        bundled_compiler(), "-O0", "--schedules", str(N_SCHEDULES), str(programs),
    ]  # fmt: skip


def test_a_campaign_that_is_killed_and_resumed_loses_and_repeats_nothing(tmp_path: Path) -> None:
    programs = written(tmp_path)
    whole, resumed = tmp_path / "whole.sqlite", tmp_path / "resumed.sqlite"
    end = subprocess.run(command(whole, programs), capture_output=True, text=True, check=False)
    assert end.returncode == 66, end.stderr
    for n_wanted in (10, N_SCHEDULES + 30):
        with subprocess.Popen(
            command(resumed, programs), stderr=subprocess.DEVNULL, start_new_session=True
        ) as process:
            await_rows(resumed, n_wanted)
            os.killpg(process.pid, signal.SIGKILL)
        assert 0 < len(rows(resumed)["schedules"]) < 3 * N_SCHEDULES
    again = subprocess.run(command(resumed, programs), capture_output=True, text=True, check=False)
    assert (again.returncode, reported(again.stderr)) == (end.returncode, reported(end.stderr))
    assert rows(resumed) == rows(whole)
    assert len(rows(whole)["schedules"]) == 3 * N_SCHEDULES


def reported(text: str) -> list[str]:
    """What is printed, but for the progress of a campaign that takes its time."""
    return [line for line in text.splitlines() if " per second, " not in line]


def await_rows(path: Path, n_wanted: int) -> None:
    for _ in range(6000):
        try:
            if path.exists() and len(rows(path)["schedules"]) >= n_wanted:
                return
        except sqlite3.OperationalError:
            pass  # the tables are not there yet
        time.sleep(0.01)
    raise AssertionError("the campaign makes no progress")


def test_findings_of_all_programs_are_one_report(tmp_path: Path) -> None:
    options = options_for(tmp_path, RACE)
    (tmp_path / "copy.c").write_text(RACE)
    report_path = tmp_path / "all.json"
    request = ExploreRequest(options, 40)
    request = replace_reports(request, report_path)
    words = [str(tmp_path / "program.c"), str(tmp_path / "copy.c"), str(tmp_path / "no.c")]
    assert run_campaign(tmp_path / "c.sqlite", words, request) == 66
    report = json_to_report(report_path.read_text())
    (finding,) = report.findings
    assert [Path(each.program).name for each in finding.seen] == ["program.c", "copy.c"]
    assert [each.what for each in report.cut] == ["report files"]


def replace_reports(request: ExploreRequest, path: Path) -> ExploreRequest:
    from dataclasses import replace

    options = replace(request.options, reports=(ReportTarget("json", path),))
    return replace(request, options=options)


def test_more_schedules_go_on_where_fewer_ended(tmp_path: Path) -> None:
    options = options_for(tmp_path, DEADLOCK)
    words = [str(options.programs[0])]
    few, many = tmp_path / "few.sqlite", tmp_path / "many.sqlite"
    run_campaign(few, words, ExploreRequest(options, 20))
    assert len(rows(few)["schedules"]) == 20
    run_campaign(few, words, ExploreRequest(options, 90))
    run_campaign(many, words, ExploreRequest(options, 90))
    assert rows(few) == rows(many)


def test_words_stand_for_programs_lists_and_folders(tmp_path: Path) -> None:
    listed = written(tmp_path)
    assert list(commands_of([str(listed), "x.c"])) == [
        (str(tmp_path / "race.c"), "one", "two words"),
        (str(tmp_path / "deadlock.c"),),
        (str(tmp_path / "update.c"),),
        ("x.c",),
    ]
    with pytest.raises(UsageError, match="no program that carries IR"):
        list(commands_of([str(tmp_path)]))
    listed.write_text("a 'b\n")
    with pytest.raises(UsageError, match="no list of command lines"):
        list(commands_of([str(listed)]))


def test_a_folder_stands_for_its_programs_with_ir(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int main(void) { return 0; }")
    made = tmp_path / "bin" / "a"
    made.parent.mkdir()
    words = [sys.executable, "-m", "irsan", "cc", str(tmp_path / "a.c"), "-o", str(made)]
    subprocess.run(words, check=True, env={**os.environ, "IRSAN_CC": bundled_compiler()})
    assert list(commands_of([str(made.parent)])) == [(str(made),)]
