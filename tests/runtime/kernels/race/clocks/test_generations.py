"""Who has read an expanded cell in this generation: the set, its time stamp, and its limits."""

from __future__ import annotations

from typing import Any

import pytest

from irsan.runtime.kernels.race import access, thread_clocks
from irsan.runtime.kernels.race.cells import race_records, same_epoch
from irsan.runtime.kernels.race.clocks import generations
from irsan.runtime.kernels.race.clocks import race_words as words
from irsan.runtime.layout import memory_map
from tests.support.cell_history import load

ADDR = memory_map.STACKS_LO + 8192
CELL = memory_map.RACE_SHADOW + (ADDR - memory_map.ARENA_LO) * 4
LAST = 0xFFFF_FFFF


@pytest.fixture
def threads(guest: Any) -> list[Any]:
    """Two threads besides the first one, which knows nothing of what they do."""
    children = [guest.new_thread(tid) for tid in (1, 2)]
    for slot in (1, 2):
        child = memory_map.THREADS + slot * memory_map.THREAD_STRIDE
        assert thread_clocks.thread_fork(guest.ctx, child)
    return children


def read(guest: Any, thread: Any, *, size: int = 4) -> bool:
    """Read as the glue does; whether the fast check knew it.

    The first reader joins the set with its second read: the cell was compact before.
    """
    guest.switch_to(thread)
    if getattr(same_epoch, f"race_read{size}_fast")(guest.ctx, ADDR):
        return True
    access.race_access_slow(guest.ctx, ADDR, size, words.READ)
    return False


def test_every_reader_is_known_while_nobody_begins_an_epoch(guest: Any, threads: Any) -> None:
    for expected in ([False, False], [False, True], [True, True], [True, True]):
        assert [read(guest, thread) for thread in threads] == expected
    thread_clocks.race_tick(guest.ctx)
    assert [read(guest, thread) for thread in threads] == [False, False]
    assert [read(guest, thread) for thread in threads] == [True, True]


def test_a_write_makes_a_new_set(guest: Any, threads: Any) -> None:
    for thread in (*threads, *threads):
        read(guest, thread)
    guest.switch_to(threads[0])
    access.race_access_slow(guest.ctx, ADDR, 4, words.WRITE)
    assert not read(guest, threads[1])


def test_readers_of_fewer_bytes_do_not_answer_for_more(guest: Any, threads: Any) -> None:
    for thread in (*threads, *threads):
        read(guest, thread)
    assert all(read(guest, thread, size=1) for thread in threads)
    other = ADDR + 64
    for thread in threads:
        guest.switch_to(thread)
        access.race_access_slow(guest.ctx, other, 1, words.READ)
    assert not same_epoch.race_read4_fast(guest.ctx, other)
    assert same_epoch.race_read1_fast(guest.ctx, other)


def test_without_a_bit_the_record_answers(guest: Any, threads: Any) -> None:
    guest.ctx["generation"] = LAST
    for thread in threads:
        guest.switch_to(thread)
        assert generations.reader_bit(guest.ctx) == 0
        access.race_access_slow(guest.ctx, ADDR, 4, words.READ)
    assert not any(read(guest, thread) for thread in threads)
    assert int(guest.ctx["race"]["n_found"]) == 0
    thread_clocks.race_tick(guest.ctx)
    assert int(guest.ctx["generation"]) == LAST


def be(guest: Any, sid: int) -> None:
    """Be a thread with this sid."""
    guest.ctx["epoch"] = sid << words.CLOCK_BITS | 1
    generations.note_reader(guest.ctx)


def test_bits_are_taken_in_turn_whatever_the_sid(guest: Any) -> None:
    guest.ctx["generation"] = 5
    taken = []
    for sid in range(1000, 1000 - words.N_READER_BITS, -1):
        be(guest, sid)
        assert generations.reader_bit(guest.ctx) == 0
        taken.append(generations.take_bit(guest.ctx))
        assert generations.reader_bit(guest.ctx) == taken[-1]
    assert taken == [1 << (32 + number) for number in range(words.N_READER_BITS)]
    assert int(guest.ctx["generation"]) == 5
    be(guest, 1000)
    assert generations.take_bit(guest.ctx) == taken[0]


def test_when_all_bits_are_taken_a_generation_begins(guest: Any) -> None:
    guest.ctx["generation"] = 5
    for sid in range(words.N_READER_BITS + 1):
        be(guest, sid)
        generations.take_bit(guest.ctx)
    assert int(guest.ctx["generation"]) == 6
    assert generations.reader_bit(guest.ctx) == 1 << 32
    be(guest, 0)
    assert generations.reader_bit(guest.ctx) == 0
    assert generations.take_bit(guest.ctx) == 1 << 33


def test_the_last_generation_has_no_bits(guest: Any) -> None:
    guest.ctx["generation"] = LAST - 1
    for sid in range(words.N_READER_BITS + 1):
        be(guest, sid)
        bit = generations.take_bit(guest.ctx)
    assert bit == 0
    assert int(guest.ctx["generation"]) == LAST
    half = generations.with_reader(guest.ctx, 0, 15)
    assert half == 1 << words.EXPANDED_BIT


def test_a_set_of_an_older_generation_is_begun_anew(guest: Any) -> None:
    guest.ctx["generation"] = 7
    be(guest, 30)
    old = generations.with_reader(guest.ctx, 0, 15)
    assert old == 15 << 60 | 1 << words.EXPANDED_BIT | 1 << 32 | 7
    be(guest, 4)
    both = generations.with_reader(guest.ctx, old, 15)
    assert both == old | 1 << 33
    guest.ctx["generation"] = 8
    be(guest, 4)
    assert generations.with_reader(guest.ctx, both, 15) == old + 1
    assert generations.with_reader(guest.ctx, both, 0) == 1 << words.EXPANDED_BIT


def test_of_many_readers_each_entry_is_at_home(guest: Any) -> None:
    children = []
    for slot in range(1, 65):
        children.append(guest.new_thread(slot))
        assert thread_clocks.thread_fork(
            guest.ctx, memory_map.THREADS + slot * memory_map.THREAD_STRIDE
        )
    for _ in range(3):
        for thread in children:
            guest.switch_to(thread)
            thread_clocks.race_tick(guest.ctx)
            read(guest, thread)
            assert read(guest, thread)
    rec = race_records.record_to_address(load(CELL, 8) >> 32 & words.STACK_MASK)
    n = load(rec, 2)
    assert n == len(children)
    homes = {load(rec + 4 + 12 * place, 4) >> words.CLOCK_BITS: place for place in range(n)}
    at_home = [sid for sid, place in homes.items() if sid % n == place]
    assert len(at_home) >= n - 2  # two sids may have one home
    assert int(guest.ctx["race"]["n_found"]) == 0
    guest.switch_to(children[0])
    access.race_access_slow(guest.ctx, ADDR, 4, words.WRITE)
    assert int(guest.ctx["race"]["n_found"]) > 0
