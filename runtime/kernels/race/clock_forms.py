"""What threads learn and publish, in either form of clock: the flag `clock`, vector or tree.

    vector   vclock.py, clock_rows.py     a row of epochs, all of it read and written each time
    tree     tree_clock.py                the same row, and beside it through whom each was learned

Whoever asks whether an epoch is known looks into the row, which is in the same place in both forms.
Trees have three kinds of rows:

    of a thread    a tree; or a bare row for now (FLAT), when it has learned much that had no tree
    published      a tree by whoever stored it alone: a lock's owner, an acq_rel operation
    merged         a bare row: what readers of a lock, a barrier, a semaphore, several release
                   operations or a release fence left is nobody's knowledge, so it has no root

A thread that learns from a bare row hangs what is new below its own root: it knows it by now.  When
that is much it only joins the rows, and plants the tree anew before it is next needed.

Trees rest on this: whoever has an epoch of a thread in its clock has all that the thread knew when
it left that epoch.  It holds as long as every epoch is left right after it was published, and new
owners of a sid know its old owner's end.  When a sid had to be reused earlier (sids.py) it does
not, so from then on the rows alone are used, as vectors.

Source: sections 3 and 4 of the tree clock paper (ASPLOS 2022); bare rows are ours.
Soundness: exact; the rows are those of vector clocks after every operation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime import options
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, real_memcpy, store_u32, store_u64
from irsan.runtime.kernels.race.clock_rows import (
    row_acquire,
    row_store,
    row_to_nodes,
    row_with_room,
)
from irsan.runtime.kernels.race.lamport import lamport_learned
from irsan.runtime.kernels.race.race_words import (
    CLOCK_ROW_BYTES,
    N_INEXACT_SIDS,
    N_SIDS,
    U64_0,
    U64_1,
    U64_4,
    U64_8,
    U64_16,
    U64_CLOCK_BITS,
)
from irsan.runtime.kernels.race.tree_clock import (
    clock_to_nodes,
    forget_below,
    learn_one,
    move_root,
    plant_tree,
    tree_copy_monotone,
    tree_join,
)
from irsan.runtime.kernels.race.vclock import clock_copy, clock_join
from irsan.runtime.kernels.records import thread_at

CLOCK = options.CLOCK
FEW = 4  # of so many epochs of a bare row, at most one is new: it is hung into the tree

U64_TREES = np.uint64(options.CLOCK_TREES)
U64_FEW = np.uint64(FEW)
U64_FLAT = np.uint64(3 * CLOCK_ROW_BYTES)  # word of a thread's clock: 1 = its row has no tree now


@kernel("b1(ctx)", inlined=True)
def keeps_trees(ctx: Any) -> Any:
    """Whether clocks are trees."""
    return ctx.options[CLOCK] & U64_TREES != U64_0 and ctx.race[N_INEXACT_SIDS] == U64_0


@kernel("u64(ctx)", inlined=True)
def own_sid(ctx: Any) -> Any:
    """The running thread's sid, which is the root of its clock."""
    return np.uint64(ctx.epoch) >> U64_CLOCK_BITS


@kernel("void(ctx)", inlined=True)
def need_tree(ctx: Any) -> Any:
    """Plant the tree of the running thread's clock if it has none now."""
    if load_u64(ctx.vc + U64_FLAT) != U64_0:
        plant_tree(ctx.vc, own_sid(ctx), ctx.race[N_SIDS])
        store_u64(ctx.vc + U64_FLAT, U64_0)


@kernel("u64(u64,u64,u64)", inlined=True)
def count_newer(clock: Any, source: Any, n: Any) -> Any:
    """How many of `n` epochs of a source are newer than those of a clock."""
    n_newer = U64_0
    end = clock + n * U64_4
    while clock < end:
        n_newer += np.uint64(load_u32(clock) < load_u32(source))
        clock += U64_4
        source += U64_4
    return n_newer


@kernel("void(ctx,u64,u64)")
def tree_learn_bare(ctx: Any, source: Any, n: Any) -> Any:
    """The running thread, whose clock is a tree, learns `n` epochs of a bare row."""
    n_newer = count_newer(ctx.vc, source, n)
    if n_newer == U64_0:
        return
    if n_newer * U64_FEW > n or load_u64(ctx.vc + U64_FLAT) != U64_0:
        clock_join(ctx.vc, source, n)
        store_u64(ctx.vc + U64_FLAT, U64_1)
        return
    nodes = clock_to_nodes(ctx.vc)
    offset = U64_0
    while offset < n * U64_4:
        epoch = load_u32(source + offset)
        if load_u32(ctx.vc + offset) < epoch:
            learn_one(ctx.vc, nodes, own_sid(ctx), np.uint64(epoch))
        offset += U64_4


@kernel("void(ctx,u64)", outlined=True)
def learn_row_slowly(ctx: Any, row: Any) -> Any:
    """`learn_row` of trees, or with Lamport times."""
    if row == U64_0:
        return
    root = load_u64(row + U64_8)
    if not keeps_trees(ctx):
        row_acquire(ctx.vc, row)
    elif root == U64_0:
        tree_learn_bare(ctx, row + U64_16, np.uint64(load_u32(row + U64_4)))
    else:
        need_tree(ctx)
        tree_join(ctx.vc, own_sid(ctx), row + U64_16, row_to_nodes(row), root - U64_1)
    lamport_learned(ctx)


@kernel("void(ctx,u64)", inlined=True)
def learn_row(ctx: Any, row: Any) -> Any:
    """The running thread learns what was published or merged into a row; 0 is no row."""
    if ctx.options[CLOCK] == U64_0:
        row_acquire(ctx.vc, row)
    else:
        learn_row_slowly(ctx, row)


@kernel("void(ctx,u64)")
def learn_bare(ctx: Any, source: Any) -> Any:
    """The running thread learns a bare row of as many epochs as there are sids, of a fence."""
    if keeps_trees(ctx):
        tree_learn_bare(ctx, source, ctx.race[N_SIDS])
    else:
        clock_join(ctx.vc, source, ctx.race[N_SIDS])
    lamport_learned(ctx)


@kernel("void(ctx,u64)")
def learn_thread(ctx: Any, other_addr: Any) -> Any:
    """The running thread learns all that a finished thread has known."""
    other = thread_at(other_addr)
    if not keeps_trees(ctx) or load_u64(other.vc + U64_FLAT) != U64_0:
        learn_bare(ctx, other.vc)
        return
    need_tree(ctx)
    top = other.epoch >> U64_CLOCK_BITS
    tree_join(ctx.vc, own_sid(ctx), other.vc, clock_to_nodes(other.vc), top)
    lamport_learned(ctx)


@kernel("void(ctx,u64)")
def learn_epoch(ctx: Any, epoch: Any) -> Any:
    """The running thread learns one epoch of another sid, newer than what it knows of that."""
    if keeps_trees(ctx) and load_u64(ctx.vc + U64_FLAT) == U64_0:
        learn_one(ctx.vc, clock_to_nodes(ctx.vc), own_sid(ctx), epoch)
    else:
        store_u32(ctx.vc + (epoch >> U64_CLOCK_BITS) * U64_4, np.uint32(epoch))


@kernel("b1(ctx,u64)", inlined=True)
def may_follow(ctx: Any, row: Any) -> Any:
    """Whether a row is a tree of today's size that the running thread knows."""
    if row == U64_0 or load_u64(row + U64_8) == U64_0:
        return False
    place = (load_u64(row + U64_8) - U64_1) * U64_4
    is_known = load_u32(row + U64_16 + place) <= load_u32(ctx.vc + place)
    return is_known and np.uint64(load_u32(row + U64_4)) == ctx.race[N_SIDS]


@kernel("u64(ctx,u64)", outlined=True)
def store_tree(ctx: Any, row: Any) -> Any:
    """`publish_into` of trees: changes what is new if the row was known, or copies everything."""
    need_tree(ctx)
    n, root = ctx.race[N_SIDS], own_sid(ctx)
    if may_follow(ctx, row):
        old_root = load_u64(row + U64_8) - U64_1
        tree_copy_monotone(row + U64_16, row_to_nodes(row), old_root, ctx.vc, root)
    else:
        row = row_with_room(ctx, row, n)
        store_u32(row + U64_4, np.uint32(n))
        real_memcpy(row + U64_16, ctx.vc, n * U64_4)
        real_memcpy(row_to_nodes(row), clock_to_nodes(ctx.vc), n * U64_16)
    store_u64(row + U64_8, root + U64_1)
    return row


@kernel("u64(ctx,u64)", inlined=True)
def publish_into(ctx: Any, row: Any) -> Any:
    """A row (0 = a new one) becomes the running thread's clock; returns its address."""
    if ctx.options[CLOCK] != U64_0 and keeps_trees(ctx):
        return store_tree(ctx, row)
    return row_store(ctx, row, ctx.vc, ctx.race[N_SIDS])


@kernel("void(ctx,u64,u64,u64)")
def inherit_clock(ctx: Any, child_addr: Any, sid: Any, epoch: Any) -> Any:
    """A new thread knows what the running one does; it starts as `sid` at `epoch`.  O(sids)"""
    child = thread_at(child_addr)
    clock_copy(child.vc, ctx.vc, ctx.race[N_SIDS])
    if not keeps_trees(ctx):
        return
    store_u64(child.vc + U64_FLAT, load_u64(ctx.vc + U64_FLAT))
    if load_u64(ctx.vc + U64_FLAT) == U64_0:
        n_bytes = ctx.race[N_SIDS] * U64_16
        real_memcpy(clock_to_nodes(child.vc), clock_to_nodes(ctx.vc), n_bytes)
        move_root(child.vc, own_sid(ctx), sid, epoch)


@kernel("void(ctx,u64,u64)")
def know_only(ctx: Any, clock: Any, sid: Any) -> Any:
    """A thread's clock, all zero, is about to begin with one epoch of `sid`."""
    if keeps_trees(ctx):
        forget_below(clock_to_nodes(clock), sid)


@kernel("void(ctx,u64,u64)")
def go_on_as(ctx: Any, sid: Any, epoch: Any) -> Any:
    """The running thread is about to start `epoch` of another sid."""
    if keeps_trees(ctx) and load_u64(ctx.vc + U64_FLAT) == U64_0:
        move_root(ctx.vc, own_sid(ctx), sid, epoch)
