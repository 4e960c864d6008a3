"""What the glue asks about a signal, against sets and the host's own struct."""

from __future__ import annotations

import ctypes
import os
import signal
import struct
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels.threads import signal_facts
from tests.support.green import SCRATCH

# signal(7): those that are ignored, stop or continue a process, or cannot be had.
HARMLESS = {"SIGCHLD", "SIGCONT", "SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGURG", "SIGWINCH"}


@pytest.mark.parametrize("number", range(1, 65))
def test_what_ends_a_process_by_default(number: int) -> None:
    known = {int(one): one.name for one in signal.Signals}
    name = known.get(number, f"SIGRT{number}")
    is_own = number in (int(signal.SIGKILL), 32, 33)  # nobody's to change, or the C library's
    assert signal_facts.ends_by_default(number) == (name not in HARMLESS and not is_own)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(chosen=st.sets(st.integers(1, 63)), number=st.integers(1, 63))
def test_an_exclusive_signal_is_in_the_set(guest: Any, chosen: set[int], number: int) -> None:
    guest.ctx["interface"]["exclusive_signals"] = sum(1 << one for one in chosen)
    assert signal_facts.is_exclusive_signal(guest.ctx, number) == (number in chosen)


@pytest.mark.usefixtures("guest")
def test_a_signal_for_a_thread_has_facts() -> None:
    ctypes.memset(SCRATCH, 0xFF, 128)
    signal_facts.fill_thread_signal(SCRATCH, 12)
    number, _, code, _, pid = struct.unpack("<iiiii", ctypes.string_at(SCRATCH, 20))
    assert (number, code, pid) == (12, -6, os.getpid())
    assert ctypes.string_at(SCRATCH + 20, 108) == b"\xff" * 108


@pytest.mark.parametrize(("seconds", "ns", "span"), [(0, 0, 0), (2, 5, 2_000_000_005)])
def test_a_wait_ends_so_much_later(guest: Any, seconds: int, ns: int, span: int) -> None:
    guest.ctx["schedule"]["clock_ns"] = 777
    ctypes.memmove(SCRATCH, struct.pack("<qq", seconds, ns), 16)
    assert signal_facts.timeout_to_deadline(guest.ctx, SCRATCH) == 777 + span
    assert signal_facts.timeout_to_deadline(guest.ctx, 0) == 0
