"""Functions to run later: order, recycling, destructors of keys in up to four rounds."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.interceptors.threads import once_and_keys
from irsan.runtime.kernels.callstack import ROUTINE_SITE, current_stack_id
from irsan.runtime.kernels.combined import exit_handlers
from irsan.runtime.records.threads import exit_records
from irsan.runtime.views.stackdepot import stack_to_sites
from tests.conftest import fresh_guest
from tests.support.green import SCRATCH

Handler = tuple[int, int]


def take_all(ctx: Any, next_handler: Any, limit: int = 100) -> list[Handler]:
    """(function, argument) of all that is left to call, in order."""
    found = []
    while (function := int(next_handler(ctx))) and len(found) < limit:
        found.append((function, int(ctx["event"]["args"][0])))
    return found


def new_key(ctx: Any, destructor: int) -> int:
    assert once_and_keys.i_key_create(ctx, SCRATCH, destructor) == 0
    return ctypes.c_uint32.from_address(SCRATCH).value


HANDLER = st.tuples(st.integers(1, 2**64 - 1), st.integers(0, 2**64 - 1))
OPERATION = st.one_of(
    st.tuples(st.sampled_from(["exit", "quick", "thread"]), HANDLER),
    st.tuples(st.sampled_from(["take exit", "take quick"]), st.none()),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(OPERATION, max_size=60))
def test_three_stacks(operations: list[tuple[str, Handler | None]]) -> None:
    """The lists against Python lists; nodes are recycled between them."""
    ctx = fresh_guest().ctx
    lists: dict[str, list[Handler]] = {"exit": [], "quick": [], "thread": []}
    add = {
        "exit": exit_handlers.add_exit_handler,
        "quick": exit_handlers.add_quick_exit_handler,
        "thread": exit_handlers.add_thread_cleanup,
    }
    most = 0
    for verb, handler in operations:
        if handler is not None:
            add[verb](ctx, *handler)
            lists[verb].append(handler)
        elif verb == "take exit":
            # exit() runs the thread's own destructors before the list.
            waiting = lists["thread"] or lists["exit"]
            expected = waiting.pop() if waiting else None
            assert _take(ctx, exit_handlers.next_exit_handler) == expected
        else:
            expected = lists["quick"].pop() if lists["quick"] else None
            assert _take(ctx, exit_handlers.next_quick_exit_handler) == expected
        most = max(most, sum(map(len, lists.values())))
    assert ctx["exits"]["n_used"] == most
    assert take_all(ctx, exit_handlers.next_thread_cleanup) == lists["thread"][::-1]
    assert take_all(ctx, exit_handlers.next_exit_handler) == lists["exit"][::-1]
    assert take_all(ctx, exit_handlers.next_quick_exit_handler) == lists["quick"][::-1]


def _take(ctx: Any, next_handler: Any) -> Handler | None:
    function = int(next_handler(ctx))
    return (function, int(ctx["event"]["args"][0])) if function else None


def test_atexit_registered_by_a_handler_runs_next(guest: Any) -> None:
    once_and_keys.i_atexit(guest.ctx, 10)
    once_and_keys.i_cxa_atexit(guest.ctx, 20, 21, 0)
    assert _take(guest.ctx, exit_handlers.next_exit_handler) == (20, 21)
    once_and_keys.i_atexit(guest.ctx, 30)
    assert take_all(guest.ctx, exit_handlers.next_exit_handler) == [(30, 0), (10, 0)]


def test_quick_exit_runs_its_own_list_only(guest: Any) -> None:
    once_and_keys.i_atexit(guest.ctx, 1)
    once_and_keys.i_at_quick_exit(guest.ctx, 2)
    once_and_keys.i_at_quick_exit(guest.ctx, 3)
    handlers = take_all(guest.ctx, exit_handlers.next_quick_exit_handler)
    assert [function for function, _ in handlers] == [3, 2]


def test_thread_locals_are_destroyed_before_keys(guest: Any) -> None:
    key = new_key(guest.ctx, 50)
    once_and_keys.i_setspecific(guest.ctx, key, 51)
    once_and_keys.i_cxa_thread_atexit(guest.ctx, 60, 61, 0)
    once_and_keys.i_cxa_thread_atexit(guest.ctx, 70, 71, 0)
    expected = [(70, 71), (60, 61), (50, 51)]
    assert take_all(guest.ctx, exit_handlers.next_thread_destructor) == expected
    assert once_and_keys.i_getspecific(guest.ctx, key) == 0


def test_a_value_set_again_is_destroyed_again_four_times_at_most(guest: Any) -> None:
    key, quiet = new_key(guest.ctx, 50), new_key(guest.ctx, 0)
    once_and_keys.i_setspecific(guest.ctx, key, 1)
    once_and_keys.i_setspecific(guest.ctx, quiet, 9)
    rounds = []
    while _take(guest.ctx, exit_handlers.next_thread_destructor) is not None:
        rounds.append(int(guest.ctx["event"]["args"][0]))
        once_and_keys.i_setspecific(guest.ctx, key, len(rounds) + 1)
    assert rounds == [1, 2, 3, 4]
    assert once_and_keys.i_getspecific(guest.ctx, quiet) == 9


def test_values_belong_to_threads(guest: Any) -> None:
    key = new_key(guest.ctx, 0)
    once_and_keys.i_setspecific(guest.ctx, key, 7)
    guest.switch_to(guest.new_thread(1))
    assert once_and_keys.i_getspecific(guest.ctx, key) == 0
    once_and_keys.i_setspecific(guest.ctx, key, 8)
    guest.switch_to(guest.main)
    assert once_and_keys.i_getspecific(guest.ctx, key) == 7


def test_a_key_made_again_is_null_everywhere(guest: Any) -> None:
    key = new_key(guest.ctx, 5)
    other = guest.new_thread(1)
    for thread in (guest.main, other):
        guest.switch_to(thread)
        once_and_keys.i_setspecific(guest.ctx, key, 7)
    assert once_and_keys.i_key_delete(guest.ctx, key) == 0
    assert new_key(guest.ctx, 6) == key
    for thread in (guest.main, other):
        guest.switch_to(thread)
        assert once_and_keys.i_getspecific(guest.ctx, key) == 0
        assert take_all(guest.ctx, exit_handlers.next_key_destructor) == []


def test_a_deleted_keys_destructor_is_not_called(guest: Any) -> None:
    key = new_key(guest.ctx, 5)
    once_and_keys.i_setspecific(guest.ctx, key, 7)
    once_and_keys.i_key_delete(guest.ctx, key)
    assert take_all(guest.ctx, exit_handlers.next_key_destructor) == []


@pytest.mark.parametrize("key", [3, 1024, 2**32 - 1])
def test_what_is_no_key_is_refused(guest: Any, key: int) -> None:
    new_key(guest.ctx, 0)
    assert once_and_keys.i_setspecific(guest.ctx, key, 1) == 22
    assert once_and_keys.i_key_delete(guest.ctx, key) == 22
    assert once_and_keys.i_getspecific(guest.ctx, key) == 0


def test_a_full_table_refuses_functions(guest: Any) -> None:
    guest.ctx["exits"]["n_used"] = exit_records.MAX_NODES - 1
    assert exit_handlers.install_exit_handler(guest.ctx, 100, 7, 0)
    last = int(guest.ctx["exits"]["at_exit"])
    assert not exit_handlers.install_exit_handler(guest.ctx, 200, 7, 0)
    assert not exit_handlers.add_quick_exit_handler(guest.ctx, 200, 7)
    assert not exit_handlers.add_thread_cleanup(guest.ctx, 200, 7)
    assert int(guest.ctx["exits"]["at_exit"]) == last
    assert int(guest.ctx["refused"]["exit_functions"]) == 3


def test_there_are_1024_keys(guest: Any) -> None:
    assert [new_key(guest.ctx, 0) for _ in range(1024)] == list(range(1024))
    assert once_and_keys.i_key_create(guest.ctx, SCRATCH, 0) == 11
    once_and_keys.i_key_delete(guest.ctx, 77)
    assert new_key(guest.ctx, 0) == 77


def test_who_installed_a_function_is_below_it_on_the_stack() -> None:
    ctx = fresh_guest().ctx
    ctx["site"] = 5
    exit_handlers.install_exit_handler(ctx, 100, 7, exit_handlers.ON_EXIT)
    exit_handlers.install_exit_handler(ctx, 200, 0, 0)
    ctx["site"] = 9
    top = int(ctx["frame_top"])
    for function, form in ((200, 0), (100, exit_handlers.ON_EXIT)):
        assert exit_handlers.next_exit_handler(ctx) == function
        assert int(ctx["event"]["args"][1]) == (form == exit_handlers.ON_EXIT)
        assert stack_to_sites(int(current_stack_id(ctx))) == [
            ROUTINE_SITE + exit_records.INSTALLED_ROUTINES + int(form), 5, 9,
        ]  # fmt: skip
        ctx["frame_top"], ctx["site"] = top, 9


def test_frames_of_installers_have_names() -> None:
    assert exit_records.routine_to_name(exit_records.INSTALLED_ROUTINES + 2).startswith("on_exit_")
    assert exit_records.routine_to_name(17) == ""
