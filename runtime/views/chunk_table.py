"""All chunk records at once, as arrays: for the leak search, which asks about each live block.

    numbers of records -> owners -> spans -> where the blocks lie -> their facts

Reads the allocator's tables (heap_records.py) without numba, a few numpy operations for all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime import arena
from irsan.runtime.records.memory import guarded_records as gr
from irsan.runtime.records.memory import heap_records as hr

Array = np.ndarray[Any, Any]

ROW_DTYPE = np.dtype(
    [
        ("begin", "u8"),
        ("size_bytes", "u8"),
        ("sequence", "u8"),  # number of the allocation
        ("alloc_stack", "u4"),
        ("alloc_tid", "u4"),
        ("mark", "u1"),
    ]
)


def chunk_records(ctx: Any) -> Array:
    """Every chunk record, as they lie in memory; those never used are zero."""
    n_bytes = int(ctx["heap"]["chunks_top"]) - hr.CHUNKS_LO
    return arena.view_bytes(hr.CHUNKS_LO, n_bytes).view(hr.CHUNK_DTYPE)


def live_numbers(records: Array) -> Array:
    """Numbers of the records of blocks that the program has not freed."""
    return np.flatnonzero(records["shape"] >> np.uint32(hr.STATE_SHIFT) == hr.ALLOCATED)


def chunk_rows(ctx: Any, records: Array, numbers: Array) -> Array:
    """What is known of these chunks, as rows of ROW_DTYPE; overwritten facts are 0."""
    rows: Array = np.zeros(len(numbers), ROW_DTYPE)
    if len(numbers) == 0:
        return rows
    spans = _spans_of(ctx, numbers)
    first = (spans["chunks"] - np.uint64(hr.CHUNKS_LO)) >> np.uint64(hr.CHUNK_BITS)
    index = numbers.astype(np.uint64) - first
    lo = spans["lo"] + index * spans["block_bytes"]
    rows["mark"] = records["mark"][numbers]
    _place(rows, records["shape"][numbers].astype(np.uint64), spans, lo)
    _tell(rows, _facts_of(ctx, spans, index, lo), numbers)
    return rows


def _spans_of(ctx: Any, numbers: Array) -> Array:
    """The span record of each, copied."""
    groups = numbers >> hr.OWNER_BITS - hr.CHUNK_BITS
    owners = arena.view_bytes(hr.OWNERS_LO, (int(groups[-1]) + 1) * 4).view(np.uint32)
    offsets = owners[groups].astype(np.int64) << hr.SPAN_NUMBER_BITS
    n_bytes = int(ctx["heap"]["spans_top"]) - hr.SPANS_LO
    table = arena.view_bytes(hr.SPANS_LO, n_bytes).view(hr.SPAN_DTYPE)
    found: Array = table[offsets // hr.SPAN_DTYPE.itemsize]
    return found


def _place(rows: Array, shape: Array, spans: Array, lo: Array) -> None:
    is_large = spans["size_class"] == hr.LARGE_CLASS
    unit = np.where(spans["size_class"] == hr.GUARDED_CLASS, 0, hr.OFFSET_UNIT_BITS)
    offset = (shape >> np.uint64(hr.OFFSET_SHIFT)) & np.uint64(hr.OFFSET_MASK)
    begin = lo + (offset << unit.astype(np.uint64))
    rows["begin"] = np.where(is_large, spans["large_begin"], begin)
    rows["size_bytes"] = np.where(is_large, spans["large_bytes"], shape & np.uint64(hr.SIZE_MASK))


def _facts_of(ctx: Any, spans: Array, index: Array, lo: Array) -> Array:
    """Their facts, copied: 0 for ordinary blocks of a plain heap."""
    words: Array = np.zeros((len(spans), 2), np.uint64)
    is_large = spans["size_class"] == hr.LARGE_CLASS
    is_guarded = spans["size_class"] == hr.GUARDED_CLASS
    words[:, 0] = np.where(is_large, spans["facts_low"], 0)
    words[:, 1] = np.where(is_large, spans["facts_high"], 0)
    slots = gr.SLOTS_LO + gr.FACTS_OFFSET + index[is_guarded].astype(np.int64) * gr.SLOT_BYTES
    _gather(words, is_guarded, slots)
    if not int(ctx["heap"]["is_plain"]):
        is_ordinary = ~is_large & ~is_guarded
        _gather(words, is_ordinary, lo[is_ordinary].astype(np.int64))
    return words.view(hr.FACTS_DTYPE)[:, 0]


def _gather(words: Array, where: Array, addresses: Array) -> None:
    """Copy the two words at each address, a multiple of 8, to the rows where `where` is true."""
    if len(addresses) == 0:
        return
    low = int(addresses.min())
    n_words = (int(addresses.max()) - low >> 3) + 2
    source = arena.view_words(low, n_words)
    at = addresses - low >> 3
    words[where, 0] = source[at]
    words[where, 1] = source[at + 1]


def _tell(rows: Array, facts: Array, numbers: Array) -> None:
    """Stack, thread and number of each allocation whose facts are whole."""
    is_whole = hr.facts_check(facts) == facts["check"]
    table = arena.view_bytes(hr.WIDE_LO, (int(numbers[-1]) + 1) * hr.WIDE_BYTES)
    wide = table.view(hr.WIDE_DTYPE)[numbers]
    tid = np.where(facts["alloc_tid"] == hr.MANY_THREADS, wide["alloc_tid"], facts["alloc_tid"])
    number = wide["sequence_high"] << np.uint64(32) | facts["sequence"]
    rows["alloc_stack"] = np.where(is_whole, facts["alloc_stack"], 0)
    rows["alloc_tid"] = np.where(is_whole, tid, 0)
    rows["sequence"] = np.where(is_whole, number, 0)
