"""Equal records are one: histories that were reached in different orders meet again.

Threads that read an array in slices overtake each other, so its cells see the same readers in many
orders.  A record that is about to be shared has its entries sorted, and is looked for by its
content; when an equal one is known the cell takes that.  So there are as many records as sets of
accesses, not as many as orders of them.

    place of a content, 16 bytes at CONTENTS   | stamp of the record | its index |

Direct-mapped by a hash of the entries; a newer content takes the place of an older one.

Source: hash-consing; entries of a record have no order of their own (race_records.py).
Soundness: exact: contents are compared whole.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u16, load_u32, load_u64, store_u64
from irsan.runtime.kernels.race.cells.race_records import record_to_address, swap_entries
from irsan.runtime.kernels.race.cells.record_sharing import (
    add_share,
    drop_share,
    record_stamp,
    stamp_record,
)
from irsan.runtime.kernels.race.clocks.race_words import U64_0, U64_4, U64_8, U64_12, U64_32
from irsan.runtime.layout import memory_map

CONTENT_BITS = 12
CONTENTS = np.uint64(memory_map.table("race contents", 16 << CONTENT_BITS))
U64_16 = np.uint64(16)
HASH_SHIFT = np.uint64(64 - CONTENT_BITS)
# Odd multipliers from the golden ratio and the square root of 2.
U64_MIX_HALF = np.uint64(0x9E37_79B9_7F4A_7C15)
U64_MIX_KIND = np.uint64(0x6A09_E667_F3BC_C909)
MAX_ENTRIES = np.uint64(1024)  # sorting costs their square in the worst case


@kernel("b1(u64,u64)")
def is_greater_entry(one: Any, other: Any) -> Any:
    """Whether the entry at `one` comes after that at `other`; any order of contents will do."""
    half, other_half = load_u64(one), load_u64(other)
    if half != other_half:
        return half > other_half
    return load_u32(one + U64_8) > load_u32(other + U64_8)


@kernel("void(u64)")
def sort_entries(rec: Any) -> Any:
    """Sort the entries of the record at `rec`; O(n) when one of them is out of place."""
    first = rec + U64_4
    end = first + np.uint64(load_u16(rec)) * U64_12
    entry = first
    while entry < end:
        here = entry
        while here > first and is_greater_entry(here - U64_12, here):
            swap_entries(here - U64_12, here)
            here -= U64_12
        entry += U64_12


@kernel("u64(u64)")
def record_to_content(rec: Any) -> Any:
    """Where a record with the content of that at `rec` is found.  O(entries)."""
    mixed = U64_0
    entry = rec + U64_4
    end = entry + np.uint64(load_u16(rec)) * U64_12
    while entry < end:
        mixed = (mixed ^ load_u64(entry)) * U64_MIX_HALF
        mixed = (mixed ^ (mixed >> U64_32) ^ np.uint64(load_u32(entry + U64_8))) * U64_MIX_KIND
        entry += U64_12
    return CONTENTS + (mixed >> HASH_SHIFT) * U64_16


@kernel("b1(u64,u64)")
def are_equal(rec: Any, other: Any) -> Any:
    """Whether two records have the same entries in the same order."""
    if load_u16(rec) != load_u16(other):
        return False
    offset = U64_4
    end = U64_4 + np.uint64(load_u16(rec)) * U64_12
    while offset < end:
        if load_u32(rec + offset) != load_u32(other + offset):
            return False
        offset += U64_4
    return True


@kernel("u64(ctx,u64)", outlined=True)
def intern_record(ctx: Any, index: Any) -> Any:
    """The record that a cell, which has `index` alone, has from now on: an equal one if known."""
    rec = record_to_address(index)
    if np.uint64(load_u16(rec)) > MAX_ENTRIES:
        return index
    sort_entries(rec)
    place = record_to_content(rec)
    known = load_u64(place + U64_8)
    is_live = known != U64_0 and record_stamp(known) == load_u64(place)
    if is_live and are_equal(record_to_address(known), rec) and add_share(known):
        drop_share(ctx, index)
        return known
    stamp = stamp_record(ctx, index)
    if stamp != U64_0:
        store_u64(place, stamp)
        store_u64(place + U64_8, index)
    return index
