"""The detector `djit`: DJIT+, vector clocks per location and nothing to do in the same epoch.

    the first read, and the first write, of a thread in an epoch   as in vector.py
    every other access of that kind in that epoch                  no work

Source: DJIT+ (Pozniansky and Schuster, PPoPP 2003; MultiRace, CCPE 2007).
Deviation: atomic accesses have two more clocks of their own, as they race with plain ones only.
Soundness: exact for the first race of every byte: no thread can learn of the later access without
learning of the first, and whoever raced with the later one raced with the first.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.detectors.clock_histories import access_clocks
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64


@kernel
def djit_access(ctx: Context, addr: u64, size_bytes: u64, kind: u64, stack: u64) -> None:
    """Check and record an access to [addr, addr + size) of the arena.  O(bytes + runs * threads).

    kind  READ, WRITE or those | ATOMIC.  Races are in the found list (found_races.py).
    """
    access_clocks(ctx, addr, size_bytes, kind, stack, True)
