"""The detector `djit`: DJIT+, vector clocks per location and nothing to do in the same epoch.

    the first read, and the first write, of a thread in an epoch   as in vector.py
    every other access of that kind in that epoch                  no work

Source: DJIT+ (Pozniansky and Schuster, PPoPP 2003; MultiRace, CCPE 2007).
Deviation: atomic accesses have two more clocks of their own, as they race with plain ones only.
Soundness: exact for the first race of every byte: nobody can learn of the later access without
learning of the first, and whoever raced with the later one raced with the first.
"""

from __future__ import annotations

from typing import Any

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.detectors.clock_histories import access_clocks


@kernel("void(ctx,u64,u64,u64,u64)")
def djit_access(ctx: Any, addr: Any, size_bytes: Any, kind: Any, stack: Any) -> Any:
    """Check and record an access to [addr, addr + size) of the arena.  O(bytes + runs * threads).

    kind  READ, WRITE or those | ATOMIC.  Races are in the found list (found_races.py).
    """
    access_clocks(ctx, addr, size_bytes, kind, stack, True)
