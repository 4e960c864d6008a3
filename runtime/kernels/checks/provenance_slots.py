"""Slots: which object a pointer in memory belongs to.

    slot of the 8 bytes at A     SLOTS + 2 * A:   the pointer as it was stored, the id of its object

A slot counts only while memory still holds the very pointer: whatever natively compiled code or a
narrow store has written there since, the slot says nothing of it.  Programs load and store slots
inlined (engine/jit/glue_provenance.py); here are the ways of whole ranges.

Source: Nagarakatte et al., "SoftBound: Highly Compatible and Complete Spatial Memory Safety for
C", PLDI 2009, section 3.3 (disjoint metadata, copied along with memory); the comparison with the
stored pointer is ours.
Soundness: pointers at addresses that 8 does not divide have no slot.  A number that native code
wrote, equal to the pointer that was there, is taken for that pointer.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime import provenance_records as pr
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, real_madvise, real_memmove, real_memset

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_7 = np.uint64(7)
U64_8 = np.uint64(8)
U64_24 = np.uint64(24)
U64_PAGE = np.uint64(4096)
U64_DONTNEED = np.uint64(4)
U64_BIG = np.uint64(1 << 16)
U64_REGISTER_AREA = np.uint64(176)
U64_OVERFLOW_AREA = np.uint64(256)
U64_SLOTS = np.uint64(pr.SLOTS)
U64_COVERED = np.uint64(pr.COVERED_BYTES)


@kernel("b1(u64,u64)")
def has_slots(addr: Any, size_bytes: Any) -> Any:
    """Whether a range lies in the arena."""
    return addr < U64_COVERED and size_bytes <= U64_COVERED - addr


@kernel("u64(u64)")
def addr_to_slot(addr: Any) -> Any:
    """Address of the slot of the 8 bytes that `addr` is in."""
    return U64_SLOTS + ((addr & ~U64_7) << U64_1)


@kernel("void(u64,u64)")
def slots_wipe(addr: Any, size_bytes: Any) -> None:
    """Nothing is known of what a range holds; whole pages of slots are given back."""
    if size_bytes == U64_0 or not has_slots(addr, size_bytes):
        return
    lo, hi = addr_to_slot(addr), addr_to_slot(addr + size_bytes + U64_7)
    if hi - lo < U64_BIG:
        real_memset(lo, U64_0, hi - lo)
        return
    first, end = (lo + U64_PAGE - U64_1) & ~(U64_PAGE - U64_1), hi & ~(U64_PAGE - U64_1)
    real_memset(lo, U64_0, first - lo)
    real_madvise(first, end - first, U64_DONTNEED)
    real_memset(end, U64_0, hi - end)


@kernel("void(u64,u64,u64)")
def slots_copy(target: Any, source: Any, size_bytes: Any) -> None:
    """Bytes are copied, maybe onto themselves: whole pointers bring their slots along."""
    if size_bytes == U64_0 or not has_slots(target, size_bytes):
        return
    lo = (target + U64_7) & ~U64_7
    hi = (target + size_bytes) & ~U64_7
    has_whole = lo < hi and ((target ^ source) & U64_7) == U64_0
    if not has_whole or not has_slots(source, size_bytes):
        slots_wipe(target, size_bytes)
        return
    real_memmove(addr_to_slot(lo), addr_to_slot(source + (lo - target)), (hi - lo) << U64_1)
    slots_wipe(target, lo - target)
    slots_wipe(hi, target + size_bytes - hi)


@kernel("void(u64)")
def provenance_va_start(va_list: Any) -> None:
    """va_start has filled a va_list: of the arguments that it leads to nothing is known."""
    slots_wipe(va_list, U64_24)
    slots_wipe(load_u64(va_list + U64_8), U64_OVERFLOW_AREA)
    slots_wipe(load_u64(va_list + U64_8 + U64_8), U64_REGISTER_AREA)
