"""Failures that are injected: their kinds, and the words of ctx.inject.

    malloc    allocations fail                  io        reads and writes move less than asked
    eintr     calls end with EINTR              wakeups   waits end without a signal
    cas       weak compare-exchanges fail       signals   signals to other threads come late
    clock     the calendar's start is drawn     (no word of the Context: start_of_clock.py)
"""

from __future__ import annotations

from typing import Final

INJECTED_KINDS: Final = ("malloc", "io", "eintr", "wakeups", "cas", "signals")
MALLOC, IO, EINTR, WAKEUPS, CAS, SIGNALS = range(len(INJECTED_KINDS))
CLOCK: Final = "clock"

LONGEST_DELAY: Final = 64  # questions to the scheduler by which a signal is delayed at most
