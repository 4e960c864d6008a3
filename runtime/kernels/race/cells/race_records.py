"""Expanded cells: the exact history of four bytes when it does not fit into one cell.

A record is a multiple of 64 bytes at RECORDS_ADDR + index * 64:

    | n u16, class u8, flags u8 | entry 0 | entry 1 | ...   class c: 64 << c bytes, 5, 10, 21 ...
    entry   12 bytes  {epoch u32, meta u32 (bytes, stack id), kind u32}
    flags   settled_runs.py, record_sharing.py

An entry is one access that may still race with a later one.  When a new access of kind K reaches
bytes that an entry of kind O has, the entry loses those bytes if it happens before the new access
and everything that conflicts with O conflicts with K as well: whoever races with the old access
would race with the new one.  Conflicts and covers:

    conflict  at least one writes, not both atomic
    K covers O   iff   K is a plain write, or O is an atomic read, or K and O are alike

An entry in the common past (clocks/past_epochs.py) can race with nothing any more, and goes.
A DEAD entry happens before nothing, stays, and nothing else is recorded for its bytes.

and the new access need not be recorded on bytes where its own epoch has a covering entry already.
These two rules give FastTrack's states (one write epoch, one read epoch, read set) for plain
accesses, and keep for atomic ones the sets that a mixture with plain accesses needs.

The cell of an expanded record holds  {epoch, bytes plainly written at it | record index} and the
readers of this generation (generations.py), for the fast path.

Source: FastTrack2 (Flanagan and Freund, Williams College, 2017), generalised from {read, write} to
the four kinds.
Deviations: bytes lost to a racing plain write are dropped, as FT2 keeps W up to date after a race.
Soundness: exact. When 16 GiB of records are in use a cell that needs one forgets its history,
counted in N_LOST_CELLS: it may miss a race, never invent one.
Invariant: n <= 12 * MAX_SIDS + 4, as per byte and sid at most one entry of each kind survives.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    real_memcpy,
)
from irsan.runtime.kernels.race.cells.found_races import note_race
from irsan.runtime.kernels.race.clocks.past_epochs import is_past
from irsan.runtime.kernels.race.clocks.race_words import (
    ATOMIC,
    DEAD,
    RECORDS_ADDR,
    STACK_BITS,
    STACK_MASK,
    WRITE,
)
from irsan.runtime.kernels.race.clocks.vclock import epoch_before
from irsan.runtime.kernels.race.race_types import entry_at, expanded_at
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u8, u16, u32, u64
from irsan.runtime.records.subsystems import N_RECORD_CLASSES

UNIT_BYTES = 64
ENTRY_BYTES = 12
N_CLASSES = N_RECORD_CLASSES

NOT_SETTLED = 0
SETTLED = 1
UNIT_BITS = 6
LAST_UNIT = (1 << STACK_BITS) - 1
DEAD_OR_KIND = DEAD | 3
BIGGEST = N_CLASSES - 1


@kernel
def record_to_address(index: u64) -> u64:
    """Address of the record with an index."""
    return RECORDS_ADDR + (index << UNIT_BITS)


@kernel
def new_record(ctx: Context, size_class: u64) -> u64:
    """Index of an empty record, 0 when side memory is full."""
    head = ctx.race.record_free[size_class]
    if head != 0:
        rec = record_to_address(head)
        ctx.race.record_free[size_class] = u64(expanded_at(rec).next)
    else:
        head = ctx.race.record_bump + 1
        last = ctx.race.record_bump + (1 << size_class)
        if last >= LAST_UNIT:
            return 0
        ctx.race.record_bump = last
        rec = record_to_address(head)
    expanded_at(rec).n = 0
    expanded_at(rec).size_class = u8(size_class)
    expanded_at(rec).flags = NOT_SETTLED
    return head


@kernel
def free_record(ctx: Context, index: u64) -> None:
    """Put a record on the free list of its class."""
    rec = record_to_address(index)
    size_class = u64(expanded_at(rec).size_class)
    expanded_at(rec).next = u32(ctx.race.record_free[size_class])
    ctx.race.record_free[size_class] = index


@kernel
def grow_record(ctx: Context, index: u64) -> u64:
    """Index of a record with room for one more entry and the same entries; 0 when memory is full.

    The old record is freed if another one is returned.
    """
    rec = record_to_address(index)
    n = u64(expanded_at(rec).n)
    size_class = u64(expanded_at(rec).size_class)
    if 4 + (n + 1) * 12 <= UNIT_BYTES << size_class:
        return index
    if size_class == BIGGEST:
        return 0
    bigger = new_record(ctx, size_class + 1)
    if bigger == 0:
        return 0
    target = record_to_address(bigger)
    real_memcpy(target + 4, rec + 4, n * 12)
    expanded_at(target).n = u16(n)
    free_record(ctx, index)
    return bigger


@kernel
def append_entry(rec: u64, epoch: u64, meta: u64, kind: u64) -> None:
    """Add an entry at the end of the record at address `rec`; there must be room."""
    n = u64(expanded_at(rec).n)
    entry = rec + 4 + n * 12
    entry_at(entry).epoch = u32(epoch)
    entry_at(entry).meta = u32(meta)
    entry_at(entry).kind = u32(kind)
    expanded_at(rec).n = u16(n + 1)


@kernel
def swap_entries(a: u64, b: u64) -> None:
    """Two entries of a record change places."""
    half, kind = entry_at(a).half, entry_at(a).kind
    entry_at(a).half = entry_at(b).half
    entry_at(a).kind = entry_at(b).kind
    entry_at(b).half = half
    entry_at(b).kind = kind


@kernel
def conflicts(one: u64, other: u64) -> bool:
    """Whether two kinds of access race when unordered: one writes, not both atomic."""
    return ((one | other) & WRITE) > (one & other & ATOMIC) >> 1


@kernel
def covers(kind: u64, old: u64) -> bool:
    """Whether everything that conflicts with kind `old` conflicts with `kind`, too.

    A dead entry covers nothing: what it races with is reported.
    """
    if kind & DEAD != 0:
        return False
    kind &= 3
    old &= 3
    if kind == WRITE or kind == old:
        return True
    return old == ATOMIC


@kernel(inlined=True)
def is_over(epoch: u64, kind: u64) -> bool:
    """Whether an entry can race with nothing any more."""
    return is_past(epoch) and kind & DEAD == 0


@kernel
def record_races_with(ctx: Context, rec: u64, mask: u64, kind: u64) -> bool:
    """Whether a plain access to bytes of a cell races with an entry of its record.  O(entries)."""
    entry = rec + 4
    end = entry + u64(expanded_at(rec).n) * 12
    while entry < end:
        meta = u64(entry_at(entry).meta)
        k = u64(entry_at(entry).kind)
        is_late = k & DEAD != 0 or not epoch_before(u64(entry_at(entry).epoch), ctx.vc)
        entry += 12
        if (meta >> 28) & mask != 0 and is_late and conflicts(k, kind):
            return True
    return False


@kernel
def check_entries(ctx: Context, rec: u64, addr: u64, mask: u64, kind: u64) -> u64:
    """Check an access against every entry of a record and drop the entries it makes superfluous.

    mask  bytes of the cell, bits 0 to 3;  addr  application address of the cell
    Returns the bytes on which the access must be recorded.  Notes races.  O(entries).
    """
    n = u64(expanded_at(rec).n)
    expanded_at(rec).flags = NOT_SETTLED
    epoch = u64(ctx.epoch)
    left = mask
    source = rec + 4
    target = source
    end = source + n * 12
    while source < end:
        e = u64(entry_at(source).epoch)
        meta = u64(entry_at(source).meta)
        k = u64(entry_at(source).kind)
        source += 12
        both = (meta >> 28) & mask
        if both != 0:
            is_dead = k & DEAD != 0
            ordered = epoch_before(e, ctx.vc) and not is_dead
            if not ordered and conflicts(k, kind):
                note_race(ctx, addr, both, e, meta, k)
            if is_dead or (e == epoch and covers(k, kind)):
                left &= ~both
            elif covers(kind, k) and (ordered or kind & 3 == WRITE):
                meta &= ~(both << 28)
        if meta >> 28 == 0 or is_over(e, k):
            continue
        entry_at(target).epoch = u32(e)
        entry_at(target).meta = u32(meta)
        entry_at(target).kind = u32(k)
        target += 12
    expanded_at(rec).n = u16((target - rec - 4) // 12)
    return left


@kernel
def merge_entry(rec: u64, epoch: u64, mask: u64, stack: u64, kind: u64) -> bool:
    """Add bytes to the entry of the same epoch, stack and kind; false when there is none."""
    entry = rec + 4
    end = entry + u64(expanded_at(rec).n) * 12
    while entry < end:
        meta = u64(entry_at(entry).meta)
        same_stack = meta & STACK_MASK == stack
        if entry_at(entry).epoch == epoch and same_stack and entry_at(entry).kind == kind:
            entry_at(entry).meta = u32(meta | (mask << 28))
            return True
        entry += 12
    return False


@kernel
def bytes_at_epoch(rec: u64, epoch: u64, kind: u64) -> u64:
    """Bytes that have an entry of exactly this epoch and kind, and are not dead."""
    entry = rec + 4
    end = entry + u64(expanded_at(rec).n) * 12
    mask = u64(0)
    while entry < end:
        entry_kind = u64(entry_at(entry).kind) & DEAD_OR_KIND
        if entry_at(entry).epoch == epoch and entry_kind == kind:
            mask |= u64(entry_at(entry).meta) >> 28
        entry += 12
    return mask


@kernel
def drop_bytes(rec: u64, mask: u64) -> None:
    """Take the bytes `mask` from every entry; entries without bytes go."""
    expanded_at(rec).flags = NOT_SETTLED
    source = rec + 4
    target = source
    end = source + u64(expanded_at(rec).n) * 12
    while source < end:
        half = entry_at(source).half & ~(mask << 60)
        kind = entry_at(source).kind
        source += 12
        if half >> 60 == 0:
            continue
        entry_at(target).half = half
        entry_at(target).kind = kind
        target += 12
    expanded_at(rec).n = u16((target - rec - 4) // 12)
