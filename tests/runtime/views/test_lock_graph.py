"""Potential deadlocks of a lock order, against every choice of edges tried by hand."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from irsan.runtime.views.lock_graph import LockEdge, LockGraph, edges_on_cycles, locks_of
from tests.oracles.naive_lock_order import deadlocks, is_deadlock

LOCKS = st.integers(1, 4)
EDGES = st.builds(
    LockEdge,
    held=LOCKS,
    taken=LOCKS,
    tid=st.integers(0, 2),
    gates=st.frozensets(st.integers(5, 6), max_size=1),
    held_for_write=st.booleans(),
    taken_for_write=st.booleans(),
).filter(lambda edge: edge.held != edge.taken)


def found_in(edges: list[LockEdge]) -> list[tuple[LockEdge, ...]]:
    """What a graph says of edges that come one at a time."""
    graph = LockGraph(edges.__getitem__)
    found = []
    for n in range(len(edges)):
        held = np.array([edge.held for edge in edges[: n + 1]])
        taken = np.array([edge.taken for edge in edges[: n + 1]])
        tids = np.array([edge.tid for edge in edges[: n + 1]])
        found += graph.new_cycles(held, taken, tids, n)
    return found


@given(st.lists(EDGES, max_size=6))
def test_what_is_found_is_a_deadlock_and_nothing_is_missed(edges: list[LockEdge]) -> None:
    found = found_in(edges)
    assert all(is_deadlock(cycle) for cycle in found)
    told = {locks_of(cycle) for cycle in found}
    expected = deadlocks(edges)
    assert told <= expected
    # One cycle per new edge is reported; the others through the same edge are other sets of locks.
    assert bool(told) == bool(expected)


def test_each_cycle_is_told_once_from_the_edge_that_closes_it() -> None:
    edges = [LockEdge(1, 2, 0), LockEdge(2, 1, 1), LockEdge(2, 1, 2)]
    assert found_in(edges) == [(edges[1], edges[0])]


def test_gates_single_threads_and_readers_are_no_deadlock() -> None:
    gate = frozenset({9})
    assert found_in([LockEdge(1, 2, 0, gate), LockEdge(2, 1, 1, gate)]) == []
    assert found_in([LockEdge(1, 2, 0), LockEdge(2, 1, 0)]) == []
    readers = [LockEdge(1, 2, 0, frozenset(), False, False)]
    assert found_in([*readers, LockEdge(2, 1, 1, frozenset(), False, False)]) == []
    assert found_in([LockEdge(1, 2, 0, gate), LockEdge(2, 1, 1)]) != []


def test_orders_of_one_thread_are_looked_at_by_number_only() -> None:
    n_locks = 60
    edges = [
        LockEdge((turn + i) % n_locks, (turn + i + 1) % n_locks, 0)
        for turn in range(3) for i in range(n_locks)
    ]  # fmt: skip
    looked_at = []

    def edge_at(index: int) -> LockEdge:
        looked_at.append(index)
        return edges[index]

    graph = LockGraph(edge_at)
    columns = np.array([(one.held, one.taken, one.tid) for one in edges]).T
    for n in range(len(edges)):
        assert graph.new_cycles(*columns[:, : n + 1], n) == []
    assert looked_at == []
    assert graph.in_cycle == set(range(n_locks))


def test_edges_on_cycles_are_those_between_the_ends() -> None:
    held = np.array([1, 2, 3, 2, 7])
    taken = np.array([2, 3, 1, 9, 1])
    assert edges_on_cycles(held, taken, 2, {1}).tolist() == [0, 1, 2]
    assert edges_on_cycles(held, taken, 9, {1}).tolist() == []
    assert edges_on_cycles(held, taken, 2, {1, 9}).tolist() == [0, 1, 2, 3]
