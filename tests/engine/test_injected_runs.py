"""Whole programs with failures that are injected: who crashes only behind one, and who does not.

Half of the seeds are run, a quarter for fixed twins of interrupted calls (`in_part`;
IRSAN_PART=all: every one).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import pytest

from irsan.engine.commands.batch import BatchRunner, RunResult
from irsan.engine.injected_words import INJECTABLE, parse_injected
from irsan.engine.replay import parse_replay_token
from irsan.engine.start_of_clock import clock_of
from tests.support.irsan_runs import in_part

PROGRAMS = Path(__file__).parents[1] / "programs_injected"
SEEDS, SOME, FEW = in_part(range(24), 2), range(8), range(2)
SEEDS_OF_FIXED_CALLS = in_part(range(24), 4)
THREADED = ("io.c", "signals.c", "wakeups.c")
ENGINES = ("jit", "interp")
N_WAYS = 14  # of malloc.c
CASES = [
    *(("malloc.c", str(way), "malloc=1") for way in range(N_WAYS)),
    ("realloc.c", "", "malloc=2"),
    *(("io.c", way, "io") for way in ("file", "pipe", "socket", "recv")),
    *(
        ("eintr.c", way, "eintr")
        for way in ("read", "write", "recv", "send", "poll", "sem", "sleep", "wait")
    ),
    ("wakeups.c", "", "wakeups"),
    ("wakeups.c", "futex", "wakeups"),
    ("cas.c", "", "cas"),
    ("signals.c", "", "signals"),
    ("clock.c", "", "clock"),
]


def run(
    runner: BatchRunner, name: str, word: str, inject: str, seeds: Iterable[int] | None = None, *,
    fixed: bool = False, engine: str = "jit",
) -> list[RunResult]:  # fmt: skip
    """Runs of a program or its fixed twin, one for each seed."""
    if seeds is None:
        seeds = FEW if "=" in inject else SEEDS
    injected = parse_injected(inject)
    program = replace(
        runner.options,
        programs=(PROGRAMS / name,), arguments=(word,) if word else (), engine=engine,
        defines=("FIXED",) if fixed else (),
    )  # fmt: skip
    runs = (
        replace(program, seed=seed, inject=injected, clock_s=clock_of("", injected, seed))
        for seed in seeds
    )
    return list(runner.runs(program, runs))


Injected = Callable[[str, str, str], list[RunResult]]


@pytest.fixture(scope="module")
def injected(runner: BatchRunner) -> Injected:
    """Runs of a program with failures; each program is run once for all tests."""
    return cache(partial(run, runner))


def is_bad(result: RunResult) -> bool:
    """Whether the run has crashed, or something was found."""
    return bool(result.findings) or result.exit_status not in (0, 3)


def told(results: Sequence[RunResult]) -> list[str]:
    """Statuses and findings, for a message."""
    return [f"{r.seed}: {r.exit_status} {[f['kind'] for f in r.findings]}" for r in results]


@pytest.mark.parametrize(("name", "word", "inject"), CASES)
def test_the_bug_shows_behind_an_injected_failure_only(
    runner: BatchRunner, injected: Injected, name: str, word: str, inject: str
) -> None:
    results = injected(name, word, inject)
    bad = [result for result in results if is_bad(result)]
    assert bad, told(results)
    for result in bad if inject != "clock" else ():
        failure = result.findings[-1]["injected"]
        assert failure["kind"] == inject.partition("=")[0]
        assert result.report is not None
        assert result.report["injection"]["kinds"] == [inject]
        assert result.report["injection"]["n_failures"] >= failure["number"] >= 1
        assert "irsan: behind an injected failure: " in result.stderr
        stack = result.findings[-1]["stacks"][-1]
        assert stack["role"] == "injected"
        assert stack["frames"]
    plain = run(runner, name, word, "", SOME if name in THREADED else FEW)
    assert not any(map(is_bad, plain)), told(plain)
    assert all("injection" not in (result.report or {}) for result in plain)


@pytest.mark.parametrize(("name", "word", "inject"), CASES)
def test_the_fixed_twin_is_clean(
    runner: BatchRunner, name: str, word: str, inject: str
) -> None:
    seeds = SEEDS_OF_FIXED_CALLS if inject == "eintr" else None
    results = run(runner, name, word, inject, seeds, fixed=True)
    assert not any(map(is_bad, results)), told(results)
    if inject != "clock":
        assert any(result.report["injection"]["n_failures"] for result in results if result.report)


@pytest.mark.parametrize(("name", "word", "inject"), CASES)
def test_a_token_repeats_the_failure_on_both_engines(
    runner: BatchRunner, injected: Injected, name: str, word: str, inject: str
) -> None:
    """A token says all: the same finding, behind the same failure, with either engine."""
    results = injected(name, word, inject)
    bad = next(result for result in results if is_bad(result))
    assert bad.report is not None
    token = parse_replay_token(bad.report["schedule"])
    again = ",".join(token.inject)
    assert (token.seed, again) == (bad.seed, "" if inject == "clock" else inject)
    for engine in ENGINES:
        [replayed] = run(
            runner, name, word, inject if inject == "clock" else again, [token.seed], engine=engine
        )
        facts = [(f["kind"], f.get("injected")) for f in replayed.findings]
        assert facts == [(f["kind"], f.get("injected")) for f in bad.findings]


def test_messages_and_small_writes_are_never_short(runner: BatchRunner) -> None:
    results = run(runner, "messages.c", "", "io")
    assert not any(map(is_bad, results)), told(results)


@pytest.mark.parametrize(
    ("way", "outcome"),
    [*((way, "") for way in range(6)), (6, "operator new"), (7, "std::bad_alloc")],
)
def test_new_throws_or_gives_null(runner: BatchRunner, way: int, outcome: str) -> None:
    [result] = run(runner, "new.cc", str(way), "malloc=2", [0])  # the first is the library's own
    if not outcome:
        assert (result.stdout, result.findings) == (b"as it should be\n", [])
        return
    assert outcome in " ".join(result.findings[-1]["injected"][key] for key in ("call", "outcome"))


def test_allocations_are_counted_and_the_last_one_is_known(runner: BatchRunner) -> None:
    """malloc=N fails the N-th; behind the last one the run is as without."""
    for number in (1, 2, 3):
        [result] = run(runner, "realloc.c", "", f"malloc={number}", [0], fixed=True)
        assert result.report is not None
        facts = result.report["injection"]
        assert (facts["n_failures"], facts["n_allocations"]) == {
            1: (1, 1), 2: (1, 2), 3: (0, 2),
        }[number]  # fmt: skip
        assert result.exit_status == (3 if number < 3 else 0)


def test_a_kind_moves_no_failure_of_another(runner: BatchRunner) -> None:
    """Each kind has draws of its own."""
    alone = run(runner, "io.c", "pipe", "io")
    others = run(runner, "io.c", "pipe", "malloc,io,wakeups,cas,signals")
    for one, other in zip(alone, others, strict=True):
        assert [f["injected"] for f in one.findings] == [f["injected"] for f in other.findings]


def test_all_kinds_together(runner: BatchRunner) -> None:
    for name in ("wakeups.c", "cas.c", "eintr.c"):
        results = run(runner, name, "", "all", fixed=True)
        assert len({tuple(r.report["injection"]["kinds"]) for r in results if r.report}) == 1
        assert all(r.report["injection"]["kinds"] == [*INJECTABLE] for r in results if r.report)
