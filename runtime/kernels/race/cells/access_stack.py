"""The stack of an access together with the locks held: what the race history remembers.

    stack id of the history    calls in progress, the access, and on top, if any lock is held,
                               a "site" LOCKSET_MARK | lockset (lock_table.py)

So a race report names the locks of BOTH accesses, however long ago the previous one was: nothing is
replayed and nothing can be lost.  Reports take the mark off again (runtime/views/stackdepot.py).

What was asked for lately takes one look, into a table whose places for neighbouring sites of one
call, with the same locks held, are neighbours: the accesses of a function that is called again
share a few lines of the cache.

    | id of the calls u32 | site u32 | stack id of the history u32 | lockset u32 |    16 bytes

Deviation: ThreadSanitizer finds the previous mutex set by replaying the thread's trace.
"""

from __future__ import annotations

from irsan.runtime.kernels.callstack import is_named_access, newest_call, recent_stack_id
from irsan.runtime.kernels.depot import GOLDEN, depot_put
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout import memory_map
from irsan.runtime.records.race.lock_records import LOCKSET_MARK

PLACE_BITS = 11
PLACE_BYTES = 16
PLACE_MASK = (1 << PLACE_BITS) - 1
NEIGHBOUR_BITS = 3  # so many sites of one call, two lines of the cache
SPREAD_SHIFT = 64 - PLACE_BITS + NEIGHBOUR_BITS
ACCESSES = memory_map.table("access stacks", PLACE_BYTES << PLACE_BITS)


@kernel
def access_place(parent: u32, site: u32, lockset: u64) -> u64:
    """Address of the one place where an access at a site, called as `parent`, may be known."""
    spread = (u64(parent) | lockset << 32) * GOLDEN >> SPREAD_SHIFT << NEIGHBOUR_BITS
    return ACCESSES + ((u64(site) ^ spread) & PLACE_MASK) * PLACE_BYTES


@kernel(outlined=True)
def find_access_stack(ctx: Context) -> u32:
    """`access_stack_id`, known or not; known from now on, but for an interceptor in progress."""
    lockset = u64(thread_at(ctx.thread).held)
    found = recent_stack_id(ctx)
    if lockset != 0:
        found = depot_put(ctx, found, u32(LOCKSET_MARK | lockset))
    parent = newest_call(ctx)
    if is_named_access(ctx, parent):
        place = access_place(parent, ctx.site, lockset)
        store_u64(place, u64(parent) | u64(ctx.site) << 32)
        store_u64(place + 8, u64(found) | lockset << 32)
    return found


@kernel(inlined=True)
def access_stack_id(ctx: Context) -> u32:
    """Stack id of the access in progress, with the running thread's lockset."""
    parent = newest_call(ctx)
    lockset = u64(thread_at(ctx.thread).held)
    place = access_place(parent, ctx.site, lockset)
    is_known = load_u64(place) == u64(parent) | u64(ctx.site) << 32 and ctx.routine == 0
    known = load_u32(place + 8)
    if known == 0 or not is_known or u64(load_u32(place + 12)) != lockset:
        return find_access_stack(ctx)
    return known
