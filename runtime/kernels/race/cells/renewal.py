"""Renewal: the first access of an epoch to cells that stay compact, in a few steps.

    race_read4_renewed(ctx, addr, given)    asked where the quick answers of same_epoch.py know
                                            nothing, before the exact way (access.py)

Each unlock begins an epoch, so threads that take a lock for each step access nearly everything for
the first time in an epoch.  Mostly the cell is compact, all that it remembers happens before now,
and the access was made by the same calls lately, so that its stack takes one look.  Or it is the
next byte of text that is read or written byte by byte:

    for each cell of the access
        recorded in this epoch                                   nothing to do
        read by several threads, and its record needs no check   its entry becomes one of now
        compact, and stays so                                    as compact_cells.py says

An access that is not aligned, which the quick answers leave out, is answered here, too.

It may stop half way: what was recorded is then known to whoever goes the exact way.

Source: FastTrack (PLDI 2009), figure 2, rules [READ EXCLUSIVE] and [WRITE EXCLUSIVE].
Soundness: exact: the exact way would leave the same.
"""

from __future__ import annotations

from irsan.runtime.kernels.callstack import calls_hash
from irsan.runtime.kernels.depot import child_hash
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.cells.access_stack import access_key, known_access
from irsan.runtime.kernels.race.cells.cell_words import (
    addr_to_cell,
    is_expanded,
    record_of,
)
from irsan.runtime.kernels.race.cells.compact_cells import try_read, try_write
from irsan.runtime.kernels.race.cells.race_records import record_to_address
from irsan.runtime.kernels.race.cells.same_epoch import bytes_are_known, is_nobodys
from irsan.runtime.kernels.race.cells.settled_runs import renew_entry
from irsan.runtime.kernels.race.clocks.generations import with_known_reader
from irsan.runtime.kernels.race.clocks.race_words import LOW32, READ
from irsan.runtime.kernels.race.race_types import cell_at
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout.mapping_zone import ZONE_LO
from irsan.runtime.layout.options import RACE_DETECTOR

BARE = 1 << 31  # of a site in a check, as an unsigned word: site_stores.py


@kernel(inlined=True)
def renew_shared_read(ctx: Context, cell: u64, mask: u64, stack: u64) -> bool:
    """A plain read of a cell with a record that needs no check (settled_runs.py)."""
    own = ctx.shared_read
    if own & LOW32 == 0:
        return False  # the exact way takes a bit
    record = record_to_address(record_of(cell_at(cell).write))
    if not renew_entry(ctx, record, mask, u64(READ), stack):
        return False
    cell_at(cell).read = with_known_reader(cell_at(cell).read, mask, own)
    return True


@kernel(inlined=True)
def renew(ctx: Context, cell: u64, mask: u64, stack: u64, is_write: bool) -> bool:
    """An access to bytes of a cell that is not known; without a stack nothing is done."""
    if stack == 0:
        return False
    if is_write:
        return try_write(ctx, cell, mask, stack)
    if is_expanded(cell_at(cell).read):
        return renew_shared_read(ctx, cell, mask, stack)
    return try_read(ctx, cell, mask, stack)


@kernel(inlined=True)
def is_renewable(ctx: Context, addr: u64) -> bool:
    """Whether accesses may be renewed: nobody maps the memory, and no other way is asked for."""
    is_plain = ctx.explore.is_on == 0 and ctx.options[RACE_DETECTOR] == 0
    return addr < ZONE_LO and is_plain and ctx.routine == 0


@kernel(inlined=True)
def recent_stack(ctx: Context, given: u64) -> u64:
    """Stack id of an access at a site, if it was made lately; else 0."""
    stack_hash = calls_hash(ctx)
    if given & BARE != 0:
        stack_hash = child_hash(stack_hash, u64(ctx.site))
    return u64(known_access(access_key(ctx, stack_hash), given & ~u64(BARE)))


@kernel(inlined=True)
def renewed(ctx: Context, addr: u64, bytes_at_0: u64, is_write: bool, given: u64) -> bool:
    """Whether a plain access at a site is known, or recorded from now on.

    bytes_at_0  mask of its bytes
    given       the site, | BARE in a function without a frame
    """
    if is_nobodys(ctx, addr):
        return True
    if not is_renewable(ctx, addr):
        return False
    cell, mask = addr_to_cell(addr), bytes_at_0 << (addr & 3)
    stack = u64(0)
    while mask != 0:
        part = mask & 15
        if not bytes_are_known(ctx, cell, part, is_write):
            if stack == 0:
                stack = recent_stack(ctx, given)
            if not renew(ctx, cell, part, stack, is_write):
                return False
        cell += 16
        mask >>= 4
    return True


@kernel
def race_read1_renewed(ctx: Context, addr: u64, given: u64) -> bool:
    """A read of 1 byte."""
    return renewed(ctx, addr, 1, False, given)


@kernel
def race_read2_renewed(ctx: Context, addr: u64, given: u64) -> bool:
    """A read of 2 bytes."""
    return renewed(ctx, addr, 3, False, given)


@kernel
def race_read4_renewed(ctx: Context, addr: u64, given: u64) -> bool:
    """A read of 4 bytes."""
    return renewed(ctx, addr, 15, False, given)


@kernel
def race_read8_renewed(ctx: Context, addr: u64, given: u64) -> bool:
    """A read of 8 bytes."""
    return renewed(ctx, addr, 255, False, given)


@kernel
def race_read16_renewed(ctx: Context, addr: u64, given: u64) -> bool:
    """A read of 16 bytes."""
    return renewed(ctx, addr, 65535, False, given)


@kernel
def race_write1_renewed(ctx: Context, addr: u64, given: u64) -> bool:
    """A write of 1 byte."""
    return renewed(ctx, addr, 1, True, given)


@kernel
def race_write2_renewed(ctx: Context, addr: u64, given: u64) -> bool:
    """A write of 2 bytes."""
    return renewed(ctx, addr, 3, True, given)


@kernel
def race_write4_renewed(ctx: Context, addr: u64, given: u64) -> bool:
    """A write of 4 bytes."""
    return renewed(ctx, addr, 15, True, given)


@kernel
def race_write8_renewed(ctx: Context, addr: u64, given: u64) -> bool:
    """A write of 8 bytes."""
    return renewed(ctx, addr, 255, True, given)


@kernel
def race_write16_renewed(ctx: Context, addr: u64, given: u64) -> bool:
    """A write of 16 bytes."""
    return renewed(ctx, addr, 65535, True, given)
