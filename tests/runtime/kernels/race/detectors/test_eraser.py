"""Eraser's states and candidate locks, against dictionaries and sets."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.depot import depot_put
from irsan.runtime.kernels.race import access as fasttrack
from irsan.runtime.kernels.race import race_free, race_ranges, thread_clocks
from irsan.runtime.kernels.race.clocks import race_words as words
from irsan.runtime.kernels.race.detectors import eraser
from irsan.runtime.layout import memory_map, options

ADDR = memory_map.HEAP_LO + 64
NewGuest = Callable[[], Any]
Locks = frozenset[int]  # marks: number << 1 | is write

STATES = ("virgin", "exclusive", "shared", "shared-modified", "told")


@dataclass
class NaiveEraser:
    """One location of Eraser (TOCS 1997, section 3.2)."""

    state: str = "virgin"
    owner: int = 0
    candidates: Locks = frozenset()
    accesses: list[tuple[int, int]] = field(default_factory=list)

    def access(self, tid: int, is_write: bool, held: Locks) -> bool:
        """One access; whether it is reported."""
        if self.state == "told":
            return False
        locks = {mark >> 1 for mark in held if mark & 1 or not is_write}
        if self.state == "virgin":
            self.state, self.owner = "exclusive", tid
        elif self.state != "exclusive" or tid != self.owner:
            known = {mark >> 1 for mark in held} if self.state == "exclusive" else self.candidates
            self.candidates = frozenset(known & locks)
            if is_write or self.state == "shared-modified":
                self.state = "shared-modified"
            else:
                self.state = "shared"
        self.accesses.append((tid, int(is_write)))
        if self.state == "shared-modified" and not self.candidates:
            self.state = "told"
            return True
        return False


class Pair:
    """The kernels and the naive location, driven by the same accesses."""

    def __init__(self, guest: Any) -> None:
        self.guest, self.naive = guest, NaiveEraser()
        self.threads = {0: guest.main}
        guest.ctx["options"][options.RACE_DETECTOR] = options.RACE_DETECTORS.index("lockset")
        for tid in (1, 2):
            self.threads[tid] = guest.new_thread(tid)
            assert thread_clocks.thread_fork(
                guest.ctx, memory_map.THREADS + tid * memory_map.THREAD_STRIDE
            )

    def access(self, tid: int, is_write: bool, held: Locks) -> bool:
        """One access by a thread that holds locks; both sides must agree on everything."""
        ctx = self.guest.ctx
        self.guest.switch_to(self.threads[tid])
        path = 0
        for mark in held:
            path = int(depot_put(ctx, path, mark))
        self.threads[tid]["held"] = path
        ctx["site"], ctx["action"] = 5, actions.NONE
        fasttrack.race_access_slow(ctx, ADDR, 4, int(is_write))
        is_told = bool(ctx["action"] == actions.REPORT)
        assert is_told == self.naive.access(tid, is_write, held)
        assert STATES[self.word(8)] == self.naive.state
        assert self.candidates() == self.naive.candidates
        if is_told:
            earlier = self.naive.accesses[:-1]
            other = (int(ctx["fault"][6]) >> words.CLOCK_BITS, int(ctx["fault"][8]))
            assert other in earlier
            assert other[0] != tid
        return is_told

    def word(self, offset: int) -> int:
        """A word of the location's record."""
        index = _u32(memory_map.RACE_SHADOW + (ADDR - memory_map.ARENA_LO) * 4)
        return _u32(words.RECORDS_ADDR + index * 64 + offset)

    def candidates(self) -> Locks:
        """Numbers of the candidate locks."""
        from irsan.runtime.kernels.depot import depot_parent, depot_site

        found, path = set(), self.word(12)
        while path:
            found.add(int(depot_site(path)) >> 1)
            path = int(depot_parent(path))
        return frozenset(found)


def _u32(addr: int) -> int:
    return ctypes.c_uint32.from_address(addr).value


ACCESS = st.tuples(
    st.integers(0, 2), st.booleans(), st.sampled_from([(), (3,), (5,), (3, 5), (2,), (2, 5)])
)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(ACCESS, max_size=12))
def test_agrees_with_sets(
    new_guest: NewGuest, accesses: list[tuple[int, bool, tuple[int, ...]]]
) -> None:
    pair = Pair(new_guest())
    for tid, is_write, held in accesses:
        pair.access(tid, is_write, frozenset(held))


def test_eraser_tells_what_no_lock_protects(new_guest: NewGuest) -> None:
    """The paper's figure 3: v under mu1, then under mu2; the candidates become empty."""
    pair = Pair(new_guest())
    assert not pair.access(0, True, frozenset({3}))
    assert not pair.access(1, True, frozenset({3, 5}))
    assert pair.candidates() == {1, 2}
    assert not pair.access(1, True, frozenset({3}))
    assert pair.candidates() == {1}
    assert pair.access(0, True, frozenset({5}))
    assert not pair.access(1, True, frozenset())  # reported once


def test_a_read_lock_does_not_protect_a_write(new_guest: NewGuest) -> None:
    pair = Pair(new_guest())
    assert not pair.access(0, True, frozenset({3}))
    assert not pair.access(1, False, frozenset({2}))
    assert pair.access(1, True, frozenset({2}))


def test_atomics_and_free_are_not_looked_at_and_malloc_begins_anew(new_guest: NewGuest) -> None:
    pair = Pair(new_guest())
    pair.access(0, True, frozenset())
    ctx = pair.guest.ctx
    pair.guest.switch_to(pair.threads[1])
    fasttrack.race_access_slow(ctx, ADDR, 4, words.ATOMIC | words.WRITE)
    race_free.race_free(ctx, ADDR, 4)
    assert ctx["action"] == actions.NONE
    assert _u32(memory_map.RACE_SHADOW + (ADDR - memory_map.ARENA_LO) * 4) == 0
    race_ranges.race_malloc(ctx, ADDR, 4)
    assert _u32(memory_map.RACE_SHADOW + (ADDR - memory_map.ARENA_LO) * 4) == 0
    assert eraser.VIRGIN == 0
