"""Two accesses of one kind in a compact cell: each byte has one of them.

A thread that goes through text or packed data in a new epoch reaches a word byte by byte, so for a
while some of its bytes have the new access and all others the old one:

    R 1111 epoch 3  ->  R 0001 epoch 5, R 1110 epoch 3  ->  R 0011, R 1100  ->  R 1111 epoch 5

Both fit into the cell, as what the one has not the other has, and nothing else is remembered:

    reads    read half    the newer one, with its bytes
             write half   PAIRED, the older one, no bytes: those that the read half has not
    writes   the same with the halves exchanged, PAIRED in the write half again

The half with bytes is what any compact cell has, so the quick answers (same_epoch.py) hold; that
without bytes answers nothing.

Source: ours.
Soundness: exact.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.cells.cell_words import (
    EPOCH_AND_STACK,
    PAIRED,
    pack_half,
)
from irsan.runtime.kernels.race.clocks.past_epochs import is_past
from irsan.runtime.kernels.race.clocks.race_words import LOW32
from irsan.runtime.kernels.race.clocks.vclock import epoch_before
from irsan.runtime.kernels.race.race_types import cell_at
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64


@kernel(inlined=True)
def are_writes(w: u64) -> bool:
    """Whether the pair with write half `w` is one of writes, else of reads."""
    return w >> 60 != 0


@kernel(inlined=True)
def newer_of(w: u64, r: u64) -> u64:
    """The access of a pair whose bytes the cell has: epoch, bytes and stack."""
    return (w if are_writes(w) else r) & ~u64(PAIRED)


@kernel(inlined=True)
def older_of(w: u64, r: u64) -> u64:
    """The other one, with all other bytes."""
    bytes_beside = (newer_of(w, r) >> 60) ^ 15
    return ((r if are_writes(w) else w) & EPOCH_AND_STACK) | bytes_beside << 60


@kernel(inlined=True)
def put_pair(cell: u64, newer: u64, older: u64, is_write: bool) -> None:
    """Let a compact cell be two reads or writes, of which `older` has the bytes beside `newer`."""
    older &= EPOCH_AND_STACK
    if newer >> 60 == 15:
        older = u64(0)
    mark = u64(PAIRED) if older != 0 else u64(0)
    cell_at(cell).write = (newer if is_write else older) | mark
    cell_at(cell).read = older if is_write else newer


@kernel(inlined=True)
def begin_pair(ctx: Context, cell: u64, mask: u64, stack: u64, is_write: bool) -> bool:
    """An access to bytes that are not known, in a compact cell without room; false: not done.

    It does not race, and the cell is not paired.
    """
    w, r = cell_at(cell).write, cell_at(cell).read
    like, other = (w, r) if is_write else (r, w)
    if (like >> 60) | mask != 15 or not epoch_before(like & LOW32, ctx.vc):
        return False
    is_marked = is_write and other >> 60 == 0 and other != 0  # the write is a malloc or a free
    if is_marked or not is_past(other & LOW32):
        return False
    put_pair(cell, pack_half(u64(ctx.epoch), mask, stack), like, is_write)
    return True


@kernel(inlined=True)
def join_pair(cell: u64, newer: u64, older: u64, half: u64, is_write: bool) -> bool:
    """Record an access like those of a pair, which takes its bytes from both; false: no room."""
    mask = half >> 60
    if (newer ^ half) & EPOCH_AND_STACK == 0:
        half |= newer
    elif (older ^ half) & EPOCH_AND_STACK == 0:
        half |= older
        older = newer
    elif (older >> 60) & ~mask == 0:
        older = newer
    elif (newer >> 60) & ~mask != 0:
        return False
    put_pair(cell, half, older, is_write)
    return True


@kernel(inlined=True)
def write_over_reads(cell: u64, newer: u64, older: u64, half: u64) -> bool:
    """Record a write, which takes its bytes from a pair of reads; false: no room."""
    taken = (half >> 60) << 60
    newer &= ~taken
    older &= ~taken
    if newer >> 60 != 0 and older >> 60 != 0:
        return False
    rest = newer if newer >> 60 != 0 else older
    cell_at(cell).write = half
    cell_at(cell).read = rest if rest >> 60 != 0 else u64(0)
    return True


@kernel(inlined=True)
def access_pair_in_place(ctx: Context, cell: u64, mask: u64, stack: u64, is_write: bool) -> bool:
    """A plain access to bytes of a paired cell that leaves it compact; false: nothing was done."""
    w, r = cell_at(cell).write, cell_at(cell).read
    newer, older = newer_of(w, r), older_of(w, r)
    epoch = u64(ctx.epoch)
    if are_writes(w) or not is_write:
        mask &= ~(newer >> 60) if newer & LOW32 == epoch else u64(15)
        mask &= ~(older >> 60) if older & LOW32 == epoch else u64(15)
    if mask == 0:
        return True
    if not (epoch_before(newer & LOW32, ctx.vc) and epoch_before(older & LOW32, ctx.vc)):
        return False
    half = pack_half(epoch, mask, stack)
    if are_writes(w) == is_write:
        return join_pair(cell, newer, older, half, is_write)
    return is_write and write_over_reads(cell, newer, older, half)
