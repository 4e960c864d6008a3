"""The kernel's lowest part: bits, the fields made of them, and how a step says that it failed.

Every function takes the tables and reports through `state[S_STATUS]`: the first fault, or the need
to grow an array, stays there, fields read after it are 0, and each step looks at it before it
commits anything. Nothing is raised and nothing is allocated.

Positions, widths and counts are int64, field values uint64; the two never meet in one expression
without a cast, for numba makes float64 of int64 + uint64.

Only the kernel's files import numba: importing one of them is what costs its time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit

from irsan.ir.bitstream import tables as t
from irsan.ir.bitstream.errors import Fault
from irsan.ir.bitstream.tables import Tables, Word

F = TypeVar("F", bound=Callable[..., Any])

ENTRY_OPTIONS: dict[str, Any] = {"cache": True, "_nrt": False}
INNER_OPTIONS: dict[str, Any] = {"_nrt": False, "forceinline": True, "no_cpython_wrapper": True}

ZERO = np.uint64(0)
ONE = np.uint64(1)
SIXTY_FOUR = np.uint64(64)
U32_BITS = np.uint64(32)
GOING = t.STATUS_GOING


def entry(function: F) -> F:
    """Compile the function that Python calls, and keep the machine code on disk.

    Without reference counts on the arrays (nothing is made or kept in a kernel) it runs eight times
    as fast, and with its parts inlined twice that. `_nrt` is numba's own name for the switch.
    numba looks only at this function's file for changes: touch it when a part has changed, or keep
    the cache in a folder named by a hash of all of them.
    """
    return cast(F, njit(**ENTRY_OPTIONS)(function))


def inner(function: F) -> F:
    """Compile a part of the kernel, to be inlined where it is called."""
    return cast(F, njit(**INNER_OPTIONS)(function))


@inner
def fail(state: t.I64, status: int, bit: int) -> None:
    if state[t.S_STATUS] == GOING:
        state[t.S_STATUS] = status
        state[t.S_FAULT_BIT] = bit


@inner
def has_room(state: t.I64, rows: int, needed: int, status: int) -> bool:
    if needed <= rows:
        return True
    if state[t.S_STATUS] == GOING:
        state[t.S_STATUS] = status
        state[t.S_NEEDED] = needed
    return False


@inner
def _bits(words: t.U64, position: int, width: int) -> Word:
    """`width` bits (1 to 64) from `position`; the caller has checked that they exist."""
    index = position >> 6
    shift = np.uint64(position & 63)
    bits = words[index] >> shift
    if shift + np.uint64(width) > SIXTY_FOUR:
        bits |= words[index + 1] << (SIXTY_FOUR - shift)
    return bits & (~ZERO >> (SIXTY_FOUR - np.uint64(width)))


@inner
def fixed(tb: Tables, width: int) -> Word:
    state = tb.state
    start = state[t.S_POSITION]
    if start + width > state[t.S_LIMIT]:
        fail(state, Fault.FIXED_END, start)
        return ZERO
    state[t.S_POSITION] = start + width
    return _bits(tb.words, start, width)


@inner
def vbr(tb: Tables, width: int) -> Word:
    state = tb.state
    limit = state[t.S_LIMIT]
    start = state[t.S_POSITION]
    position = start
    more = ONE << np.uint64(width - 1)
    value = ZERO
    shift = 0
    while position + width <= limit:
        group = _bits(tb.words, position, width)
        position += width
        part = group & (more - ONE)
        if shift > 63 or (shift > 0 and part >> np.uint64(64 - shift) != ZERO):
            fail(state, Fault.VBR_TOO_LONG, start)
            return ZERO
        value |= part << np.uint64(shift)
        if group & more == ZERO:
            state[t.S_POSITION] = position
            return value
        shift += width - 1
    fail(state, Fault.VBR_END, start)
    return ZERO


@inner
def align32(tb: Tables) -> None:
    state = tb.state
    aligned = (state[t.S_POSITION] + 31) & ~31
    if aligned > state[t.S_LIMIT]:
        fail(state, Fault.ALIGN_END, state[t.S_POSITION])
        return
    state[t.S_POSITION] = aligned
