"""The examples of the literature, with their clocks, in every exact detector."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import pytest

from irsan.runtime.kernels.race.cells import cell_words, race_records
from irsan.runtime.kernels.race.clocks import race_words as words
from irsan.runtime.kernels.race.detectors import clock_histories
from irsan.runtime.layout import memory_map
from tests.support.race_pair import BASE, RacePair

NewGuest = Callable[[], Any]
History = dict[int, dict[int, int]]


@pytest.mark.parametrize("detector", ["fasttrack", "vector", "djit"])
def test_a_lock_orders_two_writes(new_guest: NewGuest, detector: str) -> None:
    """FastTrack (PLDI 2009), section 1: 4@0, released to <4,8>, which knows it."""
    pair = RacePair(new_guest(), detector=detector)
    pair.run([("fork", 0)])
    set_time(pair, 1, 8)
    set_time(pair, 0, 4)
    pair.run([("lock", 0, 0), ("access", 0, 0, 4, 1, 1)])
    assert history(pair)[words.WRITE] == {0: 4}
    pair.run([("unlock", 0, 0), ("lock", 1, 0)])
    assert (clock(pair, 0)[0], clock(pair, 1)) == (5, {0: 4, 1: 8})
    pair.run([("access", 1, 0, 4, 1, 2)])
    assert newest(history(pair)[words.WRITE], detector) == {1: 8}
    assert pair.n_races == 0


@pytest.mark.parametrize("detector", ["fasttrack", "vector", "djit"])
def test_reads_are_shared_and_forgotten(new_guest: NewGuest, detector: str) -> None:
    """FastTrack (PLDI 2009), section 3: 7@0, a read of a child and of its parent make <8,1>.

    Thread 1 only stands by, so that the first write is recorded; the paper's thread 1 is our 2.
    """
    pair = RacePair(new_guest(), detector=detector)
    pair.run([("fork", 0)])
    set_time(pair, 0, 7)
    pair.run([("access", 0, 0, 4, 1, 1)])
    assert history(pair) == {words.WRITE: {0: 7}, words.READ: {}}
    pair.run([("fork", 0)])
    assert (clock(pair, 0)[0], clock(pair, 2)[0], clock(pair, 2)[2]) == (8, 7, 1)
    pair.run([("access", 2, 0, 4, 0, 2)])
    assert history(pair)[words.READ] == {2: 1}
    pair.run([("access", 0, 0, 4, 0, 3)])
    assert history(pair)[words.READ] == {0: 8, 2: 1}
    pair.run([("finish", 2), ("join", 0, 2)])
    assert (clock(pair, 0)[0], clock(pair, 0)[2]) == (8, 1)
    pair.run([("access", 0, 0, 4, 1, 4)])
    assert history(pair)[words.WRITE] == {0: 8}
    if detector == "fasttrack":
        assert history(pair)[words.READ] == {}  # a write that knows all reads forgets them
    pair.run([("access", 0, 0, 4, 0, 5)])
    assert history(pair)[words.READ].get(0, 8) == 8
    assert pair.n_races == 0


def newest(times: dict[int, int], detector: str) -> dict[int, int]:
    """FastTrack's one epoch is the last of a whole clock's: thread 1 wrote after thread 0."""
    if detector == "fasttrack":
        return times
    assert times.pop(0) == 4
    return times


def set_time(pair: RacePair, tid: int, time: int) -> None:
    """Let a thread's own time be `time`; no other thread knows of it yet."""
    record = pair.records[tid]
    pair.guest.switch_to(record)
    sid = int(pair.ctx["epoch"]) >> words.CLOCK_BITS
    epoch = sid << words.CLOCK_BITS | time
    pair.ctx["epoch"] = record["epoch"] = epoch
    ctypes.c_uint32.from_address(int(record["vc"]) + 4 * sid).value = epoch
    pair.naive.clocks.threads[tid].clock[tid] = time


def clock(pair: RacePair, tid: int) -> dict[int, int]:
    """What a thread knows: time of each thread number below 3."""
    entries = (ctypes.c_uint32 * 3).from_address(int(pair.records[tid]["vc"]))
    return {sid: epoch & words.CLOCK_MAX for sid, epoch in enumerate(entries) if epoch}


def history(pair: RacePair) -> History:
    """Writes and reads that BASE remembers, as thread -> time."""
    if pair.detector == "fasttrack":
        return _cell_history(int(cell_words.addr_to_cell(BASE)))
    place = memory_map.RACE_SHADOW + (BASE - memory_map.ARENA_LO) * 4
    rec = int(race_records.record_to_address(_u32(place)))
    known: History = {words.WRITE: {}, words.READ: {}}
    for sid in range(_u32(rec) & 0xFFFF):
        for kind, times in known.items():
            epoch = _u32(int(clock_histories.clock_entry(rec, sid, kind)))
            if epoch:
                times[sid] = epoch & words.CLOCK_MAX
    return known


def _cell_history(cell: int) -> History:
    known: History = {words.WRITE: {}, words.READ: {}}
    if _u32(cell + 12) >> 27 & 1:
        rec = int(race_records.record_to_address(_u32(cell + 4) & words.STACK_MASK))
        entries = [rec + 4 + 12 * n for n in range(_u32(rec) & 0xFFFF)]
        halves = [(_u32(entry + 8) & 1, _u32(entry)) for entry in entries]
    else:
        halves = [(words.WRITE, _u32(cell)), (words.READ, _u32(cell + 8))]
    for kind, epoch in halves:
        if epoch:
            known[kind][epoch >> words.CLOCK_BITS] = epoch & words.CLOCK_MAX
    return known


def _u32(addr: int) -> int:
    return ctypes.c_uint32.from_address(addr).value
