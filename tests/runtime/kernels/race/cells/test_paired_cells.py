"""Two accesses of one kind in a cell: nothing is forgotten, and no record is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels.race import race_free, race_ranges, sync_clocks
from irsan.runtime.kernels.race.cells import cell_words
from irsan.runtime.layout import memory_map
from tests.support.cell_history import (
    LOCK,
    begin_epoch,
    entries_of,
    exact_access,
    fork_threads,
    is_expanded,
    load,
    take_race,
)
from tests.support.race_pair import RacePair, Step

ADDR = memory_map.HEAP_LO + (1 << 20)
CELL = int(cell_words.addr_to_cell(ADDR))
SITES = st.integers(1, 3)
PARTS = st.sampled_from([(0, 1), (1, 1), (2, 1), (3, 1), (0, 2), (2, 2), (0, 3), (1, 3), (0, 4)])
WHO = (1 << 59) - 1  # epoch and stack

Seen = dict[tuple[int, int], int]  # (byte, kind) -> epoch and stack


@pytest.fixture
def ctx(guest: Any) -> Any:
    """The context of one of two threads that never meet."""
    fork_threads(guest, 2)
    guest.ctx["race"]["transition_credit"] = 0
    return guest.ctx


def touch(ctx: Any, offset: int, size: int, is_write: bool, site: int) -> bool:
    """An access at a site; whether it races."""
    ctx["site"] = site
    return exact_access(ctx, ADDR + offset, size, is_write)


def remembered() -> Seen:
    """What the cell has of each byte."""
    return {
        (byte, kind): half & WHO
        for half, kind in entries_of(CELL)
        for byte in range(4)
        if half >> 60 + byte & 1
    }


def note(seen: Seen, now: Seen, epoch: int) -> None:
    """The naive rule: the newest access of each byte and kind; a write ends what was before."""
    for (byte, kind), who in now.items():
        written, known = seen.get((byte, 1)), seen.get((byte, kind))
        if epoch in (half & 0xFFFF_FFFF for half in (written, known) if half is not None):
            continue
        if kind:
            seen.pop((byte, 0), None)
        seen[byte, kind] = who


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.tuples(st.sampled_from("rrrrwt"), PARTS, SITES), max_size=30), st.booleans())
def test_a_thread_is_remembered_byte_by_byte(
    new_guest: Callable[[], Any], events: list[tuple[str, tuple[int, int], int]], flips: bool
) -> None:
    guest = new_guest()
    fork_threads(guest, 2)
    ctx = guest.ctx
    ctx["race"]["transition_credit"] = 0
    stacks: dict[int, int] = {}
    for site in (1, 2, 3):  # a whole read of another cell tells the stack of a site
        ctx["site"] = site
        exact_access(ctx, ADDR + 64 * site, 4, False)
        stacks[site] = int(load(int(cell_words.addr_to_cell(ADDR + 64 * site)) + 8)) >> 32 & WHO
    seen: Seen = {}
    for verb, (offset, size), site in events:
        if verb == "t":
            begin_epoch(ctx)
            continue
        is_write = (verb == "w") != flips
        assert not touch(ctx, offset, size, is_write, site)
        epoch = int(ctx["epoch"])
        who = epoch | (stacks[site] & 0x7FF_FFFF) << 32
        note(seen, {(byte, int(is_write)): who for byte in range(offset, offset + size)}, epoch)
        assert remembered() == seen


@pytest.mark.parametrize("is_write", [False, True])
def test_a_word_that_is_gone_through_again_byte_by_byte_needs_no_record(
    ctx: Any, is_write: bool
) -> None:
    touch(ctx, 0, 4, is_write, 1)
    begin_epoch(ctx)
    n_entries = []
    for byte in range(4):
        assert not touch(ctx, byte, 1, is_write, 2)
        assert not is_expanded(CELL)
        n_entries.append(len(entries_of(CELL)))
    assert n_entries == [2, 2, 2, 1]
    assert ctx["race"]["n_expanded"] == 0


def test_a_third_access_needs_a_record(ctx: Any) -> None:
    touch(ctx, 0, 4, False, 1)
    begin_epoch(ctx)
    touch(ctx, 0, 1, False, 2)
    touch(ctx, 1, 1, False, 3)
    assert is_expanded(CELL)
    touch(ctx, 1, 3, False, 2)  # known of one byte; what the first access has left goes
    assert not is_expanded(CELL)


def test_a_write_over_one_of_two_reads_leaves_the_other(ctx: Any) -> None:
    touch(ctx, 0, 4, False, 1)
    begin_epoch(ctx)
    touch(ctx, 0, 1, False, 2)
    touch(ctx, 0, 1, True, 3)
    assert not is_expanded(CELL)
    assert [(half >> 60, kind) for half, kind in entries_of(CELL)] == [(0b0001, 1), (0b1110, 0)]


@pytest.mark.parametrize(("byte", "is_write"), [(0, True), (2, True), (0, False), (2, False)])
@pytest.mark.parametrize("were_writes", [False, True])
def test_either_part_races_with_another_thread(
    guest: Any, byte: int, is_write: bool, were_writes: bool
) -> None:
    records = fork_threads(guest, 2)
    guest.ctx["race"]["transition_credit"] = 0
    touch(guest.ctx, 0, 4, were_writes, 1)
    begin_epoch(guest.ctx)
    touch(guest.ctx, 0, 2, were_writes, 2)
    assert cell_words.is_paired(load(CELL))
    guest.switch_to(records[1])
    assert touch(guest.ctx, byte, 1, is_write, 3) == (is_write or were_writes)


def test_each_part_races_for_itself(guest: Any) -> None:
    records = fork_threads(guest, 3)
    ctx = guest.ctx
    touch(ctx, 0, 2, True, 1)
    guest.switch_to(records[1])
    assert not touch(ctx, 2, 2, True, 2)
    assert cell_words.is_paired(load(CELL))
    sync_clocks.sync_release(ctx, LOCK)
    guest.switch_to(records[2])
    sync_clocks.sync_acquire(ctx, LOCK)
    assert not touch(ctx, 2, 2, True, 3)
    assert touch(ctx, 1, 1, True, 3)


def test_a_read_of_another_thread_does_not_make_way(guest: Any) -> None:
    records = fork_threads(guest, 2)
    ctx = guest.ctx
    ctx["race"]["transition_credit"] = 0
    touch(ctx, 0, 4, False, 1)
    guest.switch_to(records[1])
    assert not touch(ctx, 0, 1, False, 2)
    assert len(entries_of(CELL)) == 2
    assert touch(ctx, 0, 1, True, 2)


def test_an_access_joins_the_older_part(guest: Any) -> None:
    records = fork_threads(guest, 2)
    ctx = guest.ctx
    epochs = [int(ctx["epoch"])]
    touch(ctx, 0, 2, True, 1)
    guest.switch_to(records[1])
    epochs.append(int(ctx["epoch"]))
    touch(ctx, 2, 2, True, 1)
    sync_clocks.sync_release(ctx, LOCK)
    guest.switch_to(records[0])
    sync_clocks.sync_acquire(ctx, LOCK)
    assert not touch(ctx, 2, 1, True, 1)
    parts = {half >> 60: half & 0xFFFF_FFFF for half, _ in entries_of(CELL)}
    assert parts == {0b0111: epochs[0], 0b1000: epochs[1]}


def test_a_free_races_with_the_older_part(guest: Any) -> None:
    records = fork_threads(guest, 2)
    ctx = guest.ctx
    touch(ctx, 0, 4, False, 1)
    begin_epoch(ctx)
    touch(ctx, 0, 1, False, 2)
    assert cell_words.is_paired(load(CELL))
    guest.switch_to(records[1])
    race_free.race_free(ctx, ADDR, 16)
    assert take_race(ctx)


def test_what_is_marked_as_allocated_is_no_pair(ctx: Any) -> None:
    race_ranges.race_malloc(ctx, ADDR, 16)
    begin_epoch(ctx)
    touch(ctx, 0, 1, True, 1)
    assert is_expanded(CELL)
    assert sorted(kind for _, kind in entries_of(CELL)) == [1, 17]


ACCESSES = st.builds(
    lambda tid, part, is_write, site: ("access", tid, *part, is_write, site),
    st.integers(0, 2), PARTS, st.integers(0, 1), st.integers(1, 2),
)  # fmt: skip
TICKS = st.tuples(st.sampled_from(["post", "wait"]), st.integers(0, 2), st.integers(0, 1))
ATOMICS = st.tuples(
    st.sampled_from(["load", "store"]), st.integers(0, 2), st.just(0), st.just(4),
    st.integers(0, 5), SITES,
)  # fmt: skip


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.booleans(),
    st.lists(st.one_of(ACCESSES, ACCESSES, ACCESSES, TICKS, TICKS, ATOMICS), max_size=60),
)
def test_parts_of_a_word_agree_with_the_naive_detector(
    new_guest: Callable[[], Any], forgets_soon: bool, program: list[Step]
) -> None:
    pair = RacePair(new_guest(), forgets_soon=forgets_soon)
    pair.ctx["race"]["transition_credit"] = 0
    pair.run([("fork", 0), ("fork", 0), *program])
