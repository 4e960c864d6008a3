"""SyncP: every race that a search of all sync-preserving reorderings finds, and no other."""

from __future__ import annotations

from hypothesis import given, settings

from tests.oracles.trace_reorderings import syncp
from tests.support.traces import Events, executions
from tests.traces.analysed import racy, racy_text


@given(executions(16, n_threads=3, n_locks=2, n_variables=2))
@settings(max_examples=250, deadline=None)
def test_syncp_is_what_a_search_finds(events: Events) -> None:
    assert racy(events, "syncp") == syncp(events)


@given(executions(14, n_threads=4, n_locks=3, n_variables=3))
@settings(max_examples=300, deadline=None)
def test_syncp_is_what_a_search_finds_with_more_threads(events: Events) -> None:
    assert racy(events, "syncp") == syncp(events)


def test_a_race_that_hb_and_shb_cannot_see() -> None:
    """The second section need not run before the write: neither comes first."""
    trace = """
        T1|w(x)
        T1|acq(l)
        T1|rel(l)
        T2|acq(l)
        T2|rel(l)
        T2|w(x)
    """
    assert racy_text(trace, "hb") == []
    assert racy_text(trace, "syncp") == [6]


def test_a_lock_around_both_accesses_is_no_race() -> None:
    trace = """
        T1|acq(l)
        T1|w(x)
        T1|rel(l)
        T2|acq(l)
        T2|w(x)
        T2|rel(l)
    """
    assert racy_text(trace, "syncp") == []


def test_a_distant_race_is_found() -> None:
    """Thousands of unrelated events between the two."""
    noise = "\n".join("T3|w(z)\nT3|acq(k)\nT3|rel(k)" for _ in range(2000))
    assert racy_text(f"T1|w(x)\n{noise}\nT2|w(x)", "syncp") == [6002]


def test_reading_what_was_written_orders() -> None:
    assert racy_text("T1|w(y)\nT1|w(x)\nT2|r(x)\nT2|w(y)", "syncp") == [3]
