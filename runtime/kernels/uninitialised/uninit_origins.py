"""Where uninitialised bits come from, as chains of records that are each kept once.

    record n   kind, stack id, origin word before, steps so far      16 bytes
    INDEX      open addressing over (kind, stack, before)            linear probing

A value that is stored makes a record whose `before` is the origin it had; after MAX_STEPS steps
the chain grows no longer.  A full table gives the older origin: a shorter story, never a wrong one.

Source: chained origins, as in MemorySanitizer's `-fsanitize-memory-track-origins=2`.
Deviations: blocks of the heap need no record until their bytes are copied, the heap knows them;
variables of the stack are told by the number of a site.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.callstack import current_stack_id
from irsan.runtime.kernels.heap_tables.chunks import addr_to_chunk, chunk_at
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u32,
    load_u64,
    real_memmove,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.uninitialised.uninit_shadow import (
    U64_SHADOW,
    bits_clear,
    first_bits,
    has_bits,
    origin_word,
)
from irsan.runtime.layout import memory_map
from irsan.runtime.layout import uninit_layout as ul
from irsan.runtime.records import heap_records as hr

U8_ALLOCATED = np.uint8(hr.ALLOCATED)
U32_0 = np.uint32(0)
U32_1 = np.uint32(1)
U32_HEAP = np.uint32(ul.HEAP)
U32_FREED = np.uint32(ul.FREED)
U32_STORED = np.uint32(ul.STORED)
U32_MOVED = np.uint32(ul.MOVED)
U32_FIELDS = np.uint32(ul.FIELDS)
U32_STACK_BIT = np.uint32(ul.STACK_BIT)
U32_NATIVE = np.uint32(ul.NATIVE)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_3 = np.uint64(3)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_12 = np.uint64(12)
U64_32 = np.uint64(32)
U64_RECORD = np.uint64(ul.RECORD_BYTES)
U64_RECORDS = np.uint64(ul.RECORDS)
U64_N_RECORDS = np.uint64(ul.N_RECORDS)
U64_MAX_RECORDS = np.uint64(ul.MAX_RECORDS)
U64_MAX_STEPS = np.uint64(ul.MAX_STEPS)
U64_INDEX = np.uint64(ul.INDEX)
U64_INDEX_MASK = np.uint64((1 << ul.INDEX_BITS) - 1)
U64_INDEX_SHIFT = np.uint64(64 - ul.INDEX_BITS)
U64_GOLDEN = np.uint64(0x9E37_79B9_7F4A_7C15)
U64_ORIGINS = np.uint64(ul.ORIGIN_BIAS)
U64_HEAP_LO = np.uint64(memory_map.HEAP_LO)


@kernel("u64(u32)")
def word_to_record(word: Any) -> Any:
    """Address of the record of an origin word, 0 when it has none."""
    if word == U32_0 or word == U32_NATIVE or (word & U32_STACK_BIT) != U32_0:
        return U64_0
    return U64_RECORDS + np.uint64(word) * U64_RECORD


@kernel("u32(u32)")
def steps_of(word: Any) -> Any:
    """Stores on the way of an origin."""
    record = word_to_record(word)
    if record == U64_0:
        return U32_0
    return load_u32(record + U64_12)


@kernel("u32(u64,u32,u32,u32)")
def add_record(entry: Any, kind: Any, stack_id: Any, before: Any) -> Any:
    """A new record, entered at `entry` of the index; `before` when the table is full."""
    number = max(load_u64(U64_N_RECORDS), U64_1) + U64_1
    if number >= U64_MAX_RECORDS:
        return before
    store_u64(U64_N_RECORDS, number)
    record = U64_RECORDS + number * U64_RECORD
    store_u32(record, kind)
    store_u32(record + U64_4, stack_id)
    store_u32(record + U64_8, before)
    store_u32(record + U64_12, steps_of(before) + U32_1)
    store_u32(entry, np.uint32(number))
    return np.uint32(number)


@kernel("u32(u32,u32,u32)", outlined=True)
def origin_put(kind: Any, stack_id: Any, before: Any) -> Any:
    """The origin word of (kind, stack, origin before); the same facts give the same word."""
    key = ((np.uint64(stack_id) << U64_32) | np.uint64(before)) * U64_GOLDEN + np.uint64(kind)
    slot = (key * U64_GOLDEN) >> U64_INDEX_SHIFT
    while True:
        entry = U64_INDEX + slot * U64_4
        number = load_u32(entry)
        if number == U32_0:
            return add_record(entry, kind, stack_id, before)
        record = U64_RECORDS + np.uint64(number) * U64_RECORD
        is_same = load_u32(record) == kind and load_u32(record + U64_4) == stack_id
        if is_same and load_u32(record + U64_8) == before:
            return number
        slot = (slot + U64_1) & U64_INDEX_MASK


@kernel("u32(ctx,u64)")
def origin_of(ctx: Any, addr: Any) -> Any:
    """Origin word of a byte, one of its own where the heap knows it; 0: nothing is known."""
    word = origin_word(addr)
    if word != U32_0 or addr < U64_HEAP_LO:
        return word
    at = addr_to_chunk(ctx, addr)
    if at == U64_0:
        return U32_0
    chunk = chunk_at(at)
    if chunk.state == U8_ALLOCATED:
        return origin_put(U32_HEAP, chunk.alloc_stack, U32_0)
    return origin_put(U32_FREED, chunk.free_stack, U32_0)


@kernel("u32(ctx,u32)")
def copied_origin(ctx: Any, word: Any) -> Any:
    """The origin of bytes that a copy has stored, whose own is `word`: the copy is a step, too."""
    if word == U32_0 or word == U32_NATIVE:
        return word
    if np.uint64(steps_of(word)) >= load_u64(U64_MAX_STEPS):
        return word
    kind = U32_MOVED
    record = word_to_record(word)
    if record != U64_0:
        before = load_u32(record)
        if before != U32_HEAP and before != U32_MOVED and before < U32_FIELDS:
            kind = U32_STORED
    return origin_put(kind, np.uint32(current_stack_id(ctx)), word)


@kernel("void(ctx,u64,u64,u64)")
def origins_copy(ctx: Any, target: Any, source: Any, size_bytes: Any) -> None:
    """Origins of bytes that have moved, for those with set bits (read at the target)."""
    raw = U32_0  # of the source's own block: a copy lies within one
    last, copied = U32_0, U32_0  # neighbours mostly have one origin
    i = U64_0
    while i < size_bytes:
        i += first_bits(target + i, size_bytes - i)
        if i >= size_bytes:
            return
        word = origin_word(source + i)
        if word == U32_0:
            if raw == U32_0:
                raw = origin_of(ctx, source + i)
            word = raw
        if word != last:
            last, copied = word, copied_origin(ctx, word)
        store_u32(((target + i) & ~U64_3) + U64_ORIGINS, copied)
        i += U64_4 - ((target + i) & U64_3)


@kernel("void(ctx,u64,u64,u64)", outlined=True)
def bits_copy(ctx: Any, target: Any, source: Any, size_bytes: Any) -> None:
    """Shadow and origins follow bytes that are copied; the ranges may overlap."""
    if size_bytes == U64_0 or target == source or not has_bits(target, size_bytes):
        return
    if not has_bits(source, size_bytes) or first_bits(source, size_bytes) == size_bytes:
        bits_clear(ctx, target, size_bytes)
        return
    is_apart = target - source >= size_bytes and source - target >= size_bytes
    if not is_apart:
        real_memmove((target & ~U64_3) + U64_ORIGINS, (source & ~U64_3) + U64_ORIGINS, size_bytes)
    real_memmove(target + U64_SHADOW, source + U64_SHADOW, size_bytes)
    if is_apart:
        origins_copy(ctx, target, source, size_bytes)
