"""Which detector checks accesses: the flag `race_detector`, one word of the options.

    fasttrack   fasttrack.py, race_ranges.py     exact, the default
    vector      vector.py                        exact, two vector clocks per location
    djit        djit.py                          exact, the same with the same-epoch skip

One contract: `<name>_access(ctx, addr, size_bytes, kind, stack)` checks and records an access to
bytes of the arena and adds its races to the found list; `<name>_restart` or its kin replaces a
history by one write, or by none.  Ignored and foreign accesses never come here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime import options
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.clock_histories import restart_clocks
from irsan.runtime.kernels.race.djit import djit_access
from irsan.runtime.kernels.race.locksets import access_stack_id
from irsan.runtime.kernels.race.race_words import U64_0
from irsan.runtime.kernels.race.vector import vector_access

MARK_LIMIT = 1 << 20  # bytes of a block that remember its allocation or its end
RACE_DETECTOR = options.RACE_DETECTOR

U64_MARK_LIMIT = np.uint64(MARK_LIMIT)
U64_VECTOR = np.uint64(options.RACE_DETECTORS.index("vector"))


@kernel("void(ctx,u64,u64,u64,u64)", outlined=True)
def detector_access(ctx: Any, addr: Any, size_bytes: Any, kind: Any, stack: Any) -> Any:
    """Check and record an access to bytes of the arena, by the detector chosen beside FastTrack."""
    if ctx.options[RACE_DETECTOR] == U64_VECTOR:
        vector_access(ctx, addr, size_bytes, kind, stack)
    else:
        djit_access(ctx, addr, size_bytes, kind, stack)


@kernel("void(ctx,u64,u64,u64)", outlined=True)
def detector_restart(ctx: Any, addr: Any, end: Any, flag: Any) -> Any:
    """Replace the history of [addr, end) of the arena by a write of this thread, now.

    flag  FREE or ALLOCATION, and the first MARK_LIMIT bytes are marked; 0 leaves no history
    """
    stack = np.uint64(access_stack_id(ctx)) if flag != U64_0 else U64_0
    marked = min(end, addr + U64_MARK_LIMIT)
    if flag != U64_0 and marked < end:
        restart_clocks(ctx, marked, end, U64_0, stack)
        end = marked
    restart_clocks(ctx, addr, end, flag, stack)
