"""What becomes of findings: which are kept, printed and counted, when a run stops, how it ends."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from irsan.engine.findings.findings import FindingsRecorder
from irsan.engine.guest.machine import Outcome
from irsan.engine.options import ReportTarget, RunOptions
from irsan.engine.run.prepared import Stages
from irsan.runtime.flags.flags import parse_flags
from tests.reports import samples

FREED = samples.MEMORY["heap-use-after-free"]
OVERFLOW = samples.MEMORY["heap-buffer-overflow"]
RACE = samples.RACES["race-heap"]
LEAK = samples.LEAKS[0]
CRASH = Outcome(signal=signal.SIGABRT)


class Run:
    """A recorder whose text goes to a file and whose report is written as JSON."""

    def __init__(self, folder: Path, environment: dict[str, str], **more: Any) -> None:
        self.folder = folder
        program = folder / "a.c"
        program.write_text("int main(void) {}\n")
        log = {"ASAN_OPTIONS": f"log_path={folder / 'log'}:{environment.get('ASAN_OPTIONS', '')}"}
        flags = parse_flags(environment | log, program=str(program), pid=os.getpid()).flags
        paths = (folder / "report.json", folder / "early.%p")
        targets = (ReportTarget("text"), *(ReportTarget("json", path) for path in paths))
        options = RunOptions((program,), reports=targets, environment=environment, **more)
        self.recorder = FindingsRecorder(options, flags, "0123456789abcdef", Stages())

    @property
    def text(self) -> str:
        """What has been printed so far."""
        return "".join(path.read_text() for path in self.folder.glob("log.*"))

    @property
    def report(self) -> Any:
        return json.loads((self.folder / "report.json").read_text())


@pytest.fixture
def new_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.chdir(tmp_path)
    made: list[Run] = []

    def make(environment: dict[str, str] | None = None, **more: Any) -> Run:
        made.append(Run(tmp_path, environment or {}, **more))
        return made[-1]

    yield make


def test_an_error_of_memory_stops_the_run_and_a_race_does_not(new_run: Any) -> None:
    recorder = new_run().recorder
    assert not recorder.add(RACE)
    assert recorder.add(FREED)
    assert recorder.findings == [RACE, FREED]


def test_flags_decide_what_stops_a_run(new_run: Any) -> None:
    flags = {"ASAN_OPTIONS": "halt_on_error=0", "TSAN_OPTIONS": "halt_on_error=1"}
    recorder = new_run(flags).recorder
    assert not recorder.add(FREED)
    assert recorder.add(RACE)


def test_a_finding_is_printed_when_it_comes(new_run: Any) -> None:
    run = new_run()
    before: list[str] = []
    run.recorder.add(FREED, lambda: before.append(run.text))
    assert before == [""]
    assert "heap-use-after-free" in run.text
    assert run.recorder.summary_of(FREED) in run.text


def test_the_same_race_is_reported_once(new_run: Any) -> None:
    run = new_run()
    for _ in range(3):
        run.recorder.add(RACE)
    assert run.recorder.findings == [RACE]
    assert run.text.count("SUMMARY: ") == 1


def test_races_of_one_cause_are_all_there_when_that_is_wanted(new_run: Any) -> None:
    flags = {"TSAN_OPTIONS": "suppress_equal_stacks=0:suppress_equal_addresses=0"}
    run = new_run(flags)
    for _ in range(3):
        run.recorder.add(RACE)
    assert len(run.recorder.findings) == 3


def test_a_suppressed_finding_leaves_no_trace_but_its_count(new_run: Any) -> None:
    function = FREED.stacks[0].frames[0].function
    run = new_run({"ASAN_OPTIONS": "halt_on_error=0"})
    run.recorder.add_suppressions(f"interceptor_via_fun:{function}\nrace:*\n", "the program")
    assert not run.recorder.add(RACE)
    assert run.recorder.findings == [] and run.text == ""
    assert run.recorder.suppresses(RACE)
    assert run.recorder.status_of_findings() == 0
    [use] = finished(run)["suppressed"]
    assert (use["type"], use["template"], use["count"]) == ("race", "*", 2)


def finished(run: Run, outcome: Outcome | None = None) -> Any:
    """The report of a run that ends now."""
    run.recorder.finish(outcome or Outcome())
    return run.report


@pytest.mark.parametrize(
    ("finding", "flags", "status"),
    [
        (FREED, {}, 66),
        (RACE, {}, 66),
        (FREED, {"ASAN_OPTIONS": "exitcode=7"}, 7),
        (RACE, {"TSAN_OPTIONS": "exitcode=0"}, 3),
        (replace(LEAK, fatal=False), {}, 3),
        (replace(LEAK, fatal=True), {}, 66),
    ],
)
def test_the_exit_status_says_that_there_were_findings(
    new_run: Any, finding: Any, flags: dict[str, str], status: int
) -> None:
    run = new_run(flags)
    run.recorder.add_leaks([finding]) if finding is not FREED else run.recorder.add(finding)
    assert run.recorder.status_of_findings(3) == status
    assert finished(run, Outcome(status=3))["exit_status"] == status


def test_a_clean_run_ends_as_the_program_does(new_run: Any) -> None:
    run = new_run()
    assert run.recorder.finish(Outcome(status=5)) == 5
    assert run.report["findings"] == [] and run.text == ""


def test_the_program_may_say_itself_whether_races_count(new_run: Any) -> None:
    recorder = new_run().recorder
    recorder.add(RACE)
    assert recorder.has_races
    recorder.has_races = False
    assert not recorder.has_races and recorder.status_of_findings() == 0
    recorder.has_races = True
    assert recorder.status_of_findings() == 66


def test_abort_on_error_is_for_the_finding_that_ended_the_run(new_run: Any) -> None:
    recorder = new_run({"ASAN_OPTIONS": "abort_on_error=1"}).recorder
    stopped = Outcome(status=66, is_stopped=True)
    assert not recorder.ends_by_abort(stopped), "nothing was found"
    recorder.add(FREED)
    assert recorder.ends_by_abort(stopped)
    assert not recorder.ends_by_abort(Outcome(status=66))
    assert recorder.finish(stopped) == 128 + signal.SIGABRT


def test_a_child_has_findings_of_its_own(new_run: Any) -> None:
    run = new_run()
    run.recorder.add(RACE)
    run.recorder.start_child()
    assert run.recorder.findings == []
    assert not run.recorder.add(RACE)
    assert run.recorder.findings == [RACE], "what the parent has reported is new to the child"
    assert run.recorder.ends_by_abort(CRASH)


def test_the_report_is_there_before_the_run_has_ended(new_run: Any) -> None:
    """The process may be killed: findings so far are kept in files of its own."""
    run = new_run({"ASAN_OPTIONS": "halt_on_error=0"})
    run.recorder.add(FREED)
    early = json.loads((run.folder / f"early.{os.getpid()}").read_text())
    assert [one["kind"] for one in early["findings"]] == ["heap-use-after-free"]
    run.recorder.add(OVERFLOW)
    kinds = [one["kind"] for one in finished(run)["findings"]]
    assert kinds == ["heap-use-after-free", "heap-buffer-overflow"]


def test_text_goes_where_the_program_redirects_it(new_run: Any, tmp_path: Path) -> None:
    run = new_run({"ASAN_OPTIONS": "halt_on_error=0"})
    run.recorder.add(FREED)
    before = run.text
    run.recorder.redirect(str(tmp_path / "other"))
    run.recorder.write("and more\n")
    assert run.text == before
    assert (tmp_path / f"other.{os.getpid()}").read_text() == "and more\n"
    assert run.recorder.report_path() == str(tmp_path / f"other.{os.getpid()}")
