"""Rooms for the stacks of threads: one slot each, and runs of such units for what needs more.

    room    | guard ... | stack | thread-local block |      whole units of 16 MiB
            room_lo     stack_lo stack_hi            room_hi

    unit table   u32 per unit from memory_map.BIG_STACKS_LO on: slot + 1 of the thread that has
                 taken it
                 last; it is free again once that thread's slot is

A room's end is where anything that begins in it must end: what asks how far memory goes asks
`stack_end`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, load_u32, real_mincore, store_u32
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.thread_slots import slot_to_thread
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.thread_states import FREE

GUARD_BYTES = np.uint64(memory_map.MIB)  # at least, below every stack
STACKS = np.uint64(memory_map.STACKS_LO)
SLOT_BYTES = np.uint64(memory_map.STACK_SLOT_BYTES)
SLOT_MASK = np.uint64(memory_map.STACK_SLOT_BYTES - 1)
SLOT_BITS = np.uint64(memory_map.STACK_SLOT_BYTES.bit_length() - 1)
BIG_LO = np.uint64(memory_map.BIG_STACKS_LO)
BIG_BYTES = np.uint64(memory_map.STACKS_HI - memory_map.BIG_STACKS_LO)
N_UNITS = np.uint64(memory_map.N_BIG_UNITS)
UNITS = np.uint64(memory_map.table("big stacks", 4 * memory_map.N_BIG_UNITS + 4096))
PRESENT = np.uint64(memory_map.table("big stacks", 0) + memory_map.room("big stacks") // 2)
PAGES_AT_ONCE = np.uint64(1 << 16)  # bytes of PRESENT
PAGE_BYTES = np.uint64(4096)
S_FREE = np.uint64(FREE)
NO_UNIT = np.uint64(0xFFFF_FFFF)
U32_0 = np.uint32(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_4 = np.uint64(4)


@kernel("u64(u64)")
def unit_to_owner(unit: Any) -> Any:
    """Address of the record of the thread that has taken a unit last, 0 = nobody has."""
    owner = load_u32(UNITS + unit * U64_4)
    return U64_0 if owner == U32_0 else slot_to_thread(np.uint64(owner) - U64_1)


@kernel("u64(u64)")
def stack_end(addr: Any) -> Any:
    """End of the room that an address among the stacks lies in; `addr` in a room of nobody's."""
    if addr - BIG_LO >= BIG_BYTES:
        return (addr | SLOT_MASK) + U64_1
    owner = unit_to_owner((addr - BIG_LO) >> SLOT_BITS)
    return addr if owner == U64_0 else max(thread_at(owner).room_hi, addr)


@kernel("b1(u64,u64)")
def is_unit_free(unit: Any, slot: Any) -> Any:
    """Whether a unit may be taken for the thread that is being made in a slot."""
    owner = unit_to_owner(unit)
    return owner == U64_0 or owner == slot_to_thread(slot) or thread_at(owner).state == S_FREE


@kernel("u64(u64,u64)")
def find_units(n_units: Any, slot: Any) -> Any:
    """First unit of the lowest run of free ones, or NO_UNIT.  O(units)."""
    n_free = U64_0
    for index in range(N_UNITS):
        unit = np.uint64(index)
        n_free = n_free + U64_1 if is_unit_free(unit, slot) else U64_0
        if n_free == n_units:
            return unit + U64_1 - n_units
    return NO_UNIT


@kernel("void(u64,u64,u64)")
def own_units(lo: Any, hi: Any, owner: Any) -> None:
    """The units of [lo, hi) belong to slot `owner` - 1 from now on."""
    place = UNITS + ((lo - BIG_LO) >> SLOT_BITS) * U64_4
    end = UNITS + ((hi - BIG_LO) >> SLOT_BITS) * U64_4
    while place < end:
        store_u32(place, np.uint32(owner))
        place += U64_4


@kernel("void(u64,u64,u64)")
def leave_room(slot: Any, lo: Any, hi: Any) -> None:
    """The thread that had this room in its slot is gone; another one may have the units by now."""
    if lo - BIG_LO >= BIG_BYTES:
        return
    while lo < hi:
        if unit_to_owner((lo - BIG_LO) >> SLOT_BITS) == slot_to_thread(slot):
            own_units(lo, lo + SLOT_BYTES, U64_0)
        lo += SLOT_BYTES


@kernel("u64(u64,u64)")
def take_room(slot: Any, n_bytes: Any) -> Any:
    """First address of a room of so many bytes, a multiple of the slot's; 0 when there is none."""
    if n_bytes <= SLOT_BYTES:
        return STACKS + slot * SLOT_BYTES
    unit = find_units(n_bytes >> SLOT_BITS, slot)
    if unit == NO_UNIT:
        return U64_0
    lo = BIG_LO + (unit << SLOT_BITS)
    own_units(lo, lo + n_bytes, slot + U64_1)
    return lo


@kernel("u64(u64,u64)")
def lowest_present(lo: Any, hi: Any) -> Any:
    """Lowest page of [lo, hi) with memory behind it, or `hi`; `lo` when the system does not say."""
    while lo < hi:
        n_pages = min(PAGES_AT_ONCE, (hi - lo) // PAGE_BYTES)
        if np.int32(real_mincore(lo, n_pages * PAGE_BYTES, PRESENT)) != np.int32(0):
            return lo
        for page in range(n_pages):
            if np.uint64(load_u8(PRESENT + np.uint64(page))) & U64_1 != U64_0:
                return lo + np.uint64(page) * PAGE_BYTES
        lo += n_pages * PAGE_BYTES
    return hi
