"""Generations: one number that stands for "no thread has begun a new epoch since".

Memory that several threads only read is the case FastTrack calls read-shared: its state is a set of
readers, and every read would have to look for its own entry in that set.  Here an expanded cell
also carries a small set of sids together with the generation in which they read it:

    ctx.generation     counts the epochs that were begun, by whatever thread
    cell, read half    |bytes 4|1|sids 0 to 26|generation 32|
    ctx.shared_read    |  1111 |1|  own bit    |generation 32|

While the generation is the same every thread is still in the epoch in which it read, so its bit
means FastTrack's [READ SAME EPOCH], and the question is one load and one compare.

Source: FastTrack, rules [READ SHARED] and [READ SAME EPOCH] (PLDI 2009, figure 2); the set with a
common time stamp is ours.
Soundness: exact.  A write to the cell makes a new set.  Sids from 27 on, and everybody once
2^32 - 1 epochs have begun, have no bit and use the record (`race_shared.read_at_home`): slower,
the same answers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.race_words import (
    N_READER_BITS,
    U64_0,
    U64_1,
    U64_32,
    U64_CLOCK_BITS,
    U64_EXPANDED,
    U64_LOW32,
)

U64_60 = np.uint64(60)
U64_N_READER_BITS = np.uint64(N_READER_BITS)
ALL_BYTES = np.uint64(0xF000_0000_0000_0000)


@kernel("u64(ctx)")
def reader_bit(ctx: Any) -> Any:
    """The running thread's bit in the read half of expanded cells, or 0 when it has none."""
    sid = np.uint64(ctx.epoch) >> U64_CLOCK_BITS
    if sid >= U64_N_READER_BITS or ctx.generation >= U64_LOW32:
        return U64_0
    return U64_1 << (U64_32 + sid)


@kernel("void(ctx)")
def note_reader(ctx: Any) -> Any:
    """Another thread runs, or another generation has begun: work out ctx.shared_read."""
    bit = reader_bit(ctx)
    if bit == U64_0:
        # No cell says this: a set of bytes never comes with generation 0.
        ctx.shared_read = ALL_BYTES | U64_EXPANDED
        return
    ctx.shared_read = ALL_BYTES | U64_EXPANDED | bit | ctx.generation


@kernel("void(ctx)")
def begin_generation(ctx: Any) -> Any:
    """Some thread begins a new epoch; call it after ctx.epoch is set."""
    if ctx.generation < U64_LOW32:
        ctx.generation += U64_1
    note_reader(ctx)


@kernel("u64(ctx,u64,u64)")
def with_reader(ctx: Any, r: Any, mask: Any) -> Any:
    """Read half of an expanded cell after a read of the bytes `mask`; `r` is the half before.

    The set grows when it is of this generation and its bytes are among `mask`; else it is begun
    anew.  An `r` of 0 has no set.
    """
    if mask == U64_0:
        return U64_EXPANDED
    bit = reader_bit(ctx)
    if bit == U64_0:  # what the set says of others stays true
        return r | U64_EXPANDED
    old_mask = r >> U64_60
    is_fresh = old_mask != U64_0 and r & U64_LOW32 == ctx.generation
    if is_fresh and old_mask & ~mask == U64_0:
        return r | bit
    return U64_EXPANDED | (mask << U64_60) | bit | ctx.generation
