"""Same epoch: the quick answers that the JIT inlines before every memory access of the program.

    known   of an aligned access inside the arena: recorded in this epoch already?
    fast    of any access: not ours, or known

They answer "nothing to do": the address is not ours, or accesses are ignored (which includes "only
one thread has ever existed"), or this thread has accessed the same bytes in the same epoch, which
is most accesses of most programs.  They look at one cell per four bytes; an access that is not
aligned to 4 bytes (1- and 2-byte ones: that leaves their cell) goes the slow way (fasttrack.py), as
does everything else.

    offset = addr - ARENA_LO          one unsigned compare separates what is ours and recorded
    cell   = RACE_SHADOW + (offset & ~3) * 4
    done   = (read half  & (bytes << 60 | 0xffffffff)) == (bytes << 60 | epoch)
          or (write half & ...) likewise              a write of the same epoch covers a read
          or the read half has this thread in its set of readers (generations.py)

Source: FastTrack, rules [READ SAME EPOCH] and [WRITE SAME EPOCH] (PLDI 2009, figure 2).
Soundness: an access skipped here would race exactly with what the recorded one races with.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.cells.cell_words import addr_to_cell
from irsan.runtime.kernels.race.clocks.generations import ALL_BYTES
from irsan.runtime.kernels.race.clocks.race_words import EXPANDED, LOW32
from irsan.runtime.kernels.race.race_types import cell_at
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout.memory_map import ARENA_LO, RACE_SHADOW

ALL_BYTES_AND_EPOCH = ALL_BYTES | LOW32
READ_HALF = ALL_BYTES_AND_EPOCH | EXPANDED  # a compact one has no such bit


@kernel
def is_shared_read(ctx: Context, r: u64) -> bool:
    """Whether a read half has the running thread among those who have read all four bytes."""
    return r & ctx.shared_mask == ctx.shared_read


@kernel
def write_is_known(cell: u64, wanted: u64) -> bool:
    """Whether all four bytes of a cell were written at the epoch in `wanted`."""
    return cell_at(cell).write & ALL_BYTES_AND_EPOCH == wanted


@kernel
def read_is_known(ctx: Context, cell: u64, wanted: u64) -> bool:
    """Whether all four bytes of a cell were read or written at the epoch in `wanted`."""
    r = cell_at(cell).read
    if r & READ_HALF == wanted or write_is_known(cell, wanted):
        return True
    return is_shared_read(ctx, r)


@kernel(inlined=True)
def four_are_known(cell: u64, wanted: u64, is_write: bool) -> bool:
    """Whether four neighbouring cells were all written, or all read, at the epoch in `wanted`.

    False says nothing: some may have been read, others written.
    """
    one, two = cell_at(cell), cell_at(cell + 16)
    three, four = cell_at(cell + 32), cell_at(cell + 48)
    written = (one.write ^ wanted) | (two.write ^ wanted)
    written |= (three.write ^ wanted) | (four.write ^ wanted)
    if written & ALL_BYTES_AND_EPOCH == 0:
        return True
    read = (one.read ^ wanted) | (two.read ^ wanted) | (three.read ^ wanted) | (four.read ^ wanted)
    return not is_write and read & READ_HALF == 0


@kernel
def first_unknown(ctx: Context, cell: u64, end: u64, is_write: bool) -> u64:
    """The first of the cells [cell, end) of which an access to all bytes is not known; `end` if
    there is none.
    """
    wanted = ctx.same_epoch
    while cell < end:
        is_known = write_is_known(cell, wanted) if is_write else read_is_known(ctx, cell, wanted)
        if not is_known:
            return cell
        cell += 16
        while cell + 64 <= end and four_are_known(cell, wanted, is_write):
            cell += 64
    return end


@kernel(inlined=True)
def bytes_are_known(ctx: Context, cell: u64, bytes_mask: u64, is_write: bool) -> bool:
    """Whether an access to the bytes of a cell in a mask of 4 bits is known."""
    mask = bytes_mask << 60
    wanted = mask | u64(ctx.epoch)
    if cell_at(cell).write & (mask | LOW32) == wanted:
        return True
    if is_write:
        return False
    r = cell_at(cell).read
    if r & (mask | LOW32 | EXPANDED) == wanted:
        return True
    shared = (ctx.shared_read & ~u64(ALL_BYTES)) | mask
    return r & (shared | LOW32) == shared


@kernel
def narrow_known(ctx: Context, addr: u64, bytes_at_0: u64, is_write: bool) -> bool:
    """`known` for 1 or 2 bytes inside one cell; `bytes_at_0` is their mask at offset 0."""
    return bytes_are_known(ctx, addr_to_cell(addr), bytes_at_0 << (addr & 3), is_write)


@kernel(inlined=True)
def range_is_known(ctx: Context, addr: u64, end: u64, is_write: bool) -> bool:
    """`known` for [addr, end) of the arena, which is not empty.  O(bytes)."""
    first, last = addr_to_cell(addr), addr_to_cell(end)
    head, tail = u64(15) << (addr & 3) & 15, (u64(1) << (end & 3)) - 1
    if first == last:
        return bytes_are_known(ctx, first, head & tail, is_write)
    if head != 15:
        if not bytes_are_known(ctx, first, head, is_write):
            return False
        first += 16
    if first_unknown(ctx, first, last, is_write) != last:
        return False
    return tail == 0 or bytes_are_known(ctx, last, tail, is_write)


@kernel
def aligned_to_cell(addr: u64) -> u64:
    """Cell of an address that is a multiple of 4."""
    return RACE_SHADOW + ((addr - ARENA_LO) << 2)


@kernel
def is_nobodys(ctx: Context, addr: u64) -> bool:
    """Whether races at `addr` are none of ours: accesses are ignored, or it is not in the arena."""
    return addr - ARENA_LO >= ctx.race_span


@kernel
def race_read1_known(ctx: Context, addr: u64) -> bool:
    """Whether a read of 1 aligned byte in the arena needs nothing more."""
    return narrow_known(ctx, addr, 1, False)


@kernel
def race_read2_known(ctx: Context, addr: u64) -> bool:
    """Whether a read of 2 aligned bytes in the arena needs nothing more."""
    return narrow_known(ctx, addr, 3, False)


@kernel
def race_read4_known(ctx: Context, addr: u64) -> bool:
    """Whether a read of 4 aligned bytes in the arena needs nothing more."""
    return read_is_known(ctx, aligned_to_cell(addr), ctx.same_epoch)


@kernel
def race_read8_known(ctx: Context, addr: u64) -> bool:
    """Whether a read of 8 aligned bytes in the arena needs nothing more."""
    wanted = ctx.same_epoch
    cell = aligned_to_cell(addr)
    one, other = cell_at(cell), cell_at(cell + 16)
    r = one.read
    if r & READ_HALF == wanted:
        if other.read == r:  # most variables of 8 bytes: two cells that are alike
            return True
    elif write_is_known(cell, wanted):
        if other.write == one.write:
            return True
    elif not is_shared_read(ctx, r):
        return False
    elif other.read == r:
        return True
    return read_is_known(ctx, cell + 16, wanted)


@kernel
def race_read16_known(ctx: Context, addr: u64) -> bool:
    """Whether a read of 16 aligned bytes in the arena needs nothing more."""
    return race_read8_known(ctx, addr) and race_read8_known(ctx, addr + 8)


@kernel
def race_write1_known(ctx: Context, addr: u64) -> bool:
    """Whether a write of 1 aligned byte in the arena needs nothing more."""
    return narrow_known(ctx, addr, 1, True)


@kernel
def race_write2_known(ctx: Context, addr: u64) -> bool:
    """Whether a write of 2 aligned bytes in the arena needs nothing more."""
    return narrow_known(ctx, addr, 3, True)


@kernel
def race_write4_known(ctx: Context, addr: u64) -> bool:
    """Whether a write of 4 aligned bytes in the arena needs nothing more."""
    return write_is_known(aligned_to_cell(addr), ctx.same_epoch)


@kernel
def race_write8_known(ctx: Context, addr: u64) -> bool:
    """Whether a write of 8 aligned bytes in the arena needs nothing more."""
    wanted = ctx.same_epoch
    cell = aligned_to_cell(addr)
    if not write_is_known(cell, wanted):
        return False
    is_alike = cell_at(cell + 16).write == cell_at(cell).write
    return is_alike or write_is_known(cell + 16, wanted)


@kernel
def race_write16_known(ctx: Context, addr: u64) -> bool:
    """Whether a write of 16 aligned bytes in the arena needs nothing more."""
    return race_write8_known(ctx, addr) and race_write8_known(ctx, addr + 8)


@kernel
def race_read1_fast(ctx: Context, addr: u64) -> bool:
    """Whether a read of 1 byte anywhere needs nothing more."""
    return is_nobodys(ctx, addr) or race_read1_known(ctx, addr)


@kernel
def race_read2_fast(ctx: Context, addr: u64) -> bool:
    """Whether a read of 2 bytes anywhere needs nothing more."""
    return is_nobodys(ctx, addr) or (addr & 3 != 3 and race_read2_known(ctx, addr))


@kernel
def race_read4_fast(ctx: Context, addr: u64) -> bool:
    """Whether a read of 4 bytes anywhere needs nothing more."""
    return is_nobodys(ctx, addr) or (addr & 3 == 0 and race_read4_known(ctx, addr))


@kernel
def race_read8_fast(ctx: Context, addr: u64) -> bool:
    """Whether a read of 8 bytes anywhere needs nothing more."""
    return is_nobodys(ctx, addr) or (addr & 3 == 0 and race_read8_known(ctx, addr))


@kernel
def race_read16_fast(ctx: Context, addr: u64) -> bool:
    """Whether a read of 16 bytes anywhere needs nothing more."""
    return is_nobodys(ctx, addr) or (addr & 3 == 0 and race_read16_known(ctx, addr))


@kernel
def race_write1_fast(ctx: Context, addr: u64) -> bool:
    """Whether a write of 1 byte anywhere needs nothing more."""
    return is_nobodys(ctx, addr) or race_write1_known(ctx, addr)


@kernel
def race_write2_fast(ctx: Context, addr: u64) -> bool:
    """Whether a write of 2 bytes anywhere needs nothing more."""
    return is_nobodys(ctx, addr) or (addr & 3 != 3 and race_write2_known(ctx, addr))


@kernel
def race_write4_fast(ctx: Context, addr: u64) -> bool:
    """Whether a write of 4 bytes anywhere needs nothing more."""
    return is_nobodys(ctx, addr) or (addr & 3 == 0 and race_write4_known(ctx, addr))


@kernel
def race_write8_fast(ctx: Context, addr: u64) -> bool:
    """Whether a write of 8 bytes anywhere needs nothing more."""
    return is_nobodys(ctx, addr) or (addr & 3 == 0 and race_write8_known(ctx, addr))


@kernel
def race_write16_fast(ctx: Context, addr: u64) -> bool:
    """Whether a write of 16 bytes anywhere needs nothing more."""
    return is_nobodys(ctx, addr) or (addr & 3 == 0 and race_write16_known(ctx, addr))
