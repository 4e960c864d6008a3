"""The host's side of the guest's timers and calendar: plain words in memory."""

from __future__ import annotations

import ctypes
import time
from typing import Any

from irsan.runtime import arena
from irsan.runtime.records.threads import file_time_records as fr
from irsan.runtime.records.threads import timer_records as tr

_NS_PER_S = 1_000_000_000
_COARSE_CLOCK = 5
_LONGEST_START_NS = 3600 * _NS_PER_S  # a start that old is a date that was written down


def set_calendar(start_s: int) -> None:
    """What CLOCK_REALTIME says when virtual time is 0, in seconds since 1970."""
    start_ns = start_s * _NS_PER_S
    elapsed_ns = time.time_ns() - start_ns
    is_real = 0 <= elapsed_ns < min(_LONGEST_START_NS, time.monotonic_ns())
    _word(tr.REALTIME_START).value = start_ns
    _word(tr.REAL_START).value = time.monotonic_ns() - elapsed_ns if is_real else 0


def start_file_times(start_s: int) -> None:
    """Files that are written from now on are as old as the calendar says."""
    now_ns = time.clock_gettime_ns(_COARSE_CLOCK)
    _word(fr.MOMENTS).value, _word(fr.MOMENTS + 8).value = now_ns, start_s * _NS_PER_S
    _word(fr.N_MOMENTS).value = 1
    _word(fr.N_SET).value = 0


def forget_timers(ctx: Any) -> None:
    """In a child: no timer is inherited, and a timerfd is set by its owner, the parent."""
    for index in range(_word(tr.N_ROWS).value):
        timer = arena.view_record(tr.ROWS + index * tr.ROW_BYTES, tr.TIMER_DTYPE)
        timer["due"] = 0
        if timer["kind"] != tr.DESCRIPTOR:
            timer["kind"] = tr.FREE
    _word(tr.N_QUEUED).value = 0
    ctx["signals"]["rings_at"] = 0


def _word(address: int) -> ctypes.c_uint64:
    return ctypes.c_uint64.from_address(address)
