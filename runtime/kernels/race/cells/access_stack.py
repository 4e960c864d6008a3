"""The stack of an access together with the locks held: what the race history remembers.

    stack id of the history    calls in progress, the access, and on top, if any lock is held,
                               a "site" LOCKSET_MARK | lockset (lock_table.py)

So a race report names the locks of BOTH accesses, however long ago the previous one was: nothing is
replayed and nothing can be lost.  Reports take the mark off again (runtime/views/stackdepot.py).

What was asked for lately takes one look, into a table whose places for neighbouring sites of one
call, with the same locks held, are neighbours: the accesses of a function that is called again
share a few lines of the cache.  Calls are told by the hash of their stack (callstack.py), so a call
that was just made needs no stack id of its own.

    | key u64: hash of the calls and the locks | site u32 | stack id of the history u32 |   16 bytes

An interceptor in progress, which stands on its call, is the site.

Deviation: ThreadSanitizer finds the previous mutex set by replaying the thread's trace.
Soundness: as depot.py, equal hashes of 64 bits with the same site are taken for one stack.
"""

from __future__ import annotations

from irsan.runtime.kernels.callstack import (
    ROUTINE_SITE,
    calls_hash,
    current_stack_id,
    newest_frame,
    routine_hash,
)
from irsan.runtime.kernels.depot import GOLDEN, child_hash, depot_put, find_hashed
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.memory_map import CALL_STACK_BYTES
from irsan.runtime.records.race.lock_records import LOCKSET_MARK

PLACE_BITS = 15
PLACE_BYTES = 16
PLACE_MASK = (1 << PLACE_BITS) - 1
NEIGHBOUR_BITS = 3  # so many sites of one call, two lines of the cache
SPREAD_SHIFT = 64 - PLACE_BITS + NEIGHBOUR_BITS
ACCESSES = memory_map.table("access stacks", PLACE_BYTES << PLACE_BITS)


@kernel(inlined=True)
def access_key(ctx: Context, stack_hash: u64) -> u64:
    """What tells calls with a hash, and the locks that the running thread holds."""
    return stack_hash + u64(thread_at(ctx.thread).held) * GOLDEN


@kernel
def access_place(key: u64, site: u64) -> u64:
    """Address of the one place where an access at a site may be known."""
    spread = key >> SPREAD_SHIFT << NEIGHBOUR_BITS
    return ACCESSES + ((site ^ spread) & PLACE_MASK) * PLACE_BYTES


@kernel(inlined=True)
def known_access(key: u64, site: u64) -> u32:
    """Stack id of an access that was asked for lately; 0 when it was not."""
    place = access_place(key, site)
    if load_u64(place) != key or u64(load_u32(place + 8)) != site:
        return 0
    return load_u32(place + 12)


@kernel
def find_stored_access(ctx: Context, stack_hash: u64, site: u64) -> u32:
    """Id that the depot has for an access; 0 when it is new.

    stack_hash: of the whole stack, the access on top, without the locks held.  Where there are
    many stacks, each look waits for memory: the callers, which have ids, too, are not looked for.
    """
    held = u64(thread_at(ctx.thread).held)
    if held == 0:
        return find_hashed(ctx, stack_hash, site)
    locks = u64(LOCKSET_MARK) | held
    return find_hashed(ctx, child_hash(stack_hash, locks), locks)


@kernel
def add_access(ctx: Context) -> u32:
    """Id of the access in progress, with nodes for what the depot does not have."""
    found = current_stack_id(ctx)
    lockset = thread_at(ctx.thread).held
    if lockset != 0:
        found = depot_put(ctx, found, u32(LOCKSET_MARK | lockset))
    return found


@kernel(outlined=True)
def find_access_stack(ctx: Context) -> u32:
    """`access_stack_id`, known or not; known from now on."""
    base = ctx.frame_limit - CALL_STACK_BYTES
    stack_hash, site = calls_hash(ctx), u64(ctx.site)
    whole = child_hash(u64(0) if newest_frame(ctx) == base else stack_hash, site)
    if ctx.routine != 0:
        stack_hash = whole = routine_hash(ctx, base, newest_frame(ctx))
        site = u64(ROUTINE_SITE) | u64(ctx.routine)
    key = access_key(ctx, stack_hash)
    known = known_access(key, site)
    if known != 0:
        return known
    found = find_stored_access(ctx, whole, site) if site != 0 else u32(0)
    if found == 0:
        found = add_access(ctx)
    place = access_place(key, site)
    store_u64(place, key)
    store_u64(place + 8, site | u64(found) << 32)
    return found


@kernel(inlined=True)
def access_stack_id(ctx: Context) -> u32:
    """Stack id of the access in progress, with the running thread's lockset."""
    top = newest_frame(ctx)
    if ctx.routine == 0 and load_u32(top + 4) != 0:
        known = known_access(access_key(ctx, load_u64(top + 8)), u64(ctx.site))
        if known != 0:
            return known
    return find_access_stack(ctx)
