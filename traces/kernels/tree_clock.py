"""Tree clocks: vector time as a tree that says through whom each time was learned.

A node of a clock is a thread t with clk (its time) and aclk (the parent's time when the subtree
below t was learned by the parent).  Children stand newest first: aclk falls along the siblings.  So
a join reads only what it changes, and a little around it:

    direct monotonicity    a node whose time the target knows: nothing below it is new
    indirect monotonicity  a child that was attached at a time of the parent which the target knows:
                           neither it nor its older siblings are new

**Source**: Mathur, Tunc, Pavlogiannis, Viswanathan, "A Tree Clock Data Structure for Causal
Orderings in Concurrent Executions", ASPLOS 2022: Join, MonotoneCopy, CopyCheckMonotone.
**Deviations**: (1) one walk in preorder, siblings last to first, which detaches and attaches a node
when it comes to it; the paper collects all of them first.  Same result: a thread is visited
at most once, and its old time is read before it is overwritten.  (2) The times lie in rows of their
own (`clock_rows`).
**Preconditions**: the root of a thread's clock is that thread; a clock is published only at times
that its owner leaves behind (the owner ticks after each publication), so one (thread, time) stands
for one knowledge.  Merging two publications into one clock (release-merge, readers' unlock) breaks
the rule of the root: such clocks must be vectors.
**Invariants**: siblings' aclk never rises from head to tail; a child's aclk is at most its parent's
clk; the times, read as a row, are those of the vector clock.
"""

from __future__ import annotations

from typing import Any

from irsan.traces.kernels.clock_rows import ACLK, HEAD, NEXT, PARENT, PREVIOUS, TOUCHED
from irsan.traces.kernels.kernel import kernel
from irsan.traces.kernels.operations import NONE


@kernel("void(clocks,i64,i64)", inlined=True)
def detach(clocks: Any, a: Any, node: Any) -> Any:
    """Take a node that has a parent out of its siblings, with all that is below it."""
    links = clocks.nodes
    after, before = links[a, node, NEXT], links[a, node, PREVIOUS]
    if before == NONE:
        links[a, links[a, node, PARENT], HEAD] = after
    else:
        links[a, before, NEXT] = after
    if after != NONE:
        links[a, after, PREVIOUS] = before


@kernel("void(clocks,i64,i64,i64)", inlined=True)
def attach(clocks: Any, a: Any, node: Any, parent: Any) -> Any:
    """Make a loose node the head child of a parent."""
    links = clocks.nodes
    head = links[a, parent, HEAD]
    links[a, node, PARENT] = parent
    links[a, node, NEXT] = head
    links[a, node, PREVIOUS] = NONE
    if head != NONE:
        links[a, head, PREVIOUS] = node
    links[a, parent, HEAD] = node


@kernel("void(clocks,i64,clocks,i64,i64,i64,i64)")
def copy_below(
    target: Any, a: Any, source: Any, b: Any, top: Any, known_time: Any, old_root: Any
) -> Any:
    """Copy what is new below node `top` of source's clock b, which target's clock a has already.

    known_time  the time of `top` in the target before this operation
    old_root    the thread that was the target's root when the root moves to another one, else NONE:
                it has no parent to be detached from, and needs one even if its time is known
    """
    stack, links = target.stack, source.nodes
    depth = 0
    node = top
    touched = 0
    while True:
        child = links[b, node, HEAD]
        while child != NONE:
            touched += 1
            if target.clk[a, child] < source.clk[b, child]:
                stack[depth] = child
                depth += 1
            else:
                if child == old_root:
                    stack[depth] = child
                    depth += 1
                if source.nodes[b, child, ACLK] <= known_time:
                    break
            child = links[b, child, NEXT]
        if depth == 0:
            break
        depth -= 1
        node = stack[depth]
        known_time = target.clk[a, node]
        if known_time != 0 and node != old_root:
            detach(target, a, node)
        target.clk[a, node] = source.clk[b, node]
        target.nodes[a, node, ACLK] = source.nodes[b, node, ACLK]
        attach(target, a, node, links[b, node, PARENT])
    target.counts[TOUCHED] += touched + 1


@kernel("void(clocks,i64,clocks,i64)")
def tree_join(target: Any, a: Any, source: Any, b: Any) -> Any:
    """Clock a of `target`, a thread's own, := its join with clock b of `source`."""
    top = source.root[b]
    root = target.root[a]
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
    attach(target, a, top, root)
    copy_below(target, a, source, b, top, known_time, NONE)


@kernel("void(clocks,i64,clocks,i64)")
def tree_deep_copy(target: Any, a: Any, source: Any, b: Any) -> Any:
    """Clock a of `target` := clock b of `source`, node by node. O(T)."""
    n = target.clk.shape[1]
    target.root[a] = source.root[b]
    for t in range(n):
        target.clk[a, t] = source.clk[b, t]
        for word in range(target.nodes.shape[2]):
            target.nodes[a, t, word] = source.nodes[b, t, word]
    target.counts[TOUCHED] += n


@kernel("void(clocks,i64,clocks,i64)")
def tree_monotone_copy(target: Any, a: Any, source: Any, b: Any) -> Any:
    """Clock a of `target` := clock b of `source`, which is known to be at least as great."""
    top = source.root[b]
    root = target.root[a]
    if root == NONE:
        tree_deep_copy(target, a, source, b)
        return
    known_time = target.clk[a, top]
    if top != root:
        if known_time != 0:
            detach(target, a, top)
        for link in range(3):
            target.nodes[a, top, link] = NONE
        target.root[a] = top
    target.clk[a, top] = source.clk[b, top]
    copy_below(target, a, source, b, top, known_time, root if top != root else NONE)


@kernel("b1(clocks,i64,clocks,i64)")
def tree_copy_check_monotone(target: Any, a: Any, source: Any, b: Any) -> Any:
    """Clock a of `target` := clock b of `source`; returns whether the copy was a monotone one."""
    root = target.root[a]
    if root == NONE or target.clk[a, root] <= source.clk[b, root]:
        tree_monotone_copy(target, a, source, b)
        return True
    tree_deep_copy(target, a, source, b)
    return False


@kernel("void(clocks,i64,i64,i64)")
def tree_tick(clocks: Any, a: Any, thread: Any, by: Any) -> Any:
    """Let the owner's time go on; for an empty clock, begin it as this thread's."""
    clocks.root[a] = thread
    clocks.clk[a, thread] += by
