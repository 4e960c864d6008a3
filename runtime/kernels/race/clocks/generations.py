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
Soundness: exact.  A write to the cell makes a new set.  Once 2^32 - 1 generations have begun nobody
has a bit, and the record answers (`race_shared.read_at_home`): slower, the same answers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.race.clocks.race_words import (
    N_READER_BITS,
    U64_0,
    U64_1,
    U64_8,
    U64_32,
    U64_CLOCK_BITS,
    U64_EXPANDED,
    U64_LOW32,
)
from irsan.runtime.layout import memory_map

TAKEN = np.uint64(memory_map.table("readers", 8 + 8 * memory_map.MAX_SIDS))
BITS = TAKEN + U64_8
U64_60 = np.uint64(60)
U64_15 = np.uint64(15)
U64_255 = np.uint64(255)
U64_N_READER_BITS = np.uint64(N_READER_BITS)
ALL_BYTES = np.uint64(0xF000_0000_0000_0000)


@kernel("u64(ctx)")
def reader_bit(ctx: Any) -> Any:
    """The running thread's bit in the read half of expanded cells, or 0 when it has none yet."""
    word = load_u64(BITS + (np.uint64(ctx.epoch) >> U64_CLOCK_BITS) * U64_8)
    if word >> U64_8 != ctx.generation + U64_1 or ctx.generation >= U64_LOW32:
        return U64_0
    return U64_1 << (U64_32 + (word & U64_255))


@kernel("void(ctx)")
def note_reader(ctx: Any) -> Any:
    """Another thread runs, or a bit was taken, or a generation begun: work out ctx.shared_read."""
    bit = reader_bit(ctx)
    if bit == U64_0:
        # No cell says this: a set of bytes never comes with generation 0.
        ctx.shared_read = ALL_BYTES | U64_EXPANDED
        return
    ctx.shared_read = ALL_BYTES | U64_EXPANDED | bit | ctx.generation


@kernel("u64(ctx)")
def take_bit(ctx: Any) -> Any:
    """The running thread's bit, taken now if it has none; 0 when there are no more generations."""
    bit = reader_bit(ctx)
    if bit != U64_0 or ctx.generation >= U64_LOW32:
        return bit
    taken = load_u64(TAKEN)
    number = taken & U64_255 if taken >> U64_8 == ctx.generation + U64_1 else U64_0
    if number == U64_N_READER_BITS:
        ctx.generation += U64_1
        number = U64_0
    stamp = (ctx.generation + U64_1) << U64_8
    store_u64(TAKEN, stamp | (number + U64_1))
    store_u64(BITS + (np.uint64(ctx.epoch) >> U64_CLOCK_BITS) * U64_8, stamp | number)
    note_reader(ctx)
    return reader_bit(ctx)


@kernel("void(ctx)")
def begin_generation(ctx: Any) -> Any:
    """Some thread begins a new epoch; call it after ctx.epoch is set."""
    if ctx.generation < U64_LOW32:
        ctx.generation += U64_1
    note_reader(ctx)


@kernel("u64(u64,u64)")
def with_whole_read(r: Any, own: Any) -> Any:
    """The same for a read of all bytes by a thread with a bit; `own` is its ctx.shared_read."""
    if r & U64_LOW32 != own & U64_LOW32 or r < U64_1 << U64_60:
        return own
    return r | (own & ~ALL_BYTES)


@kernel("u64(ctx,u64,u64)")
def with_reader(ctx: Any, r: Any, mask: Any) -> Any:
    """Read half of an expanded cell after a read of the bytes `mask`; `r` is the half before.

    The set grows when it is of this generation and its bytes are among `mask`; else it is begun
    anew.  An `r` of 0 has no set.
    """
    if mask == U64_0:
        return U64_EXPANDED
    if mask == U64_15 and ctx.shared_read & U64_LOW32 != U64_0:
        return with_whole_read(r, ctx.shared_read)
    bit = take_bit(ctx)
    if bit == U64_0:  # what the set says of others stays true
        return r | U64_EXPANDED
    old_mask = r >> U64_60
    is_fresh = old_mask != U64_0 and r & U64_LOW32 == ctx.generation
    if is_fresh and old_mask & ~mask == U64_0:
        return r | bit
    return U64_EXPANDED | (mask << U64_60) | bit | ctx.generation
