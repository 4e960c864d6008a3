"""Concurrency bugs of the corpus: each is found by its consequence, no right twin fails.

Programs and campaign seeds take turns from part to part (`is_in_part`); IRSAN_PART=all is all
programs at ten seeds, 2,000 schedules for each twin, and PCT's bound over 10,000 schedules.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from irsan.engine.guest.explored_schedule import ScheduleWords
from irsan.explore.playing.hosts import Hosts
from irsan.explore.schedules import Limits, Schedule
from tests.support.explored_programs import ExploredProgram, discover_programs
from tests.support.explored_runs import Judge, first_failure, options_of, play_campaign
from tests.support.irsan_runs import in_part

IS_ALL = os.environ.get("IRSAN_PART") == "all"
PROGRAMS = discover_programs()
BY_NAME = {program.name: program for program in PROGRAMS}
N_CAMPAIGNS = 10
PARTS = 40  # of programs and campaigns; of twins a fifth as many
N_SCHEDULES = 1000
N_CLEAN = 2000 if IS_ALL else 150
N_BOUND = 10_000 if IS_ALL else 400
N_THREADS = 3  # of the programs that have a depth: main and two
LIMITS = Limits(time_s=30.0)


@pytest.fixture(scope="module")
def hosts() -> Iterator[Hosts]:
    with Hosts(1) as found:
        yield found


def campaigns() -> Iterator[object]:
    every = [(program, number) for program in PROGRAMS for number in range(N_CAMPAIGNS)]
    for program, number in in_part(every, PARTS):
        gap = pytest.mark.xfail(bool(program.missed), reason=program.missed, strict=True)
        yield pytest.param(program.name, number, marks=gap)


@pytest.mark.parametrize(("name", "campaign"), list(campaigns()))
def test_the_failure_is_shown(
    hosts: Hosts, name: str, campaign: int, record_property: pytest.RecordProperty
) -> None:
    program = BY_NAME[name]
    hosts.load(options_of(program), LIMITS)
    first = first_failure(hosts, program, campaign, N_SCHEDULES)
    record_property("schedules", None if first is None else first + 1)
    assert first is not None, f"{program.consequences} in none of {N_SCHEDULES} schedules"


@pytest.mark.parametrize("name", in_part(list(BY_NAME), PARTS // 5))
def test_the_right_twin_is_clean(hosts: Hosts, name: str) -> None:
    program = BY_NAME[name]
    hosts.load(options_of(program, fixed=True), LIMITS)
    judge = Judge(program)
    found = {judge.problems(played) for played in play_campaign(hosts, judge, 0, N_CLEAN)}
    assert found == {""}


def bound_of(program: ExploredProgram, n_points: int) -> float:
    """The least share of schedules in which PCT finds a bug of the program's depth."""
    assert program.depth is not None
    return float(1 / (N_THREADS * n_points ** (program.depth - 1)))


@pytest.mark.parametrize("name", in_part([p.name for p in PROGRAMS if p.depth], 4))
def test_pct_keeps_its_bound(hosts: Hosts, name: str) -> None:
    program = BY_NAME[name]
    assert program.depth is not None
    hosts.load(options_of(program), LIMITS)
    judge, n_points = Judge(program), 1
    for played in hosts.play(Schedule(seed, "pos", seed) for seed in range(20)):
        judge.note(played)
        n_points = max(n_points, played.steps)
    words = ScheduleWords(program.depth, n_points).as_words()
    schedules = (Schedule(seed, "pct", seed, words) for seed in range(N_BOUND))
    n_found = 0
    for played in hosts.play(schedules):
        judge.note(played)
        n_found += judge.consequence(played) != ""
    assert n_found / N_BOUND >= bound_of(program, n_points)
