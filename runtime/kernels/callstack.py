"""Shadow call stack: which calls led here, as one number in amortised constant time.

Each live thread owns one slot of memory_map.CALL_STACKS, an array of frames of 16 bytes:

    base                                                     frame_top            frame_limit
    | root: site 0, id 0 | site of 1st call, id | ... | site of newest call, id | ... free ... |

    frame   {call site u32, stack id u32 (0 = not interned yet), spare u64}

A frame is one call in progress, named by the SITE OF THE CALL IN THE CALLER: the site table knows
the function, line and inlined chain of a site, so the sites from newest to oldest, with ctx.site
(the access in progress) in front, are the backtrace.  `frame_limit` is always base +
memory_map.CALL_STACK_BYTES, so the base needs no field of its own.

Interning is lazy: a call that reports nothing costs two stores.  `frame_stack_id` walks down to the
newest frame that has an id and interns upward from there; each frame is interned once per call.

Source: shadow stacks as in ThreadSanitizer's func_entry / func_exit.
Deviations: frames hold sites, not program counters; nothing tests for overflow: a guest frame takes
at least as many bytes of the guest's stack (return address, alignment) as its shadow takes here,
and the area here is larger than any stack, so the guest's own guard page is hit first.
Invariants: base <= frame_top; an id != 0 of a frame is the depot's id of (id below, its site).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.depot import depot_put, depot_recent
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, store_u32, store_u64
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.layout import memory_map
from irsan.runtime.records.signal_records import HANDLER_TOP

FRAME_BYTES = 16
FRAME_BITS = 4
# Site numbers from here up are interceptors: the frame of malloc itself on top of its call.
ROUTINE_SITE = 0x0800_0000

U32_0 = np.uint32(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_FRAME = np.uint64(FRAME_BYTES)
U64_FRAME_BITS = np.uint64(FRAME_BITS)
U64_STACK_BYTES = np.uint64(memory_map.CALL_STACK_BYTES)
U64_CALL_STACKS = np.uint64(memory_map.CALL_STACKS)
U64_ROUTINE_SITE = np.uint64(ROUTINE_SITE)


@kernel("void(thread)")
def callstack_init(thread: Any) -> Any:
    """Give a thread record the empty shadow call stack of its slot."""
    base = U64_CALL_STACKS + thread.slot * U64_STACK_BYTES
    store_u64(base, U64_0)
    thread.frame_base = base
    thread.frame_top = base
    thread.frame_limit = base + U64_STACK_BYTES


@kernel("u32(ctx)")
def frame_stack_id(ctx: Any) -> Any:
    """Stack id of the calls in progress, without ctx.site.  Amortised O(1)."""
    base = ctx.frame_limit - U64_STACK_BYTES
    top = min(ctx.frame_top, ctx.frame_limit - U64_FRAME)
    frame = top
    while frame != base and load_u32(frame + U64_4) == U32_0:
        frame -= U64_FRAME
    stack_id = load_u32(frame + U64_4)
    while frame != top:
        frame += U64_FRAME
        stack_id = depot_put(ctx, stack_id, load_u32(frame))
        store_u32(frame + U64_4, stack_id)
    return stack_id


@kernel("void(ctx)")
def callstack_enter(ctx: Any) -> Any:
    """Push the call at ctx.site.  Call it at function entry.

    No bound is tested: a guest frame takes at least as many bytes of the guest's stack as its
    shadow takes here, and the area is larger than any stack, so its guard page is hit first.
    """
    top = ctx.frame_top + U64_FRAME
    ctx.frame_top = top
    store_u64(top, np.uint64(ctx.site))


@kernel("void(ctx)")
def callstack_exit(ctx: Any) -> Any:
    """Pop the newest frame; ctx.site becomes the call it stood for."""
    top = ctx.frame_top
    ctx.site = load_u32(top)
    ctx.frame_top = top - U64_FRAME


@kernel("u64(ctx)")
def callstack_depth(ctx: Any) -> Any:
    """Number of calls in progress: what setjmp and landing pads keep for `callstack_restore`."""
    return (ctx.frame_top + U64_STACK_BYTES - ctx.frame_limit) >> U64_FRAME_BITS


@kernel("void(ctx,u64)")
def callstack_restore(ctx: Any, depth: Any) -> Any:
    """Drop every frame above `depth` calls (longjmp, landing pad); a smaller stack stays as it is.

    ctx.site becomes the call that the oldest dropped frame stood for.  Handlers of signals that
    were called on the dropped frames have ended.
    """
    base = ctx.frame_limit - U64_STACK_BYTES
    top = base + (depth << U64_FRAME_BITS)
    thread = thread_at(ctx.thread)
    if top <= thread.spare[HANDLER_TOP]:
        thread.spare[HANDLER_TOP] = U64_0
    if top >= ctx.frame_top:
        return
    ctx.frame_top = top
    if top + U64_FRAME < ctx.frame_limit:
        ctx.site = load_u32(top + U64_FRAME)


@kernel("u32(ctx)", outlined=True)
def current_stack_id(ctx: Any) -> Any:
    """Stack id of the access or call in progress: calls, ctx.site, the interceptor itself.

    A site of 0 (no marker since function entry) adds no frame.  The interceptor's own frame is
    added when ctx.routine is not 0.
    """
    stack_id = frame_stack_id(ctx)
    if ctx.site != U32_0:
        stack_id = depot_put(ctx, stack_id, ctx.site)
    if ctx.routine == U32_0:
        return stack_id
    return depot_put(ctx, stack_id, np.uint32(U64_ROUTINE_SITE | np.uint64(ctx.routine)))


@kernel("u32(ctx)", inlined=True)
def recent_stack_id(ctx: Any) -> Any:
    """The same as current_stack_id for hot paths: what was asked lately takes no call."""
    top = min(ctx.frame_top, ctx.frame_limit - U64_FRAME)
    parent = load_u32(top + U64_4)
    if parent == U32_0 or ctx.site == U32_0 or ctx.routine != U32_0:
        return current_stack_id(ctx)
    known = depot_recent(parent, ctx.site)
    if known != U32_0:
        return known
    return depot_put(ctx, parent, ctx.site)
