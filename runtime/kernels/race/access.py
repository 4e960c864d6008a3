"""The exact way of a memory access: what the quick answers of same_epoch.py leave undecided.

    if (!race_read4_fast(ctx, addr)) race_access_slow(ctx, addr, 4, READ);

An access is cut into cells of four bytes.  A cell changes in place when its state stays compact
(fasttrack.py) or its record has this thread's entry already (race_shared.py); else cell_access
does it the exact way.  Two neighbouring cells that are alike, an 8-byte variable, are done once.

The other detectors (`race_detector=`, race_detectors.py) take the same way in.

Source: FastTrack (Flanagan and Freund, PLDI 2009), section 3, figure 2.
Soundness: exact per byte, whichever way is taken.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.race.cells.access_stack import access_stack_id
from irsan.runtime.kernels.race.cells.cell_transitions import (
    copy_state,
    follow_transition,
)
from irsan.runtime.kernels.race.cells.cell_words import addr_to_cell, is_expanded, record_of
from irsan.runtime.kernels.race.cells.fasttrack import cell_access, try_read, try_write
from irsan.runtime.kernels.race.cells.found_races import race_report
from irsan.runtime.kernels.race.cells.mapping_marks import U64_ZONE, mark_fresh_cells
from irsan.runtime.kernels.race.cells.race_shared import repeats_newest, shared_access
from irsan.runtime.kernels.race.cells.record_sharing import add_share, is_named, lend_share
from irsan.runtime.kernels.race.clocks.race_words import (
    N_FOUND,
    U64_0,
    U64_1,
    U64_3,
    U64_4,
    U64_8,
    U64_16,
    U64_24,
    U64_ARENA_LO,
    U64_ARENA_SIZE,
    U64_READ,
    U64_WRITE,
)
from irsan.runtime.kernels.race.race_detectors import detector_access
from irsan.runtime.layout import options

RACE_DETECTOR = options.RACE_DETECTOR

U64_15 = np.uint64(15)


@kernel("u64(u64,u64)")
def clip_to_arena(addr: Any, size_bytes: Any) -> Any:
    """How many of `size_bytes` from addr on lie in the arena; 0 when addr does not."""
    offset = addr - U64_ARENA_LO
    if offset >= U64_ARENA_SIZE:
        return U64_0
    return min(size_bytes, U64_ARENA_SIZE - offset)


@kernel("void(ctx,u64,u64,u64,u64)", inlined=True)
def access_word(ctx: Any, cell: Any, mask: Any, kind: Any, stack: Any) -> Any:
    """One access to bytes of one cell: in place if that can be, else the exact way."""
    if kind == U64_WRITE:
        done = try_write(ctx, cell, mask, stack)
    elif is_expanded(load_u64(cell + U64_8)):
        done = repeats_newest(ctx, cell, mask, kind, stack) or shared_access(
            ctx, cell, mask, kind, stack
        )
    else:
        done = kind == U64_READ and try_read(ctx, cell, mask, stack)
    if not done:
        cell_access(ctx, cell, mask, kind, stack)


@kernel("b1(ctx,u64,u64,u64)", inlined=True)
def access_first(ctx: Any, cell: Any, kind: Any, stack: Any) -> Any:
    """A plain access to all bytes of a cell, if what it does can be done to another one like it."""
    w = load_u64(cell)
    if not is_expanded(load_u64(cell + U64_8)):
        if kind == U64_WRITE:
            done = try_write(ctx, cell, U64_15, stack)
        else:
            done = try_read(ctx, cell, U64_15, stack)
        return done or follow_transition(ctx, cell, U64_15, kind, stack)
    return is_named(record_of(w)) and follow_transition(ctx, cell, U64_15, kind, stack)


@kernel("b1(ctx,u64,u64,u64)", inlined=True)
def pair_in_place(ctx: Any, cell: Any, kind: Any, stack: Any) -> Any:
    """An access to two cells that have one record for themselves: the record changes in place.

    False: it is as it was, but for its stamp.
    """
    w = load_u64(cell)
    if not is_expanded(load_u64(cell + U64_8)) or not lend_share(record_of(w)):
        return False
    done = kind != U64_WRITE and (
        repeats_newest(ctx, cell, U64_15, kind, stack)
        or shared_access(ctx, cell, U64_15, kind, stack)
    )
    add_share(record_of(w))
    if done:
        store_u64(cell + U64_24, load_u64(cell + U64_8))
    return done


@kernel("void(ctx,u64,u64,u64)", inlined=True)
def access_pair(ctx: Any, cell: Any, kind: Any, stack: Any) -> Any:
    """An access to all bytes of two neighbouring cells: what is alike stays alike."""
    second = cell + U64_16
    are_alike = load_u64(cell) == load_u64(second) and load_u64(cell + U64_8) == load_u64(
        second + U64_8
    )
    if are_alike and pair_in_place(ctx, cell, kind, stack):
        return
    if are_alike and kind <= U64_WRITE and access_first(ctx, cell, kind, stack):
        if not copy_state(ctx, cell, second):
            access_word(ctx, second, U64_15, kind, stack)
        return
    access_word(ctx, cell, U64_15, kind, stack)
    access_word(ctx, second, U64_15, kind, stack)


@kernel("void(ctx,u64,u64,u64,u64)")
def access_cells(ctx: Any, addr: Any, end: Any, kind: Any, stack: Any) -> Any:
    """An access to the bytes [addr, end), cell by cell."""
    here = addr
    while here < end:
        first = here & U64_3
        n = min(U64_4 - first, end - here)
        mask = ((U64_1 << n) - U64_1) << first
        access_word(ctx, addr_to_cell(here), mask, kind, stack)
        here += n


@kernel("void(ctx,u64,u64,u64)")
def race_access_slow(ctx: Any, addr: Any, size_bytes: Any, kind: Any) -> Any:
    """Check and record an access of any size and alignment.

    addr  application address;  kind  READ or WRITE, | ATOMIC (race_words.py)
    On a race: ctx.fault and ctx.action = REPORT; all races of this access are in the found list.
    Foreign addresses and ignored accesses are skipped.  O(size).
    """
    size_in_arena = clip_to_arena(addr, size_bytes)
    if ctx.ignore_depth != U64_0 or size_in_arena == U64_0:
        return
    stack = np.uint64(access_stack_id(ctx))
    ctx.race[N_FOUND] = U64_0
    if addr >= U64_ZONE:
        mark_fresh_cells(addr, addr + size_in_arena)
    if ctx.options[RACE_DETECTOR] != U64_0:
        detector_access(ctx, addr, size_in_arena, kind & U64_3, stack)
    elif addr & U64_3 == U64_0 and size_in_arena == U64_4:
        access_word(ctx, addr_to_cell(addr), U64_15, kind & U64_3, stack)
    elif addr & U64_3 == U64_0 and size_in_arena == U64_8:
        access_pair(ctx, addr_to_cell(addr), kind & U64_3, stack)
    else:
        access_cells(ctx, addr, addr + size_in_arena, kind & U64_3, stack)
    if ctx.race[N_FOUND] != U64_0:
        race_report(ctx, addr, size_bytes, kind, stack)
