"""Same epoch: the quick answers that the JIT inlines before every memory access of the program.

    known   of an aligned access inside the arena: recorded in this epoch already?
    fast    of any access: not ours, or known

They answer "nothing to do": the address is not ours, or accesses are ignored (which includes "only
one thread has ever existed"), or this thread has accessed the same bytes in the same epoch, which
is most accesses of most programs.  They look at one cell per four bytes; an access that is not
aligned to 4 bytes (1- and 2-byte ones: that leaves their cell) goes the slow way (fasttrack.py), as
does everything else.

    offset = addr - ARENA_LO          one unsigned compare tells ours from foreign
    cell   = RACE_SHADOW + (offset & ~3) * 4
    done   = (read half  & (bytes << 60 | 0xffffffff)) == (bytes << 60 | epoch)
          or (write half & ...) likewise              a write of the same epoch covers a read
          or the read half has this thread in its set of readers (generations.py)

Source: FastTrack, rules [READ SAME EPOCH] and [WRITE SAME EPOCH] (PLDI 2009, figure 2).
Soundness: an access skipped here would race exactly with what the recorded one races with.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64
from irsan.runtime.kernels.race.cells.cell_words import addr_to_cell
from irsan.runtime.kernels.race.clocks.race_words import (
    U64_0,
    U64_1,
    U64_2,
    U64_3,
    U64_8,
    U64_16,
    U64_ARENA_LO,
    U64_ARENA_SIZE,
    U64_EXPANDED,
    U64_LOW32,
    U64_RACE_SHADOW,
)

U64_60 = np.uint64(60)
ALL_BYTES = np.uint64(0xF000_0000_0000_0000)
ALL_BYTES_AND_EPOCH = np.uint64(0xF000_0000_FFFF_FFFF)
READ_HALF = ALL_BYTES_AND_EPOCH | U64_EXPANDED  # a compact one has no such bit


@kernel("b1(ctx,u64,u64)")
def read_is_known(ctx: Any, cell: Any, wanted: Any) -> Any:
    """Whether all four bytes of a cell were read or written at the epoch in `wanted`."""
    r = load_u64(cell + U64_8)
    if r & READ_HALF == wanted or r & (ctx.shared_read | U64_LOW32) == ctx.shared_read:
        return True
    return load_u64(cell) & ALL_BYTES_AND_EPOCH == wanted


@kernel("b1(u64,u64)")
def write_is_known(cell: Any, wanted: Any) -> Any:
    """Whether all four bytes of a cell were written at the epoch in `wanted`."""
    return load_u64(cell) & ALL_BYTES_AND_EPOCH == wanted


@kernel("b1(ctx,u64,u64,b1)")
def narrow_known(ctx: Any, addr: Any, bytes_at_0: Any, is_write: Any) -> Any:
    """`known` for 1 or 2 bytes inside one cell; `bytes_at_0` is their mask at offset 0."""
    mask = bytes_at_0 << (U64_60 + (addr & U64_3))
    cell = addr_to_cell(addr)
    wanted = mask | np.uint64(ctx.epoch)
    if load_u64(cell) & (mask | U64_LOW32) == wanted:
        return True
    if is_write:
        return False
    r = load_u64(cell + U64_8)
    if r & (mask | U64_LOW32 | U64_EXPANDED) == wanted:
        return True
    shared = (ctx.shared_read & ~ALL_BYTES) | mask
    return r & (shared | U64_LOW32) == shared


@kernel("u64(u64)")
def aligned_to_cell(addr: Any) -> Any:
    """Cell of an address that is a multiple of 4."""
    return U64_RACE_SHADOW + ((addr - U64_ARENA_LO) << U64_2)


@kernel("b1(ctx,u64)")
def is_nobodys(ctx: Any, addr: Any) -> Any:
    """Whether races at `addr` are none of ours: accesses are ignored, or it is not in the arena."""
    return ctx.ignore_depth != U64_0 or addr - U64_ARENA_LO >= U64_ARENA_SIZE


@kernel("b1(ctx,u64)")
def race_read1_known(ctx: Any, addr: Any) -> Any:
    """Whether a read of 1 aligned byte in the arena needs nothing more."""
    return narrow_known(ctx, addr, U64_1, False)


@kernel("b1(ctx,u64)")
def race_read2_known(ctx: Any, addr: Any) -> Any:
    """Whether a read of 2 aligned bytes in the arena needs nothing more."""
    return narrow_known(ctx, addr, U64_3, False)


@kernel("b1(ctx,u64)")
def race_read4_known(ctx: Any, addr: Any) -> Any:
    """Whether a read of 4 aligned bytes in the arena needs nothing more."""
    return read_is_known(ctx, aligned_to_cell(addr), np.uint64(ctx.epoch) | ALL_BYTES)


@kernel("b1(ctx,u64)")
def race_read8_known(ctx: Any, addr: Any) -> Any:
    """Whether a read of 8 aligned bytes in the arena needs nothing more."""
    wanted = np.uint64(ctx.epoch) | ALL_BYTES
    cell = aligned_to_cell(addr)
    return read_is_known(ctx, cell, wanted) and read_is_known(ctx, cell + U64_16, wanted)


@kernel("b1(ctx,u64)")
def race_read16_known(ctx: Any, addr: Any) -> Any:
    """Whether a read of 16 aligned bytes in the arena needs nothing more."""
    return race_read8_known(ctx, addr) and race_read8_known(ctx, addr + U64_8)


@kernel("b1(ctx,u64)")
def race_write1_known(ctx: Any, addr: Any) -> Any:
    """Whether a write of 1 aligned byte in the arena needs nothing more."""
    return narrow_known(ctx, addr, U64_1, True)


@kernel("b1(ctx,u64)")
def race_write2_known(ctx: Any, addr: Any) -> Any:
    """Whether a write of 2 aligned bytes in the arena needs nothing more."""
    return narrow_known(ctx, addr, U64_3, True)


@kernel("b1(ctx,u64)")
def race_write4_known(ctx: Any, addr: Any) -> Any:
    """Whether a write of 4 aligned bytes in the arena needs nothing more."""
    return write_is_known(aligned_to_cell(addr), np.uint64(ctx.epoch) | ALL_BYTES)


@kernel("b1(ctx,u64)")
def race_write8_known(ctx: Any, addr: Any) -> Any:
    """Whether a write of 8 aligned bytes in the arena needs nothing more."""
    wanted = np.uint64(ctx.epoch) | ALL_BYTES
    cell = aligned_to_cell(addr)
    return write_is_known(cell, wanted) and write_is_known(cell + U64_16, wanted)


@kernel("b1(ctx,u64)")
def race_write16_known(ctx: Any, addr: Any) -> Any:
    """Whether a write of 16 aligned bytes in the arena needs nothing more."""
    return race_write8_known(ctx, addr) and race_write8_known(ctx, addr + U64_8)


@kernel("b1(ctx,u64)")
def race_read1_fast(ctx: Any, addr: Any) -> Any:
    """Whether a read of 1 byte anywhere needs nothing more."""
    return is_nobodys(ctx, addr) or race_read1_known(ctx, addr)


@kernel("b1(ctx,u64)")
def race_read2_fast(ctx: Any, addr: Any) -> Any:
    """Whether a read of 2 bytes anywhere needs nothing more."""
    return is_nobodys(ctx, addr) or (addr & U64_3 != U64_3 and race_read2_known(ctx, addr))


@kernel("b1(ctx,u64)")
def race_read4_fast(ctx: Any, addr: Any) -> Any:
    """Whether a read of 4 bytes anywhere needs nothing more."""
    return is_nobodys(ctx, addr) or (addr & U64_3 == U64_0 and race_read4_known(ctx, addr))


@kernel("b1(ctx,u64)")
def race_read8_fast(ctx: Any, addr: Any) -> Any:
    """Whether a read of 8 bytes anywhere needs nothing more."""
    return is_nobodys(ctx, addr) or (addr & U64_3 == U64_0 and race_read8_known(ctx, addr))


@kernel("b1(ctx,u64)")
def race_read16_fast(ctx: Any, addr: Any) -> Any:
    """Whether a read of 16 bytes anywhere needs nothing more."""
    return is_nobodys(ctx, addr) or (addr & U64_3 == U64_0 and race_read16_known(ctx, addr))


@kernel("b1(ctx,u64)")
def race_write1_fast(ctx: Any, addr: Any) -> Any:
    """Whether a write of 1 byte anywhere needs nothing more."""
    return is_nobodys(ctx, addr) or race_write1_known(ctx, addr)


@kernel("b1(ctx,u64)")
def race_write2_fast(ctx: Any, addr: Any) -> Any:
    """Whether a write of 2 bytes anywhere needs nothing more."""
    return is_nobodys(ctx, addr) or (addr & U64_3 != U64_3 and race_write2_known(ctx, addr))


@kernel("b1(ctx,u64)")
def race_write4_fast(ctx: Any, addr: Any) -> Any:
    """Whether a write of 4 bytes anywhere needs nothing more."""
    return is_nobodys(ctx, addr) or (addr & U64_3 == U64_0 and race_write4_known(ctx, addr))


@kernel("b1(ctx,u64)")
def race_write8_fast(ctx: Any, addr: Any) -> Any:
    """Whether a write of 8 bytes anywhere needs nothing more."""
    return is_nobodys(ctx, addr) or (addr & U64_3 == U64_0 and race_write8_known(ctx, addr))


@kernel("b1(ctx,u64)")
def race_write16_fast(ctx: Any, addr: Any) -> Any:
    """Whether a write of 16 bytes anywhere needs nothing more."""
    return is_nobodys(ctx, addr) or (addr & U64_3 == U64_0 and race_write16_known(ctx, addr))
