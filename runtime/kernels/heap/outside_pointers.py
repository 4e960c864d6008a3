"""Pointers that a program keeps outside of their objects: what lies there is not their object.

    base = src - distance;             src's object is known here, and base is outside of it:
    window->base = base;               base is noted
    ... window->base[index] ...        base is loaded, and lies in another live object, whose
                                       bounds say nothing of this access

ISO C does not allow such pointers, programs have them (arrays that begin at 1 or at a guard layer;
zstd's windows), and native AddressSanitizer lets them pass. So an object in which a noted pointer
lies bounds nobody, unless the IR says that the pointer is of this very variable: what it points to
is left to the shadow.

Only stores and returns of a pointer are looked at, and only of one that was moved far from its
object in the same function (instrument/bounds/outlying_pointers.py). Noted are the last pointers
of each set; an answer for an object is found by one comparison when it was given before.

Soundness: findings become fewer, never more; the shadow is asked as before. Missed is an overflow
out of an object that a noted pointer lies in, also after that pointer is gone. Still wrong is a
report about a pointer that left its object on another way: as an argument, through an integer, or
so long ago that N_WAYS newer ones of its set came.
"""

from __future__ import annotations

from irsan.runtime.kernels.checks.foreign import is_arena
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.records.memory.outside_records import (
    HOLDERS,
    N_HOLDERS,
    N_SETS,
    N_WAYS,
    OUTSIDE,
)

SET_BYTES = 8 * N_WAYS
END = OUTSIDE + N_SETS * SET_BYTES


@kernel
def addr_to_outsiders(addr: u64) -> u64:
    """Where the pointers are that are noted beside `addr`."""
    mixed = (addr >> 4) ^ (addr >> 11) ^ (addr >> 18)
    return OUTSIDE + (mixed & u64(N_SETS - 1)) * SET_BYTES


@kernel
def is_noted_outside(addr: u64) -> bool:
    """Whether a pointer of this value is noted."""
    at = addr_to_outsiders(addr)
    end = at + SET_BYTES
    while at < end:
        if load_u64(at) == addr:
            return True
        at += 8
    return False


@kernel
def holds_outsider(lo: u64, length: u64) -> bool:
    """Whether a noted pointer lies in [lo, lo + length).  O(N_SETS * N_WAYS)."""
    at = u64(OUTSIDE)
    while at < END:
        noted = load_u64(at)
        if noted != 0 and noted - lo < length:
            return True
        at += 8
    return False


@kernel(outlined=True)
def bounds_nobody(ctx: Context, lo: u64, length: u64) -> bool:
    """Whether a pointer into [lo, lo + length) may be one of another object."""
    if ctx.bounds.n_outside == 0:
        return False
    at = HOLDERS + (((lo >> 4) ^ (lo >> 12)) & u64(N_HOLDERS - 1)) * 8
    if load_u64(at) == lo:
        return True
    if not holds_outsider(lo, length):
        return False
    store_u64(at, lo)
    return True


@kernel
def note_outside(ctx: Context, addr: u64, lo: u64, length: u64, root: u64) -> None:
    """A pointer is kept that is outside of [lo, lo + length], where its root lies.

    If the root is noted itself, the pointer may well have come back to its object.
    """
    if not is_arena(addr) or is_noted_outside(addr):
        return
    if is_noted_outside(root) and bounds_nobody(ctx, lo, length):
        return
    at = addr_to_outsiders(addr)
    oldest = at + SET_BYTES - 8
    while oldest > at:  # the newest comes first
        store_u64(oldest, load_u64(oldest - 8))
        oldest -= 8
    store_u64(at, addr)
    ctx.bounds.n_outside += 1
