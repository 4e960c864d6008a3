"""Generations: one number that stands for "no thread has begun a new epoch since".

Memory that several threads only read is the case FastTrack calls read-shared: its state is a set of
readers, and every read would have to look for its own entry in that set.  Here an expanded cell
also carries a small set of readers together with the generation in which they read it:

    ctx.generation     counts the epochs that were begun, by whatever thread
    cell, read half    |bytes 4|1|readers 27|generation 32|
    ctx.shared_read    |  1111 |1|  own bit |generation 32|

While the generation is the same every thread is still in the epoch in which it read, so its bit
means FastTrack's [READ SAME EPOCH], and the question is one load and one compare.

A thread takes the next of the 27 bits when it first joins a set in a generation; when all are
taken, a new generation begins, though no epoch has.  So whoever runs has a bit, however many
threads there are.

    TAKEN      (generation + 1) << 8 | bits taken in it
    BITS       u64 per sid: (generation + 1) << 8 | its bit in that generation

Source: FastTrack, rules [READ SHARED] and [READ SAME EPOCH] (PLDI 2009, figure 2); the set with a
common time stamp is ours.
Soundness: exact.  A write to the cell makes a new set.  Once 2^32 - 1 generations have begun no
reader has a bit, and the record answers (`race_shared.read_at_home`): slower, the same answers.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.race.clocks.race_words import CLOCK_BITS, EXPANDED, LOW32, N_READER_BITS
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout import memory_map

TAKEN = memory_map.table("readers", 8 + 8 * memory_map.MAX_SIDS)
BITS = TAKEN + 8
ALL_BYTES = 0xF000_0000_0000_0000
READERS = 0x07FF_FFFF_0000_0000


@kernel
def reader_bit(ctx: Context) -> u64:
    """The running thread's bit in the read half of expanded cells, or 0 when it has none yet."""
    word = load_u64(BITS + (u64(ctx.epoch) >> CLOCK_BITS) * 8)
    if word >> 8 != ctx.generation + 1 or ctx.generation >= LOW32:
        return 0
    return 1 << (32 + (word & 255))


@kernel
def note_reader(ctx: Context) -> None:
    """Another thread runs, or a bit was taken, or a generation begun.

    Works out what a cell says of an access that the running thread repeats.
    """
    ctx.same_epoch = u64(ALL_BYTES) | u64(ctx.epoch)
    bit = reader_bit(ctx)
    # Without a bit no cell says this: a set of bytes never comes with generation 0.
    generation = u64(0) if bit == 0 else ctx.generation
    ctx.shared_read = u64(ALL_BYTES) | EXPANDED | bit | generation
    ctx.shared_mask = ctx.shared_read | LOW32


@kernel
def take_bit(ctx: Context) -> u64:
    """The running thread's bit, taken now if it has none; 0 when there are no more generations."""
    bit = reader_bit(ctx)
    if bit != 0 or ctx.generation >= LOW32:
        return bit
    taken = load_u64(TAKEN)
    number = taken & 255 if taken >> 8 == ctx.generation + 1 else u64(0)
    if number == N_READER_BITS:
        ctx.generation += 1
        number = u64(0)
    stamp = (ctx.generation + 1) << 8
    store_u64(TAKEN, stamp | (number + 1))
    store_u64(BITS + (u64(ctx.epoch) >> CLOCK_BITS) * 8, stamp | number)
    note_reader(ctx)
    return reader_bit(ctx)


@kernel
def begin_generation(ctx: Context) -> None:
    """Some thread begins a new epoch; call it after ctx.epoch is set."""
    if ctx.generation < LOW32:
        ctx.generation += 1
    note_reader(ctx)


@kernel
def with_whole_read(r: u64, own: u64) -> u64:
    """`with_reader` of all bytes for a thread that has a bit; `own` is its ctx.shared_read."""
    if r & LOW32 != own & LOW32 or r < u64(1) << 60 or (r ^ own) & READERS == 0:
        return own
    return r | (own & ~u64(ALL_BYTES))


@kernel(inlined=True)
def with_known_reader(r: u64, mask: u64, own: u64) -> u64:
    """The same for a read of any bytes."""
    if mask == 15:
        return with_whole_read(r, own)
    bit, old_mask = own & u64(READERS), r >> 60
    is_fresh = old_mask != 0 and (r ^ own) & LOW32 == 0
    if is_fresh and r & bit != 0:
        if mask & ~old_mask == 0:
            return r
        mask |= old_mask
    elif is_fresh and old_mask & ~mask == 0:
        return r | bit
    return (mask << 60) | (own & ~u64(ALL_BYTES))


@kernel
def with_reader(ctx: Context, r: u64, mask: u64) -> u64:
    """Read half of an expanded cell after a read of the bytes `mask`; `r` is the half before.

    The set grows when it is of this generation and its bytes are among `mask`; else it is begun
    anew, with all that the thread is known to have read.  An `r` of 0 has no set.
    """
    if mask == 0:
        return EXPANDED
    if ctx.shared_read & LOW32 == 0 and take_bit(ctx) == 0:
        return r | EXPANDED  # what the set says of others stays true
    return with_known_reader(r, mask, ctx.shared_read)
