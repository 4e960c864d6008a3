"""What the race detector had to give up in a run: said at its end, never silently."""

from __future__ import annotations

from typing import Any

# Field of ctx.race, what to say.
_LIMITS = (
    ("n_flushes", "the history of all accesses was forgotten, as no number of a thread was left, "
     "or no room for clocks: races of accesses before with accesses after are missed"),
    ("n_inexact_sids", "a new thread got the number of one that may have run beside it, as 4096 "
     "numbers were in use: races between the two are missed"),
    ("n_lost_cells", "the history of some bytes was forgotten, as its memory was full: "
     "races with it are missed"),
)  # fmt: skip


def race_limits(ctx: Any) -> str:
    """A line for each thing given up, with how often; empty as a rule."""
    counts = ((int(ctx["race"][name]), what) for name, what in _LIMITS)
    return "".join(f"irsan: limit: {what} ({n} times)\n" for n, what in counts if n)
