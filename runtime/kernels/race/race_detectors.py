"""Which detector checks accesses: the flag `race_detector`, one word of the options.

    fasttrack   fasttrack.py, race_ranges.py     exact, the default
    vector      vector.py                        exact, two vector clocks per location
    djit        djit.py                          exact, the same with the same-epoch skip
    tsan        tsan.py                          only true races, misses some
    lockset     lockset.py                       a hint: no lock protects these bytes

One contract: `<name>_access(ctx, addr, size_bytes, kind, stack)` checks and records an access to
bytes of the arena and adds its races to the found list; `<name>_restart` or similar replaces a
history by one write, or by none.  Ignored and foreign accesses never come here.

A run that is recorded (recording.py) uses one of them, so that every access passes here.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.cells.access_stack import access_stack_id
from irsan.runtime.kernels.race.clocks.race_words import DEAD
from irsan.runtime.kernels.race.detectors.clock_histories import restart_clocks
from irsan.runtime.kernels.race.detectors.djit import djit_access
from irsan.runtime.kernels.race.detectors.eraser import lockset_access, lockset_restart
from irsan.runtime.kernels.race.detectors.tsan import tsan_access, tsan_restart
from irsan.runtime.kernels.race.detectors.vector import vector_access
from irsan.runtime.kernels.race.recording import (
    record_access,
    record_restart,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout import options
from irsan.runtime.layout.options import RACE_DETECTOR
from irsan.runtime.records.race.trace_records import INTO_PIPE

MARK_LIMIT = 1 << 20  # bytes of a block that remember its allocation or its end

VECTOR = options.RACE_DETECTORS.index("vector")
DJIT = options.RACE_DETECTORS.index("djit")
TSAN = options.RACE_DETECTORS.index("tsan")
LOCKSET = options.RACE_DETECTORS.index("lockset")


@kernel(outlined=True)
def detector_access(ctx: Context, addr: u64, size_bytes: u64, kind: u64, stack: u64) -> None:
    """Check and record an access to bytes of the arena, by the detector chosen beside FastTrack."""
    if ctx.recording.mode == INTO_PIPE:
        record_access(ctx, addr, size_bytes, kind)
    chosen = ctx.options[RACE_DETECTOR]
    if chosen == VECTOR:
        vector_access(ctx, addr, size_bytes, kind, stack)
    elif chosen == DJIT:
        djit_access(ctx, addr, size_bytes, kind, stack)
    elif chosen == TSAN:
        tsan_access(ctx, addr, size_bytes, kind, stack)
    else:
        lockset_access(ctx, addr, size_bytes, kind, stack)


@kernel
def restart(ctx: Context, addr: u64, end: u64, flag: u64, stack: u64) -> None:
    """`detector_restart` for the detectors that know of writes, all bytes alike."""
    if ctx.options[RACE_DETECTOR] == TSAN:
        tsan_restart(ctx, addr, end, flag, stack)
    else:
        restart_clocks(ctx, addr, end, flag & ~u64(DEAD), stack)


@kernel
def counts_free(ctx: Context) -> bool:
    """Whether the detector takes the end of a block for a write."""
    return ctx.options[RACE_DETECTOR] != LOCKSET


@kernel(outlined=True)
def detector_restart(ctx: Context, addr: u64, end: u64, flag: u64) -> None:
    """Replace the history of [addr, end) of the arena by a write of this thread, now.

    flag  FREE (with DEAD) or ALLOCATION, and the first MARK_LIMIT bytes are marked; 0 leaves no
          history
    """
    if ctx.recording.mode == INTO_PIPE:
        record_restart(ctx, addr, end - addr, flag & ~u64(DEAD))
    if ctx.options[RACE_DETECTOR] == LOCKSET:
        lockset_restart(ctx, addr, end)
        return
    stack = u64(access_stack_id(ctx)) if flag != 0 else u64(0)
    marked = min(end, addr + MARK_LIMIT) if flag != 0 else addr
    if marked < end:
        restart(ctx, marked, end, 0, stack)
    if marked > addr:
        restart(ctx, addr, marked, flag, stack)
