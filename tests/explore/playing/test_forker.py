"""A forker's processes are what forks of the host are: the same schedules, in the same process.

The host forks itself where each schedule has a calendar of its own (`--inject clock`), so the two
are compared with programs that do not ask for the time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.engine.options import RunOptions
from irsan.explore.explorer import Explorer, ExploreRequest
from irsan.explore.playing.forker import ranges_of
from irsan.explore.playing.hosts import Hosts
from irsan.explore.portfolio import parse_strategies
from irsan.explore.schedules import Limits, Played, Schedule
from irsan.runtime.layout.options import SCHEDULERS
from tests.explore.programs import DEADLOCK, LOST_UPDATE, RACE, options_for

FORKED_BY_HOST = ("clock",)
SEEN = """
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
    sigset_t mask;
    int blocked = 0, open_ones = 0;
    sigprocmask(SIG_BLOCK, 0, &mask);
    for (int number = 1; number < 65; number++) blocked += sigismember(&mask, number) == 1;
    for (int number = 0; number < 1000; number++) open_ones += fcntl(number, F_GETFD) >= 0;
    printf("%d blocked, %d open, next %d, group %d, alone %d\\n", blocked, open_ones,
           open("/dev/null", O_RDONLY), getpgrp() == getpid(), getppid() != getpid());
    return 0;
}
"""
COUNTED = """
#include <pthread.h>
#include <stdatomic.h>
static _Atomic int n;
static void *work(void *argument) {
    for (int i = 0; i < 4; i++) n = n + 1;
    return argument;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    return n;
}
"""


@pytest.fixture(scope="module")
def hosts() -> Iterator[Hosts]:
    with Hosts(1) as found:
        yield found


def both_ways(options: RunOptions) -> tuple[RunOptions, RunOptions]:
    """Played by a forker, and by forks of the host."""
    return options, replace(options, inject=FORKED_BY_HOST)


def facts(played: Played) -> tuple[object, ...]:
    return (
        played.index, played.ending, played.digest, played.interleaving, played.steps,
        played.found, played.suppressed, played.racing, played.shares, played.reads, played.trace,
    )  # fmt: skip


def test_the_process_is_the_programs_own(hosts: Hosts, tmp_path: Path) -> None:
    for options in both_ways(options_for(tmp_path, SEEN)):
        hosts.load(options)
        outputs = [one.output for one in hosts.play([Schedule(n, "pos", n) for n in range(3)])]
        assert outputs == [b"0 blocked, 3 open, next 3, group 1, alone 1\n", None, None]


@pytest.mark.parametrize("text", [COUNTED, RACE, LOST_UPDATE, DEADLOCK])
def test_all_strategies_play_the_same_schedules(hosts: Hosts, tmp_path: Path, text: str) -> None:
    strategies = parse_strategies(",".join(name for name in SCHEDULERS if name != "script"))
    seen = []
    for options in both_ways(options_for(tmp_path, text)):
        explorer = Explorer(ExploreRequest(options, 90, strategies=strategies))
        kept: list[tuple[object, ...]] = []
        explorer.keep = lambda schedule, _, played, kept=kept: kept.append(  # type: ignore[misc]
            (schedule.words, *facts(played))
        )
        explorer.play(hosts)
        seen.append(kept)
    assert len(seen[0]) == 90 and seen[0] == seen[1]


def test_one_choice_leaves_nothing_to_the_next(hosts: Hosts, tmp_path: Path) -> None:
    """The same schedules, each first behind others and then alone in a new host."""
    options = options_for(tmp_path, COUNTED)
    script = (3, 1000, 2, 1, 2, *range(4000))
    schedules = [
        Schedule(0, "random", 1), Schedule(1, "rff", 5, (3, 40, 0, 1, 1, 2)),
        Schedule(2, "script", 5, script), Schedule(3, "pct", 8, (16, 12, 0)),
        Schedule(4, "random", 1), Schedule(5, "pos", 8), Schedule(6, "round_robin", 1),
    ]  # fmt: skip
    hosts.load(options)
    behind_others = [facts(one) for one in hosts.play(schedules)]
    alone = []
    for schedule in schedules:
        hosts.load(options)
        alone += [facts(one) for one in hosts.play([schedule])]
    assert behind_others == alone
    assert behind_others[0][1:] == behind_others[4][1:]


def test_traces_and_limits_are_as_with_forks_of_the_host(hosts: Hosts, tmp_path: Path) -> None:
    schedules = [Schedule(n, "uniform", n, is_traced=n == 1, keeps_trace=n > 1) for n in range(4)]
    seen = []
    for options in both_ways(options_for(tmp_path, COUNTED)):
        hosts.load(options, Limits(time_s=5.0))
        seen.append([facts(one) for one in hosts.play(schedules)])
    assert seen[0] == seen[1]
    assert all(seen[0][n][-1] for n in (2, 3))


@given(st.sets(st.integers(1, 60)))
def test_ranges_cover_all_pages_and_no_large_gap(numbers: set[int]) -> None:
    ranges = ranges_of([number * 4096 for number in numbers])
    covered = [page for lo, size in ranges for page in range(lo // 4096, (lo + size) // 4096)]
    assert covered == sorted(set(covered)) and numbers <= set(covered)
    assert all(page in numbers or {page - 1, page + 1} <= numbers for page in covered)
    assert all(b - a - size > 4096 for (a, size), (b, _) in pairwise(ranges))


def test_ends_in_python_show_the_same_before_and_behind_copied_pages(
    hosts: Hosts, tmp_path: Path
) -> None:
    """The first that goes on in Python tells the pages that later ones are given."""
    hosts.load(options_for(tmp_path, DEADLOCK))
    shown = [facts(one)[1:] for one in hosts.play([Schedule(n, "pos", 5) for n in range(4)])]
    assert shown == [shown[0]] * 4
