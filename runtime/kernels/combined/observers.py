"""Who wants to know of allocations: malloc hooks of the program, limits of the resident size.

    allocated   hooks, or enough bytes since the last look: the host is told afterwards (OBSERVE)
    freeing     hooks: the host is told first, then the call is made again (ANNOUNCE)

Both cost one load and a branch while nobody wants to know.  The host calls the hooks on the stack
of the thread that allocates (engine/findings/guest_callbacks.py).

Source: sanitizer/allocator_interface.h for the hooks.
Deviations: what a hook allocates or frees itself is not told; realloc tells of the new block and
then of the old one.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.layout import events
from irsan.runtime.layout import interface_words as iw

# Further actions of the glue, beside those of actions.py.
OBSERVE: Final = np.uint32(6)  # switch to the host, then return the value
ANNOUNCE: Final = np.uint32(7)  # switch to the host; its answer 1 means: call the kernel again

NONE = actions.NONE
WATCHES = iw.WATCHES
ANNOUNCED = iw.ANNOUNCED
BUDGET = iw.BUDGET_BYTES
REFUSED_LIMIT = iw.REFUSED_LIMIT_BYTES
U64_0 = np.uint64(0)
U64_HOOKS = np.uint64(iw.WATCH_HOOKS)
U64_RESIDENT = np.uint64(iw.WATCH_RESIDENT)
U64_MEASURE = np.uint64(iw.MEASURE_EVERY_BYTES)
U64_ALLOCATED = np.uint64(events.ALLOCATED)
U64_FREEING = np.uint64(events.FREEING)


@kernel("void(ctx,u64,u64,u64)")
def tell_allocation(ctx: Any, addr: Any, size_bytes: Any, is_due: Any) -> None:
    """Ask the host to run the hooks, and to measure when that is due."""
    ctx.event = U64_ALLOCATED
    ctx.event_args[0] = addr
    ctx.event_args[1] = size_bytes
    ctx.event_args[2] = U64_0
    ctx.event_args[3] = is_due
    ctx.action = OBSERVE


@kernel("void(ctx,u64,u64)", outlined=True)
def observe_allocation(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """A block was handed out, or (addr 0) refused; somebody watches."""
    if ctx.action != NONE:
        return
    is_due = U64_0
    if (ctx.interface[WATCHES] & U64_RESIDENT) != U64_0:
        if size_bytes >= ctx.interface[BUDGET] or addr == U64_0:
            ctx.interface[BUDGET] = U64_MEASURE
            is_due = np.uint64(1)
        else:
            ctx.interface[BUDGET] -= size_bytes
    has_hooks = (ctx.interface[WATCHES] & U64_HOOKS) != U64_0 and addr != U64_0
    if has_hooks or is_due != U64_0:
        tell_allocation(ctx, addr, size_bytes, is_due)


@kernel("b1(ctx,u64)", outlined=True)
def announce_free(ctx: Any, addr: Any) -> Any:
    """Whether the host is to be told first that a block is about to be freed."""
    if (ctx.interface[WATCHES] & U64_HOOKS) == U64_0:
        return False
    if ctx.interface[ANNOUNCED] == addr:
        ctx.interface[ANNOUNCED] = U64_0
        return False
    ctx.interface[ANNOUNCED] = addr
    ctx.event = U64_FREEING
    ctx.event_args[0] = addr
    ctx.action = ANNOUNCE
    return True
