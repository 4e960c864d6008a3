"""Accesses and casts: does a pointer's object allow the use?

    provenance_use(addr, id, info)     an access that the inlined comparison did not pass
    provenance_range(addr, id, n, info)    the same for ranges, asked wholly
    provenance_from_int(addr)          a number becomes a pointer: 0 when an exposed object holds
                                       the address, or none at all; else UNEXPOSED
    provenance_expose(id)              a pointer becomes a number; _pointer(addr, id): also one of
                                       which nothing is known
    provenance_show(addr, n)           bytes are read as numbers: the pointers that they are of, too
    provenance_initial(table, n)       the pointers in the initial values of globals

info is size << 3 | write, as in object_bounds.py.

Source: Memarian et al., POPL 2019 (PNVI-ae); Miri's "permissive provenance" for wildcards.
Deviations: a pointer made of a number may access every object, not only the one it was made for;
whether the object is exposed is asked again at the access.
Soundness: nothing is said of pointers that native code made or changed.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.provenance.provenance_objects import (
    id_to_row,
    is_known,
    object_at,
    provenance_beginning,
)
from irsan.runtime.kernels.provenance.provenance_slots import addr_to_slot, has_slots, slot_word
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.report_fault import WRITE, report_fault
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.records.memory.provenance_records import (
    ALIVE,
    DIED,
    GUESSED,
    INITIAL_BYTES,
    OUTSIDE,
    PLACE_SHIFT,
    ROW_EXPOSED,
    ROW_EXTENT,
    ROW_LO,
    ROW_STATE,
    UNEXPOSED,
)

IN_PAGE = 4095
LAST_IN_PAGE = 4096 - 8
SIZE_SHIFT = 3
FAULT = int(FaultKind.PROVENANCE)


@kernel
def hidden_object_at(ctx: Context, addr: u64) -> u64:
    """Id of the living object at an address, when no number may lead to it; else 0."""
    number = object_at(ctx, addr)
    if number == 0 or load_u64(id_to_row(number) + ROW_EXPOSED) != 0:
        return 0
    return number


@kernel
def judge(ctx: Context, addr: u64, number: u64, size_bytes: u64) -> u64:
    """What is wrong with an access: OUTSIDE, DIED, GUESSED, or 0."""
    if number == UNEXPOSED:
        return u64(GUESSED) if hidden_object_at(ctx, addr) != 0 else u64(0)
    if size_bytes == 0 or not is_known(number):
        return 0
    row = id_to_row(number)
    if load_u64(row + ROW_STATE) != ALIVE:
        return DIED
    offset, extent = addr - load_u64(row + ROW_LO), load_u64(row + ROW_EXTENT)
    if offset <= extent and size_bytes <= extent - offset:
        return 0
    return OUTSIDE


@kernel(outlined=True)
def provenance_range(ctx: Context, addr: u64, number: u64, size_bytes: u64, info: u64) -> None:
    """Leave a finding for an access of run-time size that the pointer's object does not allow."""
    wrong = judge(ctx, addr, number, size_bytes)
    if wrong == 0:
        return
    report_fault(ctx, FAULT, addr, size_bytes, info & WRITE)
    ctx.fault[6] = wrong
    if number != UNEXPOSED:
        ctx.fault[7] = id_to_row(number)
    hit = object_at(ctx, addr)
    if hit != 0:
        ctx.fault[8] = id_to_row(hit)


@kernel
def provenance_use(ctx: Context, addr: u64, number: u64, info: u64) -> None:
    """The same for an access whose size is in `info`."""
    provenance_range(ctx, addr, number, info >> SIZE_SHIFT, info)


@kernel
def provenance_from_int(ctx: Context, addr: u64) -> u64:
    """Id of a pointer that is made of a number."""
    return u64(UNEXPOSED) if hidden_object_at(ctx, addr) != 0 else u64(0)


@kernel
def provenance_expose(number: u64) -> None:
    """A pointer of the object becomes a number that others may read."""
    if is_known(number):
        store_u64(id_to_row(number) + ROW_EXPOSED, 1)


@kernel
def provenance_expose_pointer(ctx: Context, addr: u64, number: u64) -> None:
    """The same for a pointer that may have no id: then for the object that holds its address, and
    for one that ends there.
    """
    if number != 0:
        provenance_expose(number)
        return
    provenance_expose(object_at(ctx, addr))
    if addr != 0:
        provenance_expose(object_at(ctx, addr - 1))


@kernel
def holds_still(place: u64, word: u64) -> bool:
    """Whether memory holds the pointer of which `word` is the first word of its slot.

    One that reaches into another page is taken for it: that page may be gone.
    """
    if place & IN_PAGE > LAST_IN_PAGE:
        return True
    return slot_word(place, load_u64(place)) == word


@kernel
def provenance_show(addr: u64, size_bytes: u64) -> None:
    """Expose the objects of all pointers in memory that have a byte in a range.

    Slots of pointers that are not there any more are wiped: one look at them is enough.
    """
    if size_bytes == 0 or not has_slots(addr, size_bytes):
        return
    at, end = max(addr & ~u64(7), u64(8)) - 8, addr + size_bytes
    while at < end:
        slot = addr_to_slot(at)
        word = load_u64(slot)
        place = at + (word >> PLACE_SHIFT)
        if word != 0 and place < end and addr < place + 8:
            if holds_still(place, word):
                provenance_expose(load_u64(slot + 8))
            else:
                store_u64(slot, 0)
        at += 8


@kernel
def provenance_refresh(place: u64) -> None:
    """A library function has stored a new block's address at `place`."""
    if has_slots(place, 8):
        slot = addr_to_slot(place)
        store_u64(slot, slot_word(place, load_u64(place)))
        store_u64(slot + 8, provenance_beginning(load_u64(place)))


@kernel
def provenance_initial(table: u64, n_entries: u64) -> None:
    """Give pointers in globals their objects, unless others have been written there by now."""
    end = table + n_entries * INITIAL_BYTES
    while table < end:
        place, pointer = load_u64(table), load_u64(table + 8)
        if has_slots(place, 8) and load_u64(place) == pointer:
            slot = addr_to_slot(place)
            store_u64(slot, slot_word(place, pointer))
            store_u64(slot + 8, provenance_beginning(load_u64(table + 16)))
        table += INITIAL_BYTES
