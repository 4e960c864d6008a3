"""StackDepot: every call stack seen is one number below 2^28, stored once.

A stack is a node (parent stack, site); equal stacks get equal ids because nodes are hash-consed.

    DEPOT   buckets   u32[1 << 20]   newest node of each bucket, 0 = empty
            seq       u32[256]       nodes handed out in each part
            nodes     16 bytes each  {parent u32, site u32, next u32, spare u32} at index id

    id, 28 bits  |27 part 20|19        seq + 1         0|     0 = the empty or unknown stack

The table of 1 << 20 buckets is cut into 256 parts of 1 << 12; a node's part is that of its bucket,
so an id says which counter it came from and its node's address is one multiplication away.

Source: the id scheme of LLVM's sanitizer_stackdepot (2013 to 2021: table of 1 << 20, 1 << 8 parts,
`id = (seq + 1) | (part << shift)`); nodes with a parent instead of whole traces as in its
chained-origin depot.
Deviations: 28 bits of id, not 32, because race shadow keeps a mask of 4 bits beside it; no locks,
since all guest threads share one OS thread; nodes are never freed.
Soundness: when a part is full (2^20 - 2 nodes) the answer is 0, the unknown stack, and
`ctx.depot[N_LOST]` counts it: a report may then lack frames, but never shows wrong ones.
Invariants: parent < 2^28; the chain of `next` of a bucket holds only nodes of that bucket.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime import layout
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u32

BUCKET_BITS = 20
PART_BITS = 13
SEQ_BITS = 20
NODE_BYTES = 16

# words of ctx.depot
N_NODES = 0
N_LOST = 1
N_DEPOT_WORDS = 2

BUCKETS_ADDR = layout.DEPOT
SEQ_ADDR = BUCKETS_ADDR + (4 << BUCKET_BITS)
FRONT_BITS = 11
FRONT_ADDR = layout.DEPOT + layout.GIB // 2  # {parent, site, id} of pairs asked for lately
NODES_ADDR = layout.DEPOT + layout.GIB

U32_0 = np.uint32(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_NODE = np.uint64(NODE_BYTES)
U64_BUCKETS = np.uint64(BUCKETS_ADDR)
U64_SEQ = np.uint64(SEQ_ADDR)
U64_FRONT = np.uint64(FRONT_ADDR)
U64_FRONT_SHIFT = np.uint64(64 - FRONT_BITS)
U64_NODES = np.uint64(NODES_ADDR)
U64_PART_BITS = np.uint64(PART_BITS)
U64_SEQ_BITS = np.uint64(SEQ_BITS)
# Ids have 27 bits: the next one marks expanded cells of the race shadow.
U64_SEQ_MAX = np.uint64((1 << SEQ_BITS) - 1)
U64_BUCKET_SHIFT = np.uint64(64 - BUCKET_BITS)
U64_32 = np.uint64(32)
# Odd constant of Fibonacci hashing, 2^64 / golden ratio (Knuth, TAOCP 3, 6.4).
U64_GOLDEN = np.uint64(0x9E37_79B9_7F4A_7C15)


@kernel("u64(u64,u64)")
def stack_bucket(parent: Any, site: Any) -> Any:
    """Bucket of a node: the top bits of a multiplicative hash of (parent, site)."""
    key = ((parent << U64_32) | site) * U64_GOLDEN
    return ((key ^ (key >> U64_32)) * U64_GOLDEN) >> U64_BUCKET_SHIFT


@kernel("u32(ctx,u64,u64,u64)")
def depot_add(ctx: Any, parent: Any, site: Any, bucket: Any) -> Any:
    """Add the node (parent, site) in front of `bucket`; returns its id, 0 when the part is full."""
    head_addr = U64_BUCKETS + bucket * U64_4
    part = bucket >> U64_PART_BITS
    seq_addr = U64_SEQ + part * U64_4
    seq = np.uint64(load_u32(seq_addr)) + U64_1
    if seq > U64_SEQ_MAX:
        ctx.depot[N_LOST] += U64_1
        return np.uint32(0)
    store_u32(seq_addr, np.uint32(seq))
    ctx.depot[N_NODES] += U64_1
    node_id = (part << U64_SEQ_BITS) | seq
    node = U64_NODES + node_id * U64_NODE
    store_u32(node, np.uint32(parent))
    store_u32(node + U64_4, np.uint32(site))
    store_u32(node + U64_8, load_u32(head_addr))
    store_u32(head_addr, np.uint32(node_id))
    return np.uint32(node_id)


@kernel("u32(ctx,u32,u32)")
def depot_find(ctx: Any, parent: Any, site: Any) -> Any:
    """The id of a pair in the big table, where it is added when new."""
    wide_parent = np.uint64(parent)
    wide_site = np.uint64(site)
    bucket = stack_bucket(wide_parent, wide_site)
    head_addr = U64_BUCKETS + bucket * U64_4
    head = np.uint64(load_u32(head_addr))
    node_id = head
    while node_id != U64_0:
        node = U64_NODES + node_id * U64_NODE
        if load_u32(node) == parent and load_u32(node + U64_4) == site:
            return np.uint32(node_id)
        node_id = np.uint64(load_u32(node + U64_8))
    return depot_add(ctx, wide_parent, wide_site, bucket)


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
    Mutates the depot when the pair is new.  Returns 0 when the node's part is full.  O(1) expected.
    A direct-mapped front answers what was asked lately without touching the big table.
    """
    known = depot_recent(parent, site)
    if known != U32_0:
        return known
    front = front_entry(parent, site)
    node_id = depot_find(ctx, parent, site)
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
