"""How much of a big block is marked with its allocation: all of it, while such blocks are used.

    credit       bytes of big blocks that may be marked as a whole; FULL_CREDIT in the beginning
    allocation   takes what is to be marked; where the credit does not reach, BIG_MARK bytes alone
                 are marked, and nothing is taken
    free         gives back as much if the program has used the middle of the block

The mark takes four bytes of race shadow for each byte of the block.  A program that uses the block
needs these pages anyway, and its first writes are answered by the mark; one that hardly touches it
would pay a fault for each KiB, and the memory.

Source: ThreadSanitizer marks blocks of up to 64 KiB as a whole (MemoryRangeSet in
tsan_rtl_access.cpp), of bigger ones the first and the last page of shadow.  The credit is ours.
Soundness: exact but for accesses of a big block, behind its mark, that are not ordered after its
allocation: they are missed unless they race with an access, too.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.cells.cell_words import addr_to_cell
from irsan.runtime.kernels.race.clocks.race_words import ALLOCATION, FULL_CREDIT
from irsan.runtime.kernels.race.race_detectors import MARK_LIMIT
from irsan.runtime.kernels.race.race_types import cell_at
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64

WHOLE_UP_TO = 1 << 14  # a block of at most so many bytes is not big
BIG_MARK = 1024
# Freed blocks of more bytes lose their shadow.  Its pages have to be made anew, 1.25 microseconds
# for each KiB of the block; programs that use buffers of 64 KiB over and over would pay for that.
# And so many bytes are marked of a freed block that no address check looks after.
MARKED_UP_TO = 1 << 16
ONLY_ALLOCATED = int(ALLOCATION) << 32


@kernel
def take_credit(ctx: Context, size_bytes: u64) -> u64:
    """How many bytes of a block that is handed out are marked."""
    wanted = min(size_bytes, u64(MARK_LIMIT))
    if size_bytes <= WHOLE_UP_TO:
        return wanted
    if wanted > ctx.race.mark_credit:
        return u64(BIG_MARK)
    ctx.race.mark_credit -= wanted
    return wanted


@kernel
def give_credit(ctx: Context, addr: u64, end: u64) -> None:
    """The block [addr, end) of the arena is freed, before its history is."""
    middle = cell_at(addr_to_cell(addr + ((end - addr) >> 1)))
    if end - addr > WHOLE_UP_TO and middle.write != 0 and middle.read != ONLY_ALLOCATED:
        credit = ctx.race.mark_credit + min(end - addr, u64(MARK_LIMIT))
        ctx.race.mark_credit = min(credit, u64(FULL_CREDIT))


@kernel
def marked_bytes(ctx: Context, size_bytes: u64, flag: u64) -> u64:
    """How much of a block remembers its allocation or its end; flag: ALLOCATION, FREE, or 0."""
    if flag == 0:
        return u64(0)
    if flag & ALLOCATION != 0:
        return take_credit(ctx, size_bytes)
    return min(size_bytes, u64(MARKED_UP_TO))
