"""On which stack does a thread stand: its own, or that of a fiber it runs.

Who asks compares stack pointers: a frame below the one that catches an exception is gone, but only
if both are on one stack.  A fiber's stack may be a block of the heap, a mapping, or an array inside
the thread's own stack, above or below frames that live.

Source: fibers are announced as sanitizer/common_interface_defs.h says, or known from ucontext.h.
Soundness: of a stack that was not announced no frame is known to be gone.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Thread
from irsan.runtime.kernels.scalars import u64


@kernel
def stack_lo_of(thread: Thread, sp: u64) -> u64:
    """Where the stack begins that holds `sp`; `sp` itself when it is on none we know."""
    fiber_lo = thread.fiber.lo
    if sp - fiber_lo < thread.fiber.hi - fiber_lo:
        return fiber_lo
    if sp - thread.stack.lo < thread.stack.hi - thread.stack.lo:
        return thread.stack.lo
    return sp


@kernel
def stack_hi_of(thread: Thread, sp: u64) -> u64:
    """Where that stack ends; `sp` itself when it is on none we know."""
    fiber_lo = thread.fiber.lo
    if sp - fiber_lo < thread.fiber.hi - fiber_lo:
        return thread.fiber.hi
    if sp - thread.stack.lo < thread.stack.hi - thread.stack.lo:
        return thread.stack.hi
    return sp
