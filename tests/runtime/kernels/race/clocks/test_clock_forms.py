"""Trees and vectors side by side: the same epochs in every row after every step."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime import arena
from irsan.runtime.kernels.race import sync_clocks as sync
from irsan.runtime.kernels.race import thread_clocks
from irsan.runtime.kernels.race.clocks import clock_rows, tree_clock
from irsan.runtime.kernels.race.clocks import race_words as words
from irsan.runtime.layout import memory_map, options
from irsan.runtime.records.context import THREAD_DTYPE
from tests.support.race_pair import BASE, MUTEXES, SEMAPHORES, RacePair, Step
from tests.support.race_programs import SYNC_STEP, sync_program
from tests.support.race_trees import (
    check_tree,
    is_bare,
    object_row,
    object_triples,
    row,
    thread_triples,
    u32,
    u64,
)

NewGuest = Callable[[], Any]
OBJECTS = (*MUTEXES, *(SEMAPHORES + 8 * n for n in range(3)), *(BASE + 72 + 4 * n for n in (0, 1)))
RELAXED = settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def snapshot(pair: RacePair) -> dict[object, list[int]]:
    """All epochs of all threads and objects."""
    pair.guest.switch_to(pair.records[0])
    n = int(pair.ctx["race"]["n_sids"])
    found: dict[object, list[int]] = {
        tid: [int(record["epoch"]), *row(int(record["vc"]), n)]
        for tid, record in pair.records.items()
    }
    for addr in OBJECTS:
        at = object_row(addr)
        found[f"{addr:#x}"] = row(at + 16, u32(at + 4)) if at else []
    return found


def check_trees(pair: RacePair) -> int:
    """The invariants of every tree there is; returns how many objects have one."""
    n, n_trees = int(pair.ctx["race"]["n_sids"]), 0
    for record in pair.records.values():
        if not is_bare(record):
            clock = int(record["vc"])
            root = int(record["epoch"]) >> words.CLOCK_BITS
            check_tree(clock, int(tree_clock.clock_to_nodes(clock)), root, n)
    for addr in OBJECTS:
        at = object_row(addr)
        if at and u64(at + 8):
            check_tree(at + 16, int(clock_rows.row_to_nodes(at)), u64(at + 8) - 1, u32(at + 4))
            n_trees += 1
    return n_trees


def compare(new_guest: NewGuest, steps: list[Step], max_threads: int) -> tuple[int, int]:
    """Run steps with both forms; number of trees seen in objects, and of races found."""
    expected = []
    pair = RacePair(new_guest(), max_threads=max_threads)
    for step in steps:
        pair.run([step])
        expected.append(snapshot(pair))
    n_races, n_trees = pair.n_races, 0
    pair = RacePair(new_guest(), max_threads=max_threads, clock="tree")
    for number, step in enumerate(steps):
        pair.run([step])
        assert snapshot(pair) == expected[number], f"after step {number} {step}"
        n_trees += check_trees(pair)
    assert pair.n_races == n_races
    return n_trees, n_races


@RELAXED
@given(st.lists(SYNC_STEP, max_size=60))
def test_rows_are_the_same_after_every_step(new_guest: NewGuest, steps: list[Step]) -> None:
    compare(new_guest, [("fork", 0), ("fork", 0), ("fork", 1), *steps], 9)


def test_long_programs_of_many_threads(new_guest: NewGuest) -> None:
    n_trees = n_races = 0
    for seed in range(12):
        found = compare(new_guest, sync_program(random.Random(seed), 40, 400), 40)
        n_trees, n_races = n_trees + found[0], n_races + found[1]
    assert n_trees > 2000
    assert n_races > 20


def test_a_sid_reused_early_ends_the_trees(new_guest: NewGuest) -> None:
    """No thread knows the end of the one whose sid the last one gets: rows go on as vectors."""
    pair = RacePair(new_guest(), clock="tree")
    ctx, guest = pair.ctx, pair.guest
    for tid in range(1, words.MAX_SIDS):
        fork(guest, tid, tid)
    guest.switch_to(thread_in(5))
    sync.sync_release_store(ctx, MUTEXES[0])  # only its own past, which no other thread acquires
    thread_clocks.thread_finish(ctx)
    guest.switch_to(guest.main)
    sync.sync_release_store(ctx, MUTEXES[1])
    assert object_triples(MUTEXES[1]) is not None
    fork(guest, 5000, 5)
    assert ctx["race"]["n_inexact_sids"] == 1
    sync.sync_acquire(ctx, MUTEXES[0])
    sync.sync_release_store(ctx, MUTEXES[1])
    assert object_triples(MUTEXES[1]) is None
    published = object_row(MUTEXES[1])
    assert u32(published + 16 + 4 * 5) == 5 << words.CLOCK_BITS | 1


def fork(guest: Any, tid: int, slot: int) -> None:
    guest.new_thread(tid, slot)
    assert thread_clocks.thread_fork(
        guest.ctx, memory_map.THREADS + slot * memory_map.THREAD_STRIDE
    )


def thread_in(slot: int) -> Any:
    return arena.view_record(memory_map.THREADS + slot * memory_map.THREAD_STRIDE, THREAD_DTYPE)


def test_after_a_flush_trees_begin_anew(new_guest: NewGuest) -> None:
    pair = RacePair(new_guest(), clock="tree")
    pair.run([("fork", 0), ("fork", 0), ("lock", 1, 0), ("unlock", 1, 0), ("lock", 2, 0)])
    pair.guest.switch_to(pair.records[0])
    thread_clocks.race_flush(pair.ctx)
    assert not is_bare(pair.records[2])
    assert thread_triples(pair.records[2]) == [(0, (2, 1, None))]
    for tid in (2, 1):
        pair.guest.switch_to(pair.records[tid])
        sync.sync_acquire(pair.ctx, MUTEXES[0])
        sync.sync_release_store(pair.ctx, MUTEXES[0])
    assert object_triples(MUTEXES[0]) == [(0, (1, 1, None)), (1, (2, 1, 1))]


def test_vectors_have_no_trees(new_guest: NewGuest) -> None:
    pair = RacePair(new_guest())
    pair.run([("fork", 0), ("lock", 1, 0), ("unlock", 1, 0)])
    assert pair.ctx["options"][options.CLOCK] == 0
    assert object_triples(MUTEXES[0]) is None
