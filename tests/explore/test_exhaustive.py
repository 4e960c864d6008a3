"""Every interleaving of small tests: as many as there are, and the claim that is made."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, factorial
from pathlib import Path

import pytest

from irsan.explore.exhaustive import ExhaustiveExplorer
from irsan.explore.explorer import ExploreRequest
from irsan.explore.playing.hosts import Hosts
from irsan.explore.schedules import NO_END
from tests.explore.programs import options_for

HEAD = """
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int x, y, z;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int plain;
"""


@dataclass(frozen=True)
class Case:
    """Bodies of threads, and how many classes of interleavings they have."""

    name: str
    threads: tuple[str, ...]
    n_classes: int
    n_wasted: int = 0  # schedules of a class that was played before
    endings: frozenset[str] = frozenset({"exit status 0"})


LOCK = "pthread_mutex_lock(&m);"
UNLOCK = "pthread_mutex_unlock(&m);"
LOCKED = f"{LOCK} plain++; {UNLOCK}"
BOTH = "pthread_mutex_lock(&m); pthread_mutex_lock(&n); " \
    "pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);"
TURNED = "pthread_mutex_lock(&n); pthread_mutex_lock(&m); " \
    "pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);"
CASES = [
    Case("one writer each", ("x = 1;", "y = 1;", "z = 1;"), 1),
    Case("two writers", ("x = 1;", "x = 2;"), 2),
    Case("three writers", ("x = 1;", "x = 2;", "x = 3;"), factorial(3)),
    Case("four writers", ("x = 1;", "x = 2;", "x = 3;", "x = 4;"), factorial(4)),
    Case("three adders", ("x++;",) * 3, factorial(3)),
    Case("one reader", ("x = 1;", "(void)atomic_load(&x);"), 2),
    Case("two readers", ("x = 1;", *("(void)atomic_load(&x);",) * 2), 4),
    Case("three readers", ("x = 1;", *("(void)atomic_load(&x);",) * 3), 8),
    Case("readers alone", ("(void)atomic_load(&x);",) * 4, 1),
    Case("store buffering", ("x = 1; (void)atomic_load(&y);", "y = 1; (void)atomic_load(&x);"), 3),
    Case("message passing", ("x = 1; y = 1;", "(void)atomic_load(&y); (void)atomic_load(&x);"), 3),
    Case("two and two writes", ("x = 1; x = 2;", "x = 3; x = 4;"), comb(4, 2)),
    Case("three and three writes", ("x = 1; x = 2; x = 3;", "x = 4; x = 5; x = 6;"), comb(6, 3)),
    Case("crossed writes", ("x = 1; y = 1;", "y = 2; x = 2;"), 3),
    Case("two locks of one mutex", (LOCKED, LOCKED), 2),
    Case("three threads at one mutex", (LOCKED,) * 3, factorial(3)),
    Case("twice at one mutex", (LOCKED * 2, LOCKED * 2), comb(4, 2)),
    Case("two mutexes", (LOCKED, "pthread_mutex_lock(&n); pthread_mutex_unlock(&n);"), 1),
    Case("a lock around an atomic", (f"{LOCK} x = 1; {UNLOCK}", "x = 2;"), 2),
    Case("locks in one order", (BOTH, BOTH), 2, n_wasted=1),
    Case("locks in two orders", (BOTH, TURNED), 3, 0, frozenset({"exit status 0", "deadlock"})),
]


def program(case: Case) -> str:
    parts = [HEAD]
    for number, body in enumerate(case.threads):
        parts.append(f"static void *run{number}(void *unused) {{ {body} return unused; }}")
    n = len(case.threads)
    starts = "".join(f"pthread_create(&threads[{i}], 0, run{i}, 0);" for i in range(n))
    joins = "".join(f"pthread_join(threads[{i}], 0);" for i in range(n))
    parts.append(f"int main(void) {{ pthread_t threads[{n}]; {starts} {joins} return 0; }}")
    return "\n".join(parts)


@pytest.fixture(scope="module")
def hosts() -> Hosts:
    return Hosts(1)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name.replace(" ", "-"))
def test_each_class_is_played_once(tmp_path: Path, hosts: Hosts, case: Case) -> None:
    explorer = ExhaustiveExplorer(ExploreRequest(options_for(tmp_path, program(case)), NO_END))
    explorer.play(hosts)
    assert explorer.is_whole
    assert f": {case.n_classes} that differ" in explorer.claim
    assert explorer.result.n_schedules == case.n_classes + case.n_wasted
    assert {one.ending.words for one in explorer.result.outcomes.values()} == case.endings


def test_a_lost_update_is_found_behind_its_race(tmp_path: Path, hosts: Hosts) -> None:
    case = Case("race", ("plain++;", "plain++;"), 0)
    source = program(case).replace("return 0; }", "return plain != 2; }")
    explorer = ExhaustiveExplorer(ExploreRequest(options_for(tmp_path, source), NO_END))
    explorer.play(hosts)
    assert explorer.is_whole
    assert "at 2 racing places" in explorer.claim
    assert {one.ending.words for one in explorer.result.outcomes.values()} == {
        "exit status 0", "exit status 1",
    }  # fmt: skip


def test_a_search_that_is_stopped_claims_no_more_than_it_did(tmp_path: Path, hosts: Hosts) -> None:
    case = next(case for case in CASES if case.name == "four writers")
    explorer = ExhaustiveExplorer(ExploreRequest(options_for(tmp_path, program(case)), 5))
    explorer.play(hosts)
    assert not explorer.is_whole
    assert explorer.result.n_schedules == 5
    assert explorer.claim.startswith("The search was stopped behind 5 interleavings")
