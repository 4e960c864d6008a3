"""The detector `vector`: two vector clocks per location, looked at whole with every access.

    read    W <= C, else a race;            R[t] := now
    write   W <= C and R <= C, else a race; W[t] := now

The plainest exact detector: what the others save, and must not change, is measured against it.

Source: vector clocks as in Pozniansky and Schuster (PPoPP 2003) without their optimisation; called
BasicVC in FastTrack (PLDI 2009).
Deviation: atomic accesses have two more clocks of their own, as they race with plain ones only.
Soundness: exact for the first race of every byte.  Unlike FastTrack, which forgets reads that a
write covers, it may report later races of the same byte.
"""

from __future__ import annotations

from typing import Any

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.detectors.clock_histories import access_clocks


@kernel("void(ctx,u64,u64,u64,u64)")
def vector_access(ctx: Any, addr: Any, size_bytes: Any, kind: Any, stack: Any) -> Any:
    """Check and record an access to [addr, addr + size) of the arena.  O(bytes + runs * threads).

    kind  READ, WRITE or those | ATOMIC.  Races are in the found list (found_races.py).
    """
    access_clocks(ctx, addr, size_bytes, kind, stack, False)
