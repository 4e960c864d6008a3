"""Tree clocks: vector time as a tree that says through whom each time was learned.

A node of a clock is a thread t with clk (its time) and aclk (the parent's time when the subtree
below t was learned by the parent).  Children stand newest first: aclk falls along the siblings.  So
a join reads only what it changes, and a little around it:

    direct monotonicity    a node whose time the target knows: nothing below it is new
    indirect monotonicity  a child that was attached at a time of the parent which the target knows:
                           neither it nor its older siblings are new

**Source**: Mathur, Tunc, Pavlogiannis, Viswanathan, "A Tree Clock Data Structure for Causal
Orderings in Concurrent Executions", ASPLOS 2022: Join, MonotoneCopy, CopyCheckMonotone.
**Deviations**: (1) one walk, siblings first to last, which moves a node when it comes to it: the
first one to the head of its parent's children, each further one behind the one before; the paper
collects all of them first.  Same result: a thread is visited at most once, and its old time is read
before it is overwritten.  (2) The times lie in rows of their own (`clock_rows`).  (3) A copy that
is not monotone goes over the nodes of both trees, not over all threads.
**Preconditions**: the root of a thread's clock is that thread; a clock is published only at times
that its owner leaves behind (the owner ticks after each publication), so one (thread, time) stands
for one knowledge.  Merging two publications into one clock (release-merge, readers' unlock) breaks
the rule of the root: such clocks must be vectors.
**Invariants**: siblings' aclk never rises from head to tail; a child's aclk is at most its parent's
clk; the times, read as a row, are those of the vector clock.
"""

from __future__ import annotations

from irsan.runtime.kernels.scalars import i64
from irsan.traces.kernels.clock_rows import ACLK, BEFORE, HEAD, NEXT, TOUCHED, Clocks
from irsan.traces.kernels.kernel import kernel
from irsan.traces.kernels.operations import NONE


@kernel(inlined=True)
def detach(clocks: Clocks, a: i64, node: i64) -> None:
    """Take a node that has a parent out of its siblings, with all that is below it."""
    nodes = clocks.nodes
    after, before = nodes[a, node, NEXT], nodes[a, node, BEFORE]
    if before < 0:
        nodes[a, -before - 1, HEAD] = after
    else:
        nodes[a, before - 1, NEXT] = after
    if after != 0:
        nodes[a, after - 1, BEFORE] = before


@kernel(inlined=True)
def attach(clocks: Clocks, a: i64, node: i64, parent: i64, before: i64) -> None:
    """Make a loose node a child of a parent: behind another child, or the head if that is NONE."""
    nodes = clocks.nodes
    if before == NONE:
        after = nodes[a, parent, HEAD]
        nodes[a, parent, HEAD] = node + 1
        nodes[a, node, BEFORE] = -parent - 1
    else:
        after = nodes[a, before, NEXT]
        nodes[a, before, NEXT] = node + 1
        nodes[a, node, BEFORE] = before + 1
    nodes[a, node, NEXT] = after
    if after != 0:
        nodes[a, after - 1, BEFORE] = node + 1


@kernel(inlined=True)
def copy_below(
    target: Clocks, a: i64, source: Clocks, b: i64, top: i64, known_time: i64, old_root: i64
) -> None:
    """Copy the changes below node `top` of source's clock b, which target's clock a has already.

    known_time  the time of `top` in the target before this operation
    old_root    the thread that was the target's root when the root moves to another one, else NONE:
                it has no parent to be detached from, and needs one even if its time is known
    """
    stack = target.stack
    stack[0, 0], stack[0, 1] = top, known_time
    depth = 1
    touched = 1
    while depth > 0:
        depth -= 1
        parent = i64(stack[depth, 0])
        known_time = i64(stack[depth, 1])
        before = i64(NONE)
        child = i64(source.nodes[b, parent, HEAD]) - 1
        while child != NONE:
            touched += 1
            time, old_time = source.clk[b, child], target.clk[a, child]
            aclk = source.nodes[b, child, ACLK]
            if old_time < time or child == old_root:
                if old_time != 0 and child != old_root:
                    detach(target, a, child)
                target.clk[a, child] = time
                target.nodes[a, child, ACLK] = aclk
                attach(target, a, child, parent, before)
                before = child
                if old_time < time and source.nodes[b, child, HEAD] != 0:
                    stack[depth, 0], stack[depth, 1] = child, old_time
                    depth += 1
            if old_time >= time and aclk <= known_time:
                break
            child = i64(source.nodes[b, child, NEXT]) - 1
    target.counts[TOUCHED] += touched


@kernel(inlined=True, callable_too=True)
def tree_join(target: Clocks, a: i64, source: Clocks, b: i64) -> None:
    """Clock a of `target`, a thread's own, := its join with clock b of `source`."""
    top = i64(source.root[b])
    root = i64(target.root[a])
    if top == NONE or top == root:
        return
    known_time = target.clk[a, top]
    if source.clk[b, top] <= known_time:
        target.counts[TOUCHED] += 1
        return
    if known_time != 0:
        detach(target, a, top)
    target.clk[a, top] = source.clk[b, top]
    target.nodes[a, top, ACLK] = target.clk[a, root]
    attach(target, a, top, root, NONE)
    copy_below(target, a, source, b, top, i64(known_time), NONE)


@kernel
def clear_tree(clocks: Clocks, a: i64) -> None:
    """Make a clock the empty one. O(nodes)."""
    stack, nodes = clocks.stack, clocks.nodes
    if clocks.root[a] == NONE:
        return
    stack[0, 0] = clocks.root[a]
    clocks.root[a] = NONE
    depth = 1
    while depth > 0:
        depth -= 1
        node = i64(stack[depth, 0])
        clocks.counts[TOUCHED] += 1
        clocks.clk[a, node] = 0
        child = i64(nodes[a, node, HEAD]) - 1
        nodes[a, node, HEAD] = 0
        while child != NONE:
            stack[depth, 0] = child
            depth += 1
            child = i64(nodes[a, child, NEXT]) - 1


@kernel(inlined=True, callable_too=True)
def tree_copy_check_monotone(target: Clocks, a: i64, source: Clocks, b: i64) -> bool:
    """Clock a of `target` := clock b of `source`, not empty; returns whether it has only grown.

    Whoever knows the time of the old root knows all that the old clock did, so that is looked up.
    Then this is MonotoneCopy; else the old tree goes, and the new one is copied node by node.
    """
    top, root = i64(source.root[b]), i64(target.root[a])
    is_monotone = root == NONE or target.clk[a, root] <= source.clk[b, root]
    if not is_monotone:
        clear_tree(target, a)
        root = i64(NONE)
    known_time = target.clk[a, top]
    old_root = i64(NONE)
    if top != root:
        if known_time != 0:
            detach(target, a, top)
        target.nodes[a, top, NEXT] = 0
        target.nodes[a, top, BEFORE] = 0
        target.root[a] = top
        old_root = root
    target.clk[a, top] = source.clk[b, top]
    copy_below(target, a, source, b, top, i64(known_time), old_root)
    return is_monotone
