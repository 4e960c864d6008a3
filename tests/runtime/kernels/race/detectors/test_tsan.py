"""The four shadow words: every transition of the published state machine, and what it misses."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import pytest

from irsan.runtime.kernels.race.cells import race_records
from irsan.runtime.kernels.race.clocks import race_words as words
from irsan.runtime.kernels.race.detectors import tsan
from tests.support.race_pair import BASE, RacePair

NewGuest = Callable[[], Any]
Word = tuple[int, int, int]  # thread (its sid), bytes, kind


@pytest.fixture
def pair(new_guest: NewGuest) -> RacePair:
    """Threads 0, 1 and 2; what runs on thread 1 and 2 is unordered."""
    made = RacePair(new_guest(), detector="tsan")
    made.run([("fork", 0), ("fork", 0)])
    return made


def shadow(offset: int = 0) -> list[Word]:
    """The words of a unit that are in use, in order."""
    index = _u32(int(tsan.addr_to_unit_place(BASE + offset)))
    first = int(race_records.record_to_address(index)) + 8
    found = []
    for word in range(first, first + 48, 12) if index else ():
        epoch, meta = _u32(word), _u32(word + 4)
        if meta:
            found.append((epoch >> words.CLOCK_BITS, meta & 255, meta >> 8))
    return found


def _u32(addr: int) -> int:
    return ctypes.c_uint32.from_address(addr).value


def test_an_access_fills_the_first_empty_word(pair: RacePair) -> None:
    pair.run([("access", 1, 0, 8, 1, 1)])
    assert shadow() == [(1, 0xFF, words.WRITE)]
    pair.run([("access", 1, 8, 4, 0, 1), ("access", 1, 12, 2, 0, 1)])
    assert shadow(8) == [(1, 0x0F, words.READ), (1, 0x30, words.READ)]


def test_the_same_access_is_not_stored_again(pair: RacePair) -> None:
    pair.run([("access", 1, 0, 4, 1, 1), ("access", 1, 0, 4, 1, 2), ("access", 1, 0, 4, 0, 3)])
    assert shadow() == [(1, 0x0F, words.WRITE)]


def test_a_weaker_access_of_the_same_bytes_is_replaced(pair: RacePair) -> None:
    pair.run([("access", 1, 0, 4, 0, 1), ("access", 1, 0, 4, 1, 2)])
    assert shadow() == [(1, 0x0F, words.WRITE)]
    pair.run([("post", 1, 0), ("access", 1, 0, 4, 0, 3)])
    assert shadow() == [(1, 0x0F, words.WRITE), (1, 0x0F, words.READ)]
    pair.run([("access", 1, 0, 4, 2, 3)])  # an atomic read is the weakest
    assert shadow()[2:] == [(1, 0x0F, words.ATOMIC)]


def test_readers_and_atomics_stand_side_by_side(pair: RacePair) -> None:
    pair.run([("access", 1, 0, 4, 0, 1), ("access", 2, 0, 4, 0, 2)])
    assert shadow() == [(1, 0x0F, words.READ), (2, 0x0F, words.READ)]
    atomic_write = words.ATOMIC | words.WRITE
    pair.run([("access", 1, 8, 4, 3, 1), ("access", 2, 8, 4, 3, 2)])
    assert shadow(8) == [(1, 0x0F, atomic_write), (2, 0x0F, atomic_write)]
    assert pair.n_races == 0


def test_a_race_clears_the_words_and_reads_are_done_with(pair: RacePair) -> None:
    pair.run([("access", 1, 0, 4, 1, 1), ("access", 1, 4, 4, 0, 1), ("access", 2, 0, 4, 0, 2)])
    assert pair.n_races == 4
    assert shadow() == [(0, 0, tsan.MARKER)]
    pair.run([("access", 2, 0, 8, 0, 3)])
    assert shadow() == [(0, 0, tsan.MARKER)]
    pair.run([("access", 1, 4, 4, 1, 4)])  # would race with the read that was cleared
    assert shadow() == [(0, 0, tsan.MARKER), (1, 0xF0, words.WRITE)]


def test_one_of_five_words_is_evicted_and_its_race_missed(new_guest: NewGuest) -> None:
    missed = []
    for byte in range(5):
        pair = RacePair(new_guest(), detector="tsan")
        pair.run([("fork", 0), ("fork", 0)])
        pair.run([("access", 1, at, 1, 1, 1) for at in range(5)])
        assert pair.ctx["race"]["n_evicted"] == 1
        assert len(shadow()) == 4
        pair.run([("access", 2, byte, 1, 0, 2)])
        missed.append(pair.n_missed)
    assert sorted(missed) == [0, 0, 0, 0, 1]


def test_victims_differ_and_follow_from_the_seed(new_guest: NewGuest) -> None:
    def victims(seed: int) -> list[int]:
        ctx = new_guest().ctx
        ctx["schedule"]["rng"][0] = seed
        return [int(tsan.next_victim(ctx)) for _ in range(1024)]

    assert victims(1) == victims(1) != victims(2)
    assert all(200 <= victims(1).count(word) <= 312 for word in range(4))


def test_a_freed_block_is_marked_and_its_new_life_forgets(pair: RacePair) -> None:
    pair.run([("malloc", 1, 0, 2048, 1)])
    assert shadow() == [(1, 0xFF, words.WRITE | words.ALLOCATION)]
    pair.run([("free", 1, 0, 2048, 2)])
    assert shadow(tsan.FREED_BYTES - 8) == [(1, 0xFF, words.WRITE | words.FREE)]
    assert shadow(tsan.FREED_BYTES) == []
    pair.run([("forget", 1, 3, 9)])
    assert shadow() == [(1, 0x07, words.WRITE | words.FREE)]
    assert shadow(8) == [(1, 0xF0, words.WRITE | words.FREE)]


def test_whoever_uses_a_dead_block_races_with_its_free(new_guest: NewGuest) -> None:
    pair = RacePair(new_guest(), detector="tsan", frees_are_dead=True)
    pair.run([("fork", 0), ("malloc", 0, 0, 64, 1), ("free", 0, 0, 62, 2)])
    assert shadow() == [(0, 0xFF, words.WRITE | words.FREE | words.DEAD)]
    pair.run([("access", 0, 0, 8, 1, 3), ("access", 0, 16, 4, 0, 4), ("access", 0, 62, 1, 3, 5)])
    assert (pair.n_races, pair.n_missed) == (13, 0)
    assert shadow() == shadow(16) == [(0, 0, tsan.MARKER)]
    pair.run([("malloc", 0, 0, 64, 1), ("access", 0, 0, 8, 1, 3), ("access", 0, 16, 4, 0, 4)])
    assert pair.n_races == 13
