"""Who wants to know of allocations: malloc hooks of the program, limits of the resident size.

    allocated   hooks, or enough bytes since the last look: the host is called afterwards (OBSERVE)
    freeing     hooks: the host is called first, then the call is made again (ANNOUNCE)

Both cost one load and a branch while nothing watches.  The host calls the hooks on the stack
of the thread that allocates (engine/findings/guest_callbacks.py).

Source: sanitizer/allocator_interface.h for the hooks.
Deviations: what a hook allocates or frees itself is not announced; realloc announces the new block
and then the old one.
"""

from __future__ import annotations

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout.events import ALLOCATED, FREEING
from irsan.runtime.layout.interface_words import (
    MEASURE_EVERY_BYTES,
    WATCH_HOOKS,
    WATCH_RESIDENT,
)

OBSERVE = actions.OBSERVE
ANNOUNCE = actions.ANNOUNCE
NONE = int(actions.NONE)


@kernel
def tell_allocation(ctx: Context, addr: u64, size_bytes: u64, is_due: u64) -> None:
    """Ask the host to run the hooks, and to measure when that is due."""
    ctx.event.number = ALLOCATED
    ctx.event.args[0] = addr
    ctx.event.args[1] = size_bytes
    ctx.event.args[2] = 0
    ctx.event.args[3] = is_due
    ctx.action = OBSERVE


@kernel(outlined=True)
def observe_allocation(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """A block was allocated, or (addr 0) refused, and a hook or a limit watches."""
    if ctx.action != NONE:
        return
    is_due = u64(0)
    if (ctx.interface.watches & WATCH_RESIDENT) != 0:
        if size_bytes >= ctx.interface.budget_bytes or addr == 0:
            ctx.interface.budget_bytes = MEASURE_EVERY_BYTES
            is_due = u64(1)
        else:
            ctx.interface.budget_bytes -= size_bytes
    has_hooks = (ctx.interface.watches & WATCH_HOOKS) != 0 and addr != 0
    if has_hooks or is_due != 0:
        tell_allocation(ctx, addr, size_bytes, is_due)


@kernel(outlined=True)
def announce_free(ctx: Context, addr: u64) -> bool:
    """Whether the host is to be called first when a block is about to be freed."""
    if (ctx.interface.watches & WATCH_HOOKS) == 0:
        return False
    if ctx.interface.announced == addr:
        ctx.interface.announced = 0
        return False
    ctx.interface.announced = addr
    ctx.event.number = FREEING
    ctx.event.args[0] = addr
    ctx.action = ANNOUNCE
    return True
