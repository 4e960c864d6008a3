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

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.detectors.clock_histories import access_clocks
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64


@kernel
def vector_access(ctx: Context, addr: u64, size_bytes: u64, kind: u64, stack: u64) -> None:
    """Check and record an access to [addr, addr + size) of the arena.  O(bytes + runs * threads).

    kind  READ, WRITE or those | ATOMIC.  Races are in the found list (found_races.py).
    """
    access_clocks(ctx, addr, size_bytes, kind, stack, False)
