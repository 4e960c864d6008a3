"""Accesses to short records come to what the naive detector says, entry by entry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels.race.cells import cell_words, race_records, same_epoch, short_records
from tests.support.cell_history import entries_of, is_expanded, load
from tests.support.race_pair import BASE, RacePair, Step

START: list[Step] = [("fork", 0)] * 3
TIDS = st.integers(0, 3)
SITES = st.integers(1, 3)
READS = st.tuples(
    st.just("access"), TIDS, st.integers(0, 7), st.sampled_from([1, 1, 1, 2, 3, 4, 8]),
    st.just(0), SITES,
)  # fmt: skip
WRITES = st.tuples(
    st.just("access"), TIDS, st.integers(0, 7), st.sampled_from([1, 1, 1, 2, 3, 4, 8]),
    st.just(1), SITES,
)  # fmt: skip
TICKS = st.tuples(st.sampled_from(["post", "wait", "lock", "unlock"]), TIDS, st.integers(0, 1))
OTHERS = st.one_of(
    st.tuples(st.just("access"), TIDS, st.integers(0, 7), st.sampled_from([1, 2, 4]), st.just(1),
              SITES),
    st.tuples(st.sampled_from(["lock", "unlock"]), TIDS, st.integers(0, 1)),
    st.tuples(st.sampled_from(["post", "wait"]), TIDS, st.integers(0, 1)),
    st.tuples(st.sampled_from(["load", "store"]), TIDS, st.sampled_from([0, 4]), st.just(4),
              st.integers(0, 5), SITES),
    st.tuples(st.just("range"), TIDS, st.integers(0, 3), st.sampled_from([3, 5, 9]),
              st.integers(0, 1), SITES),
    st.tuples(st.sampled_from(["free", "malloc"]), TIDS, st.just(0), st.sampled_from([4, 10]),
              SITES),
)  # fmt: skip
PROGRAM = st.lists(st.one_of(READS, READS, READS, OTHERS), max_size=60)
RELAXED = settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
CELL = int(cell_words.addr_to_cell(BASE))


def pair_without_credit(guest: Any, forgets_soon: bool = False) -> RacePair:
    """Detectors of which the kernels do not look for equal records, as after many that differed."""
    pair = RacePair(guest, forgets_soon=forgets_soon)
    pair.ctx["race"]["transition_credit"] = 0
    return pair


@RELAXED
@given(st.booleans(), PROGRAM)
def test_reads_byte_by_byte_agree_with_the_naive_detector(
    new_guest: Callable[[], Any], forgets_soon: bool, program: list[Step]
) -> None:
    pair_without_credit(new_guest(), forgets_soon).run(START + program)


@RELAXED
@given(st.booleans(), st.lists(st.one_of(READS, WRITES, WRITES, TICKS), max_size=60))
def test_writes_byte_by_byte_agree_with_the_naive_detector(
    new_guest: Callable[[], Any], forgets_soon: bool, program: list[Step]
) -> None:
    pair_without_credit(new_guest(), forgets_soon).run(START + program)


def record() -> int:
    """Address of the cell's record."""
    return int(race_records.record_to_address(cell_words.record_of(load(CELL))))


def entries() -> list[tuple[int, int]]:
    """Bytes and kind of each access that the cell remembers."""
    return [(half >> 60, kind) for half, kind in entries_of(CELL)]


def tick(tid: int) -> list[Step]:
    """The thread begins a new epoch."""
    return [("post", tid, 0)]


def test_an_older_read_loses_the_bytes_that_are_read_again(guest: Any) -> None:
    pair = pair_without_credit(guest)
    pair.run([*START, ("access", 1, 0, 3, 0, 1), ("access", 1, 3, 1, 0, 2), *tick(1)])
    pair.run([("access", 1, 0, 2, 0, 3)])
    assert is_expanded(CELL)
    assert sorted(entries()) == [(0b0011, 0), (0b0100, 0), (0b1000, 0)]


def test_bytes_read_by_one_site_in_an_epoch_are_one_entry(guest: Any) -> None:
    pair = pair_without_credit(guest)
    pair.run([*START, ("access", 1, 3, 1, 0, 2)])
    pair.run([("access", 1, byte, 1, 0, 1) for byte in range(3)])
    assert sorted(entries()) == [(0b0111, 0), (0b1000, 0)]


def test_a_read_of_all_bytes_makes_the_cell_compact_again(guest: Any) -> None:
    pair = pair_without_credit(guest)
    pair.run([*START, ("access", 1, 0, 1, 0, 1), ("access", 1, 1, 1, 0, 2), *tick(1)])
    assert is_expanded(CELL)
    pair.run([("access", 1, 0, 4, 0, 1)])
    assert not is_expanded(CELL)


def test_what_was_read_byte_by_byte_is_known_of_all_bytes(guest: Any) -> None:
    pair = pair_without_credit(guest)
    pair.run([*START, *(("access", 1, byte, 1, 0, 1 + byte) for byte in range(4))])
    guest.switch_to(pair.records[1])
    assert same_epoch.race_read4_known(pair.ctx, BASE)
    assert all(same_epoch.race_read1_known(pair.ctx, BASE + byte) for byte in range(4))


def test_a_full_record_goes_the_exact_way(guest: Any) -> None:
    pair = pair_without_credit(guest)
    pair.run([*START, *(("access", 1, byte, 1, 0, 1 + byte) for byte in range(4))])
    rec = record()
    guest.switch_to(pair.records[2])
    answers = [int(short_records.put_read(pair.ctx, rec, 1 << byte, 7 + byte)) for byte in range(2)]
    assert answers == [1, short_records.NO_ROOM]
    assert int(short_records.put_write(pair.ctx, rec, 0b1000, 9)) == 0b0001 | 0b1000 << 4


def test_a_write_takes_its_bytes_from_all_before_it(guest: Any) -> None:
    pair = pair_without_credit(guest)
    pair.run([*START, *(("access", 1, byte, 1, 1, 1 + byte) for byte in range(4)), *tick(1)])
    pair.run([("access", 1, 0, 1, 0, 5), ("access", 1, 0, 2, 1, 6)])
    assert sorted(entries()) == [(0b0011, 1), (0b0100, 1), (0b1000, 1)]


def test_a_write_of_all_bytes_makes_the_cell_compact_again(guest: Any) -> None:
    pair = pair_without_credit(guest)
    pair.run([*START, *(("access", 1, byte, 1, 1, 1 + byte) for byte in range(4)), *tick(1)])
    assert is_expanded(CELL)
    pair.run([("access", 1, 0, 4, 1, 1)])
    assert not is_expanded(CELL)


def test_bytes_written_by_one_site_in_an_epoch_are_one_entry(guest: Any) -> None:
    pair = pair_without_credit(guest)
    pair.run([*START, ("access", 1, 3, 1, 1, 2), ("access", 1, 0, 1, 1, 1)])
    pair.run([("access", 1, byte, 1, 1, 1) for byte in range(3)])
    assert sorted(entries()) == [(0b0111, 1), (0b1000, 1)]


def test_what_was_written_byte_by_byte_is_known_of_all_bytes(guest: Any) -> None:
    pair = pair_without_credit(guest)
    pair.run([*START, *(("access", 1, byte, 1, 1, 1 + byte) for byte in range(4))])
    guest.switch_to(pair.records[1])
    assert is_expanded(CELL)
    assert same_epoch.race_write4_known(pair.ctx, BASE)
