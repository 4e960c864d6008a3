"""The kernel's DEFINE_ABBREV: operands to `encodings`, checked, then to the block they are for."""

from __future__ import annotations

import numpy as np

from irsan.ir.bitstream import encoding as e
from irsan.ir.bitstream import tables as t
from irsan.ir.bitstream.errors import Fault
from irsan.ir.bitstream.kernel_fields import GOING, ONE, ZERO, fail, fixed, has_room, inner, vbr
from irsan.ir.bitstream.tables import Tables, Word


@inner
def _read_encoding(tb: Tables, row: int, at: int) -> None:
    state = tb.state
    tb.encodings[row, 0] = np.uint64(e.LITERAL)
    tb.encodings[row, 1] = ZERO
    if fixed(tb, 1) != ZERO:
        tb.encodings[row, 1] = vbr(tb, e.LITERAL_WIDTH)
        return
    kind = fixed(tb, e.ENCODING_WIDTH)
    if kind < np.uint64(e.FIXED) or kind > np.uint64(e.BLOB):
        fail(state, Fault.ABBREV_ENCODING, at)
    if kind != np.uint64(e.FIXED) and kind != np.uint64(e.VBR):
        tb.encodings[row, 0] = kind
        return
    width = vbr(tb, e.ENCODING_VALUE_WIDTH)
    if width == ZERO:
        return
    if kind == np.uint64(e.FIXED) and width > np.uint64(e.MAX_FIXED_WIDTH):
        fail(state, Fault.ABBREV_FIXED_WIDTH, at)
    if kind == np.uint64(e.VBR) and (width == ONE or width > np.uint64(e.MAX_VBR_WIDTH)):
        fail(state, Fault.ABBREV_VBR_WIDTH, at)
    tb.encodings[row, 0] = kind
    tb.encodings[row, 1] = width


@inner
def _is_element(kind: Word) -> bool:
    return bool(
        kind == np.uint64(e.FIXED) or kind == np.uint64(e.VBR) or kind == np.uint64(e.CHAR6)
    )


@inner
def _read_encodings(tb: Tables, start: int) -> int:
    """Read an abbreviation's operands to the free rows of `encodings`; returns how many."""
    state = tb.state
    wanted = vbr(tb, e.ABBREV_COUNT_WIDTH)
    if wanted == ZERO:
        fail(state, Fault.ABBREV_EMPTY, start)
    first = state[t.S_ENCODINGS]
    index = 0
    last_kind = np.uint64(e.LITERAL)
    while np.uint64(index) < wanted and state[t.S_STATUS] == GOING:
        row = first + index
        if not has_room(state, len(tb.encodings), row + 1, t.STATUS_GROW_ENCODINGS):
            break
        at = state[t.S_POSITION]
        _read_encoding(tb, row, at)
        kind = tb.encodings[row, 0]
        left = wanted - np.uint64(index)
        if last_kind == np.uint64(e.ARRAY) and not _is_element(kind):
            fail(state, Fault.ABBREV_ARRAY_ELEMENT, at)
        if kind == np.uint64(e.ARRAY) and (index == 0 or left != np.uint64(2)):
            fail(state, Fault.ABBREV_ARRAY_PLACE, at)
        if kind == np.uint64(e.BLOB) and (index == 0 or left != ONE):
            fail(state, Fault.ABBREV_BLOB_PLACE, at)
        last_kind = kind
        index += 1
    return index


@inner
def define_abbreviation(tb: Tables, start: int) -> None:
    state = tb.state
    in_blockinfo = tb.scopes[state[t.S_DEPTH], t.C_BLOCK_ID] == e.BLOCKINFO_ID
    number = state[t.S_ABBREVS]
    if not has_room(state, len(tb.abbrevs), number + 1, t.STATUS_GROW_ABBREVS):
        return
    if in_blockinfo and state[t.S_TARGET] < 0:
        fail(state, Fault.BLOCKINFO_NO_ID, start)
    row = state[t.S_SHARED_END] if in_blockinfo else state[t.S_OWN]
    if in_blockinfo and not has_room(state, len(tb.shared), row + 1, t.STATUS_GROW_SHARED):
        return
    if not in_blockinfo and not has_room(state, len(tb.own), row + 1, t.STATUS_GROW_OWN):
        return
    count = _read_encodings(tb, start)
    if state[t.S_STATUS] != GOING:
        return
    tb.abbrevs[number, 0] = state[t.S_ENCODINGS]
    tb.abbrevs[number, 1] = count
    state[t.S_ABBREVS] = number + 1
    state[t.S_ENCODINGS] += count
    if in_blockinfo:
        tb.shared[row, 0] = state[t.S_TARGET]
        tb.shared[row, 1] = number
        state[t.S_SHARED_END] = row + 1
    else:
        tb.own[row] = number
        state[t.S_OWN] = row + 1
