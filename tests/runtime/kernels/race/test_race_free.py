"""Blocks that are freed: what races with it, and what is marked."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.race import race_free, race_ranges, thread_clocks
from irsan.runtime.kernels.race.big_marks import BIG_MARK, MARKED_UP_TO, WHOLE_UP_TO
from irsan.runtime.kernels.race.cells import same_epoch
from irsan.runtime.kernels.race.clocks import race_words as words
from irsan.runtime.layout import memory_map
from irsan.runtime.views.stackdepot import stack_to_sites
from tests.support.cell_history import cell_halves, fork_threads, reported_access

LO = memory_map.HEAP_LO
MIB = 1 << 20


def test_a_big_block_is_marked_freed_then_cleared(with_child: Any) -> None:
    guest, child = with_child
    size = 3 * MIB + 5
    race_ranges.race_malloc(guest.ctx, LO, size)
    reported_access(guest, 5, LO + 2 * MIB, 4, 1)
    guest.ctx["site"] = 6
    race_free.race_free(guest.ctx, LO, size)
    assert cell_halves(LO)[1] == words.FREE << 32
    assert cell_halves(LO + MARKED_UP_TO - 4)[1] == words.FREE << 32
    assert cell_halves(LO + MARKED_UP_TO) == cell_halves(LO + 2 * MIB) == (0, 0)
    guest.switch_to(child)
    assert reported_access(guest, 7, LO + 100, 1, 0)
    assert int(guest.ctx["fault"][8]) & words.FREE


def test_a_poisoned_block_is_marked_at_its_beginning(with_child: Any) -> None:
    guest, child = with_child
    guest.ctx["heap"]["is_poisoning"] = 1
    race_ranges.race_malloc(guest.ctx, LO, 4000)
    allocated = cell_halves(LO + 2000)
    thread_clocks.race_tick(guest.ctx)
    for offset in (3001, 3002):  # two sites in one cell: a record
        reported_access(guest, offset, LO + offset, 1, 1)
    assert guest.ctx["race"]["n_expanded"] == 1
    race_free.race_free(guest.ctx, LO, 4000)
    marked = [cell_halves(LO + offset)[1] for offset in (0, race_free.POISONED_MARK - 4)]
    assert marked == [words.FREE << 32] * 2
    assert cell_halves(LO + 2000) == allocated
    assert guest.ctx["race"]["n_expanded"] == 0
    race_ranges.race_malloc(guest.ctx, LO, 4000)
    assert cell_halves(LO + 3000)[1] == words.ALLOCATION << 32
    guest.switch_to(child)
    assert reported_access(guest, 7, LO + 3000, 4, 0)


def test_a_dead_block_races_with_every_use_until_it_is_handed_out_again(with_child: Any) -> None:
    guest, _ = with_child
    guest.ctx["sanitize_address"] = 0
    race_ranges.race_malloc(guest.ctx, LO, 48)
    assert not reported_access(guest, 5, LO + 4, 4, 1)
    epoch, guest.ctx["site"] = int(guest.ctx["epoch"]), 6
    race_free.race_free(guest.ctx, LO, 46)
    dead = (words.FREE | words.DEAD) << 32 | epoch
    assert cell_halves(LO + 44)[1] == dead
    assert guest.ctx["race"]["n_expanded"] == 0
    for offset, size, kind in ((4, 4, 1), (46, 1, 0), (8, 8, 2), (16, 2, 3), (20, 16, 1)):
        known = getattr(same_epoch, f"race_{'write' if kind & 1 else 'read'}{size}_fast")
        assert not known(guest.ctx, LO + offset)
        assert reported_access(guest, 10 * offset, LO + offset, size, kind)
        fault = [int(word) for word in guest.ctx["fault"]]
        assert stack_to_sites(fault[7]) == [6]
        assert (fault[6], fault[8] & words.FREE) == (epoch, words.FREE)
        assert cell_halves(LO + offset - offset % 4)[1] == dead
    assert guest.ctx["race"]["n_expanded"] == 0
    race_ranges.race_malloc(guest.ctx, LO, 46)
    assert not reported_access(guest, 7, LO + 4, 4, 1)


def test_the_first_free_of_the_only_thread_has_it_watched_for_a_while(guest: Any) -> None:
    ctx = guest.ctx
    race_free.race_free(ctx, LO, 64)
    assert not reported_access(guest, 5, LO, 4, 1), "address checks see to it"
    ctx["sanitize_address"] = 0
    race_free.race_free(ctx, LO, 64)
    assert reported_access(guest, 5, LO + 4, 4, 1)
    race_ranges.race_malloc(ctx, LO, 64)
    assert not reported_access(guest, 5, LO + 4, 4, 1)
    race_free.race_free(ctx, LO, 64)
    for _ in range(words.ALONE_REFUELS):
        assert reported_access(guest, int(ctx["site"]) + 1, LO + 4, 4, 1)
        thread_clocks.alone_for_long(ctx)
    assert not reported_access(guest, 99, LO + 4, 4, 1)
    race_free.race_free(ctx, LO, 64)
    assert not reported_access(guest, 99, LO + 4, 4, 1), "it is not watched again"
    guest.new_thread(1)
    assert thread_clocks.thread_fork(ctx, memory_map.THREADS + memory_map.THREAD_STRIDE)
    assert not reported_access(guest, 99, LO + 4, 4, 1), "no mark was left behind"
    thread_clocks.alone_for_long(ctx)
    race_free.race_free(ctx, LO, 64)
    assert reported_access(guest, 99, LO + 4, 4, 1)


def test_free_races_with_an_unordered_access_anywhere_in_the_block(with_child: Any) -> None:
    guest, child = with_child
    reported_access(guest, 5, LO + 2 * MIB + 3, 1, 0)
    guest.switch_to(child)
    guest.ctx["site"] = 6
    race_free.race_free(guest.ctx, LO, 3 * MIB)
    assert guest.ctx["action"] == actions.REPORT
    assert int(guest.ctx["fault"][3]) == words.WRITE | words.FREE


def is_marked_whole(guest: Any, size: int) -> bool:
    """Whether a block that is handed out is, all of it; else its beginning alone is."""
    race_ranges.race_malloc(guest.ctx, LO, size)
    marked = [cell_halves(LO + offset)[1] == words.ALLOCATION << 32 for offset in range(0, size, 4)]
    n_marked = sum(marked)
    assert marked[:n_marked] == [True] * n_marked and n_marked in (BIG_MARK // 4, len(marked))
    return n_marked == len(marked)


def test_big_blocks_that_nobody_uses_are_marked_at_their_beginning(with_child: Any) -> None:
    guest, _ = with_child
    size = MIB // 2
    for _ in range(words.FULL_CREDIT // size):
        assert is_marked_whole(guest, size)
        race_free.race_free(guest.ctx, LO, size)
    assert not is_marked_whole(guest, size)
    assert is_marked_whole(guest, WHOLE_UP_TO), "that is no big one"
    for _ in range(2):  # the first one brings the credit for the others
        race_ranges.race_malloc(guest.ctx, LO, size)
        reported_access(guest, 5, LO + size // 2, 4, 1)
        race_free.race_free(guest.ctx, LO, size)
        assert is_marked_whole(guest, size)


def test_a_block_that_is_marked_at_its_beginning_has_no_old_history(with_child: Any) -> None:
    guest, child = with_child
    guest.ctx["race"]["mark_credit"] = 0
    guest.switch_to(child)
    for offset in (0, BIG_MARK, 3 * BIG_MARK + 4, 50_000):
        reported_access(guest, 5, LO + offset, 4, 1)
    guest.switch_to(guest.main)
    race_ranges.race_malloc(guest.ctx, LO, 50_000)
    assert not any(reported_access(guest, 6, LO + offset, 4, 1) for offset in range(0, 50_000, 4))
    assert reported_access(guest, 6, LO + 50_000, 4, 1), "that is not of the block"


def test_a_dead_block_is_marked_for_64_kib(with_child: Any) -> None:
    guest, _ = with_child
    guest.ctx["sanitize_address"] = 0
    race_free.race_free(guest.ctx, LO, MIB)
    assert reported_access(guest, 5, LO + MARKED_UP_TO - 4, 4, 1)
    assert not reported_access(guest, 5, LO + MARKED_UP_TO, 4, 1)


ACCESSES = st.lists(
    st.tuples(st.integers(0, MARKED_UP_TO + 9000), st.booleans(), st.integers(0, 1)), max_size=4
)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(accesses=ACCESSES, lo=st.integers(0, 300), size=st.integers(1, MARKED_UP_TO + 8000))
def test_a_free_races_with_what_the_naive_twin_says(
    new_guest: Any, accesses: list[tuple[int, bool, int]], lo: int, size: int
) -> None:
    """Accesses of bytes by the thread that frees, or by another: (offset, is its own, kind)."""
    own, others = (
        {offset // 4 for offset, by_owner, _ in accesses if by_owner is which}
        for which in (True, False)
    )
    assume(own.isdisjoint(others))  # they would race with each other
    guest = new_guest()
    child = fork_threads(guest, 2)[1]
    lo, size = lo * 16, (size + 3) & ~3
    for is_own in (True, False):
        guest.switch_to(guest.main if is_own else child)
        for offset, by_owner, kind in accesses:
            if by_owner == is_own:
                reported_access(guest, 5, LO + offset, 1, kind)
    guest.switch_to(guest.main)
    guest.ctx["action"] = actions.NONE
    race_free.race_free(guest.ctx, LO + lo, size)
    is_race = any(not own and lo <= offset < lo + size for offset, own, _ in accesses)
    assert (guest.ctx["action"] == actions.REPORT) == is_race
