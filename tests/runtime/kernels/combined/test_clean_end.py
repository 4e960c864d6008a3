"""An end is clean when the host has nothing to look at; what it would look at, one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from irsan.runtime.diagnosis.diagnose_threads import left_behind
from irsan.runtime.kernels.combined import clean_end, thread_life
from irsan.runtime.layout import events
from irsan.runtime.layout.thread_states import FINISHED, FREE
from tests.support.green import GreenGuest, idle_body, view_thread

STACK_BYTES = 64 << 10


@pytest.fixture
def ctx(guest: Any) -> Iterator[Any]:
    """A guest whose main thread has called exit."""
    green = GreenGuest(guest.ctx)
    green.start(idle_body())
    guest.ctx["sanitize_thread"] = 1
    guest.ctx["event"]["number"] = events.EXIT
    yield guest.ctx
    green.close()


def ends_clean(ctx: Any) -> bool:
    return bool(clean_end.ends_clean(ctx))


def test_exit_of_the_only_thread_is_clean_whatever_its_status(ctx: Any) -> None:
    for status in (0, 1, 255):
        ctx["event"]["args"][0] = status
        assert ends_clean(ctx)


def _crashes(ctx: Any) -> None:
    ctx["event"]["number"] = events.CRASH


def _limits(ctx: Any) -> None:
    ctx["outside"]["limits_are_set"] = 1


def _leaks(ctx: Any) -> None:
    ctx["leaks"]["is_pending"], ctx["heap"]["n_live"] = 1, 3


def _ignores(ctx: Any) -> None:
    view_thread(int(ctx["thread"]))["race"]["n_ignores"][1] = 1


@pytest.mark.parametrize("happen", [_crashes, _limits, _leaks, _ignores])
def test_what_the_host_has_to_look_at_is_no_clean_end(
    ctx: Any, happen: Callable[[Any], None]
) -> None:
    happen(ctx)
    assert not ends_clean(ctx)


def test_without_a_search_or_a_block_there_are_no_leaks(ctx: Any) -> None:
    ctx["heap"]["n_live"] = 3
    assert ends_clean(ctx)
    ctx["heap"]["n_live"], ctx["leaks"]["is_pending"] = 0, 1
    assert ends_clean(ctx)


def test_a_thread_that_was_not_joined_is_looked_at_by_who_checks_threads(ctx: Any) -> None:
    child = view_thread(int(thread_life.start_thread(ctx, 7, 8, 0, STACK_BYTES)))
    child["state"] = FINISHED
    assert left_behind(ctx, lambda _: ()) and not ends_clean(ctx)
    ctx["sanitize_thread"] = 0
    assert ends_clean(ctx)
    ctx["sanitize_thread"], child["state"] = 1, FREE
    assert not left_behind(ctx, lambda _: ()) and ends_clean(ctx)
