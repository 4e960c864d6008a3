"""Expanded records that many cells share: a count of their cells, and copy on write.

Threads that read an array leave the same history in every cell of it, so the cells hold one record
(cell_transitions.py finds it).  A record changes in place only for a cell that has it alone.

    word of record i   SHARING + i * 8                   |63  stamp 36  28|27  other cells 28  0|
    NAMED              bit 1 of the record's byte 3: the word is not 0

The stamp names this content of the record: transitions that lead from or to it hold on to it.  It
is 0 until a transition needs one, and 0 again when the record changes or is freed; no stamp is ever
used twice.

Soundness: exact.  After 2^36 - 1 stamps no transition is remembered any more.
Invariant: `other cells` + 1 is the number of expanded cells that hold the index.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    U64_DONTNEED,
    load_u8,
    load_u16,
    load_u64,
    real_madvise,
    real_memcpy,
    store_u8,
    store_u16,
    store_u64,
)
from irsan.runtime.kernels.race.cells.race_records import (
    free_record,
    new_record,
    record_to_address,
)
from irsan.runtime.kernels.race.clocks.race_words import (
    N_STAMPS,
    STACK_BITS,
    STACK_MASK,
    U64_0,
    U64_1,
    U64_3,
    U64_4,
    U64_8,
    U64_12,
    U64_28,
)
from irsan.runtime.layout import memory_map

NAMED = np.uint8(2)
U8_0 = np.uint8(0)
SHARING_BYTES = 8 << STACK_BITS
SHARING = np.uint64(memory_map.table("race record sharing", SHARING_BYTES))
U64_SHARING_SIZE = np.uint64(SHARING_BYTES)
U64_OTHERS = np.uint64(STACK_MASK)
U64_LAST_STAMP = np.uint64((1 << 36) - 1)


@kernel("u64(u64)")
def record_to_sharing(index: Any) -> Any:
    """Address of the word of the record with an index."""
    return SHARING + index * U64_8


@kernel("b1(u64)")
def is_shared(index: Any) -> Any:
    """Whether more than one cell has the record."""
    return load_u64(record_to_sharing(index)) & U64_OTHERS != U64_0


@kernel("b1(u64)")
def is_named(index: Any) -> Any:
    """Whether transitions or several cells hold on to the record."""
    return load_u8(record_to_address(index) + U64_3) & NAMED != U8_0


@kernel("void(u64,u64)")
def set_sharing(index: Any, word: Any) -> Any:
    """Store a record's word, and whether it is 0 where whoever changes records looks."""
    store_u64(record_to_sharing(index), word)
    flags = record_to_address(index) + U64_3
    content = load_u8(flags) & ~NAMED
    store_u8(flags, content if word == U64_0 else content | NAMED)


@kernel("u64(u64)")
def record_stamp(index: Any) -> Any:
    """The stamp of a record's content, 0 when it has none."""
    return load_u64(record_to_sharing(index)) >> U64_28


@kernel("u64(ctx,u64)")
def stamp_record(ctx: Any, index: Any) -> Any:
    """The stamp of a record's content, made now if need be; 0 when there are none left."""
    place = record_to_sharing(index)
    stamp = load_u64(place) >> U64_28
    if stamp == U64_0 and ctx.race[N_STAMPS] < U64_LAST_STAMP:
        stamp = ctx.race[N_STAMPS] + U64_1
        ctx.race[N_STAMPS] = stamp
        set_sharing(index, load_u64(place) | (stamp << U64_28))
    return stamp


@kernel("b1(u64)")
def may_change(index: Any) -> Any:
    """Whether one cell alone has the record, which then loses its stamp: it is going to change."""
    if not is_named(index):
        return True
    if is_shared(index):
        return False
    set_sharing(index, U64_0)
    return True


@kernel("b1(u64)")
def lend_share(index: Any) -> Any:
    """Leave the record to the other one of its two cells, until `add_share`; false: not two."""
    if not is_named(index) or load_u64(record_to_sharing(index)) & U64_OTHERS != U64_1:
        return False
    set_sharing(index, U64_0)
    return True


@kernel("b1(u64)")
def add_share(index: Any) -> Any:
    """One more cell has the record; false when its cells cannot be counted any further."""
    word = load_u64(record_to_sharing(index))
    if word & U64_OTHERS == U64_OTHERS:
        return False
    set_sharing(index, word + U64_1)
    return True


@kernel("void(ctx,u64)")
def drop_share(ctx: Any, index: Any) -> Any:
    """One cell fewer has the record; the last one frees it."""
    if may_change(index):
        free_record(ctx, index)
        return
    set_sharing(index, load_u64(record_to_sharing(index)) - U64_1)


@kernel("u64(ctx,u64)", outlined=True)
def own_record(ctx: Any, index: Any) -> Any:
    """A record of the same content that a cell of `index` has alone; 0 when memory is full.

    A copy is not settled.  The caller gives its cell the copy: the share in `index` is given up.
    """
    if may_change(index):
        return index
    rec = record_to_address(index)
    copy = new_record(ctx, np.uint64(load_u8(rec + np.uint64(2))))
    if copy == U64_0:
        return U64_0
    target = record_to_address(copy)
    n = load_u16(rec)
    real_memcpy(target + U64_4, rec + U64_4, np.uint64(n) * U64_12)
    store_u16(target, n)
    drop_share(ctx, index)
    return copy


@kernel("void()")
def forget_sharing() -> Any:
    """No record is in use any more."""
    real_madvise(SHARING, U64_SHARING_SIZE, U64_DONTNEED)
