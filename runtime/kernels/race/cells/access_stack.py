"""The stack of an access together with the locks held: what the race history remembers.

    stack id of the history    calls in progress, the access, and on top, if any lock is held,
                               a "site" LOCKSET_MARK | lockset (lock_table.py)

So a race report names the locks of BOTH accesses, however long ago the previous one was: nothing is
replayed and nothing can be lost.  Reports take the mark off again (runtime/views/stackdepot.py).

Deviation: ThreadSanitizer finds the previous mutex set by replaying the thread's trace.
"""

from __future__ import annotations

from irsan.runtime.kernels.callstack import recent_stack_id
from irsan.runtime.kernels.depot import depot_put
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u32
from irsan.runtime.records.race.lock_records import LOCKSET_MARK


@kernel(inlined=True)
def access_stack_id(ctx: Context) -> u32:
    """Stack id of the access in progress, with the running thread's lockset."""
    stack = recent_stack_id(ctx)
    lockset = thread_at(ctx.thread).held
    if lockset == 0:
        return stack
    return depot_put(ctx, stack, u32(LOCKSET_MARK | lockset))
