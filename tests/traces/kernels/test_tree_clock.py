"""Tree clocks: the nodes that the operations leave, and vector time after every operation."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.traces.kernels.clock_rows import (
    ACLK,
    BEFORE,
    HEAD,
    NEXT,
    NODE_WORDS,
    TOUCHED,
    Clocks,
)
from irsan.traces.kernels.columns import new_table
from irsan.traces.kernels.operations import NONE
from irsan.traces.kernels.tree_clock import (
    tree_copy_check_monotone,
    tree_join,
)
from irsan.traces.kernels.vector_clock import vector_copy, vector_join

Triple = tuple[int, int, int | None]


def new_clocks(n_rows: int, n_threads: int, *, is_tree: bool) -> Clocks:
    """Empty clocks."""
    return new_table(
        Clocks, rows=n_rows, threads=n_threads, node_words=NODE_WORDS if is_tree else 0
    )


def new_threads(n: int, *, is_tree: bool = True) -> Clocks:
    """The clocks of n threads, each of which knows that its own time is 1."""
    clocks = new_clocks(n, n, is_tree=is_tree)
    np.fill_diagonal(clocks.clk, 1)
    clocks.root[:] = np.arange(n)
    return clocks


def tick(clocks: Clocks, t: int, by: int = 1) -> None:
    """Time of thread t goes on."""
    clocks.clk[t, t] += by


def children(clocks: Clocks, row: int, node: int) -> list[int]:
    """The children of a node, newest first, with the links back checked."""
    found: list[int] = []
    before = -node - 1
    child = int(clocks.nodes[row, node, HEAD])
    while child:
        assert clocks.nodes[row, child - 1, BEFORE] == before
        found.append(child - 1)
        before, child = child, int(clocks.nodes[row, child - 1, NEXT])
    return found


def nodes(clocks: Clocks, row: int) -> list[tuple[int, Triple]]:
    """(depth, (tid, clk, aclk)) of a tree in preorder, newest child first; the root has no aclk."""
    found: list[tuple[int, Triple]] = []

    def visit(node: int, depth: int) -> None:
        aclk = int(clocks.nodes[row, node, ACLK]) if depth else None
        found.append((depth, (node, int(clocks.clk[row, node]), aclk)))
        for child in children(clocks, row, node):
            visit(child, depth + 1)

    if clocks.root[row] != NONE:
        visit(int(clocks.root[row]), 0)
    return found


def check_invariants(clocks: Clocks, row: int) -> None:
    """Each known thread once; aclk falls along siblings and is at most the parent's clk."""
    tree = nodes(clocks, row)
    threads = [triple[0] for _, triple in tree]
    assert sorted(threads) == np.flatnonzero(clocks.clk[row]).tolist()
    for _, (node, clk, _) in tree:
        learned = [int(clocks.nodes[row, child, ACLK]) for child in children(clocks, row, node)]
        assert learned == sorted(learned, reverse=True)
        assert all(aclk <= clk for aclk in learned)


def test_a_join_puts_the_other_root_at_the_head() -> None:
    threads = new_threads(3)
    tree_join(threads, 0, threads, 1)
    assert nodes(threads, 0) == [(0, (0, 1, None)), (1, (1, 1, 1))]
    tick(threads, 0, 4)
    tree_join(threads, 0, threads, 2)
    assert nodes(threads, 0) == [(0, (0, 5, None)), (1, (2, 1, 5)), (1, (1, 1, 1))]


def test_a_join_keeps_through_whom_a_time_was_learned() -> None:
    """t2 learns of t3 and then tells t1; later t1 learns of t3's progress from t3 itself."""
    threads = new_threads(4)
    tick(threads, 3, 3)  # t3 at 4
    tick(threads, 2, 1)  # t2 at 2
    tree_join(threads, 2, threads, 3)
    tick(threads, 2, 4)  # t2 at 6
    tick(threads, 1, 8)  # t1 at 9
    tree_join(threads, 1, threads, 2)
    assert nodes(threads, 1) == [(0, (1, 9, None)), (1, (2, 6, 9)), (2, (3, 4, 2))]
    tick(threads, 3, 2)  # t3 at 6
    tick(threads, 1, 2)  # t1 at 11
    tree_join(threads, 1, threads, 3)
    assert nodes(threads, 1) == [(0, (1, 11, None)), (1, (3, 6, 11)), (1, (2, 6, 9))]


def test_a_join_of_what_is_known_touches_nothing() -> None:
    threads = new_threads(3)
    tree_join(threads, 0, threads, 1)
    before = nodes(threads, 0)
    tree_join(threads, 0, threads, 1)
    tree_join(threads, 0, new_clocks(1, 3, is_tree=True), 0)
    assert nodes(threads, 0) == before


def test_a_join_stops_at_children_that_are_known() -> None:
    """Of many children only the newest is read, and the next one, which breaks the walk."""
    n = 40
    threads = new_threads(n)
    for other in range(2, n):
        tree_join(threads, 1, threads, other)
        tick(threads, 1, 1)
    tree_join(threads, 0, threads, 1)
    tick(threads, 5, 1)
    tick(threads, 1, 1)
    tree_join(threads, 1, threads, 5)
    threads.counts[TOUCHED] = 0
    tick(threads, 1, 1)
    tree_join(threads, 0, threads, 1)
    assert threads.counts[TOUCHED] <= 4
    assert threads.clk[0].tolist() == [1, *threads.clk[1, 1:]]


def test_a_monotone_copy_moves_the_root_and_hangs_the_old_one_below() -> None:
    """A lock last released by t0 is acquired and released by t1."""
    threads, locks = new_threads(2), new_clocks(1, 2, is_tree=True)
    tree_copy_check_monotone(locks, 0, threads, 0)
    assert nodes(locks, 0) == [(0, (0, 1, None))]
    tick(threads, 0, 1)
    tick(threads, 1, 6)
    tree_join(threads, 1, locks, 0)
    tree_copy_check_monotone(locks, 0, threads, 1)
    assert nodes(locks, 0) == [(0, (1, 7, None)), (1, (0, 1, 7))]


def test_a_copy_that_is_not_monotone_is_found_out_and_deep() -> None:
    threads, last_write = new_threads(2), new_clocks(1, 2, is_tree=True)
    assert tree_copy_check_monotone(last_write, 0, threads, 0)
    assert not tree_copy_check_monotone(last_write, 0, threads, 1)
    assert nodes(last_write, 0) == [(0, (1, 1, None))]
    tree_join(threads, 0, threads, 1)
    assert tree_copy_check_monotone(last_write, 0, threads, 0)
    assert nodes(last_write, 0) == nodes(threads, 0)


def test_a_first_copy_is_the_same_tree_and_costs_its_nodes() -> None:
    threads, other = new_threads(50), new_clocks(1, 50, is_tree=True)
    tree_join(threads, 0, threads, 1)
    tree_join(threads, 0, threads, 2)
    assert tree_copy_check_monotone(other, 0, threads, 0)
    assert nodes(other, 0) == nodes(threads, 0)
    assert other.counts[TOUCHED] == 3


class Pair:
    """The same clocks as trees and as vectors: threads, locks and last writes."""

    def __init__(self, n_threads: int) -> None:
        self.n_changed = 0
        self.trees = [new_threads(n_threads), *self._others(n_threads, is_tree=True)]
        vectors = new_threads(n_threads, is_tree=False)
        self.vectors = [vectors, *self._others(n_threads, is_tree=False)]

    @staticmethod
    def _others(n_threads: int, *, is_tree: bool) -> list[Clocks]:
        return [new_clocks(3, n_threads, is_tree=is_tree) for _ in range(2)]

    def acquire(self, t: int, lock: int) -> None:
        self._join(t, 1, lock)

    def release(self, t: int, lock: int) -> None:
        """As of a holder: it has acquired before."""
        self._join(t, 1, lock)
        self._copy(1, lock, t)

    def write(self, t: int, x: int) -> None:
        self._copy(2, x, t)

    def read(self, t: int, x: int) -> None:
        self._join(t, 2, x)

    def _join(self, t: int, store: int, row: int) -> None:
        old = self.vectors[0].clk[t].copy()
        tree_join(self.trees[0], t, self.trees[store], row)
        vector_join(self.vectors[0], t, self.vectors[store], row)
        self.n_changed += int((self.vectors[0].clk[t] != old).sum())

    def _copy(self, store: int, row: int, t: int) -> None:
        old = self.vectors[store].clk[row].copy()
        tree_copy_check_monotone(self.trees[store], row, self.trees[0], t)
        vector_copy(self.vectors[store], row, self.vectors[0], t)
        self.n_changed += int((self.vectors[store].clk[row] != old).sum())
        tick(self.trees[0], t)
        tick(self.vectors[0], t)

    def n_touched(self) -> int:
        """Entries that the trees' operations have looked at."""
        return sum(int(trees.counts[TOUCHED]) for trees in self.trees)

    def check(self) -> None:
        for tree, vector in zip(self.trees, self.vectors, strict=True):
            np.testing.assert_array_equal(tree.clk, vector.clk)
            for row in range(len(tree.clk)):
                check_invariants(tree, row)


STEPS = st.tuples(
    st.sampled_from(["acquire", "release", "write", "read"]), st.integers(0, 5), st.integers(0, 2)
)


@given(st.integers(2, 6), st.lists(STEPS, max_size=40))
@settings(max_examples=300, deadline=None)
def test_trees_are_vectors_after_every_operation(n: int, steps: list[tuple[str, int, int]]) -> None:
    pair = Pair(n)
    for name, thread, row in steps:
        operation: Any = getattr(pair, name)
        operation(thread % n, row)
        pair.check()


@given(st.integers(2, 8), st.lists(st.tuples(st.integers(0, 7), st.integers(0, 2)), max_size=120))
@settings(max_examples=300, deadline=None)
def test_trees_look_at_three_times_what_changes_at_most(
    n: int, steps: list[tuple[int, int]]
) -> None:
    """The bound of the paper for happens-before: work within 3 of what any structure must do.

    An operation that changes nothing still looks at one entry: a join at the root of the lock.
    """
    pair = Pair(n)
    for thread, lock in steps:
        pair.release(thread % n, lock)
    assert pair.n_touched() <= 3 * pair.n_changed + len(steps)
