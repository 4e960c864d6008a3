"""Histories that bytes share: the memory of the detectors that a run may choose beside FastTrack.

    place of a unit   memory_map.RACE_SHADOW + unit * 4    u32 index of a record, 0 = no history
    record            {n u16, class u8, spare u8, units that share it u32}, then what the detector
                      keeps; 64 << class bytes, allocated by race_records.py

A unit is a byte, or whatever a detector takes for one.  Units that were always accessed together
share one record: a run of equal indices.  Who changes the history of a part of them copies it first
(`own_history`), so a block from malloc costs one record until its parts are used apart.

One detector runs at a time, so these places lie where FastTrack has its cells.  Indices are below
2^27: read as cells such words name no byte and no record, so the quick answers of same_epoch.py,
which are inlined into the program, never say "known" and need not ask which detector runs.

Deviation: records are not joined again when the histories of neighbours have become equal.
Soundness: when records are used up (8 GiB) units forget their history, counted in N_LOST_CELLS: a
race may be missed, none is invented.
Invariant: a record's count of units is the number of places that hold its index.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u8,
    load_u16,
    load_u32,
    real_memcpy,
    real_memset,
    store_u8,
    store_u16,
    store_u32,
)
from irsan.runtime.kernels.race.cells.cell_words import cell_to_page
from irsan.runtime.kernels.race.cells.found_races import note_race
from irsan.runtime.kernels.race.cells.race_records import (
    U64_UNIT,
    free_record,
    new_record,
    record_to_address,
)
from irsan.runtime.kernels.race.clocks.race_words import (
    CAP_FOUND,
    N_FOUND,
    N_LOST_CELLS,
    U32_0,
    U64_0,
    U64_1,
    U64_2,
    U64_3,
    U64_4,
    U64_8,
    U64_28,
    U64_RACE_SHADOW,
)

U32_1 = np.uint32(1)
U64_CAP_FOUND = np.uint64(CAP_FOUND)
U64_LAST_INDEX = np.uint64((1 << 27) - 1)
U64_PAGE_SHADOW = np.uint64(1 << 14)  # shadow that one word of cell_to_page stands for


@kernel("u64(u64)")
def unit_to_place(unit: Any) -> Any:
    """Where the index of a unit's record is."""
    return U64_RACE_SHADOW + (unit << U64_2)


@kernel("u64(u64,u64)", inlined=True)
def run_end(place: Any, end: Any) -> Any:
    """First place in (place, end] that does not share the record of `place`.  O(length)."""
    index = load_u32(place)
    place += U64_4
    while place < end and load_u32(place) == index:
        place += U64_4
    return place


@kernel("void(u64,u64,u64)", inlined=True)
def fill_places(place: Any, end: Any, index: Any) -> Any:
    """Let the places [place, end) hold `index`; pages that hold one are marked."""
    if index != U64_0:
        page = cell_to_page(place)
        while page <= cell_to_page(end - U64_1):
            store_u32(page, U32_1)
            page += U64_4
    while place < end:
        store_u32(place, np.uint32(index))
        place += U64_4


@kernel("u64(ctx,u64)")
def new_history(ctx: Any, size_class: Any) -> Any:
    """Index of a record of zeros that no unit has yet; 0 when there is none left."""
    index = new_record(ctx, size_class)
    if index == U64_0:
        return U64_0
    if index > U64_LAST_INDEX:
        free_record(ctx, index)
        return U64_0
    rec = record_to_address(index)
    real_memset(rec + U64_4, U64_0, (U64_UNIT << size_class) - U64_4)
    return index


@kernel("void(ctx,u64,u64)")
def drop_units(ctx: Any, index: Any, n_units: Any) -> Any:
    """That many units fewer share a record; the last ones free it."""
    if index == U64_0:
        return
    rec = record_to_address(index)
    left = np.uint64(load_u32(rec + U64_4)) - n_units
    if left == U64_0:
        free_record(ctx, index)
        return
    store_u32(rec + U64_4, np.uint32(left))


@kernel("void(ctx,u64,u64,u64)")
def give_history(ctx: Any, place: Any, end: Any, index: Any) -> Any:
    """The run [place, end) leaves its record for the record `index`, which is new (0: for none)."""
    n_units = (end - place) >> U64_2
    drop_units(ctx, np.uint64(load_u32(place)), n_units)
    fill_places(place, end, index)
    if index == U64_0:
        return
    store_u32(record_to_address(index) + U64_4, np.uint32(n_units))


@kernel("u64(ctx,u64,u64,u64)")
def own_history(ctx: Any, place: Any, end: Any, size_class: Any) -> Any:
    """Index of the record of the run [place, end), shared with no other unit; 0 = memory is full.

    size_class  of the record that is made when the run has none
    """
    index = np.uint64(load_u32(place))
    if index == U64_0:
        copy = new_history(ctx, size_class)
    else:
        rec = record_to_address(index)
        if np.uint64(load_u32(rec + U64_4)) == (end - place) >> U64_2:
            return index
        kept_class = np.uint64(load_u8(rec + U64_2))
        copy = new_history(ctx, kept_class)
        if copy != U64_0:
            target = record_to_address(copy)
            store_u16(target, load_u16(rec))
            store_u8(target + U64_3, load_u8(rec + U64_3))
            real_memcpy(target + U64_8, rec + U64_8, (U64_UNIT << kept_class) - U64_8)
    if copy == U64_0:
        ctx.race[N_LOST_CELLS] += U64_1
    give_history(ctx, place, end, copy)
    return copy


@kernel("void(ctx,u64,u64)", outlined=True)
def forget_places(ctx: Any, place: Any, end: Any) -> Any:
    """The units of [place, end) have no history any more.  O(length) where there was any."""
    while place < end:
        page = cell_to_page(place)
        n_pages = (place - U64_RACE_SHADOW) // U64_PAGE_SHADOW + U64_1
        page_end = U64_RACE_SHADOW + n_pages * U64_PAGE_SHADOW
        is_whole = page_end - place == U64_PAGE_SHADOW and page_end <= end
        stop = min(page_end, end)
        if load_u32(page) == U32_0:
            place = stop
        while place < stop:
            run = run_end(place, stop)
            if load_u32(place) != U32_0:
                give_history(ctx, place, run, U64_0)
            place = run
        if is_whole:
            store_u32(page, U32_0)


@kernel("void(ctx,u64,u64,u64,u64,u64)", outlined=True)
def note_races(ctx: Any, addr: Any, end: Any, epoch: Any, stack: Any, kind: Any) -> Any:
    """The access in progress races on all bytes of [addr, end) with (epoch, stack, kind)."""
    while addr < end and ctx.race[N_FOUND] < U64_CAP_FOUND:
        first = addr & U64_3
        n_bytes = min(U64_4 - first, end - addr)
        mask = ((U64_1 << n_bytes) - U64_1) << first
        note_race(ctx, addr - first, mask, epoch, (mask << U64_28) | stack, kind)
        addr += n_bytes
