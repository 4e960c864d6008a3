"""Fill `ctx.fault` with the facts every finding has, and ask for a report.

The layout is documented in runtime/layout/faults.py.  Kernels add their own words from [6] on after
the call.  The stack of the current access is interned here, so a finding costs a depot look-up and
the happy path nothing.
"""

from __future__ import annotations

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.callstack import current_stack_id
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u64

# bits of fault[3]
WRITE = 1
ATOMIC = 2
FREE = 4
ROUTINE = 8
MAPPINGS_MAY_BE_STALE = 16


@kernel
def current_tid(ctx: Context) -> u64:
    """Number of the running thread in reports; 0 before any thread exists."""
    if ctx.thread == 0:
        return 0
    return thread_at(ctx.thread).tid


@kernel(outlined=True)
def report_fault(ctx: Context, kind: u64, addr: u64, size_bytes: u64, flags: u64) -> None:
    """Leave a finding: kind (FaultKind), address, size and flags; words [6].. become 0."""
    ctx.fault[0] = kind
    ctx.fault[1] = addr
    ctx.fault[2] = size_bytes
    ctx.fault[3] = flags
    ctx.fault[4] = u64(current_stack_id(ctx))
    ctx.fault[5] = current_tid(ctx)
    for word in range(6, 16):
        ctx.fault[word] = 0
    ctx.action = actions.REPORT
