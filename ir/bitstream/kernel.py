"""The fast decoder: the plain one again, as a numba kernel over flat arrays (`tables`).

    decode            until the end, a fault, or an array that must grow
      _item           one abbreviation id and what follows it
        _enter_block, _end_block
        define_abbreviation        kernel_abbrevs
        read_record                kernel_records
                                   kernel_fields: fixed, VBR, alignment, room, failure

A full array ends the run like a fault does, but with the position back at the item's start.
"""

from __future__ import annotations

import numpy as np

from irsan.ir.bitstream import encoding as e
from irsan.ir.bitstream import tables as t
from irsan.ir.bitstream.errors import Fault
from irsan.ir.bitstream.kernel_abbrevs import define_abbreviation
from irsan.ir.bitstream.kernel_fields import (
    GOING,
    ONE,
    U32_BITS,
    ZERO,
    align32,
    entry,
    fail,
    fixed,
    has_room,
    inner,
    vbr,
)
from irsan.ir.bitstream.kernel_records import add_item, read_record
from irsan.ir.bitstream.tables import Tables


@inner
def _lower_bound(tb: Tables, block_id: int) -> int:
    """First row of the current BLOCKINFO's run whose block id is not below `block_id`."""
    low = tb.state[t.S_SHARED_FIRST]
    high = tb.state[t.S_SHARED_END]
    while low < high:
        middle = (low + high) >> 1
        if tb.shared[middle, 0] < block_id:
            low = middle + 1
        else:
            high = middle
    return int(low)


@inner
def _open_scope(tb: Tables, block_id: int, end: int, width: int) -> None:
    state = tb.state
    depth = state[t.S_DEPTH] + 1
    shared_first = _lower_bound(tb, block_id)
    tb.scopes[depth, t.C_BLOCK_ID] = block_id
    tb.scopes[depth, t.C_END] = end
    tb.scopes[depth, t.C_WIDTH] = width
    tb.scopes[depth, t.C_SHARED_FIRST] = shared_first
    tb.scopes[depth, t.C_SHARED_COUNT] = _lower_bound(tb, block_id + 1) - shared_first
    tb.scopes[depth, t.C_OWN_FIRST] = state[t.S_OWN]
    tb.scopes[depth, t.C_RECORDS] = 0
    state[t.S_DEPTH] = depth
    state[t.S_LIMIT] = end


@inner
def _enter_block(tb: Tables, start: int) -> None:
    state = tb.state
    depth = state[t.S_DEPTH]
    if tb.scopes[depth, t.C_BLOCK_ID] == e.BLOCKINFO_ID:
        fail(state, Fault.BLOCKINFO_NESTED, start)
    elif depth >= e.MAX_DEPTH:
        fail(state, Fault.TOO_DEEP, start)
    block_id = vbr(tb, e.BLOCK_ID_WIDTH)
    if block_id >> U32_BITS != ZERO:
        fail(state, Fault.BLOCK_ID_WIDE, start)
    width = vbr(tb, e.BLOCK_ABBREV_WIDTH_WIDTH)
    if width < ONE or width > np.uint64(e.MAX_ABBREV_ID_WIDTH):
        fail(state, Fault.ABBREV_WIDTH, start)
    align32(tb)
    length_bits = 32 * int(fixed(tb, e.BLOCK_WORDS_WIDTH))
    first = state[t.S_POSITION]
    if length_bits > state[t.S_LIMIT] - first:
        fail(state, Fault.BLOCK_LENGTH, start)
    if state[t.S_STATUS] != GOING:
        return
    add_item(tb, t.KIND_START, int(block_id), first)
    if block_id == np.uint64(e.BLOCKINFO_ID):
        state[t.S_SHARED_FIRST] = state[t.S_SHARED_END]
        state[t.S_TARGET] = -1
    _open_scope(tb, int(block_id), first + length_bits, int(width))


@inner
def _end_block(tb: Tables, start: int) -> None:
    state = tb.state
    depth = state[t.S_DEPTH]
    align32(tb)
    if state[t.S_POSITION] != state[t.S_LIMIT]:
        fail(state, Fault.BLOCK_END_MISMATCH, start)
    if state[t.S_STATUS] != GOING:
        return
    block_id = tb.scopes[depth, t.C_BLOCK_ID]
    add_item(tb, t.KIND_END, block_id, start)
    state[t.S_OWN] = tb.scopes[depth, t.C_OWN_FIRST]
    state[t.S_DEPTH] = depth - 1
    state[t.S_LIMIT] = tb.scopes[depth - 1, t.C_END]
    if block_id == e.BLOCKINFO_ID:
        state[t.S_STATUS] = t.STATUS_SORT


@inner
def _item(tb: Tables, start: int) -> None:
    state = tb.state
    depth = state[t.S_DEPTH]
    abbrev_id = int(fixed(tb, tb.scopes[depth, t.C_WIDTH]))
    if state[t.S_STATUS] != GOING:
        return
    if not has_room(state, len(tb.items), state[t.S_ITEMS] + 1, t.STATUS_GROW_ITEMS):
        return
    if abbrev_id == e.ENTER_SUBBLOCK:
        _enter_block(tb, start)
    elif depth == 0:
        fail(state, Fault.TOP_LEVEL_ITEM, start)
    elif abbrev_id == e.END_BLOCK:
        _end_block(tb, start)
    elif abbrev_id == e.DEFINE_ABBREV:
        define_abbreviation(tb, start)
    else:
        read_record(tb, start, abbrev_id)


@entry
def decode(tb: Tables) -> int:
    """Decode until the stream ends or something is in the way; returns a STATUS or a Fault."""
    state = tb.state
    while True:
        start = state[t.S_POSITION]
        if state[t.S_DEPTH] == 0 and state[t.S_LIMIT] - start < e.MIN_BLOCK_BITS:
            return t.STATUS_DONE
        _item(tb, start)
        status = state[t.S_STATUS]
        if status == GOING:
            continue
        if status != t.STATUS_SORT:
            state[t.S_POSITION] = start
        return int(status)
