"""A guest in which everybody sleeps until a signal comes from outside.

A handler may post a semaphore (signal-safety(7)), and may end a wait for one, or for a futex.  So
while a thread waits for either and a signal that others can send has a handler, the guest may be a
server that has nothing to do: it waits without end, as it does natively, and no wake-up is lost.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

from irsan.engine.findings.crash import guest_handles
from irsan.engine.guest.machine import Machine
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.thread_states import BLOCKED, WAIT_FUTEX, WAIT_SEMAPHORE
from irsan.runtime.records.threads.signal_records import SYNCHRONOUS

LONG_S: Final = 10
_PAUSE_S: Final = 0.001
_WAKEABLE: Final = (WAIT_FUTEX, WAIT_SEMAPHORE)
_TIMERS: Final = (14, 26, 27)  # the guest's own, and none of them runs
_SENT: Final = tuple(n for n in range(1, 65) if n not in (*SYNCHRONOUS, *_TIMERS))


def may_be_woken(machine: Machine) -> bool:
    """Whether a signal from outside could wake a thread that waits."""
    symbols = machine.runtime.symbols
    handled = _mask(number for number in _SENT if guest_handles(symbols, number))
    return any(
        handled & ~int(thread["sigmask"])
        for thread in machine.threads()
        if int(thread["state"]) == BLOCKED and int(thread["wait"]["kind"]) in _WAKEABLE
    )


def passes_time(machine: Machine) -> bool:
    """Whether no thread runs only because a signal has come while time passes for real.

    Then it goes to the first thread that takes it; if all block it, a moment passes.
    """
    if not int(machine.ctx["schedule"]["n_timed"]) or not int(machine.ctx["outside"]["others"]):
        return False
    if not _hands_over_noted(machine):
        time.sleep(_PAUSE_S)
        machine.runtime.kernel("catch_up")
        machine.runtime.kernel("wake_expired")
    return True


def await_signal(machine: Machine, tell: Callable[[], None]) -> None:
    """Sleep until a signal is noted, and leave it with the first thread that takes it.

    Or until one has come that ends the program, which it does when the guest is resumed.  tell: who
    has slept for LONG_S seconds may sleep for ever, as test frameworks handle signals, too.
    """
    until_s = time.monotonic() + LONG_S
    while not _hands_over_noted(machine) and not int(machine.ctx["host"]["sent_signal"]):
        time.sleep(_PAUSE_S)
        if time.monotonic() > until_s:
            tell()
            until_s = math.inf
        machine.ctx["schedule"]["clock_ns"] += int(_PAUSE_S * 1e9)


def _hands_over_noted(machine: Machine) -> bool:
    """Leave one of the noted signals with the first thread that takes it; False: there is none."""
    noted = int(machine.ctx["signals"]["noted"])
    for thread in machine.threads():
        taken = noted & ~int(thread["sigmask"])
        if taken and int(thread["state"]) == BLOCKED:
            _hand_over(machine, thread, taken & -taken)
            return True
    return False


def _hand_over(machine: Machine, thread: Any, bit: int) -> None:
    machine.ctx["signals"]["noted"] = int(machine.ctx["signals"]["noted"]) & ~bit
    place = memory_map.slot_to_thread(int(thread["slot"]))
    machine.runtime.kernel("post_signal", place, bit)


def _mask(numbers: Iterator[int]) -> int:
    return sum(1 << number - 1 for number in numbers)
