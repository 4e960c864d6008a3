"""Accesses and casts: does a pointer's object allow what is done with it?

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

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.provenance.provenance_objects import (
    ALIVE,
    ROW_EXPOSED,
    ROW_EXTENT,
    ROW_LO,
    ROW_STATE,
    UNEXPOSED,
    id_to_row,
    is_known,
    object_at,
    provenance_beginning,
)
from irsan.runtime.kernels.provenance.provenance_slots import addr_to_slot, has_slots, slot_word
from irsan.runtime.kernels.report_fault import WRITE, report_fault
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.records import provenance_records as pr

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_7 = np.uint64(7)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
U64_INITIAL_BYTES = np.uint64(pr.INITIAL_BYTES)
U64_IN_PAGE = np.uint64(4095)
U64_LAST_IN_PAGE = np.uint64(4096 - 8)
U64_PLACE_SHIFT = np.uint64(pr.PLACE_SHIFT)
U64_SIZE_SHIFT = np.uint64(3)
U64_FAULT = np.uint64(FaultKind.PROVENANCE)
U64_OUTSIDE = np.uint64(pr.OUTSIDE)
U64_DIED = np.uint64(pr.DIED)
U64_GUESSED = np.uint64(pr.GUESSED)


@kernel("u64(ctx,u64)")
def hidden_object_at(ctx: Any, addr: Any) -> Any:
    """Id of the living object at an address, when no number may lead to it; else 0."""
    number = object_at(ctx, addr)
    if number == U64_0 or load_u64(id_to_row(number) + ROW_EXPOSED) != U64_0:
        return U64_0
    return number


@kernel("u64(ctx,u64,u64,u64)")
def judge(ctx: Any, addr: Any, number: Any, size_bytes: Any) -> Any:
    """What is wrong with an access: OUTSIDE, DIED, GUESSED, or 0."""
    if number == UNEXPOSED:
        return U64_GUESSED if hidden_object_at(ctx, addr) != U64_0 else U64_0
    if size_bytes == U64_0 or not is_known(number):
        return U64_0
    row = id_to_row(number)
    if load_u64(row + ROW_STATE) != ALIVE:
        return U64_DIED
    offset, extent = addr - load_u64(row + ROW_LO), load_u64(row + ROW_EXTENT)
    if offset <= extent and size_bytes <= extent - offset:
        return U64_0
    return U64_OUTSIDE


@kernel("void(ctx,u64,u64,u64,u64)", outlined=True)
def provenance_range(ctx: Any, addr: Any, number: Any, size_bytes: Any, info: Any) -> None:
    """Leave a finding for an access of run-time size that the pointer's object does not allow."""
    wrong = judge(ctx, addr, number, size_bytes)
    if wrong == U64_0:
        return
    report_fault(ctx, U64_FAULT, addr, size_bytes, info & WRITE)
    ctx.fault[6] = wrong
    if number != UNEXPOSED:
        ctx.fault[7] = id_to_row(number)
    hit = object_at(ctx, addr)
    if hit != U64_0:
        ctx.fault[8] = id_to_row(hit)


@kernel("void(ctx,u64,u64,u64)")
def provenance_use(ctx: Any, addr: Any, number: Any, info: Any) -> None:
    """The same for an access whose size is in `info`."""
    provenance_range(ctx, addr, number, info >> U64_SIZE_SHIFT, info)


@kernel("u64(ctx,u64)")
def provenance_from_int(ctx: Any, addr: Any) -> Any:
    """Id of a pointer that is made of a number."""
    return UNEXPOSED if hidden_object_at(ctx, addr) != U64_0 else U64_0


@kernel("void(u64)")
def provenance_expose(number: Any) -> None:
    """A pointer of the object becomes a number that others may read."""
    if is_known(number):
        store_u64(id_to_row(number) + ROW_EXPOSED, U64_1)


@kernel("void(ctx,u64,u64)")
def provenance_expose_pointer(ctx: Any, addr: Any, number: Any) -> None:
    """The same for a pointer that may have no id: then for the object that holds its address, and
    for one that ends there.
    """
    if number != U64_0:
        provenance_expose(number)
        return
    provenance_expose(object_at(ctx, addr))
    if addr != U64_0:
        provenance_expose(object_at(ctx, addr - U64_1))


@kernel("b1(u64,u64)")
def holds_still(place: Any, word: Any) -> Any:
    """Whether memory holds the pointer of which `word` is the first word of its slot.

    One that reaches into another page is taken for it: that page may be gone.
    """
    if place & U64_IN_PAGE > U64_LAST_IN_PAGE:
        return True
    return slot_word(place, load_u64(place)) == word


@kernel("void(u64,u64)")
def provenance_show(addr: Any, size_bytes: Any) -> None:
    """Expose the objects of all pointers in memory that have a byte in a range.

    Slots of pointers that are not there any more are wiped: one look at them is enough.
    """
    if size_bytes == U64_0 or not has_slots(addr, size_bytes):
        return
    at, end = max(addr & ~U64_7, U64_8) - U64_8, addr + size_bytes
    while at < end:
        slot = addr_to_slot(at)
        word = load_u64(slot)
        place = at + (word >> U64_PLACE_SHIFT)
        if word != U64_0 and place < end and addr < place + U64_8:
            if holds_still(place, word):
                provenance_expose(load_u64(slot + U64_8))
            else:
                store_u64(slot, U64_0)
        at += U64_8


@kernel("void(u64)")
def provenance_refresh(place: Any) -> None:
    """A library function has stored a new block's address at `place`."""
    if has_slots(place, U64_8):
        slot = addr_to_slot(place)
        store_u64(slot, slot_word(place, load_u64(place)))
        store_u64(slot + U64_8, provenance_beginning(load_u64(place)))


@kernel("void(u64,u64)")
def provenance_initial(table: Any, n_entries: Any) -> None:
    """Give pointers in globals their objects, unless others have been written there by now."""
    end = table + n_entries * U64_INITIAL_BYTES
    while table < end:
        place, pointer = load_u64(table), load_u64(table + U64_8)
        if has_slots(place, U64_8) and load_u64(place) == pointer:
            slot = addr_to_slot(place)
            store_u64(slot, slot_word(place, pointer))
            store_u64(slot + U64_8, provenance_beginning(load_u64(table + U64_16)))
        table += U64_INITIAL_BYTES
