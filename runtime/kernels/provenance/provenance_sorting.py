"""The host's qsort moves pointers without telling: they find their objects again by their values.

    note = provenance_sorting(array, n)     before: a hash table, pointer -> id, of all in the array
    provenance_sorted(note, array, n)       behind: each word that is such a pointer has its id

    note    a mask, then mask + 1 pairs of pointer and id in open addressing, in the host's memory

A pointer value that belongs to two objects (one ends where the other begins) has no id afterwards.
Pointers that do not lie at a multiple of 8 bytes, in packed items, are exposed and forgotten.  A
comparator that does not return leaves the table behind, and the array without ids.

Source: the sorting of shadow is ours; a sort only permutes the items.
Soundness: a number in an item that equals one of the pointers is taken for it.
"""

from __future__ import annotations

from irsan.runtime.kernels.depot import GOLDEN
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, real_function, real_memset, store_u64
from irsan.runtime.kernels.provenance.provenance_slots import (
    addr_to_slot,
    has_slots,
    slot_word,
    slots_wipe,
)
from irsan.runtime.kernels.provenance.provenance_use import holds_still, provenance_expose
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.records.memory.provenance_records import PLACE_SHIFT

real_malloc = real_function("malloc", 1)
real_free = real_function("free", 1)


@kernel
def provenance_table(n_words: u64) -> u64:
    """An empty table for so many pointers, at most half full; 0 without memory."""
    n_places = u64(16)
    while n_places < n_words + n_words:
        n_places += n_places
    note = real_malloc(16 + n_places * 16)
    if note != 0:
        real_memset(note, 0, 16 + n_places * 16)
        store_u64(note, n_places - 1)
    return note


@kernel
def pointer_to_pair(note: u64, pointer: u64) -> u64:
    """Where a table has a pointer, or would have it."""
    mask = load_u64(note)
    index = (pointer * GOLDEN) >> 32 & mask
    while True:
        pair = note + 16 + index * 16
        known = load_u64(pair)
        if known == pointer or known == 0:
            return pair
        index = (index + 1) & mask


@kernel
def provenance_note(note: u64, at: u64) -> None:
    """The pointer that begins in the 8 bytes at `at`, if any is there still."""
    word, number = load_u64(addr_to_slot(at)), load_u64(addr_to_slot(at) + 8)
    place = at + (word >> PLACE_SHIFT)
    if word == 0 or not holds_still(place, word):
        return
    if place != at:
        provenance_expose(number)
        return
    pointer = load_u64(at)
    pair = pointer_to_pair(note, pointer)
    is_new = load_u64(pair) == 0
    store_u64(pair, pointer)
    store_u64(pair + 8, number if is_new or load_u64(pair + 8) == number else u64(0))


@kernel
def provenance_sorting(array: u64, size_bytes: u64) -> u64:
    """An array is about to be sorted: a note of the pointers in it, 0 when nothing is noted."""
    if size_bytes == 0 or not has_slots(array, size_bytes):
        return 0
    note = provenance_table(size_bytes // 8 + 1)
    at, end = (array + 7) & ~u64(7), array + size_bytes
    while note != 0 and at < end:
        provenance_note(note, at)
        at += 8
    return note


@kernel
def provenance_sorted(note: u64, array: u64, size_bytes: u64) -> None:
    """It is sorted; the note goes."""
    if note == 0:
        return
    slots_wipe(array, size_bytes)
    at, end = (array + 7) & ~u64(7), array + size_bytes
    while at + 8 <= end:
        pointer = load_u64(at)
        pair = pointer_to_pair(note, pointer)
        if pointer != 0 and load_u64(pair) == pointer and load_u64(pair + 8) != 0:
            store_u64(addr_to_slot(at), slot_word(at, pointer))
            store_u64(addr_to_slot(at) + 8, load_u64(pair + 8))
        at += 8
    real_free(note)
