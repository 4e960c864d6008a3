"""The words that say whether accesses are recorded, changed by what is no kernel.

What they mean: runtime/kernels/race/ignoring.py.
"""

from __future__ import annotations

from typing import Any

from irsan.runtime.layout.memory_map import ARENA_SIZE


def set_ignore_depth(ctx: Any, depth: int) -> None:
    """Accesses of the running thread are recorded from now on if `depth` is 0."""
    ctx["ignore_depth"] = depth
    ctx["race_span"] = 0 if depth else ARENA_SIZE
