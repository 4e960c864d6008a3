"""HB and FastTrack: naive definitions on random executions, the paper's clocks by the letter."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from irsan.traces.analyses.happens_before import FastTrack
from irsan.traces.kernels.operations import THREAD_BITS, THREAD_MASK
from tests.oracles import trace_orders
from tests.oracles.djit import Djit
from tests.support.traces import Events, executions
from tests.traces.analysed import fed, racy, racy_text


@pytest.mark.parametrize("clock", ["vector", "tree"])
def test_hb_is_its_definition(clock: str) -> None:
    @given(executions(40, n_threads=4, n_locks=2, n_variables=3))
    @settings(max_examples=250, deadline=None)
    def check(events: Events) -> None:
        assert racy(events, "hb", clock) == trace_orders.hb(events)

    check()


@given(executions(40, n_threads=4, n_locks=2, n_variables=3))
@settings(max_examples=250, deadline=None)
def test_fasttrack_is_its_rules_and_finds_the_first_race_of_every_variable(events: Events) -> None:
    expected = trace_orders.fasttrack(events)
    assert first_races(events, expected) == first_races(events, trace_orders.hb(events))
    for clock in ("vector", "tree"):
        assert racy(events, "fasttrack", clock) == expected


@given(executions(200, n_threads=9, n_locks=4, n_variables=7))
@settings(max_examples=200, deadline=None)
def test_all_combinations_agree_on_the_first_race_of_every_variable(events: Events) -> None:
    expected = first_races(events, Djit(events).racy)
    for name in ("hb", "fasttrack"):
        for clock in ("vector", "tree"):
            assert first_races(events, racy(events, name, clock)) == expected


def first_races(events: Events, numbers: list[int]) -> dict[str, int]:
    """The first racy event of each variable."""
    first: dict[str, int] = {}
    for number in numbers:
        first.setdefault(events[number - 1].target, number)
    return first


def epoch(word: int) -> tuple[int, int]:
    """(time, thread) of an epoch."""
    return word >> THREAD_BITS, word & THREAD_MASK


def test_the_walk_through_of_the_fasttrack_paper() -> None:
    """PLDI 2009, section 3: W_x is 4@0 after the write; lock m carries <4,8> to thread 1."""
    start = "".join("0|acq(a)|1\n0|rel(a)|1\n" for _ in range(3))
    start += "".join("1|acq(b)|1\n1|rel(b)|1\n" for _ in range(7))  # C_0 = <4,0>, C_1 = <0,8>
    text = start + "0|w(x)|2\n"
    analysis = fed(text, "fasttrack")
    assert isinstance(analysis, FastTrack)
    assert clocks(analysis) == [[4, 0], [0, 8]]
    assert epoch(int(analysis.state.history.writes[0])) == (4, 0)

    text += "0|acq(m)|3\n0|rel(m)|3\n1|acq(m)|4\n"
    analysis = fed(text, "fasttrack")
    assert isinstance(analysis, FastTrack)
    assert clocks(analysis) == [[5, 0], [4, 8]]
    assert analysis.state.locks.clk[2, :2].tolist() == [4, 0]

    analysis = fed(text + "1|w(x)|5\n", "fasttrack")
    assert isinstance(analysis, FastTrack)
    assert epoch(int(analysis.state.history.writes[0])) == (8, 1)
    assert analysis.racy_events == []


def clocks(analysis: FastTrack) -> list[list[int]]:
    """The clocks of threads 0 and 1."""
    found: list[list[int]] = analysis.state.threads.clk[:2, :2].tolist()
    return found


def test_reads_of_the_fasttrack_paper() -> None:
    """Figure 4: x is written at 7@0, read by both threads: R_x becomes <8,1>; then 8@0."""
    start = "".join("0|acq(a)|1\n0|rel(a)|1\n" for _ in range(6))
    steps = [
        ("0|w(x)|1\n", (7, 0), 0),
        ("0|fork(1)|2\n", (7, 0), 0),
        ("1|r(x)|3\n", (7, 0), (1, 1)),
        ("0|r(x)|4\n", (7, 0), [8, 1]),
        ("1|r(x)|5\n", (7, 0), [8, 1]),
        ("0|join(1)|6\n", (7, 0), [8, 1]),
    ]
    text = start
    for line, write, read in steps:
        text += line
        analysis = fed(text, "fasttrack")
        assert isinstance(analysis, FastTrack)
        word = int(analysis.state.history.reads[0])
        vector = analysis.state.history.pool[-word - 1, :2].tolist() if word < 0 else None
        assert epoch(int(analysis.state.history.writes[0])) == write
        assert (vector or (epoch(word) if word else 0)) == read
    analysis = fed(text + "0|w(x)|7\n", "fasttrack")
    assert isinstance(analysis, FastTrack)
    assert epoch(int(analysis.state.history.writes[0])) == (8, 0)
    assert analysis.racy_events == []


@pytest.mark.parametrize("name", ["hb", "fasttrack"])
@pytest.mark.parametrize("clock", ["vector", "tree"])
def test_a_lock_orders_and_its_absence_does_not(name: str, clock: str) -> None:
    safe = """
        T1|acq(l)
        T1|w(x)
        T1|rel(l)
        T2|acq(l)
        T2|w(x)
        T2|rel(l)
    """
    assert racy_text(safe, name, clock) == []
    assert racy_text(safe.replace("T2|acq(l)", "T2|acq(k)").replace("T2|rel(l)", "T2|rel(k)"),
                     name, clock) == [5]  # fmt: skip


def test_hb_goes_on_after_a_race_and_fasttrack_forgets() -> None:
    trace = "T1|w(x)\nT2|w(x)\nT2|w(x)\nT2|r(x)"
    assert racy_text(trace, "hb") == [2, 3, 4]
    assert racy_text(trace, "fasttrack") == [2]


def test_many_readers_and_variables_grow_every_table() -> None:
    lines = [f"T{t}|r(x{x})" for x in range(90) for t in range(70)]
    lines += [f"T0|w(x{x})" for x in range(90)]
    expected = list(range(90 * 70 + 1, 90 * 71 + 1))
    for clock in ("vector", "tree"):
        assert racy_text("\n".join(lines), "hb", clock) == expected
