"""Every memory access of the program comes here: the checks that the JIT inlines, and the slow way.

    if (!race_read4_fast(ctx, addr)) race_access_slow(ctx, addr, 4, READ);

    known   of an aligned access inside the arena: recorded in this epoch already?
    fast    of any access: not ours, or known

The fast kernels answer "nothing to do": the address is not ours, or accesses are ignored (which
includes "only one thread has ever existed"), or this thread has accessed the same bytes in the same
epoch, which is most accesses of most programs.  They look at one cell per four bytes; an access
that is not aligned to 4 bytes (1- and 2-byte ones: that leaves their cell) goes the slow way, as
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

from irsan.runtime.kernels.callstack import recent_stack_id
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.race_cells import (
    addr_to_cell,
    cell_access,
    is_expanded,
    try_read,
    try_write,
)
from irsan.runtime.kernels.race_found import race_report
from irsan.runtime.kernels.race_shared import repeats_newest, shared_access
from irsan.runtime.kernels.race_words import (
    N_FOUND,
    U64_0,
    U64_1,
    U64_2,
    U64_3,
    U64_4,
    U64_8,
    U64_16,
    U64_ARENA_LO,
    U64_ARENA_SIZE,
    U64_EXPANDED,
    U64_LOW32,
    U64_RACE_SHADOW,
    U64_READ,
    U64_WRITE,
)

U64_15 = np.uint64(15)
U64_48 = np.uint64(48)
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


@kernel("u64(u64,u64)")
def clip_to_arena(addr: Any, size_bytes: Any) -> Any:
    """How many of `size_bytes` from addr on lie in the arena; 0 when addr does not."""
    offset = addr - U64_ARENA_LO
    if offset >= U64_ARENA_SIZE:
        return U64_0
    return min(size_bytes, U64_ARENA_SIZE - offset)


@kernel("void(ctx,u64,u64,u64,u64)", inlined=True)
def access_word(ctx: Any, cell: Any, mask: Any, kind: Any, stack: Any) -> Any:
    """One access to bytes of one cell: in place if that can be, else the exact way."""
    if kind == U64_WRITE:
        done = try_write(ctx, cell, mask, stack)
    elif is_expanded(load_u64(cell + U64_8)):
        done = repeats_newest(ctx, cell, mask, kind, stack) or shared_access(
            ctx, cell, mask, kind, stack
        )
    else:
        done = kind == U64_READ and try_read(ctx, cell, mask, stack)
    if not done:
        cell_access(ctx, cell, mask, kind, stack)


@kernel("void(ctx,u64,u64,u64)", inlined=True)
def access_pair(ctx: Any, cell: Any, kind: Any, stack: Any) -> Any:
    """An access to all bytes of two neighbouring cells: what is alike stays alike."""
    second = cell + U64_16
    are_alike = load_u64(cell) == load_u64(second) and load_u64(cell + U64_8) == load_u64(
        second + U64_8
    )
    done = False
    if are_alike and kind == U64_WRITE:
        done = try_write(ctx, cell, U64_15, stack)
    elif are_alike and kind == U64_READ:
        done = try_read(ctx, cell, U64_15, stack)
    if done:
        store_u64(second, load_u64(cell))
        store_u64(second + U64_8, load_u64(cell + U64_8))
        return
    access_word(ctx, cell, U64_15, kind, stack)
    access_word(ctx, second, U64_15, kind, stack)


@kernel("void(ctx,u64,u64,u64,u64)")
def access_cells(ctx: Any, addr: Any, end: Any, kind: Any, stack: Any) -> Any:
    """An access to the bytes [addr, end), cell by cell."""
    here = addr
    while here < end:
        first = here & U64_3
        n = min(U64_4 - first, end - here)
        mask = ((U64_1 << n) - U64_1) << first
        access_word(ctx, addr_to_cell(here), mask, kind, stack)
        here += n


@kernel("void(ctx,u64,u64,u64)")
def race_access_slow(ctx: Any, addr: Any, size_bytes: Any, kind: Any) -> Any:
    """Check and record an access of any size and alignment.

    addr  application address;  kind  READ or WRITE, | ATOMIC (race_words.py)
    On a race: ctx.fault and ctx.action = REPORT; all races of this access are in the found list.
    Foreign addresses and ignored accesses are skipped.  O(size).
    """
    size_in_arena = clip_to_arena(addr, size_bytes)
    if ctx.ignore_depth != U64_0 or size_in_arena == U64_0:
        return
    stack = np.uint64(recent_stack_id(ctx))
    ctx.race[N_FOUND] = U64_0
    if addr & U64_3 == U64_0 and size_in_arena == U64_4:
        access_word(ctx, addr_to_cell(addr), U64_15, kind & U64_3, stack)
    elif addr & U64_3 == U64_0 and size_in_arena == U64_8:
        access_pair(ctx, addr_to_cell(addr), kind & U64_3, stack)
    else:
        access_cells(ctx, addr, addr + size_in_arena, kind & U64_3, stack)
    if ctx.race[N_FOUND] != U64_0:
        race_report(ctx, addr, size_bytes, kind, stack)
