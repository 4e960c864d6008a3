"""Spinlocks: they block instead of spinning, and say who is first."""

from __future__ import annotations

import ctypes
from typing import Any

from irsan.interceptors.errno_values import EBUSY
from irsan.interceptors.threads import spinlocks
from tests.support.green import SCRATCH, call_told

MUTEX = SCRATCH


def test_spinlocks(guest: Any) -> None:
    ctx = guest.ctx
    ctypes.memset(MUTEX, 0xFF, 4)
    assert spinlocks.i_spin_init(ctx, MUTEX, 0) == 0
    assert call_told(spinlocks.i_spin_lock, ctx, MUTEX) == 0
    assert call_told(spinlocks.i_spin_trylock, ctx, MUTEX) == EBUSY
    assert call_told(spinlocks.i_spin_destroy, ctx, MUTEX) == EBUSY
    assert call_told(spinlocks.i_spin_unlock, ctx, MUTEX) == 0
    assert call_told(spinlocks.i_spin_trylock, ctx, MUTEX) == 0
