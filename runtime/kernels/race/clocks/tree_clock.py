"""Tree clocks: vector time as a tree that says through whom each time was learned.

A tree is two rows of one slot per sid: the clock, the same row of epochs that a vector clock is,
and beside it the nodes of 16 bytes:

    aclk u32      epoch of the parent when this node, and what is below it, was hung there
    next u32      sid + 1 of the next (older) sibling, 0 = none
    before u32    sid + 1 of the sibling before; of a first child its parent's, with bit 31
    head u32      sid + 1 of the first (newest) child

The root of a thread's clock is the thread's own sid.  Children stand newest first: aclk falls along
siblings.  So a join reads only what it changes, and a little around it:

    direct monotonicity    a node whose epoch the target knows: nothing below it is new
    indirect monotonicity  a child that was hung at an epoch of the parent which the target knows:
                           neither it nor its older siblings are new

A node has a meaning only while its epoch in the clock is not 0; a new one starts with no child.

Source: Mathur, Tunc, Pavlogiannis, Viswanathan, "A Tree Clock Data Structure for Causal Orderings
in Concurrent Executions", ASPLOS 2022: Join, MonotoneCopy.
Deviation: one walk, siblings first to last, which moves a node when it comes to it: the first one
to the head of its parent's children, each further one behind the one before; the paper collects all
of them first.  Same result: a sid is visited once, and its old epoch is read before it is changed.
Preconditions: whoever has an epoch of a thread in its clock has all that the thread knew when it
left that epoch, and what is published of an epoch is published before it is left (clock_forms.py).
Invariants: siblings' aclk never rises from head to tail; a child's aclk is at most its parent's
epoch; the row of epochs is that of the vector clock.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u32, store_u64
from irsan.runtime.kernels.race.clocks.race_words import (
    CLOCKS,
    U32_0,
    U64_0,
    U64_1,
    U64_4,
    U64_8,
    U64_16,
    U64_32,
    U64_CLOCK_BITS,
    U64_LOW32,
)
from irsan.runtime.records.clock_records import TREES, WALK

U64_TREE_DISTANCE = np.uint64(TREES - CLOCKS)
U64_WALK = np.uint64(WALK)
U64_NEXT = np.uint64(4)
U64_BEFORE = np.uint64(8)
U64_HEAD = np.uint64(12)
U32_FIRST = np.uint32(1 << 31)
U64_LINK_MASK = np.uint64((1 << 31) - 1)


@kernel("u64(u64)", inlined=True)
def clock_to_nodes(clock: Any) -> Any:
    """Address of the nodes of a thread's clock."""
    return clock + U64_TREE_DISTANCE


@kernel("u64(u64,u64)", inlined=True)
def node_at(nodes: Any, sid: Any) -> Any:
    """Address of a sid's node."""
    return nodes + sid * U64_16


@kernel("void(u64,u64)", inlined=True)
def detach(nodes: Any, sid: Any) -> Any:
    """Take a node that has a parent out of its siblings, with all that is below it."""
    node = node_at(nodes, sid)
    after, before = load_u32(node + U64_NEXT), load_u32(node + U64_BEFORE)
    neighbour = node_at(nodes, (np.uint64(before) & U64_LINK_MASK) - U64_1)
    if before >= U32_FIRST:
        store_u32(neighbour + U64_HEAD, after)
    else:
        store_u32(neighbour + U64_NEXT, after)
    if after != U32_0:
        store_u32(node_at(nodes, np.uint64(after) - U64_1) + U64_BEFORE, before)


@kernel("void(u64,u64,u64,u64)", inlined=True)
def attach(nodes: Any, sid: Any, parent: Any, link: Any) -> Any:
    """Make a loose node a child of `parent`: behind the child `link` - 1, or the first with 0."""
    node = node_at(nodes, sid)
    own = np.uint32(sid + U64_1)
    if link == U64_0:
        place = node_at(nodes, parent) + U64_HEAD
        store_u32(node + U64_BEFORE, np.uint32(parent + U64_1) | U32_FIRST)
    else:
        place = node_at(nodes, link - U64_1) + U64_NEXT
        store_u32(node + U64_BEFORE, np.uint32(link))
    after = load_u32(place)
    store_u32(place, own)
    store_u32(node + U64_NEXT, after)
    if after != U32_0:
        store_u32(node_at(nodes, np.uint64(after) - U64_1) + U64_BEFORE, own)


@kernel("void(u64,u64)", inlined=True)
def forget_below(nodes: Any, sid: Any) -> Any:
    """A node begins without children."""
    store_u32(node_at(nodes, sid) + U64_HEAD, U32_0)


@kernel("void(u64,u64,u64)", inlined=True)
def loosen(clock: Any, nodes: Any, sid: Any) -> Any:
    """Make a node ready to be attached: out of its place with what is below it, or new."""
    if load_u32(clock + sid * U64_4) != U32_0:
        detach(nodes, sid)
    else:
        forget_below(nodes, sid)


@kernel("void(u64,u64,u64,u64)", inlined=True)
def learn_one(clock: Any, nodes: Any, root: Any, epoch: Any) -> Any:
    """The root learns one newer epoch, now, from nobody in particular."""
    sid = epoch >> U64_CLOCK_BITS
    loosen(clock, nodes, sid)
    store_u32(clock + sid * U64_4, np.uint32(epoch))
    store_u32(node_at(nodes, sid), load_u32(clock + root * U64_4))
    attach(nodes, sid, root, U64_0)


@kernel("b1(u64,u64,u64,u64,u64,u64,u64,u64)")
def copy_below(
    clock: Any,
    nodes: Any,
    source: Any,
    source_nodes: Any,
    top: Any,
    known: Any,
    old_link: Any,
    budget: Any,
) -> Any:
    """Copy what is new below node `top` of a source, which stands in the target (clock, nodes).

    False when more than `budget` nodes were to be looked at: the target is no tree then.

    known     epoch of `top` in the target before this operation
    old_link  sid + 1 of the target's root when the root moves to another sid, else 0: that node has
              no place to be taken out of, and needs one even if its epoch is known
    """
    depth = U64_WALK
    store_u64(depth, (known << U64_32) | top)
    depth += U64_8
    while depth > U64_WALK:
        depth -= U64_8
        parent = load_u64(depth) & U64_LOW32
        known = load_u64(depth) >> U64_32
        behind = U64_0
        link = np.uint64(load_u32(node_at(source_nodes, parent) + U64_HEAD))
        while link != U64_0:
            if budget == U64_0:
                return False
            budget -= U64_1
            sid = link - U64_1
            node = node_at(source_nodes, sid)
            epoch, aclk = load_u32(source + sid * U64_4), load_u32(node)
            old = load_u32(clock + sid * U64_4)
            if old < epoch or link == old_link:
                if link != old_link:
                    loosen(clock, nodes, sid)
                store_u32(clock + sid * U64_4, epoch)
                store_u32(node_at(nodes, sid), aclk)
                attach(nodes, sid, parent, behind)
                behind = link
                if old < epoch and load_u32(node + U64_HEAD) != U32_0:
                    store_u64(depth, (np.uint64(old) << U64_32) | sid)
                    depth += U64_8
            if old >= epoch and np.uint64(aclk) <= known:
                break
            link = np.uint64(load_u32(node + U64_NEXT))
    return True


@kernel("b1(u64,u64,u64,u64,u64,u64)")
def tree_join(
    clock: Any, root: Any, source: Any, source_nodes: Any, top: Any, budget: Any
) -> Any:
    """The clock of a thread, with `root`, := its join with a source whose root is `top`.

    False when that is more work than `budget` nodes: the clock is no tree then.
    """
    nodes = clock_to_nodes(clock)
    known, epoch = load_u32(clock + top * U64_4), load_u32(source + top * U64_4)
    if epoch <= known:
        return True
    loosen(clock, nodes, top)
    store_u32(clock + top * U64_4, epoch)
    store_u32(node_at(nodes, top), load_u32(clock + root * U64_4))
    attach(nodes, top, root, U64_0)
    return copy_below(clock, nodes, source, source_nodes, top, np.uint64(known), U64_0, budget)


@kernel("b1(u64,u64,u64,u64,u64,u64)")
def tree_copy_monotone(
    target: Any, target_nodes: Any, old_root: Any, clock: Any, root: Any, budget: Any
) -> Any:
    """A target with root `old_root` := the clock of a thread, which knows all of the target.

    Both have as many slots.  False when that is more work than `budget` nodes: the target is no
    tree then.
    """
    known = np.uint64(load_u32(target + root * U64_4))
    old_link = U64_0
    if root != old_root:
        loosen(target, target_nodes, root)
        old_link = old_root + U64_1
    store_u32(target + root * U64_4, load_u32(clock + root * U64_4))
    nodes = clock_to_nodes(clock)
    return copy_below(target, target_nodes, clock, nodes, root, known, old_link, budget)


@kernel("void(u64,u64,u64)")
def plant_tree(clock: Any, root: Any, n: Any) -> Any:
    """Make a tree of a row of `n` epochs: its owner has learned them all by now.  O(n)"""
    nodes = clock_to_nodes(clock)
    now = load_u32(clock + root * U64_4)
    place = node_at(nodes, root) + U64_HEAD
    before = np.uint32(root + U64_1) | U32_FIRST
    sid = U64_0
    while sid < n:
        if sid != root and load_u32(clock + sid * U64_4) != U32_0:
            node = node_at(nodes, sid)
            store_u32(place, np.uint32(sid + U64_1))
            store_u32(node, now)
            store_u32(node + U64_BEFORE, before)
            store_u32(node + U64_HEAD, U32_0)
            before = np.uint32(sid + U64_1)
            place = node + U64_NEXT
        sid += U64_1
    store_u32(place, U32_0)


@kernel("void(u64,u64,u64,u64)")
def move_root(clock: Any, old_root: Any, root: Any, epoch: Any) -> Any:
    """A thread goes on as sid `root`, from `epoch` on; what it knew is below it.

    Call before that epoch is in the clock.
    """
    nodes = clock_to_nodes(clock)
    loosen(clock, nodes, root)
    store_u32(node_at(nodes, old_root), np.uint32(epoch))
    attach(nodes, old_root, root, U64_0)
