"""Bare rows: what a thread learns where its clock, or what it learns, is no tree.

    the thread has a tree   few news are hung below its root, as learned now; many make it BARE
    the thread is BARE      the rows are joined; few news PATIENCE times in a row: a tree is planted

Few are a 16th of the row: an entry of a row costs a sixteenth of a nanosecond, a node ten.

Source and soundness: see clock_forms.py.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u32, store_u64
from irsan.runtime.kernels.race.clocks.race_words import CLOCK_BITS, CLOCK_ROW_BYTES
from irsan.runtime.kernels.race.clocks.tree_clock import clock_to_nodes, learn_one, plant_tree
from irsan.runtime.kernels.race.clocks.vclock import clock_join
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout.options import CLOCK, CLOCK_TREES

FEW = 16  # news are few, and may be taken one by one, when they are a 16th of a row
PATIENCE = 4

BARE = 3 * CLOCK_ROW_BYTES  # word of a thread's clock: 0 = tree, else 1 + few news


@kernel(inlined=True)
def own_sid(ctx: Context) -> u64:
    """The running thread's sid, which is the root of its clock."""
    return u64(ctx.epoch) >> CLOCK_BITS


@kernel(inlined=True)
def make_bare(ctx: Context, clock: u64) -> None:
    """A thread's clock has changed, or will, and has no tree any more."""
    if ctx.options[CLOCK] & CLOCK_TREES != 0:
        store_u64(clock + BARE, 1)


@kernel(inlined=True)
def count_newer(clock: u64, source: u64, n: u64) -> u32:
    """How many of `n` epochs of a source are newer than those of a clock."""
    n_newer = u32(0)  # as wide as an epoch: eight are compared and counted at a time
    end = clock + n * 4
    while clock < end:
        n_newer = u32(n_newer + u32(load_u32(clock) < load_u32(source)))
        clock += 4
        source += 4
    return n_newer


@kernel(inlined=True)
def join_and_count(clock: u64, source: u64, n: u64) -> u32:
    """clock_join, and how many entries it has changed."""
    n_newer = u32(0)
    end = clock + n * 4
    while clock < end:
        old, other = load_u32(clock), load_u32(source)
        n_newer = u32(n_newer + u32(old < other))
        store_u32(clock, max(old, other))
        clock += 4
        source += 4
    return n_newer


@kernel
def hang_news(ctx: Context, source: u64, n: u64) -> None:
    """Hang the newer ones of `n` epochs below the root of the running thread's tree."""
    nodes = clock_to_nodes(ctx.vc)
    offset = u64(0)
    while offset < n * 4:
        epoch = load_u32(source + offset)
        if load_u32(ctx.vc + offset) < epoch:
            learn_one(ctx.vc, nodes, own_sid(ctx), u64(epoch))
        offset += 4


@kernel(inlined=True)
def learn_into_tree(ctx: Context, source: u64, n: u64) -> None:
    """The running thread, whose clock is a tree, learns `n` epochs of a bare row.  O(n)"""
    n_newer = u64(count_newer(ctx.vc, source, n))
    if n_newer * FEW <= n:
        if n_newer != 0:
            hang_news(ctx, source, n)
        return
    clock_join(ctx.vc, source, n)
    make_bare(ctx, ctx.vc)


@kernel
def learn_by_rows(ctx: Context, source: u64, n: u64) -> None:
    """The running thread learns `n` epochs, where it or the source has no tree.  O(n)"""
    n_times = load_u64(ctx.vc + BARE)
    if n_times == 0:
        learn_into_tree(ctx, source, n)
        return
    n_newer = u64(join_and_count(ctx.vc, source, n))
    if n_newer * FEW > n:
        store_u64(ctx.vc + BARE, 1)
    elif n_newer != 0 and n_times < PATIENCE:
        store_u64(ctx.vc + BARE, n_times + 1)
    elif n_newer != 0:
        plant_tree(ctx.vc, own_sid(ctx), ctx.race.n_sids)
        store_u64(ctx.vc + BARE, 0)
