"""Where uninitialised bits come from, as chains of records that are each kept once.

    record n   kind, stack id, origin word before, steps so far      16 bytes
    INDEX      open addressing over (kind, stack, before)            linear probing

A value that is stored makes a record whose `before` is the origin it had; after MAX_STEPS steps
the chain grows no longer.  A full table gives the older origin: a shorter story, never a wrong one.

Source: chained origins, as in MemorySanitizer's `-fsanitize-memory-track-origins=2`.
Deviations: blocks of the heap need no record until their bytes are copied, the heap knows them;
variables of the stack are named by the number of a site.
"""

from __future__ import annotations

from irsan.runtime.kernels.callstack import current_stack_id
from irsan.runtime.kernels.heap_tables.chunk_facts import alloc_stack, free_stack
from irsan.runtime.kernels.heap_tables.chunk_records import chunk_state
from irsan.runtime.kernels.heap_tables.chunks import addr_to_chunk
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u32,
    load_u64,
    real_memmove,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.kernels.uninitialised.uninit_shadow import (
    bits_clear,
    first_bits,
    has_bits,
    origin_word,
)
from irsan.runtime.layout import uninit_layout as ul
from irsan.runtime.layout.memory_map import HEAP_LO
from irsan.runtime.layout.uninit_layout import (
    FIELDS,
    FREED,
    HEAP,
    INDEX,
    MAX_RECORDS,
    MAX_STEPS,
    MOVED,
    N_RECORDS,
    NATIVE,
    ORIGIN_BIAS,
    RECORD_BYTES,
    RECORDS,
    SHADOW_BIAS,
    STACK_BIT,
    STORED,
)
from irsan.runtime.records.memory.heap_records import ALLOCATED

INDEX_MASK = (1 << ul.INDEX_BITS) - 1
INDEX_SHIFT = 64 - ul.INDEX_BITS
GOLDEN = 0x9E37_79B9_7F4A_7C15


@kernel
def word_to_record(word: u32) -> u64:
    """Address of the record of an origin word, 0 when it has none."""
    if word == 0 or word == NATIVE or (word & STACK_BIT) != 0:
        return 0
    return RECORDS + u64(word) * RECORD_BYTES


@kernel
def steps_of(word: u32) -> u32:
    """Stores on the way of an origin."""
    record = word_to_record(word)
    if record == 0:
        return 0
    return load_u32(record + 12)


@kernel
def add_record(entry: u64, kind: u32, stack_id: u32, before: u32) -> u32:
    """A new record, entered at `entry` of the index; `before` when the table is full."""
    number = max(load_u64(N_RECORDS), u64(1)) + 1
    if number >= MAX_RECORDS:
        return before
    store_u64(N_RECORDS, number)
    record = RECORDS + number * RECORD_BYTES
    store_u32(record, kind)
    store_u32(record + 4, stack_id)
    store_u32(record + 8, before)
    store_u32(record + 12, u32(steps_of(before) + 1))
    store_u32(entry, u32(number))
    return u32(number)


@kernel(outlined=True)
def origin_put(kind: u32, stack_id: u32, before: u32) -> u32:
    """The origin word of (kind, stack, origin before); the same facts give the same word."""
    key = ((u64(stack_id) << 32) | u64(before)) * GOLDEN + u64(kind)
    slot = (key * GOLDEN) >> INDEX_SHIFT
    while True:
        entry = INDEX + slot * 4
        number = load_u32(entry)
        if number == 0:
            return add_record(entry, kind, stack_id, before)
        record = RECORDS + u64(number) * RECORD_BYTES
        is_same = load_u32(record) == kind and load_u32(record + 4) == stack_id
        if is_same and load_u32(record + 8) == before:
            return number
        slot = (slot + 1) & INDEX_MASK


@kernel
def origin_of(ctx: Context, addr: u64) -> u32:
    """Origin word of a byte, one of its own where the heap knows it; 0: nothing is known."""
    word = origin_word(addr)
    if word != 0 or addr < HEAP_LO:
        return word
    at = addr_to_chunk(ctx, addr)
    if at == 0:
        return 0
    if chunk_state(at) == ALLOCATED:
        return origin_put(HEAP, alloc_stack(ctx, at), 0)
    return origin_put(FREED, free_stack(ctx, at), 0)


@kernel
def copied_origin(ctx: Context, word: u32) -> u32:
    """The origin of bytes that a copy has stored, whose own is `word`: the copy is a step, too."""
    if word == 0 or word == NATIVE:
        return word
    if u64(steps_of(word)) >= load_u64(MAX_STEPS):
        return word
    kind = u32(MOVED)
    record = word_to_record(word)
    if record != 0:
        before = load_u32(record)
        if before != HEAP and before != MOVED and before < FIELDS:
            kind = u32(STORED)
    return origin_put(kind, u32(current_stack_id(ctx)), word)


@kernel
def origins_copy(ctx: Context, target: u64, source: u64, size_bytes: u64) -> None:
    """Origins of bytes that have moved, for those with set bits (read at the target)."""
    raw = u32(0)  # of the source's own block: a copy lies within one
    last, copied = u32(0), u32(0)  # neighbours mostly have one origin
    i = u64(0)
    while i < size_bytes:
        i += first_bits(target + i, size_bytes - i)
        if i >= size_bytes:
            return
        word = origin_word(source + i)
        if word == 0:
            if raw == 0:
                raw = origin_of(ctx, source + i)
            word = raw
        if word != last:
            last, copied = word, copied_origin(ctx, word)
        store_u32(((target + i) & ~u64(3)) + ORIGIN_BIAS, copied)
        i += 4 - ((target + i) & 3)


@kernel(outlined=True)
def bits_copy(ctx: Context, target: u64, source: u64, size_bytes: u64) -> None:
    """Shadow and origins follow bytes that are copied; the ranges may overlap."""
    if size_bytes == 0 or target == source or not has_bits(target, size_bytes):
        return
    if not has_bits(source, size_bytes) or first_bits(source, size_bytes) == size_bytes:
        bits_clear(ctx, target, size_bytes)
        return
    is_apart = target - source >= size_bytes and source - target >= size_bytes
    if not is_apart:
        real_memmove((target & ~u64(3)) + ORIGIN_BIAS, (source & ~u64(3)) + ORIGIN_BIAS, size_bytes)
    real_memmove(target + SHADOW_BIAS, source + SHADOW_BIAS, size_bytes)
    if is_apart:
        origins_copy(ctx, target, source, size_bytes)
