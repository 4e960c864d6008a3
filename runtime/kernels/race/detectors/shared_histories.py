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
    UNIT_BYTES,
    free_record,
    new_record,
    record_to_address,
)
from irsan.runtime.kernels.race.clocks.race_words import CAP_FOUND
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout.memory_map import RACE_SHADOW

LAST_INDEX = (1 << 27) - 1
PAGE_SHADOW = 1 << 14  # shadow that one word of cell_to_page stands for


@kernel
def unit_to_place(unit: u64) -> u64:
    """Where the index of a unit's record is."""
    return RACE_SHADOW + (unit << 2)


@kernel(inlined=True)
def run_end(place: u64, end: u64) -> u64:
    """First place in (place, end] that does not share the record of `place`.  O(length)."""
    index = load_u32(place)
    place += 4
    while place < end and load_u32(place) == index:
        place += 4
    return place


@kernel(inlined=True)
def fill_places(place: u64, end: u64, index: u64) -> None:
    """Let the places [place, end) hold `index`; pages that hold one are marked."""
    if index != 0:
        page = cell_to_page(place)
        while page <= cell_to_page(end - 1):
            store_u32(page, 1)
            page += 4
    while place < end:
        store_u32(place, u32(index))
        place += 4


@kernel
def new_history(ctx: Context, size_class: u64) -> u64:
    """Index of a record of zeros that no unit has yet; 0 when there is none left."""
    index = new_record(ctx, size_class)
    if index == 0:
        return 0
    if index > LAST_INDEX:
        free_record(ctx, index)
        return 0
    rec = record_to_address(index)
    real_memset(rec + 4, 0, (UNIT_BYTES << size_class) - 4)
    return index


@kernel
def drop_units(ctx: Context, index: u64, n_units: u64) -> None:
    """That many units fewer share a record; the last ones free it."""
    if index == 0:
        return
    rec = record_to_address(index)
    left = u64(load_u32(rec + 4)) - n_units
    if left == 0:
        free_record(ctx, index)
        return
    store_u32(rec + 4, u32(left))


@kernel
def give_history(ctx: Context, place: u64, end: u64, index: u64) -> None:
    """The run [place, end) leaves its record for the record `index`, which is new (0: for none)."""
    n_units = (end - place) >> 2
    drop_units(ctx, u64(load_u32(place)), n_units)
    fill_places(place, end, index)
    if index == 0:
        return
    store_u32(record_to_address(index) + 4, u32(n_units))


@kernel
def own_history(ctx: Context, place: u64, end: u64, size_class: u64) -> u64:
    """Index of the record of the run [place, end), shared with no other unit; 0 = memory is full.

    size_class  of the record that is made when the run has none
    """
    index = u64(load_u32(place))
    if index == 0:
        copy = new_history(ctx, size_class)
    else:
        rec = record_to_address(index)
        if u64(load_u32(rec + 4)) == (end - place) >> 2:
            return index
        kept_class = u64(load_u8(rec + 2))
        copy = new_history(ctx, kept_class)
        if copy != 0:
            target = record_to_address(copy)
            store_u16(target, load_u16(rec))
            store_u8(target + 3, load_u8(rec + 3))
            real_memcpy(target + 8, rec + 8, (UNIT_BYTES << kept_class) - 8)
    if copy == 0:
        ctx.race.n_lost_cells += 1
    give_history(ctx, place, end, copy)
    return copy


@kernel(outlined=True)
def forget_places(ctx: Context, place: u64, end: u64) -> None:
    """The units of [place, end) have no history any more.  O(length) where there was any."""
    while place < end:
        page = cell_to_page(place)
        n_pages = (place - RACE_SHADOW) // PAGE_SHADOW + 1
        page_end = RACE_SHADOW + n_pages * PAGE_SHADOW
        is_whole = page_end - place == PAGE_SHADOW and page_end <= end
        stop = min(page_end, end)
        if load_u32(page) == 0:
            place = stop
        while place < stop:
            run = run_end(place, stop)
            if load_u32(place) != 0:
                give_history(ctx, place, run, 0)
            place = run
        if is_whole:
            store_u32(page, 0)


@kernel(outlined=True)
def note_races(ctx: Context, addr: u64, end: u64, epoch: u64, stack: u64, kind: u64) -> None:
    """The access in progress races on all bytes of [addr, end) with (epoch, stack, kind)."""
    while addr < end and ctx.race.n_found < CAP_FOUND:
        first = addr & 3
        n_bytes = min(4 - first, end - addr)
        mask = ((1 << n_bytes) - 1) << first
        note_race(ctx, addr - first, mask, epoch, (mask << 28) | stack, kind)
        addr += n_bytes
