"""A plain access to a compact cell that stays compact, which is what most of them do.

Both ways of an access come here: the few steps of an epoch's first access (renewal.py), and the
exact way (access.py).

Source: FastTrack2 (Flanagan and Freund, Williams College, 2017), per byte: same epoch, exclusive,
write.
Deviation: R is dropped at a write that all reads happen before, see fasttrack.py.
Soundness: exact.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.cells.cell_words import (
    EPOCH_AND_STACK,
    PAIRED,
    is_paired,
    pack_half,
)
from irsan.runtime.kernels.race.cells.paired_cells import (
    access_pair_in_place,
    are_writes,
    begin_pair,
    newer_of,
    older_of,
)
from irsan.runtime.kernels.race.clocks.past_epochs import is_past
from irsan.runtime.kernels.race.clocks.race_words import LOW32, WRITE
from irsan.runtime.kernels.race.clocks.vclock import epoch_before
from irsan.runtime.kernels.race.race_types import cell_at
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64


@kernel
def half_races(ctx: Context, half: u64, mask: u64) -> bool:
    """Whether what a half has of the bytes `mask` does not happen before now."""
    return (half >> 60) & mask != 0 and not epoch_before(half & LOW32, ctx.vc)


@kernel
def compact_races_with(ctx: Context, w: u64, r: u64, mask: u64, kind: u64) -> bool:
    """Whether a plain access to the bytes `mask` of a compact cell races with what it remembers."""
    if is_paired(w):
        is_late = half_races(ctx, newer_of(w, r), mask) or half_races(ctx, older_of(w, r), mask)
        return is_late and (kind == WRITE or are_writes(w))
    return half_races(ctx, w, mask) or (kind == WRITE and half_races(ctx, r, mask))


@kernel(inlined=True)
def is_replaceable(ctx: Context, half: u64, mask: u64) -> bool:
    """Whether a half need not stay beside an access to bytes of its kind."""
    epoch = half & LOW32
    return ((half >> 60) & ~mask == 0 and epoch_before(epoch, ctx.vc)) or is_past(epoch)


@kernel(inlined=True)
def takes_place(ctx: Context, half: u64, mask: u64) -> bool:
    """Whether an access takes the place of a half of an older epoch, as mostly it does."""
    epoch = half & LOW32
    return (half >> 60) & ~mask == 0 and epoch != ctx.epoch and epoch_before(epoch, ctx.vc)


@kernel(inlined=True)
def try_read(ctx: Context, cell: u64, mask: u64, stack: u64) -> bool:
    """A plain read of the bytes `mask` that leaves the cell compact; false: nothing was done."""
    w, r = cell_at(cell).write, cell_at(cell).read
    epoch, w_epoch = u64(ctx.epoch), w & LOW32
    if (w | r) & PAIRED != 0:  # of the read half: it is expanded
        return r & PAIRED == 0 and access_pair_in_place(ctx, cell, mask, stack, False)
    if takes_place(ctx, r, mask) and w_epoch != epoch and epoch_before(w_epoch, ctx.vc):
        cell_at(cell).read = pack_half(epoch, mask, stack)
        return True
    if w_epoch == epoch:
        mask &= ~(w >> 60)
    elif (w >> 60) & mask != 0 and not epoch_before(w_epoch, ctx.vc):
        return False
    if r & LOW32 == epoch:
        mask &= ~(r >> 60)
    if mask == 0:
        return True
    half = pack_half(epoch, mask, stack)
    if is_replaceable(ctx, r, mask):
        cell_at(cell).read = half
        return True
    if (r ^ half) & EPOCH_AND_STACK == 0:
        cell_at(cell).read = r | half
        return True
    return begin_pair(ctx, cell, mask, stack, False)


@kernel(inlined=True)
def try_write(ctx: Context, cell: u64, mask: u64, stack: u64) -> bool:
    """A plain write of the bytes `mask` that leaves the cell compact; false: nothing was done."""
    w, r = cell_at(cell).write, cell_at(cell).read
    epoch, w_epoch = u64(ctx.epoch), w & LOW32
    if (w | r) & PAIRED != 0:
        return r & PAIRED == 0 and access_pair_in_place(ctx, cell, mask, stack, True)
    if takes_place(ctx, w, mask) and epoch_before(r & LOW32, ctx.vc):
        r &= ~(mask << 60)
        cell_at(cell).write = pack_half(epoch, mask, stack)
        cell_at(cell).read = r if r >> 60 != 0 else u64(0)
        return True
    if w_epoch == epoch:
        mask &= ~(w >> 60)
    elif (w >> 60) & mask != 0 and not epoch_before(w_epoch, ctx.vc):
        return False
    if mask == 0:
        return True
    if (r >> 60) & mask != 0 and not epoch_before(r & LOW32, ctx.vc):
        return False
    half = pack_half(epoch, mask, stack)
    if not is_replaceable(ctx, w, mask):
        if (w ^ half) & EPOCH_AND_STACK != 0:
            return begin_pair(ctx, cell, mask, stack, True)
        half |= w
    r &= ~(mask << 60)
    cell_at(cell).write = half
    cell_at(cell).read = r if r >> 60 != 0 else u64(0)
    return True
