"""What the race detector had to give up in a run: said at its end, never silently."""

from __future__ import annotations

from typing import Any

# Words of ctx.race, as in runtime/kernels/race/clocks/race_words.py, which would bring numba here.
_N_INEXACT_SIDS, _N_FLUSHES, _N_LOST_CELLS = 3, 4, 11
_LIMITS = (
    (_N_FLUSHES, "the history of all accesses was forgotten, as no number of a thread was left, or "
     "no room for clocks: races of accesses before with accesses after are missed"),
    (_N_INEXACT_SIDS, "a new thread got the number of one that may have run beside it, as 4096 "
     "numbers were in use: races between the two are missed"),
    (_N_LOST_CELLS, "the history of some bytes was forgotten, as its memory was full: "
     "races with it are missed"),
)  # fmt: skip


def race_limits(ctx: Any) -> str:
    """A line for each thing given up, with how often; empty as a rule."""
    counts = ((int(ctx["race"][word]), what) for word, what in _LIMITS)
    return "".join(f"irsan: limit: {what} ({n} times)\n" for n, what in counts if n)
