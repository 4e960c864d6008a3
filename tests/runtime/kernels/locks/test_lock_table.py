"""Locks held, locksets and lock order, against plain lists and sets."""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.locks import lock_order, lock_rules, lock_table
from irsan.runtime.layout import memory_map
from irsan.runtime.records.race import lock_records as lr
from irsan.runtime.views.lock_view import edge_at, edge_columns, lock_facts
from irsan.runtime.views.stackdepot import lockset_to_locks
from tests.oracles.naive_held_locks import NaiveHeldLocks

PLACE = memory_map.HEAP_LO + (1 << 21)
N_LOCKS = 6
RELAXED = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
STEP = st.tuples(st.integers(0, 2), st.integers(0, N_LOCKS - 1), st.booleans(), st.booleans())


def take(ctx: Any, number: int, *, is_write: bool) -> None:
    """What the rules do for a lock that the running thread gets."""
    mode = lr.MODE_WRITE if is_write else 0
    lock_order.note_order(ctx, number, 7, mode)
    ctx["action"] = actions.NONE
    lock_table.push_held(ctx, number, 7, mode)


@RELAXED
@given(st.lists(STEP, max_size=60))
def test_held_locks_and_orders_are_those_of_plain_lists(
    new_guest: Callable[[], Any], steps: list[tuple[int, int, bool, bool]]
) -> None:
    guest = new_guest()
    ctx = guest.ctx
    threads = [guest.main, guest.new_thread(1), guest.new_thread(2)]
    numbers = [int(lock_table.get_lock(ctx, PLACE + 64 * i)) for i in range(N_LOCKS)]
    naive = NaiveHeldLocks()
    for who, which, is_write, is_taken in steps:
        guest.switch_to(threads[who])
        number, mine = numbers[which], naive.held.get(who, [])
        if is_taken and number not in dict(mine):
            take(ctx, number, is_write=is_write)
            naive.take(who, number, is_write=is_write)
        elif not is_taken:
            lock_table.drop_held(ctx, ctx["thread"], number)
            naive.drop(who, number)
        lockset = int(threads[who]["held"])
        assert lockset_to_locks(lockset) == naive.held.get(who, [])
        assert int(threads[who]["n_held"]) == len(naive.held.get(who, []))
    check_edges(ctx, naive)


def check_edges(ctx: Any, naive: NaiveHeldLocks) -> None:
    """Every order is kept once; of a pair with too many variants, as many as there is room for."""
    n_edges = int(ctx["locks"]["n_edges"])
    held, taken, _ = edge_columns(n_edges) if n_edges else ([], [], [])
    kept = Counter(zip(map(int, held), map(int, taken), strict=True))
    wanted = Counter((edge[0], edge[1]) for edge in naive.edges)
    assert kept == {pair: min(n, lr.MAX_VARIANTS) for pair, n in wanted.items()}
    for position in range(n_edges):
        edge = edge_at(position)
        assert any(
            (edge.held, edge.taken, edge.tid, edge.gates)
            == (first, second, who, frozenset(dict(every)) - {first})
            for first, second, who, every in naive.edges
        )


def test_the_host_is_asked_when_a_new_pair_may_close_a_cycle(guest: Any) -> None:
    ctx = guest.ctx
    a, b = (int(lock_table.get_lock(ctx, PLACE + 64 * i)) for i in range(2))
    assert not asks(ctx, [a], b)
    assert asks(ctx, [b], a)
    assert int(ctx["fault"][6]) == 1
    assert not asks(ctx, [b], a)


def asks(ctx: Any, held: list[int], taken: int) -> bool:
    """Whether taking a lock while others are held leaves a fault."""
    for number in held:
        lock_table.push_held(ctx, number, 7, lr.MODE_WRITE)
    lock_order.note_order(ctx, taken, 7, lr.MODE_WRITE)
    is_asked = bool(ctx["action"] == actions.REPORT)
    ctx["action"] = actions.NONE
    for number in held:
        lock_table.drop_held(ctx, ctx["thread"], number)
    return is_asked


def test_a_lock_made_anew_at_an_old_address_has_another_number(guest: Any) -> None:
    ctx = guest.ctx
    lock_rules.after_create(ctx, PLACE)
    old = int(lock_table.find_lock(PLACE))
    lock_rules.after_destroy(ctx, PLACE)
    assert lock_table.find_lock(PLACE) == 0
    lock_rules.after_create(ctx, PLACE)
    new = int(lock_table.find_lock(PLACE))
    assert new != old
    assert lock_facts(old).is_destroyed
    assert (lock_facts(new).address, lock_facts(new).is_destroyed) == (PLACE, False)


def test_a_misuse_is_told_once(guest: Any) -> None:
    ctx = guest.ctx
    lock_rules.after_lock(ctx, PLACE, lr.MODE_WRITE)
    assert lock_rules.before_lock(ctx, PLACE, lr.MODE_WRITE, False)
    assert [int(word) for word in ctx["fault"][6:9:2]] == [lr.DOUBLE_LOCK, 1]
    assert not lock_rules.before_lock(ctx, PLACE, lr.MODE_WRITE, False)
    assert not lock_rules.before_unlock(ctx, PLACE)
    lock_rules.after_unlock(ctx, PLACE)
    assert int(guest.main["n_held"]) == 0


def test_locks_beyond_the_last_number_are_not_followed_and_no_bug(guest: Any) -> None:
    """Two of them are no one lock taken twice, and giving one up is no misuse."""
    ctx = guest.ctx
    ctx["locks"]["n_locks"] = lr.MAX_LOCKS - 1
    last, *others = (PLACE + 64 * i for i in range(3))
    assert lock_table.get_lock(ctx, last) == lr.MAX_LOCKS
    lock_rules.after_lock(ctx, last, lr.MODE_WRITE)
    for addr in others:
        assert not lock_rules.before_lock(ctx, addr, lr.MODE_WRITE, False)
        lock_rules.after_lock(ctx, addr, lr.MODE_WRITE)
    assert int(guest.main["n_held"]) == 1
    for addr in (*others, last):
        assert not lock_rules.before_unlock(ctx, addr)
        lock_rules.after_unlock(ctx, addr)
        assert not lock_rules.before_destroy(ctx, addr)
        lock_rules.after_destroy(ctx, addr)
    assert (int(guest.main["n_held"]), int(ctx["locks"]["n_edges"])) == (0, 0)
    assert ctx["locks"]["n_locks"] == lr.MAX_LOCKS and ctx["locks"]["n_unnumbered"] > 0


def test_edges_beyond_the_last_are_not_kept(guest: Any) -> None:
    ctx = guest.ctx
    a, b, c = (int(lock_table.get_lock(ctx, PLACE + 64 * i)) for i in range(3))
    ctx["locks"]["n_edges"] = lr.MAX_EDGES - 1
    assert not asks(ctx, [a], b)
    assert ctx["locks"]["n_edges"] == lr.MAX_EDGES
    assert not asks(ctx, [b], a) and not asks(ctx, [b], c)
    assert not any(ctypes.string_at(lr.EDGES, lr.EDGE_BYTES))
    assert (ctx["locks"]["n_edges"], ctx["locks"]["n_lost_edges"]) == (lr.MAX_EDGES, 2)
