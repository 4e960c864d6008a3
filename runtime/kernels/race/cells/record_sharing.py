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

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    DONTNEED,
    load_u64,
    real_madvise,
    real_memcpy,
    store_u64,
)
from irsan.runtime.kernels.race.cells.race_records import (
    free_record,
    new_record,
    record_to_address,
)
from irsan.runtime.kernels.race.clocks.race_words import STACK_BITS, STACK_MASK
from irsan.runtime.kernels.race.race_types import expanded_at
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u8, u64
from irsan.runtime.layout import memory_map

NAMED = 2
SHARING_BYTES = 8 << STACK_BITS
SHARING = memory_map.table("race record sharing", SHARING_BYTES)
LAST_STAMP = (1 << 36) - 1


@kernel
def record_to_sharing(index: u64) -> u64:
    """Address of the word of the record with an index."""
    return SHARING + index * 8


@kernel
def is_shared(index: u64) -> bool:
    """Whether more than one cell has the record."""
    return load_u64(record_to_sharing(index)) & STACK_MASK != 0


@kernel
def is_named(index: u64) -> bool:
    """Whether transitions or several cells hold on to the record."""
    return expanded_at(record_to_address(index)).flags & NAMED != 0


@kernel
def set_sharing(index: u64, word: u64) -> None:
    """Store a record's word, and whether it is 0 where whoever changes records looks."""
    store_u64(record_to_sharing(index), word)
    record = expanded_at(record_to_address(index))
    content = record.flags & ~u8(NAMED)
    record.flags = u8(content if word == 0 else content | NAMED)


@kernel
def record_stamp(index: u64) -> u64:
    """The stamp of a record's content, 0 when it has none."""
    return load_u64(record_to_sharing(index)) >> 28


@kernel
def stamp_record(ctx: Context, index: u64) -> u64:
    """The stamp of a record's content, made now if need be; 0 when there are none left."""
    place = record_to_sharing(index)
    stamp = load_u64(place) >> 28
    if stamp == 0 and ctx.race.n_stamps < LAST_STAMP:
        stamp = ctx.race.n_stamps + 1
        ctx.race.n_stamps = stamp
        set_sharing(index, load_u64(place) | (stamp << 28))
    return stamp


@kernel
def may_change(index: u64) -> bool:
    """Whether one cell alone has the record, which then loses its stamp: it is going to change."""
    if not is_named(index):
        return True
    if is_shared(index):
        return False
    set_sharing(index, 0)
    return True


@kernel
def lend_share(index: u64) -> bool:
    """Leave the record to the other one of its two cells, until `add_share`; false: not two."""
    if not is_named(index) or load_u64(record_to_sharing(index)) & STACK_MASK != 1:
        return False
    set_sharing(index, 0)
    return True


@kernel
def add_share(index: u64) -> bool:
    """One more cell has the record; false when its cells cannot be counted any further."""
    word = load_u64(record_to_sharing(index))
    if word & STACK_MASK == STACK_MASK:
        return False
    set_sharing(index, word + 1)
    return True


@kernel
def drop_share(ctx: Context, index: u64) -> None:
    """One cell fewer has the record; the last one frees it."""
    if may_change(index):
        free_record(ctx, index)
        return
    set_sharing(index, load_u64(record_to_sharing(index)) - 1)


@kernel(outlined=True)
def own_record(ctx: Context, index: u64) -> u64:
    """A record of the same content that a cell of `index` has alone; 0 when memory is full.

    A copy is not settled.  The caller gives its cell the copy: the share in `index` is given up.
    """
    if may_change(index):
        return index
    rec = record_to_address(index)
    copy = new_record(ctx, u64(expanded_at(rec).size_class))
    if copy == 0:
        return 0
    target = record_to_address(copy)
    n = expanded_at(rec).n
    real_memcpy(target + 4, rec + 4, u64(n) * 12)
    expanded_at(target).n = n
    drop_share(ctx, index)
    return copy


@kernel
def forget_sharing() -> None:
    """No record is in use any more."""
    real_madvise(SHARING, SHARING_BYTES, DONTNEED)
