"""Slots: which object a pointer in memory belongs to.

    slot of the 8 bytes at A     SLOTS + 2 * A:   the pointer as it was stored, the id of its object

A slot belongs to the pointer that begins in its 8 bytes, of which there is one at most: in the
upper bits of its first word stands how far behind A that is, 0 unless a structure is packed.

A slot counts only while memory still holds the very pointer: whatever natively compiled code or a
narrow store has written there since, the slot says nothing of it.  Programs load and store slots
inlined (engine/glue/checks/provenance.py); here are the ways of whole ranges.

Source: Nagarakatte et al., "SoftBound: Highly Compatible and Complete Spatial Memory Safety for
C", PLDI 2009, section 3.3 (disjoint metadata, copied along with memory); the comparison with the
stored pointer is ours.
Soundness: a number that native code wrote, equal to the pointer that was there, is taken for that
pointer.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    U64_DONTNEED,
    load_u64,
    real_madvise,
    real_memmove,
    real_memset,
    store_u64,
)
from irsan.runtime.records import provenance_records as pr

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_3 = np.uint64(3)
U64_7 = np.uint64(7)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
U64_24 = np.uint64(24)
U64_PAGE = np.uint64(4096)
U64_BIG = np.uint64(1 << 16)
U64_REGISTER_AREA = np.uint64(176)
U64_OVERFLOW_AREA = np.uint64(256)
U64_SLOTS = np.uint64(pr.SLOTS)
U64_COVERED = np.uint64(pr.COVERED_BYTES)
U64_PLACE_SHIFT = np.uint64(pr.PLACE_SHIFT)
VARIADIC = np.uint64(pr.VARIADIC)
U64_VARIADIC_ROW_BYTES = np.uint64(pr.VARIADIC_ROW_BYTES)
U64_N_VARIADIC_REGISTERS = np.uint64(pr.N_VARIADIC_REGISTERS)
U64_MAX_VARIADIC = np.uint64(pr.MAX_VARIADIC)
VARIADIC_FOR = np.uint64(pr.VARIADIC_FOR)
N_VARIADIC = np.uint64(pr.N_VARIADIC)
VARIADIC_BYTES = np.uint64(pr.VARIADIC_BYTES)


@kernel("b1(u64,u64)")
def has_slots(addr: Any, size_bytes: Any) -> Any:
    """Whether a range lies in the arena."""
    return addr < U64_COVERED and size_bytes <= U64_COVERED - addr


@kernel("u64(u64)")
def addr_to_slot(addr: Any) -> Any:
    """Address of the slot of the 8 bytes that `addr` is in."""
    return U64_SLOTS + ((addr & ~U64_7) << U64_1)


@kernel("u64(u64,u64)", inlined=True)
def slot_word(place: Any, pointer: Any) -> Any:
    """The first word of the slot of a pointer that is stored at `place`."""
    return pointer ^ (place << U64_PLACE_SHIFT)


@kernel("void(u64,u64)")
def tail_wipe(addr: Any, first: Any) -> None:
    """Of the 8 bytes at `addr` those in front of byte `first` were written: a pointer that begins
    behind them stays.
    """
    if load_u64(addr_to_slot(addr)) >> U64_PLACE_SHIFT < first:
        store_u64(addr_to_slot(addr), U64_0)


@kernel("void(u64,u64)")
def slots_wipe(addr: Any, size_bytes: Any) -> None:
    """Nothing is known of what a range holds; whole pages of slots are given back."""
    if size_bytes == U64_0 or not has_slots(addr, size_bytes):
        return
    end = addr + size_bytes
    tail_wipe(end & ~U64_7, end & U64_7)
    lo, hi = addr_to_slot(addr), addr_to_slot(end)
    if hi - lo < U64_BIG:
        real_memset(lo, U64_0, hi - lo)
        return
    first, last = (lo + U64_PAGE - U64_1) & ~(U64_PAGE - U64_1), hi & ~(U64_PAGE - U64_1)
    real_memset(lo, U64_0, first - lo)
    real_madvise(first, last - first, U64_DONTNEED)
    real_memset(last, U64_0, hi - last)


@kernel("void(u64,u64,u64)")
def slots_move(target: Any, source: Any, size_bytes: Any) -> None:
    """A copy between places that are equally far from a multiple of 8."""
    lo, end = (target + U64_7) & ~U64_7, target + size_bytes
    hi = end & ~U64_7
    if lo >= hi:
        slots_wipe(target, size_bytes)
        return
    word, number = load_u64(addr_to_slot(source)), load_u64(addr_to_slot(source) + U64_8)
    real_memmove(addr_to_slot(lo), addr_to_slot(source + (lo - target)), (hi - lo) << U64_1)
    if lo != target:
        first = word >> U64_PLACE_SHIFT
        is_whole = first >= target & U64_7 and (target & ~U64_7) + first + U64_8 <= end
        store_u64(addr_to_slot(target), word if is_whole else U64_0)
        store_u64(addr_to_slot(target) + U64_8, number)
    last = addr_to_slot(hi - U64_8)
    if hi + (load_u64(last) >> U64_PLACE_SHIFT) > end:
        store_u64(last, U64_0)
    tail_wipe(hi, end - hi)


@kernel("u64(u64,u64,u64)")
def moved_place(at: Any, source: Any, size_bytes: Any) -> Any:
    """Where the pointer that begins in the 8 bytes at `at` is stored, 0 when a range does not hold
    it whole.
    """
    word = load_u64(addr_to_slot(at))
    place = at + (word >> U64_PLACE_SHIFT)
    is_inside = place >= source and place + U64_8 <= source + size_bytes
    return place if word != U64_0 and is_inside else U64_0


@kernel("void(u64,u64,u64,u64)")
def slot_write(place: Any, word: Any, number: Any, goal: Any) -> None:
    """What `word` and `number` say of a pointer at `place` is true of `goal`."""
    store_u64(addr_to_slot(goal), slot_word(goal, slot_word(place, word)))
    store_u64(addr_to_slot(goal) + U64_8, number)


@kernel("void(u64,u64,u64)")
def slots_lower(target: Any, source: Any, size_bytes: Any) -> None:
    """Pointer by pointer to other places in their groups, upwards: to lower addresses, or away.

    Groups are wiped up to where the next pointer goes, and not before they were read.
    """
    at, wiped, end = source & ~U64_7, target, target + size_bytes
    while at + U64_8 <= source + size_bytes:
        place = moved_place(at, source, size_bytes)
        if place != U64_0:
            word, number = load_u64(addr_to_slot(at)), load_u64(addr_to_slot(at) + U64_8)
            goal = place - source + target
            next_group = (goal & ~U64_7) + U64_8
            if next_group > wiped:
                slots_wipe(wiped, next_group - wiped)
                wiped = next_group
            slot_write(place, word, number, goal)
        at += U64_8
    if wiped < end:
        slots_wipe(wiped, end - wiped)


@kernel("void(u64,u64,u64)")
def slots_raise(target: Any, source: Any, size_bytes: Any) -> None:
    """The same downwards: to higher addresses.  Of two pointers in a group the higher one stays."""
    at, wiped = (source + size_bytes) & ~U64_7, target + size_bytes
    while at > source:
        at -= U64_8
        place = moved_place(at, source, size_bytes)
        goal = place - source + target
        if place != U64_0 and goal & ~U64_7 < wiped:
            word, number = load_u64(addr_to_slot(at)), load_u64(addr_to_slot(at) + U64_8)
            slots_wipe(goal & ~U64_7, wiped - (goal & ~U64_7))
            wiped = goal & ~U64_7
            slot_write(place, word, number, goal)
    if target < wiped:
        slots_wipe(target, wiped - target)


@kernel("void(u64,u64,u64)")
def slots_copy(target: Any, source: Any, size_bytes: Any) -> None:
    """Bytes are copied, maybe onto themselves: whole pointers bring their slots along."""
    if size_bytes == U64_0 or not has_slots(target, size_bytes):
        return
    if not has_slots(source, size_bytes):
        slots_wipe(target, size_bytes)
    elif (target ^ source) & U64_7 == U64_0:
        slots_move(target, source, size_bytes)
    elif target < source:
        slots_lower(target, source, size_bytes)
    else:
        slots_raise(target, source, size_bytes)


@kernel("u64(u64,u64,u64)")
def provenance_variadic(va_list: Any, function: Any, named_bytes: Any) -> Any:
    """The arguments that a va_list leads to have the ids that the caller has passed on.

    va_list: one as va_start has just filled it; named_bytes: its function's named arguments on the
    stack, in front of those.  Returns the bytes of all that is told of there.
    """
    overflow, registers = load_u64(va_list + U64_8), load_u64(va_list + U64_8 + U64_8)
    stack = overflow - named_bytes
    slots_wipe(va_list, U64_24)
    slots_wipe(registers, U64_REGISTER_AREA)
    if load_u64(VARIADIC_FOR) != function:
        slots_wipe(overflow, U64_OVERFLOW_AREA)
        return named_bytes
    store_u64(VARIADIC_FOR, U64_0)
    all_bytes = max(load_u64(VARIADIC_BYTES), named_bytes)
    slots_wipe(overflow, all_bytes - named_bytes)
    row, end = VARIADIC, VARIADIC + load_u64(N_VARIADIC) * U64_VARIADIC_ROW_BYTES
    while row < end:
        number = load_u64(row) >> U64_1
        pointer, told = load_u64(row + U64_8), load_u64(row + U64_16)
        if number < U64_N_VARIADIC_REGISTERS:
            place = registers + U64_8 * number
        else:
            place = stack + U64_8 * (number - U64_N_VARIADIC_REGISTERS)
        if load_u64(row) & U64_1 != U64_0:
            slots_copy(place, pointer, told)
        elif has_slots(place, U64_8):
            store_u64(addr_to_slot(place), slot_word(place, pointer))
            store_u64(addr_to_slot(place) + U64_8, told)
        row += U64_VARIADIC_ROW_BYTES
    return all_bytes


@kernel("u64(u64,u64,u64,u64)")
def rows_of_slots(area: Any, number: Any, end: Any, row: Any) -> Any:
    """Rows for the pointers in words of memory, of which `area` has the first, `number`."""
    last = VARIADIC + U64_MAX_VARIADIC * U64_VARIADIC_ROW_BYTES
    at = area
    while number < end and row < last and has_slots(at, U64_8):
        word = load_u64(addr_to_slot(at))
        if word != U64_0 and word >> U64_PLACE_SHIFT == U64_0:
            store_u64(row, number << U64_1)
            store_u64(row + U64_8, word)
            store_u64(row + U64_16, load_u64(addr_to_slot(at) + U64_8))
            row += U64_VARIADIC_ROW_BYTES
        at, number = at + U64_8, number + U64_1
    return row


@kernel("void(u64,u64,u64,u64)")
def provenance_forward(va_list: Any, function: Any, named_bytes: Any, all_bytes: Any) -> None:
    """Variable arguments are handed on to `function`, from where the caller has them.

    va_list, named_bytes, all_bytes: given to and by `provenance_variadic`.
    """
    overflow, registers = load_u64(va_list + U64_8), load_u64(va_list + U64_8 + U64_8)
    row = rows_of_slots(registers, U64_0, U64_N_VARIADIC_REGISTERS, VARIADIC)
    first = U64_N_VARIADIC_REGISTERS + (named_bytes >> U64_3)
    row = rows_of_slots(overflow, first, U64_N_VARIADIC_REGISTERS + (all_bytes >> U64_3), row)
    store_u64(VARIADIC_FOR, function)
    store_u64(N_VARIADIC, (row - VARIADIC) // U64_VARIADIC_ROW_BYTES)
    store_u64(VARIADIC_BYTES, all_bytes)
