"""The stack of an access with the locks held, from its table and the long way, is one number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels import callstack, depot
from irsan.runtime.kernels.race.cells import access_stack
from irsan.runtime.records.race.lock_records import LOCKSET_MARK

STEP = st.one_of(
    st.tuples(st.just("call"), st.integers(1, 3)),
    st.tuples(st.just("return"), st.just(0)),
    st.tuples(st.just("hold"), st.integers(0, 2)),
    st.tuples(st.just("routine"), st.integers(0, 1)),
    st.tuples(st.just("access"), st.integers(0, 80)),
    st.tuples(st.just("access"), st.integers(0, 80)),
)
RELAXED = settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def the_long_way(ctx: Any, lockset: int) -> int:
    """What the table stands for: the calls and the access, then the locks."""
    stack = int(callstack.current_stack_id(ctx))
    return int(depot.depot_put(ctx, stack, LOCKSET_MARK | lockset)) if lockset else stack


@RELAXED
@given(st.lists(STEP, max_size=60))
def test_a_known_access_has_the_stack_of_the_long_way(
    new_guest: Callable[[], Any], steps: list[tuple[str, int]]
) -> None:
    guest = new_guest()
    ctx = guest.ctx
    for verb, number in steps:
        if verb == "call":
            ctx["site"] = number
            callstack.callstack_enter(ctx)
        elif verb == "return" and callstack.callstack_depth(ctx):
            callstack.callstack_exit(ctx)
        elif verb == "hold":
            guest.main["held"] = number
        elif verb == "routine":
            ctx["routine"] = number
        elif verb == "access":
            ctx["site"] = number // 2
            if number % 2:  # the depot has it, and the table has not
                the_long_way(ctx, int(guest.main["held"]))
            first = int(access_stack.access_stack_id(ctx))
            expected = the_long_way(ctx, int(guest.main["held"]))
            assert first == expected == int(access_stack.access_stack_id(ctx))


def test_sites_that_share_a_place_are_told_apart(guest: Any) -> None:
    ctx = guest.ctx
    ctx["site"] = 1
    callstack.callstack_enter(ctx)
    far = 1 << access_stack.PLACE_BITS
    ids = []
    for site in (7, 7 + far, 7, 7 + far):
        ctx["site"] = site
        ids.append(int(access_stack.access_stack_id(ctx)))
    assert ids[0] == ids[2] != ids[1] == ids[3]


def key_of(guest: Any, calls: int, lockset: int) -> int:
    """What an access with these calls and locks is told by."""
    guest.main["held"] = lockset
    return int(access_stack.access_key(guest.ctx, calls))


def test_locks_that_share_a_place_are_told_apart(guest: Any) -> None:
    ctx = guest.ctx
    ctx["site"] = 1
    callstack.callstack_enter(ctx)
    ctx["site"] = 7
    calls = int(callstack.calls_hash(ctx))
    places = [int(access_stack.access_place(key_of(guest, calls, n), 7)) for n in range(1, 8000)]
    other = 1 + next(i for i in range(1, len(places)) if places[i] == places[0])
    ids = []
    for lockset in (1, other, 1, other):
        guest.main["held"] = lockset
        ids.append(int(access_stack.access_stack_id(ctx)))
    assert ids[0] == ids[2] != ids[1] == ids[3]


def test_neighbouring_sites_of_a_call_are_neighbours() -> None:
    places = [int(access_stack.access_place(9 << 60, site)) for site in range(8, 16)]
    assert max(places) - min(places) == 7 * access_stack.PLACE_BYTES
