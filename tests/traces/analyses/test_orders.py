"""SHB, MAZ, WCP, lockset: definitions on random executions, and the examples of their papers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from tests.oracles import trace_orders, trace_wcp
from tests.support.traces import Events, executions, parse_std
from tests.traces.analysed import racy, racy_text


@pytest.mark.parametrize("clock", ["vector", "tree"])
def test_shb_is_its_definition(clock: str) -> None:
    @given(executions(40, n_threads=4, n_locks=2, n_variables=3))
    @settings(max_examples=250, deadline=None)
    def check(events: Events) -> None:
        assert racy(events, "shb", clock) == trace_orders.shb(events)

    check()


@pytest.mark.parametrize("clock", ["vector", "tree"])
def test_maz_is_its_definition(clock: str) -> None:
    @given(executions(30, n_threads=4, n_locks=2, n_variables=3))
    @settings(max_examples=250, deadline=None)
    def check(events: Events) -> None:
        assert racy(events, "maz", clock) == trace_orders.maz(events)

    check()


@given(executions(40, n_threads=3, n_locks=2, n_variables=3))
@settings(max_examples=250, deadline=None)
def test_wcp_is_its_definition(events: Events) -> None:
    assert racy(events, "wcp") == trace_wcp.wcp(events)


@given(executions(40, n_threads=4, n_locks=3, n_variables=2))
@settings(max_examples=250, deadline=None)
def test_lockset_is_its_state_machine(events: Events) -> None:
    assert racy(events, "lockset") == trace_orders.lockset(events)


def test_shb_leaves_out_what_the_first_race_has_made_impossible() -> None:
    """OOPSLA 2018, figure 1: T2 goes on because it has read x; y cannot race any more."""
    trace = """
        T1|w(y)
        T1|w(x)
        T2|r(x)
        T2|w(y)
    """
    assert racy_text(trace, "hb") == [3, 4]
    assert racy_text(trace, "shb") == [3]


def test_maz_reports_each_reversible_pair_and_no_more() -> None:
    trace = """
        T1|w(x)
        T2|r(x)
        T3|w(x)
        T1|w(x)
    """
    assert racy_text(trace, "maz") == [2, 3, 4]
    assert racy_text("T1|w(x)\nT2|r(x)\nT2|r(x)\nT2|w(x)", "maz") == [2]


def test_wcp_drops_the_order_of_sections_that_share_nothing() -> None:
    """PLDI 2017, figure 1(a)/(b): y is predictable when the sections do not conflict."""
    without_conflict = """
        T1|w(y)
        T1|acq(l)
        T1|r(x)
        T1|rel(l)
        T2|acq(l)
        T2|r(x)
        T2|rel(l)
        T2|r(y)
    """
    assert racy_text(without_conflict, "hb") == []
    assert racy_text(without_conflict, "wcp") == [8]
    assert racy_text(without_conflict.replace("T1|r(x)", "T1|w(x)"), "wcp") == []


RULE_B = """
    T1|acq(m)
    T1|acq(l)
    T1|w(x)
    T1|rel(l)
    T1|w(y)
    T1|rel(m)
    T2|acq(m)
    T2|acq(l)
    T2|r(x)
    T2|rel(l)
    T2|rel(m)
    T2|w(y)
"""


def test_wcp_orders_releases_whose_sections_are_ordered() -> None:
    """Rule (b): x inside l orders the sections of m, and so y after m; rule (a) alone does not."""
    assert racy_text(RULE_B, "wcp") == []
    assert racy_text(RULE_B.replace("T2|r(x)", "T2|r(z)"), "wcp") == [12]


def test_the_oracle_of_wcp_knows_rule_b() -> None:
    events = parse_std("".join(f"{line.strip()}|1\n" for line in RULE_B.strip().splitlines()))
    assert trace_wcp.wcp(events) == []


def test_lockset_waits_for_a_second_thread_and_for_a_write() -> None:
    trace = """
        T1|w(x)
        T2|r(x)
        T2|r(x)
        T3|w(x)
        T3|r(x)
    """
    assert racy_text(trace, "lockset") == [4, 5]
    fork = "T1|w(x)\nT1|fork(T2)\nT2|w(x)"
    assert racy_text(fork, "hb") == []
    assert racy_text(fork, "lockset") == [3]  # the false alarm that the paper admits


def test_long_sections_and_many_locks_grow_every_table() -> None:
    """One section with 300 variables under 9 locks, then another thread with the same."""
    lines = []
    for thread in ("T1", "T2"):
        lines += [f"{thread}|acq(l{i})" for i in range(9)]
        lines += [f"{thread}|w(x{i})" for i in range(300)]
        lines += [f"{thread}|rel(l{i})" for i in range(9)]
        lines += [f"{thread}|acq(m)\n{thread}|rel(m)"] * 200
    lines += ["T2|w(y)", "T1|w(y)", "T1|w(x7)"]
    n = len("\n".join(lines).splitlines())
    for name in ("hb", "shb", "wcp", "syncp", "lockset"):
        assert racy_text("\n".join(lines), name) == [n - 1, n], name
    assert racy_text("\n".join(lines), "maz") == [n - 1]  # y orders what comes after it
