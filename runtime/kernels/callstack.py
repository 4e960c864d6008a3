"""Shadow call stack: which calls led here, as one number in amortised constant time.

Each live thread owns one slot of memory_map.CALL_STACKS, an array of frames of 16 bytes:

    base                                                     frame_top            frame_limit
    | root: site 0, id 0 | site of 1st call, id | ... | site of newest call, id | ... free ... |

    frame   {call site u32, stack id u32, hash of the stack u64}
            stack id   0 = nothing but the site is known; HASHED = the hash is known, too;
                       with NAMELESS: of a node that its hash does not lead to

A frame is one call in progress, named by the SITE OF THE CALL IN THE CALLER: the site table knows
the function, line and inlined chain of a site, so the sites from newest to oldest, with ctx.site
(the access in progress) in front, are the backtrace.  `frame_limit` is always base +
memory_map.CALL_STACK_BYTES, so the base needs no field of its own.

Interning is lazy: a call that reports nothing costs two stores.  `frame_stack_id` walks down to the
newest frame whose hash is known, hashes upward from there, and asks the depot for the hash on top.
For a stack that is new it looks downward for one that is known, the caller's or that of every
eighth frame, and makes nodes upward from there; between, they have no name.  So a call costs a few
instructions, once, and a question one look at any depth; a new stack costs one look in eight frames
and a node of 8 bytes, side by side, for each frame that none of its neighbours has one for, and
8 bytes more for the one with the name.

The lines of the depot where it will look are asked for ahead (`prefetch_stack`), as they are in no
cache where there are many stacks: those of callers together, when a stack is expected to be new.

Source: shadow stacks as in ThreadSanitizer's func_entry / func_exit.
Deviations: frames hold sites, not program counters; nothing tests for overflow: a guest frame takes
at least as many bytes of the guest's stack (return address, alignment) as its shadow takes here,
and the area here is larger than any stack, so the guest's own guard page is hit first.
Invariants: base <= frame_top; an id of a frame is that of a node of (stack below, its site), and
its hash the one of that stack; what lies below a frame with a hash has one, too.
"""

from __future__ import annotations

from irsan.runtime.kernels.depot import (
    append_node,
    child_hash,
    depot_add,
    depot_parent,
    depot_put,
    depot_recent,
    find_hashed,
    find_recent,
    prefetch_slot,
)
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u32, store_u64
from irsan.runtime.kernels.record_types import Context, Thread
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout.memory_map import (
    CALL_STACK_BYTES,
    CALL_STACKS,
    FIRST_FRAME_BYTES,
)

FRAME_BYTES = 16
FRAME_BITS = 4
# Site numbers from here up are interceptors: the frame of malloc itself on top of its call.
ROUTINE_SITE = 0x0800_0000
HASHED = 0xFFFF_FFFF  # no stack id: the frame has a hash only
NAMELESS = 0x8000_0000
UNCACHED_SLOT_BITS = 16  # so many slots are no longer in a cache near by
ANCHOR_MASK = 8 * FRAME_BYTES - 1
# Hash below the oldest call.  Not that of the empty path, so that no call stack shares nodes with a
# path of another kind (locks held, for example), whose nodes all have names.
NO_CALLS = 0x510E_527F_ADE6_82D1  # the fraction of the square root of 11


@kernel
def callstack_init(thread: Thread) -> None:
    """Give a thread record the empty shadow call stack of its slot."""
    base = CALL_STACKS + thread.slot * CALL_STACK_BYTES + FIRST_FRAME_BYTES
    store_u64(base, 0)
    store_u64(base + 8, NO_CALLS)
    thread.frame_base = base
    thread.frame_top = base
    thread.frame_limit = base + CALL_STACK_BYTES


@kernel
def newest_frame(ctx: Context) -> u64:
    """Address of the frame of the newest call."""
    return min(ctx.frame_top, ctx.frame_limit - FRAME_BYTES)


@kernel
def hash_frames(base: u64, top: u64) -> None:
    """Give every frame its hash.  Each frame is hashed once."""
    frame = top
    while frame != base and load_u32(frame + 4) == 0:
        frame -= FRAME_BYTES
    stack_hash = load_u64(frame + 8)
    while frame != top:
        frame += FRAME_BYTES
        stack_hash = child_hash(stack_hash, u64(load_u32(frame)))
        store_u32(frame + 4, HASHED)
        store_u64(frame + 8, stack_hash)


@kernel
def is_anchor(base: u64, frame: u64) -> bool:
    """Whether the stack of a frame is given a name although it was not asked for."""
    return (frame - base) & ANCHOR_MASK == 0


@kernel
def prefetch_known_frames(ctx: Context, base: u64, top: u64) -> None:
    """Ask for all lines that `newest_known_frame` may look at, so that it waits once for them."""
    frame = top
    while frame != base and load_u32(frame + 4) == HASHED:
        if frame + FRAME_BYTES >= top or is_anchor(base, frame):
            prefetch_slot(ctx, load_u64(frame + 8))
        frame -= FRAME_BYTES


@kernel
def newest_known_frame(ctx: Context, base: u64, top: u64) -> u64:
    """A frame below the top whose stack has a node: the newest with an id, that of the caller or an
    anchor that the depot knows, or the base."""
    frame = top - FRAME_BYTES
    while frame != base and load_u32(frame + 4) == HASHED:
        if frame == top - FRAME_BYTES or is_anchor(base, frame):
            known = find_hashed(ctx, load_u64(frame + 8), u64(load_u32(frame)))
            if known != 0:
                store_u32(frame + 4, known)
                return frame
        frame -= FRAME_BYTES
    return frame


@kernel
def intern_frames(ctx: Context, base: u64, top: u64) -> u32:
    """Make nodes for the newest frames, the top of which the depot does not know; its id."""
    frame = newest_known_frame(ctx, base, top)
    node_id = u64(load_u32(frame + 4)) & ~u64(NAMELESS)
    while frame != top:
        frame += FRAME_BYTES
        site = u64(load_u32(frame))
        mark = u64(0)
        if frame == top or is_anchor(base, frame):
            node_id = u64(depot_add(ctx, node_id, site, load_u64(frame + 8)))
        else:
            node_id = append_node(ctx, node_id, site, 1)
            mark = u64(NAMELESS)
        if node_id == 0:
            return 0
        store_u32(frame + 4, u32(node_id | mark))
    return u32(node_id)


@kernel(outlined=True)
def frame_stack_id(ctx: Context) -> u32:
    """Stack id of the calls in progress, without ctx.site.  Amortised O(1)."""
    base = ctx.frame_limit - CALL_STACK_BYTES
    top = newest_frame(ctx)
    hash_frames(base, top)
    state = u64(load_u32(top + 4))
    if top == base or state < NAMELESS:
        return u32(state)
    known = find_hashed(ctx, load_u64(top + 8), u64(load_u32(top)))
    if known == 0 and state != HASHED:
        parent = depot_parent(u32(state & ~u64(NAMELESS)))
        known = depot_add(ctx, u64(parent), u64(load_u32(top)), load_u64(top + 8))
    if known == 0:
        return intern_frames(ctx, base, top)
    store_u32(top + 4, known)
    return known


@kernel
def callstack_enter(ctx: Context) -> u64:
    """Push the call at ctx.site; the new frame.  Call it at function entry.

    No bound is tested: a guest frame takes at least as many bytes of the guest's stack as its
    shadow takes here, and the area is larger than any stack, so its guard page is hit first.
    """
    top = ctx.frame_top + FRAME_BYTES
    ctx.frame_top = top
    store_u64(top, u64(ctx.site))
    return top


@kernel
def callstack_leave(ctx: Context, frame: u64) -> None:
    """Pop the frame that `callstack_enter` has made, and ctx.site becomes the call it stood for.

    The next push need not wait until `frame_top` has been read again.
    """
    ctx.site = load_u32(frame)
    ctx.frame_top = frame - FRAME_BYTES


@kernel
def callstack_exit(ctx: Context) -> None:
    """Pop the newest frame; ctx.site becomes the call it stood for."""
    top = ctx.frame_top
    ctx.site = load_u32(top)
    ctx.frame_top = top - FRAME_BYTES


@kernel
def callstack_depth(ctx: Context) -> u64:
    """Number of calls in progress: what setjmp and landing pads keep for `callstack_restore`."""
    return (ctx.frame_top + CALL_STACK_BYTES - ctx.frame_limit) >> FRAME_BITS


@kernel
def callstack_restore(ctx: Context, depth: u64) -> None:
    """Drop every frame above `depth` calls (longjmp, landing pad); a smaller stack stays as it is.

    ctx.site becomes the call that the oldest dropped frame stood for.  Handlers of signals that
    were called on the dropped frames have ended.
    """
    base = ctx.frame_limit - CALL_STACK_BYTES
    top = base + (depth << FRAME_BITS)
    thread = thread_at(ctx.thread)
    if top <= thread.handler.top:
        thread.handler.top = 0
    if top >= ctx.frame_top:
        return
    ctx.frame_top = top
    if top + FRAME_BYTES < ctx.frame_limit:
        ctx.site = load_u32(top + FRAME_BYTES)


@kernel
def routine_hash(ctx: Context, base: u64, top: u64) -> u64:
    """Hash of the stack of an interceptor in progress; its frames are hashed."""
    stack_hash = u64(0) if top == base else load_u64(top + 8)
    if ctx.site != 0:
        stack_hash = child_hash(stack_hash, u64(ctx.site))
    return child_hash(stack_hash, u64(ROUTINE_SITE) | u64(ctx.routine))


@kernel(outlined=True)
def prefetch_looks(ctx: Context) -> None:
    """Ask for the line of the depot that the stack of the interceptor in progress may be in.

    And for those of its callers, which are looked at when it is new; the next is when the last was.
    """
    base = ctx.frame_limit - CALL_STACK_BYTES
    top = newest_frame(ctx)
    hash_frames(base, top)
    prefetch_slot(ctx, routine_hash(ctx, base, top))
    if ctx.depot.was_new != 0:
        prefetch_known_frames(ctx, base, top)


@kernel(inlined=True)
def prefetch_stack(ctx: Context) -> None:
    """The stack of the interceptor in progress will be asked for, after some other work."""
    if ctx.depot.slot_bits >= UNCACHED_SLOT_BITS:
        prefetch_looks(ctx)


@kernel
def routine_stack_id(ctx: Context) -> u32:
    """Stack id of an interceptor in progress: calls, ctx.site, the interceptor itself.

    A stack that is known takes one look; of one that is new the call of the interceptor, which
    nobody asks for, has no name.
    """
    base = ctx.frame_limit - CALL_STACK_BYTES
    top = newest_frame(ctx)
    hash_frames(base, top)
    stack_hash = routine_hash(ctx, base, top)
    routine = u64(ROUTINE_SITE) | u64(ctx.routine)
    known = find_recent(ctx, stack_hash, routine)
    ctx.depot.was_new = u64(known == 0)
    if known != 0:
        return known
    stack_id = u64(frame_stack_id(ctx))
    if ctx.site != 0:
        stack_id = append_node(ctx, stack_id, u64(ctx.site), 1)
    return depot_add(ctx, stack_id, routine, stack_hash)


@kernel(outlined=True)
def current_stack_id(ctx: Context) -> u32:
    """Stack id of the access or call in progress: calls, ctx.site, the interceptor itself.

    A site of 0 (no marker since function entry) adds no frame.  The interceptor's own frame is
    added when ctx.routine is not 0.
    """
    if ctx.routine != 0:
        return routine_stack_id(ctx)
    stack_id = frame_stack_id(ctx)
    if ctx.site == 0:
        return stack_id
    return depot_put(ctx, stack_id, ctx.site)


@kernel
def newest_call(ctx: Context) -> u32:
    """Stack id of the calls in progress as its frame has it; 0 or NAMELESS and more: not yet."""
    return load_u32(newest_frame(ctx) + 4)


@kernel(inlined=True)
def calls_hash(ctx: Context) -> u64:
    """Hash of the calls in progress, which its frame has from now on.  Amortised O(1)."""
    top = newest_frame(ctx)
    if load_u32(top + 4) == 0:
        hash_frames(ctx.frame_limit - CALL_STACK_BYTES, top)
    return load_u64(top + 8)


@kernel
def is_named_access(ctx: Context, parent: u32) -> bool:
    """Whether the stack in progress is a site, called by what `newest_call` names: `parent`."""
    return parent != 0 and parent < NAMELESS and ctx.site != 0 and ctx.routine == 0


@kernel(inlined=True)
def recent_stack_id(ctx: Context) -> u32:
    """The same as current_stack_id for hot paths: what was asked lately takes no call."""
    parent = newest_call(ctx)
    if not is_named_access(ctx, parent):
        return current_stack_id(ctx)
    known = depot_recent(parent, ctx.site)
    if known != 0:
        return known
    return depot_put(ctx, parent, ctx.site)
