"""Schedules made simpler: what is left shows the same, in a new process too, on both engines.

Two of four pairs of a bug and a strategy are tried (`in_part`; IRSAN_PART=all: all).
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from irsan.explore.explorer import Explorer, ExploreRequest
from irsan.explore.playing.hosts import Hosts
from irsan.explore.portfolio import Strategy
from irsan.explore.report import ExplorationReport
from irsan.explore.shown_again import Target, find_again
from irsan.explore.shrink import n_preemptions_of
from irsan.reports.formats.json_report import json_to_report
from tests.explore.programs import DEADLOCK, options_for
from tests.support.irsan_runs import in_part

PROGRAMS = Path(__file__).parents[1] / "programs_explored"
LOST = """
#include <assert.h>
#include <pthread.h>
static int balance = 100;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *deposit(void *unused) {
  for (int i = 0; i < 4; i++) {
    pthread_mutex_lock(&mutex);
    int seen = balance;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    balance = seen + 10;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, deposit, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(balance == 180);
  return 0;
}
"""


def irsan(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "irsan", *words],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


def failing_token(folder: Path, source: str, strategy: str, ending: str) -> tuple[str, list[str]]:
    """The token of the first schedule of a strategy that ends so, and the rest of the command."""
    options = options_for(folder, source)
    request = ExploreRequest(options, 200, strategies=(Strategy(strategy),))
    explorer = Explorer(request)
    with Hosts(1) as hosts:
        prepared = explorer.play(hosts)
    first = next(o.first for o in explorer.result.outcomes.values() if ending in o.ending.words)
    token = ExplorationReport(request, prepared).token(first)
    return token, ["--cc", options.cc or "", str(options.programs[0])]


@pytest.mark.parametrize(("source", "ending", "strategy"), in_part([
    pytest.param(LOST, "assertion failed", "uniform", id="uniform-lost"),
    pytest.param(DEADLOCK, "deadlock", "uniform", id="uniform-dead"),
    pytest.param(DEADLOCK, "deadlock", "random", id="random-dead"),
    pytest.param(LOST, "assertion failed", "random", id="random-lost"),
], 2))  # fmt: skip
def test_one_preemption_is_left_and_shows_the_same(
    tmp_path: Path, source: str, ending: str, strategy: str
) -> None:
    token, program = failing_token(tmp_path, source, strategy, ending)
    page, facts = tmp_path / "shrunk.html", tmp_path / "shrunk.json"
    reports = [
        "--report-format", "text", "--report-format", "html", "--report-path", str(page),
        "--report-format", "json", "--report-path", str(facts),
    ]  # fmt: skip
    done = irsan("shrink", token, *reports, *program)
    assert ending in done.stderr.splitlines()[0]
    assert ": 1 preemption (" in done.stderr
    assert re.search(r"^ *> +\d", done.stderr, re.MULTILINE)
    match = re.search(r"replay: irsan replay (\S+)", done.stderr)
    assert match is not None
    runs = [irsan("replay", match[1], "--engine", e, *program) for e in ("jit", "interp", "jit")]
    assert {run.returncode for run in runs} == {66}
    wanted = "Failed assertion" if "assertion" in ending else "ThreadSanitizer: deadlock"
    assert all(wanted in run.stderr for run in runs)
    report = json_to_report(facts.read_text())
    assert report.interleaving is not None and report.interleaving.n_preemptions == 1
    assert report.command[:3] == ("irsan", "replay", match[1]) and report.findings
    assert sum(step.is_preemption for step in report.interleaving.steps) == 1
    assert "with 1 preemption left of" in page.read_text()


def test_what_a_bug_needs_is_nearly_what_is_left(tmp_path: Path) -> None:
    source = (PROGRAMS / "bugs" / "peterson_order.c").read_text()  # needs two preemptions
    token, program = failing_token(tmp_path, source, "uniform", "assertion failed")
    done = irsan("shrink", token, *program)
    match = re.search(r": (\d) preemptions? \((\d+) before", done.stderr)
    assert match is not None and 2 <= int(match[1]) <= 4 < int(match[2])
    replay = re.search(r"replay: irsan replay (\S+)", done.stderr)
    assert replay is not None
    assert "Failed assertion" in irsan("replay", replay[1], *program).stderr


def test_the_same_is_found_again_with_a_bound_on_preemptions(tmp_path: Path) -> None:
    target = Target("assertion failed: balance == 180", frozenset())
    with Hosts(2) as hosts:
        hosts.load(options_for(tmp_path, LOST))
        found = find_again(hosts, target, 0, "preempt:2,delay:2", 256)
        assert find_again(hosts, target, 0, "preempt:1", 32) is None  # of none at all
    assert found is not None
    schedule, played = found
    assert target.is_shown_by(played) and schedule.keeps_trace
    assert n_preemptions_of(played) == 1


def test_a_schedule_without_a_finding_is_refused(tmp_path: Path) -> None:
    token, program = failing_token(tmp_path, LOST.replace("== 180", "> 0"), "pos", "status 0")
    done = irsan("shrink", token, *program)
    assert done.returncode == 2
    assert "nothing to shrink" in done.stderr
