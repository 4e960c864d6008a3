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

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, store_u32
from irsan.runtime.kernels.present_pages import (
    CHUNK_PAGES,
    PAGE_BYTES,
    ask_present,
    is_present,
)
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.kernels.thread_slots import slot_to_thread
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.thread_states import FREE

GUARD_BYTES = memory_map.MIB  # at least, below every stack
STACKS = memory_map.STACK_SLOTS_LO
SLOT_BYTES = memory_map.STACK_SLOT_BYTES
SLOT_MASK = memory_map.STACK_SLOT_BYTES - 1
SLOT_BITS = memory_map.STACK_SLOT_BYTES.bit_length() - 1
BIG_LO = memory_map.BIG_STACKS_LO
BIG_BYTES = memory_map.STACKS_HI - memory_map.BIG_STACKS_LO
N_UNITS = memory_map.N_BIG_UNITS
UNITS = memory_map.table("big stacks", 4 * memory_map.N_BIG_UNITS + 4096)
S_FREE = FREE
NO_UNIT = 0xFFFF_FFFF


@kernel
def unit_to_owner(unit: u64) -> u64:
    """Address of the record of the thread that has taken a unit last, 0 = none has."""
    owner = load_u32(UNITS + unit * 4)
    return u64(0) if owner == 0 else slot_to_thread(u64(owner) - 1)


@kernel
def stack_end(addr: u64) -> u64:
    """End of the room that an address among the stacks lies in; `addr` in a room of no thread."""
    if addr - BIG_LO >= BIG_BYTES:
        return (addr | SLOT_MASK) + 1
    owner = unit_to_owner((addr - BIG_LO) >> SLOT_BITS)
    return addr if owner == 0 else max(thread_at(owner).stack.room_hi, addr)


@kernel
def is_unit_free(unit: u64, slot: u64) -> bool:
    """Whether a unit may be taken for the thread that is being made in a slot."""
    owner = unit_to_owner(unit)
    return owner == 0 or owner == slot_to_thread(slot) or thread_at(owner).state == S_FREE


@kernel
def find_units(n_units: u64, slot: u64) -> u64:
    """First unit of the lowest run of free ones, or NO_UNIT.  O(units)."""
    n_free = u64(0)
    for index in range(u64(N_UNITS)):
        unit = u64(index)
        n_free = n_free + 1 if is_unit_free(unit, slot) else u64(0)
        if n_free == n_units:
            return unit + 1 - n_units
    return NO_UNIT


@kernel
def own_units(lo: u64, hi: u64, owner: u64) -> None:
    """The units of [lo, hi) belong to slot `owner` - 1 from now on."""
    place = UNITS + ((lo - BIG_LO) >> SLOT_BITS) * 4
    end = UNITS + ((hi - BIG_LO) >> SLOT_BITS) * 4
    while place < end:
        store_u32(place, u32(owner))
        place += 4


@kernel
def leave_room(slot: u64, lo: u64, hi: u64) -> None:
    """The thread that had this room in its slot is gone; another one may have the units by now."""
    if lo - BIG_LO >= BIG_BYTES:
        return
    while lo < hi:
        if unit_to_owner((lo - BIG_LO) >> SLOT_BITS) == slot_to_thread(slot):
            own_units(lo, lo + SLOT_BYTES, 0)
        lo += SLOT_BYTES


@kernel
def take_room(slot: u64, n_bytes: u64) -> u64:
    """First address of a room of so many bytes, a multiple of the slot's; 0 when there is none."""
    if n_bytes <= SLOT_BYTES:
        return STACKS + slot * SLOT_BYTES
    unit = find_units(n_bytes >> SLOT_BITS, slot)
    if unit == NO_UNIT:
        return 0
    lo = BIG_LO + (unit << SLOT_BITS)
    own_units(lo, lo + n_bytes, slot + 1)
    return lo


@kernel
def lowest_present(lo: u64, hi: u64) -> u64:
    """Lowest page of [lo, hi) with memory behind it, or `hi`; `lo` when the system does not say."""
    while lo < hi:
        n_pages = min(u64(CHUNK_PAGES), (hi - lo) // PAGE_BYTES)
        ask_present(lo, n_pages)
        for page in range(n_pages):
            if is_present(u64(page)):
                return lo + u64(page) * PAGE_BYTES
        lo += n_pages * PAGE_BYTES
    return hi
