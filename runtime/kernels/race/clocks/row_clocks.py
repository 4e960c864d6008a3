"""Bare rows: what a thread learns where its clock, or what it learns, is no tree.

    the thread has a tree   few news are hung below its root, as learned now; many make it BARE
    the thread is BARE      the rows are joined; few news PATIENCE times in a row: a tree is planted

Few are a 16th of the row: an entry of a row costs a sixteenth of a nanosecond, a node ten.

Source and soundness: see clock_forms.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u32, store_u64
from irsan.runtime.kernels.race.clocks.race_words import (
    CLOCK_ROW_BYTES,
    N_SIDS,
    U32_0,
    U64_0,
    U64_1,
    U64_4,
    U64_CLOCK_BITS,
)
from irsan.runtime.kernels.race.clocks.tree_clock import clock_to_nodes, learn_one, plant_tree
from irsan.runtime.kernels.race.clocks.vclock import clock_join
from irsan.runtime.layout import options

CLOCK = options.CLOCK
FEW = 16  # news are few, and may be taken one by one, when they are a 16th of a row
PATIENCE = 4

U64_TREES = np.uint64(options.CLOCK_TREES)
U64_FEW = np.uint64(FEW)
U64_PATIENCE = np.uint64(PATIENCE)
U64_BARE = np.uint64(3 * CLOCK_ROW_BYTES)  # word of a thread's clock: 0 = tree, else 1 + few news


@kernel("u64(ctx)", inlined=True)
def own_sid(ctx: Any) -> Any:
    """The running thread's sid, which is the root of its clock."""
    return np.uint64(ctx.epoch) >> U64_CLOCK_BITS


@kernel("void(ctx,u64)", inlined=True)
def make_bare(ctx: Any, clock: Any) -> Any:
    """A thread's clock has changed, or will, and has no tree any more."""
    if ctx.options[CLOCK] & U64_TREES != U64_0:
        store_u64(clock + U64_BARE, U64_1)


@kernel("u32(u64,u64,u64)", inlined=True)
def count_newer(clock: Any, source: Any, n: Any) -> Any:
    """How many of `n` epochs of a source are newer than those of a clock."""
    n_newer = U32_0  # as wide as an epoch: eight are compared and counted at a time
    end = clock + n * U64_4
    while clock < end:
        n_newer = np.uint32(n_newer + np.uint32(load_u32(clock) < load_u32(source)))
        clock += U64_4
        source += U64_4
    return n_newer


@kernel("u32(u64,u64,u64)", inlined=True)
def join_and_count(clock: Any, source: Any, n: Any) -> Any:
    """clock_join, and how many entries it has changed."""
    n_newer = U32_0
    end = clock + n * U64_4
    while clock < end:
        old, other = load_u32(clock), load_u32(source)
        n_newer = np.uint32(n_newer + np.uint32(old < other))
        store_u32(clock, max(old, other))
        clock += U64_4
        source += U64_4
    return n_newer


@kernel("void(ctx,u64,u64)")
def hang_news(ctx: Any, source: Any, n: Any) -> Any:
    """Hang the newer ones of `n` epochs below the root of the running thread's tree."""
    nodes = clock_to_nodes(ctx.vc)
    offset = U64_0
    while offset < n * U64_4:
        epoch = load_u32(source + offset)
        if load_u32(ctx.vc + offset) < epoch:
            learn_one(ctx.vc, nodes, own_sid(ctx), np.uint64(epoch))
        offset += U64_4


@kernel("void(ctx,u64,u64)", inlined=True)
def learn_into_tree(ctx: Any, source: Any, n: Any) -> Any:
    """The running thread, whose clock is a tree, learns `n` epochs of a bare row.  O(n)"""
    n_newer = np.uint64(count_newer(ctx.vc, source, n))
    if n_newer * U64_FEW <= n:
        if n_newer != U64_0:
            hang_news(ctx, source, n)
        return
    clock_join(ctx.vc, source, n)
    make_bare(ctx, ctx.vc)


@kernel("void(ctx,u64,u64)")
def learn_by_rows(ctx: Any, source: Any, n: Any) -> Any:
    """The running thread learns `n` epochs, where it or the source has no tree.  O(n)"""
    n_times = load_u64(ctx.vc + U64_BARE)
    if n_times == U64_0:
        learn_into_tree(ctx, source, n)
        return
    n_newer = np.uint64(join_and_count(ctx.vc, source, n))
    if n_newer * U64_FEW > n:
        store_u64(ctx.vc + U64_BARE, U64_1)
    elif n_newer != U64_0 and n_times < U64_PATIENCE:
        store_u64(ctx.vc + U64_BARE, n_times + U64_1)
    elif n_newer != U64_0:
        plant_tree(ctx.vc, own_sid(ctx), ctx.race[N_SIDS])
        store_u64(ctx.vc + U64_BARE, U64_0)
