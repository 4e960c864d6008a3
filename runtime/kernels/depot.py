"""StackDepot: every call stack seen is one number below 2^27, stored once.

A stack is a node (parent stack, site); equal stacks get equal ids because a node is made only when
its parent has no such child yet.

    DEPOT   buckets   u32[1 << 20]      newest node of each bucket, 0 = empty
            front     16 B[1 << 11]     {parent, site, id} asked for lately, direct mapped
            nodes     16 bytes each     {parent u32, site u32, child u32, next u32} at index id

    parent ---child---> node ---next---> node ---next---> ...      at most 8 of them
                        the others hang in hash buckets, by `next` as well

Ids count upward, so the nodes that one run through a piece of code makes lie side by side, and the
next run through it walks memory in order: deep recursion with millions of stacks costs a few cache
lines per call, where a hash table alone would miss cache and TLB at every frame.

Source: a trie in the first-child, next-sibling form (Knuth, TAOCP 1, 2.3.2), hash-consed like the
chained-origin depot of LLVM's sanitizers, whose StackDepot hashes whole traces.
Deviations: 27 bits of id, because race shadow keeps a mask of 4 bits and a flag beside it; no
locks, since all guest threads share one OS thread; nodes are never freed.
Soundness: when all 2^27 - 1 nodes are in use the answer is 0, the unknown stack, and
`ctx.depot.n_lost` counts it: a report may then lack frames, but never shows wrong ones.
Invariants: parent < id; the children of a node are in its chain or in buckets, none in both.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u32
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout import memory_map

BUCKET_BITS = 20
ID_BITS = 27
NODE_BYTES = 16
MAX_CHAIN = 8  # children that are found without the hash table

BUCKETS_ADDR = memory_map.table("stack buckets", 4 << BUCKET_BITS)
FRONT_BITS = 11
FRONT_ADDR = memory_map.table("recent stacks", 64 << FRONT_BITS)
NODES_ADDR = memory_map.table("stacks", NODE_BYTES << ID_BITS)

FRONT_SHIFT = 64 - FRONT_BITS
LAST_ID = (1 << ID_BITS) - 1
BUCKET_SHIFT = 64 - BUCKET_BITS
# Odd constant of Fibonacci hashing, 2^64 / golden ratio (Knuth, TAOCP 3, 6.4).
GOLDEN = 0x9E37_79B9_7F4A_7C15


@kernel
def stack_bucket(parent: u64, site: u64) -> u64:
    """Address of the bucket of (parent, site): the top bits of a multiplicative hash."""
    key = ((parent << 32) | site) * GOLDEN
    return BUCKETS_ADDR + (((key ^ (key >> 32)) * GOLDEN) >> BUCKET_SHIFT) * 4


@kernel
def id_to_node(node_id: u64) -> u64:
    """Address of the node with an id; id 0 is the empty stack, which has children too."""
    return NODES_ADDR + node_id * NODE_BYTES


@kernel
def depot_add(ctx: Context, parent: u64, site: u64, link: u64) -> u32:
    """Add the node (parent, site) in front of the list whose head is at `link`; 0 when full."""
    node_id = ctx.depot.n_nodes + 1
    if node_id > LAST_ID:
        ctx.depot.n_lost += 1
        return 0
    ctx.depot.n_nodes = node_id
    node = id_to_node(node_id)
    store_u32(node, u32(parent))
    store_u32(node + 4, u32(site))
    store_u32(node + 12, load_u32(link))
    store_u32(link, u32(node_id))
    return u32(node_id)


@kernel
def find_in_bucket(ctx: Context, parent: u64, site: u64) -> u32:
    """The id of a child that is not in its parent's chain; it is added when new."""
    link = stack_bucket(parent, site)
    node_id = u64(load_u32(link))
    while node_id != 0:
        node = id_to_node(node_id)
        if u64(load_u32(node)) == parent and u64(load_u32(node + 4)) == site:
            return u32(node_id)
        node_id = u64(load_u32(node + 12))
    return depot_add(ctx, parent, site, link)


@kernel
def find_child(ctx: Context, parent: u64, site: u64) -> u32:
    """The id of a child of `parent`, which is added when new.  O(1) expected."""
    link = id_to_node(parent) + 8
    node_id = u64(load_u32(link))
    n_seen = u64(0)
    while node_id != 0:
        node = id_to_node(node_id)
        if u64(load_u32(node + 4)) == site:
            return u32(node_id)
        node_id = u64(load_u32(node + 12))
        n_seen += 1
    if n_seen >= MAX_CHAIN:
        return find_in_bucket(ctx, parent, site)
    return depot_add(ctx, parent, site, link)


@kernel
def front_entry(parent: u32, site: u32) -> u64:
    """Address of the one place in the front where a pair may be."""
    key = ((u64(parent) << 32) | u64(site)) * GOLDEN
    return FRONT_ADDR + (key >> FRONT_SHIFT) * NODE_BYTES


@kernel
def depot_recent(parent: u32, site: u32) -> u32:
    """Id of a pair that was asked for lately; 0 when the front does not hold it."""
    front = front_entry(parent, site)
    if load_u64(front) != u64(parent) | (u64(site) << 32):
        return 0
    return load_u32(front + 8)


@kernel(outlined=True)
def depot_put(ctx: Context, parent: u32, site: u32) -> u32:
    """Id of the stack `site` on top of `parent`; the same pair always gives the same id.

    parent  u32, stack id, 0 = the empty stack;  site  u32, call or access location
    Mutates the depot when the pair is new.  Returns 0 when the depot is full.  O(1) expected.
    """
    known = depot_recent(parent, site)
    if known != 0:
        return known
    front = front_entry(parent, site)
    node_id = find_child(ctx, u64(parent), u64(site))
    store_u32(front, parent)
    store_u32(front + 4, site)
    store_u32(front + 8, node_id)
    return node_id


@kernel
def depot_parent(stack_id: u32) -> u32:
    """Stack id below the top of `stack_id`; 0 at the outermost frame."""
    return load_u32(NODES_ADDR + u64(stack_id) * NODE_BYTES)


@kernel
def depot_site(stack_id: u32) -> u32:
    """Site on top of `stack_id`; 0 for the unknown stack."""
    return load_u32(NODES_ADDR + u64(stack_id) * NODE_BYTES + 4)
