"""Fill `ctx.fault` with the facts every finding has, and ask for a report.

The layout is documented in runtime/layout/faults.py.  Kernels add their own words from [6] on after
the call.  The stack of the current access is interned here, so a finding costs a depot look-up and
the happy path nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.callstack import current_stack_id
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.records import thread_at

U64_0 = np.uint64(0)

# bits of fault[3]
WRITE = np.uint64(1)
ATOMIC = np.uint64(2)
FREE = np.uint64(4)
ROUTINE = np.uint64(8)
MAPPINGS_MAY_BE_STALE = np.uint64(16)


@kernel("u64(ctx)")
def current_tid(ctx: Any) -> Any:
    """Number of the running thread in reports; 0 before any thread exists."""
    if ctx.thread == U64_0:
        return U64_0
    return thread_at(ctx.thread).tid


@kernel("void(ctx,u64,u64,u64,u64)", outlined=True)
def report_fault(ctx: Any, kind: Any, addr: Any, size_bytes: Any, flags: Any) -> None:
    """Leave a finding: kind (FaultKind), address, size and flags; words [6].. become 0."""
    ctx.fault[0] = kind
    ctx.fault[1] = addr
    ctx.fault[2] = size_bytes
    ctx.fault[3] = flags
    ctx.fault[4] = np.uint64(current_stack_id(ctx))
    ctx.fault[5] = current_tid(ctx)
    for word in range(6, 16):
        ctx.fault[word] = U64_0
    ctx.action = actions.REPORT
