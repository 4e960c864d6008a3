"""An access that a thread made before, in a later epoch: its entry is renewed where it stands.

A thread that looks things up reads the same bytes in each of its epochs, and each time its entry
must become one of the new epoch:

    record   R 0011 t1 epoch 7 | R 1100 t1 epoch 7 | R 1111 t2 epoch 3 | R 1111 t3 epoch 9
             '------------- the run of t1 --------'
    t1 reads 1100 in its epoch 8: the second entry becomes R 1100 t1 epoch 8

Two sorts of record, if one cell has it alone, need no look at what the other entries are:

    only reads   a read races with none of them
    settled      its first entries are its run: one thread has recorded them, raced with nothing
                 when it did, and nobody else has recorded anything since.  So what repeats one of
                 them cannot race either.

    flags of a record   ONLY_READS, MIXED             what its entries are, if that is known
                        SETTLED                       it has a run
                        RUN_SHIFT and above           entries of the run less 1, up to LONGEST_RUN
                        NAMED (record_sharing.py)     nothing of this holds for a cell that has it

Source: the read map of FastTrack (PLDI 2009), rule [READ SHARED]: the slot of a thread is written
over, those of others are not looked at.
Soundness: exact (runs rest once a sid was reused too early: its new owner does not know what the
old one did).
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.cells.cell_words import pack_half, record_of
from irsan.runtime.kernels.race.cells.race_records import SETTLED, record_to_address
from irsan.runtime.kernels.race.cells.record_sharing import NAMED
from irsan.runtime.kernels.race.clocks.generations import with_reader
from irsan.runtime.kernels.race.clocks.race_words import CLOCK_BITS, LOW32, READ
from irsan.runtime.kernels.race.race_types import cell_at, entry_at, expanded_at
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u8, u32, u64

ONLY_READS = 4
MIXED = 8
KINDS = ONLY_READS | MIXED
RUN_SHIFT = 4
LONGEST_RUN = 8
MOST_LOOKED_AT = 16  # entries of a record of reads; with more a thread's stands at its home


@kernel(inlined=True)
def is_same_sid(half: u64, epoch: u64) -> bool:
    """Whether an entry's first word holds an epoch of the same sid as `epoch`."""
    return ((half & LOW32) ^ epoch) >> CLOCK_BITS == 0


@kernel(inlined=True)
def own_run(ctx: Context, rec: u64) -> u64:
    """How many entries the running thread's run has in the record at `rec`; 0 = it has none."""
    flags = u64(expanded_at(rec).flags)
    if flags & u64(SETTLED | NAMED) != u64(SETTLED):
        return 0
    is_own = is_same_sid(entry_at(rec + 4).half, u64(ctx.epoch))
    return (flags >> RUN_SHIFT) + 1 if is_own and ctx.race.n_inexact_sids == 0 else u64(0)


@kernel(inlined=True)
def note_run(rec: u64, n: u64, kinds: u64) -> None:
    """The first `n` entries of a record are its run, all are of these kinds (of KINDS)."""
    flags = u64(SETTLED) | (n - 1) << RUN_SHIFT if n != 0 else u64(0)
    expanded_at(rec).flags = u8(flags | kinds)


@kernel(inlined=True)
def put_entry(place: u64, target: u64, half: u64, kind: u64) -> None:
    """Write an entry at `target`; the one there goes to `place`, whose own is over."""
    entry_at(place).half = entry_at(target).half
    entry_at(place).kind = entry_at(target).kind
    entry_at(target).half = half
    entry_at(target).kind = u32(kind)


@kernel
def put_in_run(rec: u64, place: u64, half: u64, kind: u64, run: u64, kinds: u64) -> None:
    """Record an access that raced with nothing at `place`, or at the end, behind the run.

    run    entries of the running thread's run, 0 = another one has recorded since
    kinds  of all entries, of KINDS
    """
    if run == LONGEST_RUN:
        run = u64(0)
    target = rec + 4 + run * 12
    if place < target:
        entry_at(place).half = half
        entry_at(place).kind = u32(kind)
        note_run(rec, run, kinds)
        return
    put_entry(place, target, half, kind)
    note_run(rec, run + 1, kinds)


@kernel(inlined=True)
def n_renewable(ctx: Context, rec: u64) -> u64:
    """Among how many of its first entries the running thread's may be renewed without a check."""
    flags = u64(expanded_at(rec).flags)
    if flags & u64(ONLY_READS | NAMED) == u64(ONLY_READS):
        return min(u64(expanded_at(rec).n), u64(MOST_LOOKED_AT))
    return own_run(ctx, rec)


@kernel(inlined=True)
def renew_entry(ctx: Context, rec: u64, mask: u64, kind: u64, stack: u64) -> bool:
    """Renew the running thread's entry of a record that an access repeats in a later epoch."""
    epoch = u64(ctx.epoch)
    entry = rec + 4
    end = entry + n_renewable(ctx, rec) * 12
    while entry < end:
        half = entry_at(entry).half
        is_own = half >> 60 == mask and is_same_sid(half, epoch)
        if is_own and u64(entry_at(entry).kind) == kind:
            if half & LOW32 != epoch:
                entry_at(entry).half = pack_half(epoch, mask, stack)
            if own_run(ctx, rec) == 0:
                expanded_at(rec).flags = u8(ONLY_READS)
            return True
        entry += 12
    return False


@kernel(inlined=True)
def repeats_own(ctx: Context, cell: u64, mask: u64, kind: u64, stack: u64) -> bool:
    """The same of an expanded cell, which knows its readers."""
    if not renew_entry(ctx, record_to_address(record_of(cell_at(cell).write)), mask, kind, stack):
        return False
    if kind == READ:
        cell_at(cell).read = with_reader(ctx, cell_at(cell).read, mask)
    return True
