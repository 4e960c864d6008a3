"""Shadow call stack against a plain list: same backtrace after any calls, returns and unwinds."""

from __future__ import annotations

from typing import Any

import numba
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels import callstack as cs
from irsan.runtime.kernels import depot
from irsan.runtime.layout import memory_map
from irsan.runtime.views.stackdepot import stack_to_sites
from tests.oracles.depot import NaiveCallStack, NaiveDepot

VERBS = st.sampled_from(["site", "call", "call", "dive", "return", "restore", "ask", "ask"])
STEPS = st.lists(st.tuples(VERBS, st.integers(1, 9)), max_size=60)
DIVE = 5  # calls at once, so that anchors are passed


@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(STEPS)
def test_backtrace_agrees_with_a_list(guest: Any, steps: list[tuple[str, int]]) -> None:
    ctx, naive, named = guest.ctx, NaiveCallStack(), NaiveDepot()
    ids: dict[int, int] = {}
    cs.callstack_restore(ctx, 0)
    ctx["site"] = 0
    for verb, number in steps:
        if verb == "site":
            ctx["site"] = naive.site = number
        elif verb in ("call", "dive"):
            for _ in range(DIVE if verb == "dive" else 1):
                cs.callstack_enter(ctx)
                naive.enter()
        elif verb == "return" and naive.calls:
            cs.callstack_exit(ctx)
            naive.exit()
        elif verb == "restore":
            cs.callstack_restore(ctx, number - 1)
            naive.restore(number - 1)
        elif verb == "ask":
            assert cs.recent_stack_id(ctx) == cs.current_stack_id(ctx) == cs.recent_stack_id(ctx)
            assert stack_to_sites(cs.current_stack_id(ctx)) == naive.sites()
            stack_id = int(cs.frame_stack_id(ctx))
            assert stack_to_sites(stack_id) == naive.calls[::-1]
            assert ids.setdefault(named.put(tuple(naive.calls)), stack_id) == stack_id
        assert cs.callstack_depth(ctx) == len(naive.calls)
        assert int(ctx["site"]) == naive.site
    assert len(set(ids.values())) == len(ids)
    assert stack_to_sites(cs.current_stack_id(ctx)) == naive.sites()


def test_interceptor_frame_on_top(guest: Any) -> None:
    guest.ctx["site"] = 5
    guest.ctx["routine"] = 3
    assert stack_to_sites(cs.current_stack_id(guest.ctx)) == [cs.ROUTINE_SITE | 3, 5]


def test_equal_stacks_have_equal_ids_whoever_asked_first(guest: Any) -> None:
    """One stack is asked for on the way back from a deeper one, and again by a new call."""
    for depth in (3, 7, 8, 9, 20):
        cs.callstack_restore(guest.ctx, 0)
        dive(guest.ctx, depth + 4)
        cs.frame_stack_id(guest.ctx)
        cs.callstack_restore(guest.ctx, depth)
        first = int(cs.frame_stack_id(guest.ctx))
        cs.callstack_restore(guest.ctx, 0)
        dive(guest.ctx, depth)
        words = int(guest.ctx["depot"]["n_words"])
        assert int(cs.frame_stack_id(guest.ctx)) == first
        assert int(guest.ctx["depot"]["n_words"]) == words
        assert stack_to_sites(first) == [1 + i % 2 for i in range(depth)][::-1]


def test_a_full_depot_makes_stacks_unknown_and_not_wrong(guest: Any) -> None:
    dive(guest.ctx, 3)
    known = int(cs.frame_stack_id(guest.ctx))
    guest.ctx["depot"]["n_words"] = depot.LAST_ID - 3
    dive(guest.ctx, 4)
    assert int(cs.frame_stack_id(guest.ctx)) == 0
    assert guest.ctx["depot"]["n_lost"] == 1
    cs.callstack_restore(guest.ctx, 3)
    assert int(cs.frame_stack_id(guest.ctx)) == known


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.tuples(st.integers(0, 12), st.integers(0, 2), st.integers(0, 3), st.booleans()),
        max_size=30,
    )
)
def test_stacks_of_interceptors_agree_with_a_dictionary(
    guest: Any, questions: list[tuple[int, int, int, bool]]
) -> None:
    """Whether they were asked for ahead or not."""
    ctx, naive = guest.ctx, NaiveDepot()
    ids: dict[int, int] = {}
    for depth, site, routine, is_ahead in questions:
        cs.callstack_restore(ctx, 0)
        ctx["routine"] = 0
        dive(ctx, depth)
        ctx["site"], ctx["routine"] = site, routine
        if is_ahead:
            words = int(ctx["depot"]["n_words"])
            cs.prefetch_looks(ctx)
            assert int(ctx["depot"]["n_words"]) == words
        own = [cs.ROUTINE_SITE | routine] if routine else []
        stack = [1 + i % 2 for i in range(depth)] + [site] * bool(site) + own
        stack_id = int(cs.current_stack_id(ctx))
        assert stack_to_sites(stack_id) == stack[::-1]
        assert ids.setdefault(naive.put((depth, *stack)), stack_id) == stack_id
    ctx["routine"] = 0


@numba.njit
def dive(ctx: Any, n: int) -> None:
    for i in range(n):
        ctx.site = 1 + i % 2
        cs.callstack_enter(ctx)


def test_the_deepest_stack_stays_in_its_slot(guest: Any) -> None:
    """Deeper than a stack of the usual size allows, at 16 bytes a frame."""
    neighbour = guest.new_thread(1)
    depth = memory_map.STACK_SLOT_BYTES // cs.FRAME_BYTES - 1
    dive(guest.ctx, depth)
    assert guest.ctx["frame_top"] + cs.FRAME_BYTES <= neighbour["frame_base"]
    assert cs.callstack_depth(guest.ctx) == depth
    assert len(stack_to_sites(cs.frame_stack_id(guest.ctx))) == depth
    cs.callstack_restore(guest.ctx, 1)
    assert stack_to_sites(cs.frame_stack_id(guest.ctx)) == [1]
    assert guest.ctx["site"] == 2
