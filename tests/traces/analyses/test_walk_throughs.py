"""Examples of the literature, step by step, with the exact clocks after each of them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from irsan.traces.analyses.happens_before import ClockAnalysis
from tests.oracles.djit import Djit
from tests.support.traces import Events, executions, parse_std, to_std
from tests.traces.analysed import fed
from tests.traces.kernels.test_tree_clock import nodes

BOTH_CLOCKS = pytest.mark.parametrize("clock", ["vector", "tree"])


def synced(lines: str) -> str:
    """STD text; `1 sync a` stands for thread 1 acquiring and releasing lock a."""
    text = ""
    for number, line in enumerate(lines.strip().splitlines(), 1):
        thread, operation, target = line.split()
        for each in ("acq", "rel") if operation == "sync" else (operation,):
            text += f"{thread}|{each}({target})|{number}\n"
    return text


def analysed(lines: str, clock: str, name: str = "hb") -> ClockAnalysis:
    analysis = fed(synced(lines), name, clock)
    assert isinstance(analysis, ClockAnalysis)
    return analysis


def rows(clocks: object, n_rows: int, n_threads: int) -> list[list[int]]:
    """Clocks as lists of times."""
    found: list[list[int]] = clocks.clk[:n_rows, :n_threads].tolist()  # type: ignore[attr-defined]
    return found


def start(n_zero: int, n_one: int) -> str:
    """Bring two threads, by locks that they do not share, to times that a paper begins with."""
    return "0 sync a\n" * (n_zero - 1) + "1 sync b\n" * (n_one - 1)


@BOTH_CLOCKS
def test_djit_keeps_the_whole_clocks_of_the_writes(clock: str) -> None:
    """FastTrack paper, section 2: wr(0,x) rel(0,m) acq(1,m) wr(1,x) from <4,0> and <0,8> on.

    W_x goes from <0,0> over <4,0> to <4,8>; L_m is <4,0>; the threads end at <5,0> and <4,8>.
    """
    steps = start(4, 8) + "0 acq m\n0 w x\n"
    assert Djit(parse_std(synced(steps))).writes["x"] == {"0": 4}
    assert rows(analysed(steps, clock).state.threads, 2, 2) == [[4, 0], [0, 8]]
    steps += "0 rel m\n"
    analysis = analysed(steps, clock)
    assert rows(analysis.state.threads, 2, 2) == [[5, 0], [0, 8]]
    assert analysis.state.locks.clk[2, :2].tolist() == [4, 0]
    steps += "1 acq m\n1 w x\n"
    analysis, djit = analysed(steps, clock), Djit(parse_std(synced(steps)))
    assert djit.writes["x"] == {"0": 4, "1": 8}
    assert (djit.racy, analysis.racy_events) == ([], [])
    assert rows(analysis.state.threads, 2, 2) == [[5, 0], [4, 8]]


@BOTH_CLOCKS
def test_djit_sees_the_race_when_the_lock_is_another_one(clock: str) -> None:
    steps = start(4, 8) + "0 acq m\n0 w x\n0 rel m\n1 acq k\n1 w x\n"
    n_events = len(synced(steps).splitlines())
    assert Djit(parse_std(synced(steps))).racy == [n_events]
    assert analysed(steps, clock).racy_events == [n_events]


@given(executions(40, n_threads=4, n_locks=3, n_variables=3))
@settings(max_examples=300, deadline=None)
def test_clocks_and_races_are_those_of_djit(events: Events) -> None:
    """A mark at the beginning of each thread gives it its number, and orders nothing."""
    djit = Djit(events)
    names = [f"T{i}" for i in range(4)]
    text = "".join(f"{name}|begin|0\n" for name in names) + to_std(events)
    expected = [[djit.clock_of(t).get(u, 0) for u in names] for t in names]
    for clock in ("vector", "tree"):
        analysis = fed(text, "hb", clock)
        assert isinstance(analysis, ClockAnalysis)
        assert analysis.racy_events == [number + len(names) for number in djit.racy]
        assert rows(analysis.state.threads, 4, 4) == expected


@BOTH_CLOCKS
def test_vector_times_of_three_processes(clock: str) -> None:
    """Fidge and Mattern: a message brings the sender's time, and all that the sender knew.

    A message is a lock that the sender releases and the receiver acquires.
    """
    steps = "0 sync own\n1 sync first\n2 acq first\n"  # 1 to 2
    assert rows(analysed(steps, clock).state.threads, 3, 3) == [[2, 0, 0], [0, 2, 0], [0, 1, 1]]
    steps += "2 sync second\n0 acq second\n"  # 2 to 0: of 1, too
    assert rows(analysed(steps, clock).state.threads, 3, 3) == [[2, 1, 1], [0, 2, 0], [0, 1, 2]]
    steps += "0 sync third\n1 acq third\n"  # 0 to 1: its own old time does not come back
    assert rows(analysed(steps, clock).state.threads, 3, 3) == [[3, 1, 1], [2, 2, 1], [0, 1, 2]]


def test_trees_of_four_threads_that_meet_at_two_locks() -> None:
    """Tree clocks, ASPLOS 2022: joins and monotone copies with their node triples, by hand.

    A triple is (thread, clk, aclk): aclk is the time of the thread above when it learned of it.
    """
    steps = "0 sync a\n1 sync a\n2 sync b\n1 sync b\n"
    state = analysed(steps, "tree").state
    assert nodes(state.threads, 1) == [(0, (1, 3, None)), (1, (2, 1, 2)), (1, (0, 1, 1))]
    assert nodes(state.locks, 0) == [(0, (1, 1, None)), (1, (0, 1, 1))]
    assert nodes(state.locks, 1) == [(0, (1, 2, None)), (1, (2, 1, 2)), (1, (0, 1, 1))]

    steps += "3 sync a\n"  # the root of lock a moves from thread 1 to 3, 1 hangs below
    state = analysed(steps, "tree").state
    assert nodes(state.threads, 3) == [(0, (3, 2, None)), (1, (1, 1, 1)), (2, (0, 1, 1))]
    assert nodes(state.locks, 0) == [(0, (3, 1, None)), (1, (1, 1, 1)), (2, (0, 1, 1))]

    steps += "3 sync b\n"  # of thread 1 only what came after its time 1: the walk ends at thread 0
    analysis = analysed(steps, "tree")
    below_one = [(2, (2, 1, 2)), (2, (0, 1, 1))]
    assert nodes(analysis.state.threads, 3) == [(0, (3, 3, None)), (1, (1, 2, 2)), *below_one]
    assert nodes(analysis.state.locks, 1) == [(0, (3, 2, None)), (1, (1, 2, 2)), *below_one]

    steps += "0 acq b\n"  # thread 0 does not learn of its own past
    state = analysed(steps, "tree").state
    learned = [(1, (3, 2, 2)), (2, (1, 2, 2)), (3, (2, 1, 2))]
    assert nodes(state.threads, 0) == [(0, (0, 2, None)), *learned]
