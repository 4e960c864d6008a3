"""The kernel's records: operands to the free rows of `operands`, then the item that owns them.

A blob stays where it is in the stream; its item says where that is.
"""

from __future__ import annotations

import numpy as np

from irsan.ir.bitstream import encoding as e
from irsan.ir.bitstream import tables as t
from irsan.ir.bitstream.errors import Fault
from irsan.ir.bitstream.kernel_fields import (
    GOING,
    U32_BITS,
    ZERO,
    align32,
    fail,
    fixed,
    has_room,
    inner,
    vbr,
)
from irsan.ir.bitstream.tables import Tables, Word

CHAR6_CODES = np.frombuffer(e.CHAR6_ALPHABET, np.uint8).astype(np.uint64)


@inner
def add_item(tb: Tables, kind: int, code: int, bit: int) -> int:
    """Append an item without operands and return its row, for more to be filled in."""
    row = tb.state[t.S_ITEMS]
    operands = tb.state[t.S_OPERANDS]
    tb.items[row, t.I_KIND] = kind
    tb.items[row, t.I_CODE] = code
    tb.items[row, t.I_FIRST] = operands
    tb.items[row, t.I_END] = operands
    tb.items[row, t.I_BIT] = bit
    tb.items[row, t.I_ABBREV] = 0
    tb.items[row, t.I_BLOB] = -1
    tb.items[row, t.I_BLOB_BYTES] = 0
    tb.state[t.S_ITEMS] = row + 1
    return int(row)


@inner
def _find_abbreviation(tb: Tables, abbrev_id: int) -> int:
    """The number of the abbreviation with this id in the innermost block, -1 when undefined."""
    depth = tb.state[t.S_DEPTH]
    index = abbrev_id - e.FIRST_ABBREV_ID
    shared_count = tb.scopes[depth, t.C_SHARED_COUNT]
    if index < shared_count:
        return int(tb.shared[tb.scopes[depth, t.C_SHARED_FIRST] + index, 1])
    row = tb.scopes[depth, t.C_OWN_FIRST] + index - shared_count
    if row < tb.state[t.S_OWN]:
        return int(tb.own[row])
    return -1


@inner
def _scalar(tb: Tables, row: int) -> Word:
    kind = tb.encodings[row, 0]
    value = tb.encodings[row, 1]
    if kind == np.uint64(e.LITERAL):
        return value
    if kind == np.uint64(e.FIXED):
        return fixed(tb, int(value))
    if kind == np.uint64(e.VBR):
        return vbr(tb, int(value))
    return CHAR6_CODES[fixed(tb, e.CHAR6_WIDTH)]


@inner
def _array(tb: Tables, row: int, first: int) -> int:
    """Read an array with elements as `encodings[row]` says; returns the end of the run."""
    state = tb.state
    start = state[t.S_POSITION]
    wanted = vbr(tb, e.COUNT_WIDTH)
    width = int(tb.encodings[row, 1])
    if tb.encodings[row, 0] == np.uint64(e.CHAR6):
        width = e.CHAR6_WIDTH
    if wanted > np.uint64((state[t.S_LIMIT] - state[t.S_POSITION]) // width):
        fail(state, Fault.ARRAY_LENGTH, start)
    if state[t.S_STATUS] != GOING:
        return first
    end = first + int(wanted)
    if not has_room(state, len(tb.operands), end, t.STATUS_GROW_OPERANDS):
        return first
    for index in range(first, end):
        tb.operands[index] = _scalar(tb, row)
    return end


@inner
def _blob(tb: Tables) -> tuple[int, int]:
    """Skip a blob; returns its first byte and its size."""
    state = tb.state
    start = state[t.S_POSITION]
    wanted = vbr(tb, e.COUNT_WIDTH)
    align32(tb)
    if wanted > np.uint64((state[t.S_LIMIT] - state[t.S_POSITION]) // 8):
        fail(state, Fault.BLOB_LENGTH, start)
    if state[t.S_STATUS] != GOING:
        return -1, 0
    first_byte = int(state[t.S_POSITION]) >> 3
    state[t.S_POSITION] += 8 * int(wanted)
    align32(tb)
    return first_byte, int(wanted)


@inner
def _abbreviated(tb: Tables, start: int, abbrev_id: int) -> tuple[Word, int, int, int]:
    """Returns the code, the end of the operands' run, the blob's first byte (or -1) and size."""
    state = tb.state
    end = int(state[t.S_OPERANDS])
    number = _find_abbreviation(tb, abbrev_id)
    if number < 0:
        fail(state, Fault.ABBREV_UNKNOWN, start)
        return ZERO, end, -1, 0
    row = tb.abbrevs[number, 0]
    last = row + tb.abbrevs[number, 1]
    if not has_room(state, len(tb.operands), end + last - row, t.STATUS_GROW_OPERANDS):
        return ZERO, end, -1, 0
    code = _scalar(tb, row)
    row += 1
    while row < last:
        kind = tb.encodings[row, 0]
        if kind == np.uint64(e.ARRAY):
            return code, _array(tb, row + 1, end), -1, 0
        if kind == np.uint64(e.BLOB):
            blob, blob_bytes = _blob(tb)
            return code, end, blob, blob_bytes
        tb.operands[end] = _scalar(tb, row)
        end += 1
        row += 1
    return code, end, -1, 0


@inner
def _unabbreviated(tb: Tables, start: int) -> tuple[Word, int]:
    """Returns the code and the end of the operands' run."""
    state = tb.state
    first = int(state[t.S_OPERANDS])
    code = vbr(tb, e.UNABBREV_WIDTH)
    wanted = vbr(tb, e.COUNT_WIDTH)
    if wanted > np.uint64((state[t.S_LIMIT] - state[t.S_POSITION]) // e.UNABBREV_WIDTH):
        fail(state, Fault.OPERAND_COUNT, start)
        return code, first
    end = first + int(wanted)
    if not has_room(state, len(tb.operands), end, t.STATUS_GROW_OPERANDS):
        return code, first
    for index in range(first, end):
        tb.operands[index] = vbr(tb, e.UNABBREV_WIDTH)
    return code, end


@inner
def read_record(tb: Tables, start: int, abbrev_id: int) -> None:
    """Decode a record; its operands go to the free rows of `operands`, its item is added last."""
    state = tb.state
    first = state[t.S_OPERANDS]
    blob = -1
    blob_bytes = 0
    if abbrev_id == e.UNABBREV_RECORD:
        code, end = _unabbreviated(tb, start)
    else:
        code, end, blob, blob_bytes = _abbreviated(tb, start, abbrev_id)
    if code >> U32_BITS != ZERO:
        fail(state, Fault.CODE_WIDE, start)
    if end > tb.scopes[0, t.C_END]:
        fail(state, Fault.EXPANSION, start)
    if state[t.S_STATUS] != GOING:
        return
    depth = state[t.S_DEPTH]
    if tb.scopes[depth, t.C_BLOCK_ID] == e.BLOCKINFO_ID and code == np.uint64(e.BLOCKINFO_SETBID):
        if end == first or tb.operands[first] >> U32_BITS != ZERO:
            fail(state, Fault.BLOCKINFO_SETBID_EMPTY, start)
            return
        state[t.S_TARGET] = np.int64(tb.operands[first])
    row = add_item(tb, t.KIND_RECORD, int(code), start)
    tb.items[row, t.I_END] = end
    tb.items[row, t.I_ABBREV] = abbrev_id
    tb.items[row, t.I_BLOB] = blob
    tb.items[row, t.I_BLOB_BYTES] = blob_bytes
    state[t.S_OPERANDS] = end
    tb.scopes[depth, t.C_RECORDS] += 1
