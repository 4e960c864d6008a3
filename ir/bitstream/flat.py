"""Around the kernel: run it until it is done, then make blocks and records of its arrays.

Records are made by C loops alone (`tolist`, `zip`, `map`): there are too many for a Python loop.
Only starts and ends of blocks, few in comparison, are walked one by one.
"""

from __future__ import annotations

import gc
from functools import partial
from itertools import repeat

import numpy as np

from irsan.ir.bitstream import tables as t
from irsan.ir.bitstream.errors import BitstreamError, Fault
from irsan.ir.bitstream.model import Block, Record


def decode_fast(raw: bytes) -> list[Block]:
    """As `decode_plain`, at the speed of compiled code; the same result or the same error."""
    return build_blocks(decode_tables(raw, len(raw) // 5 + 64), raw)


def decode_tables(raw: bytes, rows: int) -> t.Tables:
    """Decode a stream that starts with its magic to flat tables, of `rows` rows at first.

    Raises BitstreamError for anything malformed.
    """
    from irsan.ir.bitstream.kernel import decode

    tables = t.new_tables(raw, rows)
    while True:
        status = decode(tables)
        if status == t.STATUS_DONE:
            return tables
        if status == t.STATUS_SORT:
            t.sort_shared(tables)
        elif status in t.GROWING:
            tables = t.grow(tables, status)
        else:
            raise _error(tables, status)


def _error(tables: t.Tables, status: int) -> BitstreamError:
    state = tables.state
    scope = tables.scopes[state[t.S_DEPTH]]
    block_id = int(scope[t.C_BLOCK_ID])
    return BitstreamError(
        Fault(status),
        None if block_id < 0 else block_id,
        int(scope[t.C_RECORDS]),
        int(state[t.S_FAULT_BIT]),
    )


def build_blocks(tables: t.Tables, raw: bytes) -> list[Block]:
    """The tree of blocks that a completed decoding of `raw` describes."""
    items = tables.items[: tables.state[t.S_ITEMS]]
    # Nothing made here can be part of a cycle, and the collector would look at all of it again
    # and again while it grows.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return _build_tree(items, _build_records(tables, items, raw))
    finally:
        if collecting:
            gc.enable()


def _build_records(tables: t.Tables, items: t.I64, raw: bytes) -> list[Record]:
    rows = items[items[:, t.I_KIND] == t.KIND_RECORD]
    values = tables.operands[: tables.state[t.S_OPERANDS]].tolist()
    runs = map(slice, rows[:, t.I_FIRST].tolist(), rows[:, t.I_END].tolist())
    blobs: list[bytes | None] = list(repeat(None, len(rows)))
    for index in np.flatnonzero(rows[:, t.I_BLOB] >= 0).tolist():
        first = int(rows[index, t.I_BLOB])
        blobs[index] = raw[first : first + int(rows[index, t.I_BLOB_BYTES])]
    fields = zip(
        rows[:, t.I_CODE].tolist(),
        map(values.__getitem__, runs),
        blobs,
        rows[:, t.I_BIT].tolist(),
        rows[:, t.I_ABBREV].tolist(),
        strict=True,
    )
    return list(map(partial(tuple.__new__, Record), fields))


def _build_tree(items: t.I64, records: list[Record]) -> list[Block]:
    """Hang the records, which are in stream order, into their blocks."""
    edges = np.flatnonzero(items[:, t.I_KIND] != t.KIND_RECORD)
    # Before the n-th edge stand as many records as there are items before it that are no edges.
    records_before = (edges - np.arange(len(edges))).tolist()
    starts = (items[edges, t.I_KIND] == t.KIND_START).tolist()
    top = Block(-1, 0)
    open_blocks = [top]
    done = 0
    columns = (starts, records_before, *items[edges][:, [t.I_CODE, t.I_BIT]].T.tolist())
    for is_start, before, block_id, bit in zip(*columns, strict=True):
        open_blocks[-1].items += records[done:before]
        done = before
        if not is_start:
            open_blocks.pop()
            continue
        block = Block(block_id, bit)
        open_blocks[-1].items.append(block)
        open_blocks.append(block)
    return list(top.blocks())
