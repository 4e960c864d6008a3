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
`ctx.depot[N_LOST]` counts it: a report may then lack frames, but never shows wrong ones.
Invariants: parent < id; the children of a node are in its chain or in buckets, none in both.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u32
from irsan.runtime.layout import memory_map

BUCKET_BITS = 20
ID_BITS = 27
NODE_BYTES = 16
MAX_CHAIN = 8  # children that are found without the hash table

# words of ctx.depot
N_NODES = 0
N_LOST = 1
N_DEPOT_WORDS = 2

BUCKETS_ADDR = memory_map.table("stack buckets", 4 << BUCKET_BITS)
FRONT_BITS = 11
FRONT_ADDR = memory_map.table("recent stacks", 64 << FRONT_BITS)
NODES_ADDR = memory_map.table("stacks", NODE_BYTES << ID_BITS)

U32_0 = np.uint32(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_12 = np.uint64(12)
U64_NODE = np.uint64(NODE_BYTES)
U64_BUCKETS = np.uint64(BUCKETS_ADDR)
U64_FRONT = np.uint64(FRONT_ADDR)
U64_FRONT_SHIFT = np.uint64(64 - FRONT_BITS)
U64_NODES = np.uint64(NODES_ADDR)
U64_MAX_CHAIN = np.uint64(MAX_CHAIN)
U64_LAST_ID = np.uint64((1 << ID_BITS) - 1)
U64_BUCKET_SHIFT = np.uint64(64 - BUCKET_BITS)
U64_32 = np.uint64(32)
# Odd constant of Fibonacci hashing, 2^64 / golden ratio (Knuth, TAOCP 3, 6.4).
U64_GOLDEN = np.uint64(0x9E37_79B9_7F4A_7C15)


@kernel("u64(u64,u64)")
def stack_bucket(parent: Any, site: Any) -> Any:
    """Address of the bucket of (parent, site): the top bits of a multiplicative hash."""
    key = ((parent << U64_32) | site) * U64_GOLDEN
    return U64_BUCKETS + (((key ^ (key >> U64_32)) * U64_GOLDEN) >> U64_BUCKET_SHIFT) * U64_4


@kernel("u64(u64)")
def id_to_node(node_id: Any) -> Any:
    """Address of the node with an id; id 0 is the empty stack, which has children too."""
    return U64_NODES + node_id * U64_NODE


@kernel("u32(ctx,u64,u64,u64)")
def depot_add(ctx: Any, parent: Any, site: Any, link: Any) -> Any:
    """Add the node (parent, site) in front of the list whose head is at `link`; 0 when full."""
    node_id = ctx.depot[N_NODES] + U64_1
    if node_id > U64_LAST_ID:
        ctx.depot[N_LOST] += U64_1
        return U32_0
    ctx.depot[N_NODES] = node_id
    node = id_to_node(node_id)
    store_u32(node, np.uint32(parent))
    store_u32(node + U64_4, np.uint32(site))
    store_u32(node + U64_12, load_u32(link))
    store_u32(link, np.uint32(node_id))
    return np.uint32(node_id)


@kernel("u32(ctx,u64,u64)")
def find_in_bucket(ctx: Any, parent: Any, site: Any) -> Any:
    """The id of a child that is not in its parent's chain; it is added when new."""
    link = stack_bucket(parent, site)
    node_id = np.uint64(load_u32(link))
    while node_id != U64_0:
        node = id_to_node(node_id)
        if np.uint64(load_u32(node)) == parent and np.uint64(load_u32(node + U64_4)) == site:
            return np.uint32(node_id)
        node_id = np.uint64(load_u32(node + U64_12))
    return depot_add(ctx, parent, site, link)


@kernel("u32(ctx,u64,u64)")
def find_child(ctx: Any, parent: Any, site: Any) -> Any:
    """The id of a child of `parent`, which is added when new.  O(1) expected."""
    link = id_to_node(parent) + U64_8
    node_id = np.uint64(load_u32(link))
    n_seen = U64_0
    while node_id != U64_0:
        node = id_to_node(node_id)
        if np.uint64(load_u32(node + U64_4)) == site:
            return np.uint32(node_id)
        node_id = np.uint64(load_u32(node + U64_12))
        n_seen += U64_1
    if n_seen >= U64_MAX_CHAIN:
        return find_in_bucket(ctx, parent, site)
    return depot_add(ctx, parent, site, link)


@kernel("u64(u32,u32)")
def front_entry(parent: Any, site: Any) -> Any:
    """Address of the one place in the front where a pair may be."""
    key = ((np.uint64(parent) << U64_32) | np.uint64(site)) * U64_GOLDEN
    return U64_FRONT + (key >> U64_FRONT_SHIFT) * U64_NODE


@kernel("u32(u32,u32)")
def depot_recent(parent: Any, site: Any) -> Any:
    """Id of a pair that was asked for lately; 0 when the front does not hold it."""
    front = front_entry(parent, site)
    if load_u64(front) != np.uint64(parent) | (np.uint64(site) << U64_32):
        return U32_0
    return load_u32(front + U64_8)


@kernel("u32(ctx,u32,u32)", outlined=True)
def depot_put(ctx: Any, parent: Any, site: Any) -> Any:
    """Id of the stack `site` on top of `parent`; the same pair always gives the same id.

    parent  u32, stack id, 0 = the empty stack;  site  u32, call or access location
    Mutates the depot when the pair is new.  Returns 0 when the depot is full.  O(1) expected.
    """
    known = depot_recent(parent, site)
    if known != U32_0:
        return known
    front = front_entry(parent, site)
    node_id = find_child(ctx, np.uint64(parent), np.uint64(site))
    store_u32(front, parent)
    store_u32(front + U64_4, site)
    store_u32(front + U64_8, node_id)
    return node_id


@kernel("u32(u32)")
def depot_parent(stack_id: Any) -> Any:
    """Stack id below the top of `stack_id`; 0 at the outermost frame."""
    return load_u32(U64_NODES + np.uint64(stack_id) * U64_NODE)


@kernel("u32(u32)")
def depot_site(stack_id: Any) -> Any:
    """Site on top of `stack_id`; 0 for the unknown stack."""
    return load_u32(U64_NODES + np.uint64(stack_id) * U64_NODE + U64_4)
