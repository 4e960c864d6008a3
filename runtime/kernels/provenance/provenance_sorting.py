"""The host's qsort moves pointers without telling: they find their objects again by their values.

    note = provenance_sorting(array, n)     before: a hash table, pointer -> id, of all in the array
    provenance_sorted(note, array, n)       behind: each word that is such a pointer has its id

    note    a mask, then mask + 1 pairs of pointer and id in open addressing, in the host's memory

A pointer value that belongs to two objects (one ends where the other begins) has no id afterwards.
Pointers that do not lie at a multiple of 8 bytes, in packed items, are exposed and forgotten.  A
comparator that does not return leaves the table behind, and the array without ids.

Source: the sorting of shadow is ours; a sort only permutes what is there.
Soundness: a number in an item that equals one of the pointers is taken for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.depot import U64_GOLDEN
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, real_function, real_memset, store_u64
from irsan.runtime.kernels.provenance.provenance_slots import (
    addr_to_slot,
    has_slots,
    slot_word,
    slots_wipe,
)
from irsan.runtime.kernels.provenance.provenance_use import holds_still, provenance_expose
from irsan.runtime.records import provenance_records as pr

real_malloc = real_function("malloc", 1)
real_free = real_function("free", 1)

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_7 = np.uint64(7)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
U64_32 = np.uint64(32)
U64_PLACE_SHIFT = np.uint64(pr.PLACE_SHIFT)


@kernel("u64(u64)")
def provenance_table(n_words: Any) -> Any:
    """An empty table for so many pointers, at most half full; 0 without memory."""
    n_places = U64_16
    while n_places < n_words + n_words:
        n_places += n_places
    note = real_malloc(U64_16 + n_places * U64_16)
    if note != U64_0:
        real_memset(note, U64_0, U64_16 + n_places * U64_16)
        store_u64(note, n_places - U64_1)
    return note


@kernel("u64(u64,u64)")
def pointer_to_pair(note: Any, pointer: Any) -> Any:
    """Where a table has a pointer, or would have it."""
    mask = load_u64(note)
    index = (pointer * U64_GOLDEN) >> U64_32 & mask
    while True:
        pair = note + U64_16 + index * U64_16
        known = load_u64(pair)
        if known == pointer or known == U64_0:
            return pair
        index = (index + U64_1) & mask


@kernel("void(u64,u64)")
def provenance_note(note: Any, at: Any) -> None:
    """The pointer that begins in the 8 bytes at `at`, if any is there still."""
    word, number = load_u64(addr_to_slot(at)), load_u64(addr_to_slot(at) + U64_8)
    place = at + (word >> U64_PLACE_SHIFT)
    if word == U64_0 or not holds_still(place, word):
        return
    if place != at:
        provenance_expose(number)
        return
    pointer = load_u64(at)
    pair = pointer_to_pair(note, pointer)
    is_new = load_u64(pair) == U64_0
    store_u64(pair, pointer)
    store_u64(pair + U64_8, number if is_new or load_u64(pair + U64_8) == number else U64_0)


@kernel("u64(u64,u64)")
def provenance_sorting(array: Any, size_bytes: Any) -> Any:
    """An array is about to be sorted: a note of the pointers in it, 0 when nothing is noted."""
    if size_bytes == U64_0 or not has_slots(array, size_bytes):
        return U64_0
    note = provenance_table(size_bytes // U64_8 + U64_1)
    at, end = (array + U64_7) & ~U64_7, array + size_bytes
    while note != U64_0 and at < end:
        provenance_note(note, at)
        at += U64_8
    return note


@kernel("void(u64,u64,u64)")
def provenance_sorted(note: Any, array: Any, size_bytes: Any) -> None:
    """It is sorted; the note goes."""
    if note == U64_0:
        return
    slots_wipe(array, size_bytes)
    at, end = (array + U64_7) & ~U64_7, array + size_bytes
    while at + U64_8 <= end:
        pointer = load_u64(at)
        pair = pointer_to_pair(note, pointer)
        if pointer != U64_0 and load_u64(pair) == pointer and load_u64(pair + U64_8) != U64_0:
            store_u64(addr_to_slot(at), slot_word(at, pointer))
            store_u64(addr_to_slot(at) + U64_8, load_u64(pair + U64_8))
        at += U64_8
    real_free(note)
