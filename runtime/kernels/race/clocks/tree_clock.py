"""Tree clocks: vector time as a tree that says through whom each time was learned.

A tree is two rows of one slot per sid: the clock, the same row of epochs that a vector clock is,
and beside it the nodes of 16 bytes:

    aclk u32      epoch of the parent when this node, and those below it, were hung there
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
left that epoch, and an epoch is published before it is left (clock_forms.py).
Invariants: siblings' aclk never rises from head to tail; a child's aclk is at most its parent's
epoch; the row of epochs is that of the vector clock.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u32, store_u64
from irsan.runtime.kernels.race.clocks.race_words import CLOCK_BITS, CLOCKS, LOW32
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.records.race.clock_records import TREES, WALK

TREE_DISTANCE = TREES - CLOCKS
NEXT = 4
BEFORE = 8
HEAD = 12
FIRST = 1 << 31
LINK_MASK = (1 << 31) - 1


@kernel(inlined=True)
def clock_to_nodes(clock: u64) -> u64:
    """Address of the nodes of a thread's clock."""
    return clock + TREE_DISTANCE


@kernel(inlined=True)
def node_at(nodes: u64, sid: u64) -> u64:
    """Address of a sid's node."""
    return nodes + sid * 16


@kernel(inlined=True)
def detach(nodes: u64, sid: u64) -> None:
    """Take a node that has a parent out of its siblings, with all that is below it."""
    node = node_at(nodes, sid)
    after, before = load_u32(node + NEXT), load_u32(node + BEFORE)
    neighbour = node_at(nodes, (u64(before) & LINK_MASK) - 1)
    if before >= FIRST:
        store_u32(neighbour + HEAD, after)
    else:
        store_u32(neighbour + NEXT, after)
    if after != 0:
        store_u32(node_at(nodes, u64(after) - 1) + BEFORE, before)


@kernel(inlined=True)
def attach(nodes: u64, sid: u64, parent: u64, link: u64) -> None:
    """Make a loose node a child of `parent`: behind the child `link` - 1, or the first with 0."""
    node = node_at(nodes, sid)
    own = u32(sid + 1)
    if link == 0:
        place = node_at(nodes, parent) + HEAD
        store_u32(node + BEFORE, u32(u32(parent + 1) | FIRST))
    else:
        place = node_at(nodes, link - 1) + NEXT
        store_u32(node + BEFORE, u32(link))
    after = load_u32(place)
    store_u32(place, own)
    store_u32(node + NEXT, after)
    if after != 0:
        store_u32(node_at(nodes, u64(after) - 1) + BEFORE, own)


@kernel(inlined=True)
def forget_below(nodes: u64, sid: u64) -> None:
    """A node begins without children."""
    store_u32(node_at(nodes, sid) + HEAD, 0)


@kernel(inlined=True)
def loosen(clock: u64, nodes: u64, sid: u64) -> None:
    """Make a node ready to be attached: out of its place with the nodes below it, or new."""
    if load_u32(clock + sid * 4) != 0:
        detach(nodes, sid)
    else:
        forget_below(nodes, sid)


@kernel(inlined=True)
def learn_one(clock: u64, nodes: u64, root: u64, epoch: u64) -> None:
    """The root learns one newer epoch, now, from no particular thread."""
    sid = epoch >> CLOCK_BITS
    loosen(clock, nodes, sid)
    store_u32(clock + sid * 4, u32(epoch))
    store_u32(node_at(nodes, sid), load_u32(clock + root * 4))
    attach(nodes, sid, root, 0)


@kernel
def copy_below(
    clock: u64,
    nodes: u64,
    source: u64,
    source_nodes: u64,
    top: u64,
    known: u64,
    old_link: u64,
    budget: u64,
) -> bool:
    """Copy the changes below node `top` of a source, which stands in the target (clock, nodes).

    False when more than `budget` nodes were to be looked at: the target is no tree then.

    known     epoch of `top` in the target before this operation
    old_link  sid + 1 of the target's root when the root moves to another sid, else 0: that node has
              no place to be taken out of, and needs one even if its epoch is known
    """
    depth = u64(WALK)
    store_u64(depth, (known << 32) | top)
    depth += 8
    while depth > WALK:
        depth -= 8
        parent = load_u64(depth) & LOW32
        known = load_u64(depth) >> 32
        behind = u64(0)
        link = u64(load_u32(node_at(source_nodes, parent) + HEAD))
        while link != 0:
            if budget == 0:
                return False
            budget -= 1
            sid = link - 1
            node = node_at(source_nodes, sid)
            epoch, aclk = load_u32(source + sid * 4), load_u32(node)
            old = load_u32(clock + sid * 4)
            if old < epoch or link == old_link:
                if link != old_link:
                    loosen(clock, nodes, sid)
                store_u32(clock + sid * 4, epoch)
                store_u32(node_at(nodes, sid), aclk)
                attach(nodes, sid, parent, behind)
                behind = link
                if old < epoch and load_u32(node + HEAD) != 0:
                    store_u64(depth, (u64(old) << 32) | sid)
                    depth += 8
            if old >= epoch and u64(aclk) <= known:
                break
            link = u64(load_u32(node + NEXT))
    return True


@kernel
def tree_join(clock: u64, root: u64, source: u64, source_nodes: u64, top: u64, budget: u64) -> bool:
    """The clock of a thread, with `root`, := its join with a source whose root is `top`.

    False when that is more work than `budget` nodes: the clock is no tree then.
    """
    nodes = clock_to_nodes(clock)
    known, epoch = load_u32(clock + top * 4), load_u32(source + top * 4)
    if epoch <= known:
        return True
    loosen(clock, nodes, top)
    store_u32(clock + top * 4, epoch)
    store_u32(node_at(nodes, top), load_u32(clock + root * 4))
    attach(nodes, top, root, 0)
    return copy_below(clock, nodes, source, source_nodes, top, u64(known), 0, budget)


@kernel
def tree_copy_monotone(
    target: u64, target_nodes: u64, old_root: u64, clock: u64, root: u64, budget: u64
) -> bool:
    """A target with root `old_root` := the clock of a thread, which knows all of the target.

    Both have as many slots.  False when that is more work than `budget` nodes: the target is no
    tree then.
    """
    known = u64(load_u32(target + root * 4))
    old_link = u64(0)
    if root != old_root:
        loosen(target, target_nodes, root)
        old_link = old_root + 1
    store_u32(target + root * 4, load_u32(clock + root * 4))
    nodes = clock_to_nodes(clock)
    return copy_below(target, target_nodes, clock, nodes, root, known, old_link, budget)


@kernel
def plant_tree(clock: u64, root: u64, n: u64) -> None:
    """Make a tree of a row of `n` epochs: its owner has learned them all by now.  O(n)"""
    nodes = clock_to_nodes(clock)
    now = load_u32(clock + root * 4)
    place = node_at(nodes, root) + HEAD
    before = u32(root + 1) | FIRST
    sid = u64(0)
    while sid < n:
        if sid != root and load_u32(clock + sid * 4) != 0:
            node = node_at(nodes, sid)
            store_u32(place, u32(sid + 1))
            store_u32(node, now)
            store_u32(node + BEFORE, u32(before))
            store_u32(node + HEAD, 0)
            before = u64(u32(sid + 1))
            place = node + NEXT
        sid += 1
    store_u32(place, 0)


@kernel
def move_root(clock: u64, old_root: u64, root: u64, epoch: u64) -> None:
    """A thread goes on as sid `root`, from `epoch` on; what it knew is below it.

    Call before that epoch is in the clock.
    """
    nodes = clock_to_nodes(clock)
    loosen(clock, nodes, root)
    store_u32(node_at(nodes, old_root), u32(epoch))
    attach(nodes, old_root, root, 0)
