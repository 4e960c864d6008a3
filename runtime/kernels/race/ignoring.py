"""Whether accesses of the running thread are recorded, and the span of addresses that follows.

    ignore_depth    SINGLE while one thread only has ever existed | regions that ignore accesses
    race_span       ARENA_SIZE if ignore_depth is 0, else 0

An access is looked at where `addr - ARENA_LO < race_span`: one comparison says that its address is
ours and that it is recorded (cells/same_epoch.py). Both words change here, and in
`set_ignore_depth` of runtime/records/race/ignored.py for what is no kernel.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout.memory_map import ARENA_SIZE


@kernel
def set_ignored(ctx: Context, depth: u64) -> None:
    """Accesses of the running thread are recorded from now on if `depth` is 0."""
    ctx.ignore_depth = depth
    ctx.race_span = u64(ARENA_SIZE) if depth == 0 else u64(0)
