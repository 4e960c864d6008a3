"""StackDepot: every call stack seen is one number below 2^27, stored once.

A stack is a node (parent stack, site); equal stacks get equal ids because a node is made only when
the table of hashes does not lead to one already.  The id is the number of the node's first word.

    DEPOT   slots   u32[2^slot_bits]  ids by hash, open addressing; 0 = free; at most half are in
                                      use; above the id 5 bits of the hash, a tag
            front   16 B[1 << 11]     {parent, site, id} asked for lately, direct mapped
            recent  16 B[1 << 9]      {hash u64, site, id} found lately, direct mapped
            nodes   8 or 16 bytes     {parent u32, site u32}, {hash of the whole stack u64}, by id

The hash of a stack is that of its parent, mixed with its site.  So who knows the hash of a deep
stack (callstack.py keeps it for each call in progress) finds its id with one look, whatever its
depth: `find_hashed`.  Ids count upward, so the nodes of one new stack lie side by side.

Where there are many stacks, neither slots nor nodes are in a cache.  So a slot of another stack is
told by its tag, mostly, without a look at its node; who knows early what will be asked says so
(`prefetch_slot`); and from HUGE_SLOT_BITS on both have huge pages, if the system gives any.

Slots lead to nodes with a name.  One that was made on the way to a deeper one has none, and so no
need of its hash: it is half as long.  When somebody asks for its own stack, a second node is made.

Source: LLVM's StackDepot, which hashes whole traces and takes equal hashes for equal traces; open
addressing with linear probing: Knuth, TAOCP 3, 6.4.
Deviations: a node for each prefix, which stacks with the same callers share; 27 bits of id, because
race shadow keeps a mask of 4 bits and a flag beside it; no locks, since all guest threads share one
OS thread; nodes are never freed.
Soundness: when all 2^27 words (1 GiB) are in use the answer is 0, the unknown stack, and
`ctx.depot.n_lost` counts it: a report may then lack frames.  Stacks with the same hash of 64 bits
and the same site on top are taken for one: with ten million stacks, there are two such with a
probability of 3 in a million.
Invariants: parent < id; the hash in a node is `child_hash` of that of the stack below and its site;
who is told an id is told that of a node with a name, and no two nodes of one stack have one.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    DONTNEED,
    load_u32,
    load_u64,
    prefetch,
    real_madvise,
    real_memcpy,
    real_memset,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.page_hints import HUGE, hint_pages
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout import memory_map

MAX_SLOT_BITS = 28
FIRST_SLOT_BITS = 12
ID_BITS = 27
WORD_BYTES = 8
ROOT_WORDS = 2  # of the empty stack: its node is all zero
NAMED_WORDS = 2  # of a node with its hash
FRONT_BYTES = 16

SLOTS_ADDR = memory_map.table("stack slots", 4 << MAX_SLOT_BITS)
MOVED_ADDR = memory_map.table("moved stack slots", 4 << (MAX_SLOT_BITS - 1))
FRONT_BITS = 11
RECENT_BITS = 9
FRONT_ADDR = memory_map.table(
    "recent stacks", (FRONT_BYTES << FRONT_BITS) + (FRONT_BYTES << RECENT_BITS)
)
RECENT_ADDR = FRONT_ADDR + (FRONT_BYTES << FRONT_BITS)
NODES_ADDR = memory_map.table("stacks", WORD_BYTES << ID_BITS)

FRONT_SHIFT = 64 - FRONT_BITS
RECENT_SHIFT = 64 - RECENT_BITS
LAST_ID = (1 << ID_BITS) - 1
N_WORDS = 1 << ID_BITS
TAG_MASK = 0xF800_0000
SLOTS_AHEAD = 48  # so long before it is needed a node is asked for
HUGE_SLOT_BITS = 19  # 2 MiB of slots, all of which are touched
# Odd constant of Fibonacci hashing, 2^64 / golden ratio (Knuth, TAOCP 3, 6.4).
GOLDEN = 0x9E37_79B9_7F4A_7C15
MIXED_IN = 0x6A09_E667_F3BC_C908  # the fraction of the square root of 2


@kernel
def child_hash(parent_hash: u64, site: u64) -> u64:
    """Hash of the stack `site` on top of one with `parent_hash`; that of the empty stack is 0.

    What is added keeps the sites 0, which stand for unknown calls, from having the hash 0.
    """
    key = (parent_hash + site + MIXED_IN) * GOLDEN
    return key ^ (key >> 32)


@kernel
def id_to_node(node_id: u64) -> u64:
    """Address of the node with an id; id 0 is the empty stack, whose words are both 0."""
    return NODES_ADDR + node_id * WORD_BYTES


@kernel
def hash_to_slot(ctx: Context, stack_hash: u64) -> u64:
    """Number of the slot where the search for a hash begins; there are slots."""
    return stack_hash >> (64 - ctx.depot.slot_bits)


@kernel
def insert_slot(ctx: Context, node_id: u64, stack_hash: u64) -> None:
    """Write an id and its tag into the first free slot behind the place of its hash."""
    slot = hash_to_slot(ctx, stack_hash)
    mask = (u64(1) << ctx.depot.slot_bits) - 1
    while load_u32(SLOTS_ADDR + slot * 4) != 0:
        slot = (slot + 1) & mask
    store_u32(SLOTS_ADDR + slot * 4, u32(node_id | stack_hash << ID_BITS))


@kernel
def move_slots(ctx: Context, n_slots: u64) -> None:
    """Insert all ids of the slots that were moved away; nodes are asked for in good time."""
    slot = u64(0)
    while slot < n_slots:
        ahead = min(slot + SLOTS_AHEAD, n_slots - 1)
        prefetch(id_to_node(u64(load_u32(MOVED_ADDR + ahead * 4)) & LAST_ID) + 8)
        node_id = u64(load_u32(MOVED_ADDR + slot * 4)) & LAST_ID
        if node_id != 0:
            insert_slot(ctx, node_id, load_u64(id_to_node(node_id) + 8))
        slot += 1


@kernel(outlined=True)
def grow_slots(ctx: Context) -> None:
    """Twice as many slots, and all ids in their new ones.  Amortised O(1) for each node."""
    old_bits = ctx.depot.slot_bits
    bits = max(old_bits + 1, u64(FIRST_SLOT_BITS))
    ctx.depot.slot_bits = bits
    if old_bits == 0:
        return
    real_memcpy(MOVED_ADDR, SLOTS_ADDR, u64(4) << old_bits)
    if bits < HUGE_SLOT_BITS:
        real_memset(SLOTS_ADDR, 0, u64(4) << old_bits)
    else:  # pages that are there would stay small
        real_madvise(SLOTS_ADDR, u64(4) << old_bits, DONTNEED)
        hint_pages(ctx, SLOTS_ADDR, u64(4) << bits, HUGE)
        hint_pages(ctx, NODES_ADDR, u64(WORD_BYTES) << ID_BITS, HUGE)
    move_slots(ctx, u64(1) << old_bits)
    real_madvise(MOVED_ADDR, u64(4) << old_bits, DONTNEED)


@kernel
def append_node(ctx: Context, parent: u64, site: u64, n_words: u64) -> u64:
    """A new node of 1 word, or of NAMED_WORDS for who gives it a name; 0 when the depot is full."""
    node_id = ctx.depot.n_words + ROOT_WORDS
    if node_id + n_words > N_WORDS:
        ctx.depot.n_lost += 1
        return 0
    ctx.depot.n_words += n_words
    store_u64(id_to_node(node_id), parent | site << 32)
    return node_id


@kernel
def depot_add(ctx: Context, parent: u64, site: u64, stack_hash: u64) -> u32:
    """Add a node with a name, which no node of its stack has; 0 when the depot is full."""
    node_id = append_node(ctx, parent, site, NAMED_WORDS)
    if node_id == 0:
        return 0
    store_u64(id_to_node(node_id) + 8, stack_hash)
    if ctx.depot.slot_bits == 0 or ctx.depot.n_named * 2 >= u64(1) << ctx.depot.slot_bits:
        grow_slots(ctx)
    ctx.depot.n_named += 1
    insert_slot(ctx, node_id, stack_hash)
    return u32(node_id)


@kernel
def find_hashed(ctx: Context, stack_hash: u64, site: u64) -> u32:
    """Id of the stack with a hash and a top site; 0 when it is new.  O(1) expected."""
    if ctx.depot.slot_bits == 0:
        return 0
    slot = hash_to_slot(ctx, stack_hash)
    mask = (u64(1) << ctx.depot.slot_bits) - 1
    entry = u64(load_u32(SLOTS_ADDR + slot * 4))
    while entry != 0:
        node = id_to_node(entry & LAST_ID)
        is_like_it = (entry ^ (stack_hash << ID_BITS)) & TAG_MASK == 0
        if is_like_it and load_u64(node + 8) == stack_hash and u64(load_u32(node + 4)) == site:
            return u32(entry & LAST_ID)
        slot = (slot + 1) & mask
        entry = u64(load_u32(SLOTS_ADDR + slot * 4))
    return 0


@kernel
def find_recent(ctx: Context, stack_hash: u64, site: u64) -> u32:
    """find_hashed for stacks that are often asked for again: those take no look into the depot."""
    recent = RECENT_ADDR + (stack_hash >> RECENT_SHIFT) * FRONT_BYTES
    if load_u64(recent) == stack_hash and u64(load_u32(recent + 8)) == site:
        return load_u32(recent + 12)
    known = find_hashed(ctx, stack_hash, site)
    if known != 0:
        store_u64(recent, stack_hash)
        store_u32(recent + 8, u32(site))
        store_u32(recent + 12, known)
    return known


@kernel
def prefetch_slot(ctx: Context, stack_hash: u64) -> None:
    """`find_hashed` will be asked for a hash soon."""
    if ctx.depot.slot_bits != 0:
        prefetch(SLOTS_ADDR + hash_to_slot(ctx, stack_hash) * 4)


@kernel
def find_child(ctx: Context, parent: u64, site: u64) -> u32:
    """The id of a child of `parent`, which is added when new.  O(1) expected."""
    stack_hash = child_hash(load_u64(id_to_node(parent) + 8), site)
    known = find_hashed(ctx, stack_hash, site)
    if known != 0:
        return known
    return depot_add(ctx, parent, site, stack_hash)


@kernel
def front_entry(parent: u32, site: u32) -> u64:
    """Address of the one place in the front where a pair may be."""
    key = ((u64(parent) << 32) | u64(site)) * GOLDEN
    return FRONT_ADDR + (key >> FRONT_SHIFT) * FRONT_BYTES


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
    return load_u32(id_to_node(u64(stack_id)))


@kernel
def depot_site(stack_id: u32) -> u32:
    """Site on top of `stack_id`; 0 for the unknown stack."""
    return load_u32(id_to_node(u64(stack_id)) + 4)
