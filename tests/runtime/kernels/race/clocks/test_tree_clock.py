"""Tree clocks of the runtime: the nodes that operations leave, as in the paper's figures."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import pytest

from irsan.runtime.kernels.race import sync_clocks as sync
from irsan.runtime.kernels.race.clocks import race_words as words
from tests.support.race_pair import MUTEXES, SEMAPHORES, RacePair
from tests.support.race_trees import is_bare, object_triples, row, thread_triples, time_of

NewGuest = Callable[[], Any]


class Trees:
    """Threads T0 .. T(n - 1), with the sids of the same numbers, and three locks."""

    def __init__(self, guest: Any, n_threads: int) -> None:
        self.pair = RacePair(guest, max_threads=n_threads, clock="tree")
        self.pair.run([("fork", 0)] * (n_threads - 1))

    def acquire(self, thread: int, lock: int) -> None:
        self.switch_to(thread)
        sync.sync_acquire_all(self.pair.ctx, MUTEXES[lock])

    def release(self, thread: int, lock: int, by: int = 0) -> None:
        """Publish, after `by` ticks."""
        self.switch_to(thread)
        for number in range(by):
            sync.sync_release_store(self.pair.ctx, SEMAPHORES + 64 + 8 * number)
        sync.sync_release_store(self.pair.ctx, MUTEXES[lock])

    def of(self, thread: int) -> Any:
        """The tree of a thread, as if nothing else ran."""
        self.switch_to(thread)
        record = self.pair.records[thread]
        record["epoch"] = self.pair.ctx["epoch"]
        return thread_triples(record)

    def switch_to(self, thread: int) -> None:
        self.pair.guest.switch_to(self.pair.records[thread])


@pytest.fixture
def trees(new_guest: NewGuest) -> Trees:
    """Main, and three threads that it has created one after the other."""
    return Trees(new_guest(), 4)


def test_a_new_thread_stands_above_its_creator(trees: Trees) -> None:
    assert trees.of(1) == [(0, (1, 1, None)), (1, (0, 1, 1))]
    assert trees.of(3) == [(0, (3, 1, None)), (1, (0, 3, 1))]
    assert trees.of(0) == [(0, (0, 4, None))]


def test_a_join_puts_the_other_root_at_the_head(trees: Trees) -> None:
    """T1 learns from T2, then from T3: newest first; T0 moves below who knows it best."""
    trees.release(2, 0)
    trees.acquire(1, 0)
    assert trees.of(1) == [(0, (1, 1, None)), (1, (2, 1, 1)), (2, (0, 2, 1))]
    trees.release(1, 1)
    trees.release(3, 2)
    trees.acquire(1, 2)
    assert trees.of(1) == [
        (0, (1, 2, None)), (1, (3, 1, 2)), (2, (0, 3, 1)), (1, (2, 1, 1))
    ]  # fmt: skip


def test_a_join_keeps_through_whom_a_time_was_learned(trees: Trees) -> None:
    """The paper's figure: T2 learns of T3 and tells T1; later T1 learns of T3 from T3 itself."""
    trees.release(3, 0, by=3)
    trees.acquire(2, 0)
    trees.release(2, 1, by=4)
    trees.acquire(1, 1)
    assert trees.of(1) == [
        (0, (1, 1, None)), (1, (2, 5, 1)), (2, (3, 4, 1)), (3, (0, 3, 1))
    ]  # fmt: skip
    trees.release(1, 2)
    trees.release(3, 0)
    trees.acquire(1, 0)
    assert trees.of(1) == [
        (0, (1, 2, None)), (1, (3, 5, 2)), (2, (0, 3, 1)), (1, (2, 5, 1))
    ]  # fmt: skip


def test_a_monotone_copy_moves_the_root_and_hangs_the_old_one_below(trees: Trees) -> None:
    """A lock last released by T1 is acquired and released by T2: T1 stands where T2 has it."""
    trees.release(1, 0)
    assert object_triples(MUTEXES[0]) == [(0, (1, 1, None)), (1, (0, 1, 1))]
    trees.acquire(2, 0)
    trees.release(2, 0)
    assert object_triples(MUTEXES[0]) == [
        (0, (2, 1, None)), (1, (1, 1, 1)), (1, (0, 2, 1))
    ]  # fmt: skip
    assert trees.of(2)[1:] == object_triples(MUTEXES[0])[1:]


def test_a_copy_that_is_not_monotone_is_whole(trees: Trees) -> None:
    """A release store over what its thread does not know leaves nothing of that."""
    trees.release(1, 0)
    trees.release(2, 0)
    assert object_triples(MUTEXES[0]) == [(0, (2, 1, None)), (1, (0, 2, 1))]


def test_what_was_merged_makes_bare_rows_until_four_times_little_was_new(
    new_guest: NewGuest,
) -> None:
    trees = Trees(new_guest(), 20)
    semaphore = MUTEXES[1]
    for thread in (1, 2):
        trees.switch_to(thread)
        sync.sync_release(trees.pair.ctx, semaphore)
    assert object_triples(semaphore) is None
    trees.acquire(3, 1)
    sync.sync_release_acquire(trees.pair.ctx, semaphore)
    assert object_triples(semaphore) is None
    for _ in range(4):
        assert is_bare(trees.pair.records[3])
        trees.release(1, 0)
        assert object_triples(MUTEXES[0]) is not None
        trees.acquire(3, 0)
    assert not is_bare(trees.pair.records[3])
    planted = [(0, (3, 2, None)), (1, (0, 3, 2)), (1, (1, 5, 2)), (1, (2, 1, 2))]
    assert trees.of(3) == planted
    trees.release(3, 1)
    assert object_triples(semaphore) == planted


def test_a_join_that_looks_at_too_much_leaves_a_bare_row(new_guest: NewGuest) -> None:
    """T1 has learned of forty threads, one by one, which T2 learns at once."""
    trees = Trees(new_guest(), 42)
    for other in range(2, 42):
        trees.release(other, 0)
        trees.acquire(1, 0)
    trees.release(1, 1)
    assert len(object_triples(MUTEXES[1]) or ()) == 42
    trees.acquire(2, 1)
    assert is_bare(trees.pair.records[2])
    known = row(int(trees.pair.records[2]["vc"]), 42)
    assert [time_of(epoch) for epoch in known[3:]] == [1] * 39
    trees.release(2, 2)
    assert object_triples(MUTEXES[2]) is None


def test_one_new_epoch_of_a_bare_row_is_hung_into_the_tree(new_guest: NewGuest) -> None:
    trees = Trees(new_guest(), 20)
    before = trees.of(8)
    for _ in range(2):
        trees.switch_to(1)
        sync.sync_release_read(trees.pair.ctx, MUTEXES[1])
    trees.acquire(8, 1)
    assert not is_bare(trees.pair.records[8])
    assert trees.of(8) == [before[0], (1, (1, 2, 1)), *before[1:]]


def test_a_sid_that_is_reused_keeps_what_was_below_it(trees: Trees) -> None:
    """T1 learns of T2 and ends; its creator joins it, and gives its sid to a new thread."""
    trees.release(2, 0)
    trees.acquire(1, 0)
    trees.pair.run([("finish", 1), ("join", 0, 1)])
    assert trees.of(0) == [(0, (0, 4, None)), (1, (1, 1, 4)), (2, (2, 1, 1))]
    trees.pair.max_threads += 1
    trees.pair.run([("fork", 0)])
    assert trees.of(4) == [(0, (1, 2, None)), (1, (0, 4, 2)), (1, (2, 1, 1))]


def test_the_last_clock_value_moves_the_root(trees: Trees) -> None:
    """A thread goes on as sid 4: what it was stands below what it is."""
    record = trees.pair.records[2]
    trees.release(3, 0)
    trees.acquire(2, 0)
    epoch = 2 << words.CLOCK_BITS | words.CLOCK_MAX
    trees.pair.ctx["epoch"] = epoch
    ctypes.c_uint32.from_address(int(record["vc"]) + 4 * 2).value = epoch
    trees.release(2, 1)
    last = words.CLOCK_MAX
    assert object_triples(MUTEXES[1]) == [(0, (2, last, None)), (1, (3, 1, 1)), (2, (0, 3, 1))]
    assert trees.of(2) == [
        (0, (4, 1, None)), (1, (2, last, 1)), (2, (3, 1, 1)), (3, (0, 3, 1))
    ]  # fmt: skip
    trees.acquire(1, 1)
    trees.release(2, 1)
    trees.acquire(1, 1)
    assert trees.of(1)[:2] == [(0, (1, 1, None)), (1, (4, 1, 1))]
