"""Handlers in progress: what they block, ignore and leave behind; how a jump out of one is seen."""

from __future__ import annotations

import ctypes
from typing import Any

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.callstack import callstack_enter, callstack_restore
from irsan.runtime.kernels.threads import handlers
from irsan.runtime.records.threads import signal_records as sr
from irsan.runtime.records.threads.signal_records import ThreadFault
from tests.conftest import thread_addr
from tests.support.green import SCRATCH

ERRNO = SCRATCH + 256
ACTION = SCRATCH + 320
AREAS = SCRATCH + 512
SIGUSR1, BIT = 10, 1 << 9


def errno() -> Any:
    return ctypes.c_uint32.from_address(ERRNO)


def begin(guest: Any, depth: int = 0, state: int = SIGUSR1 | sr.ASYNC) -> int:
    """A handler is called, and has entered its function."""
    guest.ctx["c_library"]["errno_addr"] = ERRNO
    area = AREAS + 64 * depth
    handlers.begin_handler(guest.ctx, area, ACTION, state, BIT)
    guest.ctx["site"] = 7
    callstack_enter(guest.ctx)
    return area


def end(guest: Any, area: int, depth: int, state: int = SIGUSR1 | sr.ASYNC) -> None:
    callstack_restore(guest.ctx, depth)
    handlers.end_handler(guest.ctx, area, 0x1234, state)


def blocked(guest: Any) -> int:
    return int(handlers.blocked_signals(guest.ctx, thread_addr(guest.main)))


def test_a_handler_blocks_its_signal_until_it_returns(guest: Any) -> None:
    guest.main["sigmask"] = 1
    area = begin(guest)
    assert blocked(guest) == 1 | BIT
    errno().value = sr.SPOILED_ERRNO
    end(guest, area, 0)
    assert blocked(guest) == 1 and guest.ctx["action"] == actions.NONE


def test_a_handler_that_is_left_by_a_jump_blocks_nothing(guest: Any) -> None:
    begin(guest)
    callstack_restore(guest.ctx, 0)
    assert blocked(guest) == 0
    handlers.judge_unsafe_call(guest.ctx, 5, True)
    assert guest.ctx["action"] == actions.NONE


def test_a_change_of_the_mask_counts_inside_of_a_handler(guest: Any) -> None:
    begin(guest)
    handlers.mask_changed(guest.ctx, 0, 0)
    assert blocked(guest) == BIT
    handlers.mask_changed(guest.ctx, 1, BIT)
    assert blocked(guest) == 0


def test_what_a_thread_ignores_is_not_ignored_by_its_handlers(guest: Any) -> None:
    guest.ctx["ignore_depth"] = 3
    guest.main["race"]["ignore_sync"] = 2
    area = begin(guest)
    assert (guest.ctx["ignore_depth"], guest.main["race"]["ignore_sync"]) == (0, 0)
    end(guest, area, 0)
    assert (guest.ctx["ignore_depth"], guest.main["race"]["ignore_sync"]) == (3, 2)


def test_a_spoiled_errno_is_told_of_and_restored(guest: Any) -> None:
    errno().value = 5
    area = begin(guest)
    assert errno().value == sr.SPOILED_ERRNO
    errno().value = 4
    end(guest, area, 0)
    assert errno().value == 5 and guest.ctx["action"] == actions.REPORT
    fault = guest.ctx["fault"]
    assert (fault[0], fault[6], fault[7]) == (ThreadFault.ERRNO_SPOILED, SIGUSR1, 0x1234)


def test_errno_may_change_where_the_program_has_raised_the_signal(guest: Any) -> None:
    for state in (SIGUSR1, sr.SIGTERM | sr.ASYNC):
        area = begin(guest, state=state)
        errno().value = 4
        end(guest, area, 0, state)
        assert guest.ctx["action"] == actions.NONE


def test_streams_are_for_handlers_of_raised_signals_only(guest: Any) -> None:
    for state, is_heap, is_told in (
        (SIGUSR1, False, False),
        (SIGUSR1, True, True),
        (SIGUSR1 | sr.ASYNC, False, True),
    ):
        area = begin(guest, state=state)
        handlers.judge_unsafe_call(guest.ctx, 5, is_heap)
        assert (guest.ctx["action"] == actions.REPORT) == is_told
        guest.ctx["action"] = actions.NONE
        errno().value = sr.SPOILED_ERRNO
        end(guest, area, 0, state)
    assert guest.ctx["fault"][0] == ThreadFault.SIGNAL_UNSAFE and guest.ctx["fault"][6] == SIGUSR1


def test_handlers_within_handlers(guest: Any) -> None:
    outer = begin(guest)
    inner = begin(guest, 1, 12 | sr.ASYNC)
    errno().value = sr.SPOILED_ERRNO
    end(guest, inner, 1, 12 | sr.ASYNC)
    assert blocked(guest) == BIT and guest.main["handler"]["state"] == SIGUSR1 | sr.ASYNC
    end(guest, outer, 0)
    assert blocked(guest) == 0 and guest.ctx["action"] == actions.NONE


def test_faults_of_the_running_code_are_no_signals_that_come_by_themselves() -> None:
    assert handlers.late_state(11) == 11
    assert handlers.late_state(SIGUSR1) == SIGUSR1 | sr.ASYNC
