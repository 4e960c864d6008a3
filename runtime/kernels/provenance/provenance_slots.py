"""Slots: which object a pointer in memory belongs to.

    slot of the 8 bytes at A     SLOTS + 2 * A:   the pointer as it was stored, the id of its object

A slot belongs to the pointer that begins in its 8 bytes, of which there is one at most: in the
upper bits of its first word stands how far behind A that is, 0 unless a structure is packed.

A slot counts only while memory still holds the very pointer: whatever natively compiled code or a
narrow store has written there since, the slot says nothing of it.  Programs load and store slots
inlined (engine/glue/templates/inlined/ids.ll); here are the ways of whole ranges.

Source: Nagarakatte et al., "SoftBound: Highly Compatible and Complete Spatial Memory Safety for
C", PLDI 2009, section 3.3 (disjoint metadata, copied along with memory); the comparison with the
stored pointer is ours.
Soundness: a number that native code wrote, equal to the pointer that was there, is taken for that
pointer.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    DONTNEED,
    load_u64,
    real_madvise,
    real_memmove,
    real_memset,
    store_u64,
)
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.records.memory.provenance_records import (
    COVERED_BYTES,
    MAX_VARIADIC,
    N_VARIADIC,
    N_VARIADIC_REGISTERS,
    PLACE_SHIFT,
    SLOTS,
    VARIADIC,
    VARIADIC_BYTES,
    VARIADIC_FOR,
    VARIADIC_ROW_BYTES,
)

PAGE = 4096
BIG = 1 << 16
REGISTER_AREA = 176
OVERFLOW_AREA = 256


@kernel
def has_slots(addr: u64, size_bytes: u64) -> bool:
    """Whether a range lies in the arena."""
    return addr < COVERED_BYTES and size_bytes <= COVERED_BYTES - addr


@kernel
def addr_to_slot(addr: u64) -> u64:
    """Address of the slot of the 8 bytes that `addr` is in."""
    return SLOTS + ((addr & ~u64(7)) << 1)


@kernel(inlined=True)
def slot_word(place: u64, pointer: u64) -> u64:
    """The first word of the slot of a pointer that is stored at `place`."""
    return pointer ^ (place << PLACE_SHIFT)


@kernel
def tail_wipe(addr: u64, first: u64) -> None:
    """Of the 8 bytes at `addr` those in front of byte `first` were written: a pointer that begins
    behind them stays.
    """
    if load_u64(addr_to_slot(addr)) >> PLACE_SHIFT < first:
        store_u64(addr_to_slot(addr), 0)


@kernel
def slots_wipe(addr: u64, size_bytes: u64) -> None:
    """Nothing is known of what a range holds; whole pages of slots are given back."""
    if size_bytes == 0 or not has_slots(addr, size_bytes):
        return
    end = addr + size_bytes
    tail_wipe(end & ~u64(7), end & 7)
    lo, hi = addr_to_slot(addr), addr_to_slot(end)
    if hi - lo < BIG:
        real_memset(lo, 0, hi - lo)
        return
    first, last = (lo + PAGE - 1) & ~(u64(PAGE) - 1), hi & ~(u64(PAGE) - 1)
    real_memset(lo, 0, first - lo)
    real_madvise(first, last - first, DONTNEED)
    real_memset(last, 0, hi - last)


@kernel
def slots_move(target: u64, source: u64, size_bytes: u64) -> None:
    """A copy between places that are equally far from a multiple of 8, of a whole group if any."""
    lo, end = (target + 7) & ~u64(7), target + size_bytes
    hi = end & ~u64(7)
    if lo >= hi:
        slots_wipe(target, size_bytes)
        return
    word, number = load_u64(addr_to_slot(source)), load_u64(addr_to_slot(source) + 8)
    real_memmove(addr_to_slot(lo), addr_to_slot(source + (lo - target)), (hi - lo) << 1)
    if lo != target:
        first = word >> PLACE_SHIFT
        is_whole = first >= target & 7 and (target & ~u64(7)) + first + 8 <= end
        store_u64(addr_to_slot(target), word if is_whole else u64(0))
        store_u64(addr_to_slot(target) + 8, number)
    last = addr_to_slot(hi - 8)
    if hi + (load_u64(last) >> PLACE_SHIFT) > end:
        store_u64(last, 0)
    tail_wipe(hi, end - hi)


@kernel
def moved_place(at: u64, source: u64, size_bytes: u64) -> u64:
    """Where the pointer that begins in the 8 bytes at `at` is stored, 0 when a range does not hold
    it whole.
    """
    word = load_u64(addr_to_slot(at))
    place = at + (word >> PLACE_SHIFT)
    is_inside = place >= source and place + 8 <= source + size_bytes
    return place if word != 0 and is_inside else u64(0)


@kernel
def slot_write(place: u64, word: u64, number: u64, goal: u64) -> None:
    """What `word` and `number` say of a pointer at `place` is true of `goal`."""
    store_u64(addr_to_slot(goal), slot_word(goal, slot_word(place, word)))
    store_u64(addr_to_slot(goal) + 8, number)


@kernel
def slots_lower(target: u64, source: u64, size_bytes: u64) -> None:
    """Pointer by pointer to other places in their groups, upwards: to lower addresses, or away.

    Groups are wiped up to where the next pointer goes, and not before they were read.
    """
    at, wiped, end = source & ~u64(7), target, target + size_bytes
    while at + 8 <= source + size_bytes:
        place = moved_place(at, source, size_bytes)
        if place != 0:
            word, number = load_u64(addr_to_slot(at)), load_u64(addr_to_slot(at) + 8)
            goal = place - source + target
            next_group = (goal & ~u64(7)) + 8
            if next_group > wiped:
                slots_wipe(wiped, next_group - wiped)
                wiped = next_group
            slot_write(place, word, number, goal)
        at += 8
    if wiped < end:
        slots_wipe(wiped, end - wiped)


@kernel
def slots_raise(target: u64, source: u64, size_bytes: u64) -> None:
    """The same downwards: to higher addresses.  Of two pointers in a group the higher one stays."""
    at, wiped = (source + size_bytes) & ~u64(7), target + size_bytes
    while at > source:
        at -= 8
        place = moved_place(at, source, size_bytes)
        goal = place - source + target
        if place != 0 and goal & ~u64(7) < wiped:
            word, number = load_u64(addr_to_slot(at)), load_u64(addr_to_slot(at) + 8)
            slots_wipe(goal & ~u64(7), wiped - (goal & ~u64(7)))
            wiped = goal & ~u64(7)
            slot_write(place, word, number, goal)
    if target < wiped:
        slots_wipe(target, wiped - target)


@kernel
def slots_copy(target: u64, source: u64, size_bytes: u64) -> None:
    """Bytes are copied: whole pointers bring their slots along; onto themselves all stay."""
    if size_bytes == 0 or target == source or not has_slots(target, size_bytes):
        return
    if not has_slots(source, size_bytes):
        slots_wipe(target, size_bytes)
    elif (target ^ source) & 7 == 0 and (target & 7 == 0 or size_bytes >= 16):
        slots_move(target, source, size_bytes)
    elif target < source:
        slots_lower(target, source, size_bytes)
    else:
        slots_raise(target, source, size_bytes)


@kernel
def provenance_variadic(va_list: u64, function: u64, named_bytes: u64) -> u64:
    """The arguments that a va_list leads to have the ids that the caller has passed on.

    va_list: one as va_start has just filled it; named_bytes: its function's named arguments on the
    stack, in front of those.  Returns the bytes of all that is registered there.
    """
    overflow, registers = load_u64(va_list + 8), load_u64(va_list + 8 + 8)
    stack = overflow - named_bytes
    slots_wipe(va_list, 24)
    slots_wipe(registers, REGISTER_AREA)
    if load_u64(VARIADIC_FOR) != function:
        slots_wipe(overflow, OVERFLOW_AREA)
        return named_bytes
    store_u64(VARIADIC_FOR, 0)
    all_bytes = max(load_u64(VARIADIC_BYTES), named_bytes)
    slots_wipe(overflow, all_bytes - named_bytes)
    row, end = u64(VARIADIC), VARIADIC + load_u64(N_VARIADIC) * VARIADIC_ROW_BYTES
    while row < end:
        number = load_u64(row) >> 1
        pointer, told = load_u64(row + 8), load_u64(row + 16)
        if number < N_VARIADIC_REGISTERS:
            place = registers + 8 * number
        else:
            place = stack + 8 * (number - N_VARIADIC_REGISTERS)
        if load_u64(row) & 1 != 0:
            slots_copy(place, pointer, told)
        elif has_slots(place, 8):
            store_u64(addr_to_slot(place), slot_word(place, pointer))
            store_u64(addr_to_slot(place) + 8, told)
        row += VARIADIC_ROW_BYTES
    return all_bytes


@kernel
def rows_of_slots(area: u64, number: u64, end: u64, row: u64) -> u64:
    """Rows for the pointers in words of memory, of which `area` has the first, `number`."""
    last = u64(VARIADIC) + u64(MAX_VARIADIC) * VARIADIC_ROW_BYTES
    at = area
    while number < end and row < last and has_slots(at, 8):
        word = load_u64(addr_to_slot(at))
        if word != 0 and word >> PLACE_SHIFT == 0:
            store_u64(row, number << 1)
            store_u64(row + 8, word)
            store_u64(row + 16, load_u64(addr_to_slot(at) + 8))
            row += VARIADIC_ROW_BYTES
        at, number = at + 8, number + 1
    return row


@kernel
def provenance_forward(va_list: u64, function: u64, named_bytes: u64, all_bytes: u64) -> None:
    """Variable arguments are handed on to `function`, from where the caller has them.

    va_list, named_bytes, all_bytes: given to and by `provenance_variadic`.
    """
    overflow, registers = load_u64(va_list + 8), load_u64(va_list + 8 + 8)
    row = rows_of_slots(registers, 0, N_VARIADIC_REGISTERS, VARIADIC)
    first = N_VARIADIC_REGISTERS + (named_bytes >> 3)
    row = rows_of_slots(overflow, first, N_VARIADIC_REGISTERS + (all_bytes >> 3), row)
    store_u64(VARIADIC_FOR, function)
    store_u64(N_VARIADIC, (row - VARIADIC) // VARIADIC_ROW_BYTES)
    store_u64(VARIADIC_BYTES, all_bytes)
