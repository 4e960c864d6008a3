"""What threads learn and publish, in either form of clock: the flag `clock`, vector or tree.

    vector   vclock.py, clock_rows.py     a row of epochs, all of it read and written each time
    tree     tree_clock.py                the same row, and beside it through whom each was learned

Whoever asks whether an epoch is known looks into the row, which is in the same place in both forms.
An entry of a vector costs a fraction of a nanosecond, a node of a tree ten.  So where much is new a
tree is given up, and each thread and object has the form that suits it:

    thread    a tree; or a BARE row, since much was learned at once, until few news come PATIENCE
              times in a row: then a tree is planted, with all that is known right below its root
    object    a tree if a thread with one stored it alone: a lock's owner, an acq_rel operation
              a bare row from a thread with a bare row, and where several releases are merged:
              readers of a lock, barriers, semaphores, release fences: it is no thread's knowledge

    learn     tree from tree    tree_join, or the rows when more than a budget of nodes is looked at
              tree from bare    few news: hung below the own root, as learned now; else the rows
              bare from either  the rows
    publish   tree              over a known clock: tree_copy_monotone within the budget; else whole
              bare              the row

With few sids in use (from bit 8 of the option on) all are bare.

Trees rest on this: whoever has an epoch of a thread in its clock has all that the thread knew when
it left that epoch.  It holds as long as every epoch is left right after it was published, and new
owners of a sid know its old owner's end.  When a sid had to be reused earlier (sids.py) it does
not, so from then on the rows alone are used, as vectors.

Source: the tree clock paper (ASPLOS 2022): Join, MonotoneCopy, CopyCheckMonotone.
Deviation: bare rows and when to change the form are ours.
Soundness: exact; the rows are those of vector clocks after every operation.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, real_memcpy, store_u32
from irsan.runtime.kernels.race.clocks.clock_rows import (
    row_acquire,
    row_store,
    row_to_nodes,
    row_with_room,
)
from irsan.runtime.kernels.race.clocks.lamport import lamport_learned
from irsan.runtime.kernels.race.clocks.race_words import CLOCK_BITS
from irsan.runtime.kernels.race.clocks.row_clocks import (
    BARE,
    FEW,
    learn_by_rows,
    make_bare,
    own_sid,
)
from irsan.runtime.kernels.race.clocks.sync_types import row_at
from irsan.runtime.kernels.race.clocks.tree_clock import (
    clock_to_nodes,
    forget_below,
    learn_one,
    move_root,
    tree_copy_monotone,
    tree_join,
)
from irsan.runtime.kernels.race.clocks.vclock import clock_copy, clock_join
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout.options import CLOCK, CLOCK_LAMPORT, CLOCK_SIDS_SHIFT, CLOCK_TREES


@kernel(inlined=True)
def keeps_trees(ctx: Context) -> bool:
    """Whether clocks may be trees now."""
    option = ctx.options[CLOCK]
    if option & CLOCK_TREES == 0 or ctx.race.n_inexact_sids != 0:
        return False
    return ctx.race.n_sids >= option >> CLOCK_SIDS_SHIFT


@kernel(inlined=True)
def has_tree(ctx: Context) -> bool:
    """Whether the clock of the running thread is a tree."""
    return keeps_trees(ctx) and load_u64(ctx.vc + BARE) == 0


@kernel(inlined=True)
def node_budget(ctx: Context) -> u64:
    """How many nodes an operation on trees may look at."""
    return ctx.race.n_sids // FEW + FEW


@kernel
def learn_tree(ctx: Context, source: u64, nodes: u64, top: u64, n: u64) -> None:
    """The running thread, whose clock is a tree, learns one of `n` epochs."""
    if not tree_join(ctx.vc, own_sid(ctx), source, nodes, top, node_budget(ctx)):
        clock_join(ctx.vc, source, n)
        make_bare(ctx, ctx.vc)


@kernel(outlined=True)
def learn_row_slowly(ctx: Context, row: u64) -> None:
    """`learn_row` of trees, or with Lamport times."""
    if row == 0:
        return
    n, root = u64(row_at(row).n), row_at(row).root
    if not keeps_trees(ctx):
        row_acquire(ctx.vc, row)
        make_bare(ctx, ctx.vc)
    elif root == 0 or not has_tree(ctx):
        learn_by_rows(ctx, row + 16, n)
    else:
        learn_tree(ctx, row + 16, row_to_nodes(row), root - 1, n)
    if ctx.options[CLOCK] & CLOCK_LAMPORT != 0:
        lamport_learned(ctx)


@kernel(inlined=True)
def learn_row(ctx: Context, row: u64) -> None:
    """The running thread learns what was published or merged into a row; 0 is no row."""
    if ctx.options[CLOCK] == 0:
        row_acquire(ctx.vc, row)
    else:
        learn_row_slowly(ctx, row)


@kernel
def learn_bare(ctx: Context, source: u64) -> None:
    """The running thread learns a bare row of as many epochs as there are sids, of a fence."""
    if keeps_trees(ctx):
        learn_by_rows(ctx, source, ctx.race.n_sids)
    else:
        clock_join(ctx.vc, source, ctx.race.n_sids)
        make_bare(ctx, ctx.vc)
    lamport_learned(ctx)


@kernel
def learn_thread(ctx: Context, other_addr: u64) -> None:
    """The running thread learns all that a finished thread has known."""
    other = thread_at(other_addr)
    if not has_tree(ctx) or load_u64(other.vc + BARE) != 0:
        learn_bare(ctx, other.vc)
        return
    top = other.epoch >> CLOCK_BITS
    learn_tree(ctx, other.vc, clock_to_nodes(other.vc), top, ctx.race.n_sids)
    lamport_learned(ctx)


@kernel
def learn_epoch(ctx: Context, epoch: u64) -> None:
    """The running thread learns one epoch of another sid, newer than what it knows of that."""
    if has_tree(ctx):
        learn_one(ctx.vc, clock_to_nodes(ctx.vc), own_sid(ctx), epoch)
    else:
        store_u32(ctx.vc + (epoch >> CLOCK_BITS) * 4, u32(epoch))
        make_bare(ctx, ctx.vc)


@kernel(inlined=True)
def may_follow(ctx: Context, row: u64) -> bool:
    """Whether a row is a tree of today's size that the running thread knows."""
    if row == 0 or row_at(row).root == 0:
        return False
    place = (row_at(row).root - 1) * 4
    is_known = load_u32(row + 16 + place) <= load_u32(ctx.vc + place)
    return is_known and u64(row_at(row).n) == ctx.race.n_sids


@kernel(inlined=True)
def follows(ctx: Context, row: u64) -> bool:
    """Bring a row up to the running thread's tree, if it may follow and little is new."""
    if not may_follow(ctx, row):
        return False
    old_root, nodes = row_at(row).root - 1, row_to_nodes(row)
    budget = node_budget(ctx)
    return tree_copy_monotone(row + 16, nodes, old_root, ctx.vc, own_sid(ctx), budget)


@kernel(outlined=True)
def store_tree(ctx: Context, row: u64) -> u64:
    """`publish_into` of a tree."""
    if not follows(ctx, row):
        n = ctx.race.n_sids
        row = row_with_room(ctx, row, n)
        row_at(row).n = u32(n)
        real_memcpy(row + 16, ctx.vc, n * 4)
        real_memcpy(row_to_nodes(row), clock_to_nodes(ctx.vc), n * 16)
    row_at(row).root = own_sid(ctx) + 1
    return row


@kernel(inlined=True)
def publish_into(ctx: Context, row: u64) -> u64:
    """A row (0 = a new one) becomes the running thread's clock; returns its address."""
    if ctx.options[CLOCK] != 0 and has_tree(ctx):
        return store_tree(ctx, row)
    return row_store(ctx, row, ctx.vc, ctx.race.n_sids)


@kernel
def inherit_clock(ctx: Context, child_addr: u64, sid: u64, epoch: u64) -> None:
    """A new thread knows what the running one does; it starts as `sid` at `epoch`.  O(sids)"""
    child = thread_at(child_addr)
    clock_copy(child.vc, ctx.vc, ctx.race.n_sids)
    if not has_tree(ctx):
        make_bare(ctx, child.vc)
        return
    n_bytes = ctx.race.n_sids * 16
    real_memcpy(clock_to_nodes(child.vc), clock_to_nodes(ctx.vc), n_bytes)
    move_root(child.vc, own_sid(ctx), sid, epoch)


@kernel
def know_only(ctx: Context, clock: u64, sid: u64) -> None:
    """A thread's clock, all zero, is about to begin with one epoch of `sid`."""
    if ctx.options[CLOCK] & CLOCK_TREES != 0:
        forget_below(clock_to_nodes(clock), sid)


@kernel
def go_on_as(ctx: Context, sid: u64, epoch: u64) -> None:
    """The running thread is about to start `epoch` of another sid."""
    if has_tree(ctx):
        move_root(ctx.vc, own_sid(ctx), sid, epoch)
    else:
        make_bare(ctx, ctx.vc)
