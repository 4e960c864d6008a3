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
from tests.oracles.depot import NaiveCallStack

VERBS = st.sampled_from(["site", "call", "call", "return", "restore", "ask"])
STEPS = st.lists(st.tuples(VERBS, st.integers(1, 9)), max_size=60)


@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(STEPS)
def test_backtrace_agrees_with_a_list(guest: Any, steps: list[tuple[str, int]]) -> None:
    ctx, naive = guest.ctx, NaiveCallStack()
    cs.callstack_restore(ctx, 0)
    ctx["site"] = 0
    for verb, number in steps:
        if verb == "site":
            ctx["site"] = naive.site = number
        elif verb == "call":
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
        assert cs.callstack_depth(ctx) == len(naive.calls)
        assert int(ctx["site"]) == naive.site
    assert stack_to_sites(cs.current_stack_id(ctx)) == naive.sites()


def test_interceptor_frame_on_top(guest: Any) -> None:
    guest.ctx["site"] = 5
    guest.ctx["routine"] = 3
    assert stack_to_sites(cs.current_stack_id(guest.ctx)) == [cs.ROUTINE_SITE | 3, 5]


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(STEPS, st.integers(0, 1))
def test_stacks_that_are_asked_for_again_make_no_new_nodes(
    guest: Any, steps: list[tuple[str, int]], is_first_asked: int
) -> None:
    """The same calls once more: each question has the same answer, whatever was asked between."""
    ctx = guest.ctx
    answers: list[list[int]] = []
    for turn in range(2):
        cs.callstack_restore(ctx, 0)
        ctx["site"] = 0
        answers.append([])
        for number, (verb, site) in enumerate(steps):
            if verb == "site":
                ctx["site"] = site
            elif verb == "call":
                cs.callstack_enter(ctx)
            elif verb == "return" and cs.callstack_depth(ctx):
                cs.callstack_exit(ctx)
            elif verb == "restore":
                cs.callstack_restore(ctx, site - 1)
            if turn or (number + is_first_asked) % 2:
                answers[-1].append(int(cs.frame_stack_id(ctx)))
        nodes = int(ctx["depot"]["n_nodes"])
    assert answers[0] == answers[1][1 - is_first_asked :: 2]
    assert nodes == int(ctx["depot"]["n_nodes"])


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
