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

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u16, load_u32, load_u64, store_u64
from irsan.runtime.kernels.race.cells.race_records import (
    SETTLED,
    record_to_address,
    swap_entries,
)
from irsan.runtime.kernels.race.cells.record_sharing import (
    add_share,
    drop_share,
    record_stamp,
    stamp_record,
)
from irsan.runtime.kernels.race.race_types import entry_at, expanded_at
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u8, u64
from irsan.runtime.layout import memory_map

CONTENT_BITS = 12
CONTENTS = memory_map.table("race contents", 16 << CONTENT_BITS)
HASH_SHIFT = 64 - CONTENT_BITS
# Odd multipliers from the golden ratio and the square root of 2.
MIX_HALF = 0x9E37_79B9_7F4A_7C15
MIX_KIND = 0x6A09_E667_F3BC_C909
MAX_ENTRIES = 1024  # sorting costs their square in the worst case


@kernel
def is_greater_entry(one: u64, other: u64) -> bool:
    """Whether the entry at `one` comes after that at `other`; any order of contents will do."""
    half, other_half = entry_at(one).half, entry_at(other).half
    if half != other_half:
        return half > other_half
    return entry_at(one).kind > entry_at(other).kind


@kernel
def sort_entries(rec: u64) -> None:
    """Sort the entries of the record at `rec`; O(n) when one of them is out of place."""
    first = rec + 4
    end = first + u64(expanded_at(rec).n) * 12
    entry = first
    while entry < end:
        here = entry
        while here > first and is_greater_entry(here - 12, here):
            swap_entries(here - 12, here)
            here -= 12
        entry += 12


@kernel
def record_to_content(rec: u64) -> u64:
    """Where a record with the content of that at `rec` is found.  O(entries)."""
    mixed = u64(0)
    entry = rec + 4
    end = entry + u64(expanded_at(rec).n) * 12
    while entry < end:
        mixed = (mixed ^ entry_at(entry).half) * MIX_HALF
        mixed = (mixed ^ (mixed >> 32) ^ u64(entry_at(entry).kind)) * MIX_KIND
        entry += 12
    return CONTENTS + (mixed >> HASH_SHIFT) * 16


@kernel
def are_equal(rec: u64, other: u64) -> bool:
    """Whether two records have the same entries in the same order."""
    if expanded_at(rec).n != load_u16(other):
        return False
    offset = u64(4)
    end = 4 + u64(expanded_at(rec).n) * 12
    while offset < end:
        if load_u32(rec + offset) != load_u32(other + offset):
            return False
        offset += 4
    return True


@kernel(outlined=True)
def intern_record(ctx: Context, index: u64) -> u64:
    """The record that a cell, which has `index` alone, has from now on: an equal one if known."""
    rec = record_to_address(index)
    if u64(expanded_at(rec).n) > MAX_ENTRIES:
        return index
    sort_entries(rec)
    expanded_at(rec).flags = u8(expanded_at(rec).flags & ~u8(SETTLED))  # its run is not in front
    place = record_to_content(rec)
    known = load_u64(place + 8)
    is_live = known != 0 and record_stamp(known) == load_u64(place)
    if is_live and are_equal(record_to_address(known), rec) and add_share(known):
        drop_share(ctx, index)
        return known
    stamp = stamp_record(ctx, index)
    if stamp != 0:
        store_u64(place, stamp)
        store_u64(place + 8, index)
    return index
