"""Which detector checks accesses: the flag `race_detector`, one word of the options.

    fasttrack   fasttrack.py, race_ranges.py     exact, the default
    vector      vector.py                        exact, two vector clocks per location
    djit        djit.py                          exact, the same with the same-epoch skip
    tsan        tsan.py                          only true races, misses some
    lockset     lockset.py                       a hint: no lock protects these bytes

One contract: `<name>_access(ctx, addr, size_bytes, kind, stack)` checks and records an access to
bytes of the arena and adds its races to the found list; `<name>_restart` or its kin replaces a
history by one write, or by none.  Ignored and foreign accesses never come here.

A run that is recorded (recording.py) uses one of them, so that every access passes here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.cells.access_stack import access_stack_id
from irsan.runtime.kernels.race.clocks.race_words import U64_0, U64_DEAD
from irsan.runtime.kernels.race.detectors.clock_histories import restart_clocks
from irsan.runtime.kernels.race.detectors.djit import djit_access
from irsan.runtime.kernels.race.detectors.eraser import lockset_access, lockset_restart
from irsan.runtime.kernels.race.detectors.tsan import tsan_access, tsan_restart
from irsan.runtime.kernels.race.detectors.vector import vector_access
from irsan.runtime.kernels.race.recording import (
    INTO_PIPE,
    IS_RECORDING,
    record_access,
    record_restart,
)
from irsan.runtime.layout import options

MARK_LIMIT = 1 << 20  # bytes of a block that remember its allocation or its end
RACE_DETECTOR = options.RACE_DETECTOR

U64_MARK_LIMIT = np.uint64(MARK_LIMIT)
U64_VECTOR = np.uint64(options.RACE_DETECTORS.index("vector"))
U64_DJIT = np.uint64(options.RACE_DETECTORS.index("djit"))
U64_TSAN = np.uint64(options.RACE_DETECTORS.index("tsan"))
U64_LOCKSET = np.uint64(options.RACE_DETECTORS.index("lockset"))


@kernel("void(ctx,u64,u64,u64,u64)", outlined=True)
def detector_access(ctx: Any, addr: Any, size_bytes: Any, kind: Any, stack: Any) -> Any:
    """Check and record an access to bytes of the arena, by the detector chosen beside FastTrack."""
    if ctx.race[IS_RECORDING] == INTO_PIPE:
        record_access(ctx, addr, size_bytes, kind)
    chosen = ctx.options[RACE_DETECTOR]
    if chosen == U64_VECTOR:
        vector_access(ctx, addr, size_bytes, kind, stack)
    elif chosen == U64_DJIT:
        djit_access(ctx, addr, size_bytes, kind, stack)
    elif chosen == U64_TSAN:
        tsan_access(ctx, addr, size_bytes, kind, stack)
    else:
        lockset_access(ctx, addr, size_bytes, kind, stack)


@kernel("void(ctx,u64,u64,u64,u64)")
def restart(ctx: Any, addr: Any, end: Any, flag: Any, stack: Any) -> Any:
    """`detector_restart` for the detectors that know of writes, all bytes alike."""
    if ctx.options[RACE_DETECTOR] == U64_TSAN:
        tsan_restart(ctx, addr, end, flag, stack)
    else:
        restart_clocks(ctx, addr, end, flag & ~U64_DEAD, stack)


@kernel("b1(ctx)")
def counts_free(ctx: Any) -> Any:
    """Whether the detector takes the end of a block for a write."""
    return ctx.options[RACE_DETECTOR] != U64_LOCKSET


@kernel("void(ctx,u64,u64,u64)", outlined=True)
def detector_restart(ctx: Any, addr: Any, end: Any, flag: Any) -> Any:
    """Replace the history of [addr, end) of the arena by a write of this thread, now.

    flag  FREE (with DEAD) or ALLOCATION, and the first MARK_LIMIT bytes are marked; 0 leaves no
          history
    """
    if ctx.race[IS_RECORDING] == INTO_PIPE:
        record_restart(ctx, addr, end - addr, flag & ~U64_DEAD)
    if ctx.options[RACE_DETECTOR] == U64_LOCKSET:
        lockset_restart(ctx, addr, end)
        return
    stack = np.uint64(access_stack_id(ctx)) if flag != U64_0 else U64_0
    marked = min(end, addr + U64_MARK_LIMIT) if flag != U64_0 else addr
    if marked < end:
        restart(ctx, marked, end, U64_0, stack)
    if marked > addr:
        restart(ctx, addr, marked, flag, stack)
