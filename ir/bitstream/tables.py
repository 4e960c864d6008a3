"""The arrays the numba decoder reads and fills, and how they grow.

    words      uint64[w]     the stream, zero padded, so that a field may be fetched across its end
    state      int64[S_*]    position, counts, status
    scopes     int64[d, C_*] the open blocks; row 0 is the top level
    items      int64[n, I_*] what was decoded, in stream order: records, starts and ends of blocks
    operands   uint64[m]     operands of all records, each record's own in one run
    abbrevs    int64[a, 2]   every abbreviation yet: its first row in `encodings`, its count
    encodings  uint64[k, 2]  their operands: encoding, value
    own        int64[k]      abbreviations defined in the open blocks, a stack
    shared     int64[k, 2]   abbreviations from BLOCKINFO: for which block id, which abbreviation;
                             each BLOCKINFO's run is sorted by block id when the block ends

An item is committed (the counts in `state` raised, the position moved) only when it is complete.
So when an array is full the kernel returns GROW, the arrays are copied into longer ones, and the
kernel starts again at the item that did not fit.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from irsan.ir.bitstream import encoding as e

S_POSITION = 0
S_LIMIT = 1
S_STATUS = 2
S_FAULT_BIT = 3
S_DEPTH = 4
S_ITEMS = 5
S_OPERANDS = 6
S_ABBREVS = 7
S_ENCODINGS = 8
S_OWN = 9
S_SHARED_FIRST = 10
S_SHARED_END = 11
S_TARGET = 12
S_NEEDED = 13
STATE_SIZE = 14
"""Slots of `state`. S_TARGET: the block id that BLOCKINFO's abbreviations go to, -1 before SETBID.
S_NEEDED: after GROW, how many rows at least are needed."""

C_BLOCK_ID = 0
C_END = 1
C_WIDTH = 2
C_SHARED_FIRST = 3
C_SHARED_COUNT = 4
C_OWN_FIRST = 5
C_RECORDS = 6
SCOPE_COLUMNS = 7

I_KIND = 0
I_CODE = 1
I_FIRST = 2
I_END = 3
I_BIT = 4
I_ABBREV = 5
I_BLOB = 6
I_BLOB_BYTES = 7
ITEM_COLUMNS = 8
"""I_CODE: record code or block id. I_FIRST, I_END: run in `operands`. I_BLOB: first byte, or -1."""

KIND_RECORD = 0
KIND_START = 1
KIND_END = 2

STATUS_GOING = 0
STATUS_DONE = 1
STATUS_SORT = 2
STATUS_GROW_ITEMS = 3
STATUS_GROW_OPERANDS = 4
STATUS_GROW_ABBREVS = 5
STATUS_GROW_ENCODINGS = 6
STATUS_GROW_OWN = 7
STATUS_GROW_SHARED = 8
"""What the kernel returns; from 10 on it is a `Fault`. SORT: a BLOCKINFO has just ended."""

GROWING = {
    STATUS_GROW_ITEMS: "items",
    STATUS_GROW_OPERANDS: "operands",
    STATUS_GROW_ABBREVS: "abbrevs",
    STATUS_GROW_ENCODINGS: "encodings",
    STATUS_GROW_OWN: "own",
    STATUS_GROW_SHARED: "shared",
}

I64 = npt.NDArray[np.int64]
U64 = npt.NDArray[np.uint64]
Word: TypeAlias = Any
"""An np.uint64 in a kernel; numpy's own stubs call an array's element Any as well."""


class Tables(NamedTuple):
    """All arrays of one decoding; see the module for their shapes."""

    words: U64
    state: I64
    scopes: I64
    items: I64
    operands: U64
    abbrevs: I64
    encodings: U64
    own: I64
    shared: I64


def new_tables(raw: bytes, rows: int) -> Tables:
    """Tables for a stream that starts with its magic; `rows` is the first size of those that grow.

    The guess of one item per five bytes and one operand per two fits what LLVM writes.
    """
    words = np.zeros(len(raw) // 8 + 3, np.uint64)
    words.view(np.uint8)[: len(raw)] = np.frombuffer(raw, np.uint8)
    state = np.zeros(STATE_SIZE, np.int64)
    state[S_POSITION] = 8 * len(e.MAGIC)
    state[S_LIMIT] = 8 * len(raw)
    state[S_TARGET] = -1
    scopes = np.zeros((e.MAX_DEPTH + 1, SCOPE_COLUMNS), np.int64)
    scopes[0, C_BLOCK_ID] = -1
    scopes[0, C_END] = 8 * len(raw)
    scopes[0, C_WIDTH] = e.TOP_ABBREV_WIDTH
    return Tables(
        words,
        state,
        scopes,
        np.empty((rows, ITEM_COLUMNS), np.int64),
        np.empty(2 * rows, np.uint64),
        np.empty((rows // 16 + 1, 2), np.int64),
        np.empty((rows // 8 + 1, 2), np.uint64),
        np.empty(rows // 16 + 1, np.int64),
        np.empty((rows // 16 + 1, 2), np.int64),
    )


def grow(tables: Tables, status: int) -> Tables:
    """The same tables with the array that `status` names at least twice as long."""
    name = GROWING[status]
    old: npt.NDArray[Any] = getattr(tables, name)
    rows = max(2 * len(old), int(tables.state[S_NEEDED]))
    new = np.empty((rows, *old.shape[1:]), old.dtype)
    new[: len(old)] = old
    tables.state[S_STATUS] = STATUS_GOING
    return tables._replace(**{name: new})


def sort_shared(tables: Tables) -> None:
    """Sort the run of the BLOCKINFO that has just ended by block id, keeping the order within."""
    first, end = tables.state[S_SHARED_FIRST], tables.state[S_SHARED_END]
    run = tables.shared[first:end]
    run[:] = run[np.argsort(run[:, 0], kind="stable")]
    tables.state[S_STATUS] = STATUS_GOING
