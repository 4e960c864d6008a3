"""Rows of times: what vector clocks are made of, joined and copied entry by entry."""

from __future__ import annotations

from typing import Any

from irsan.traces.kernels.kernel import kernel


@kernel("void(i32[::],i64,i32[::],i64)", inlined=True)
def join_row(target: Any, a: Any, source: Any, b: Any) -> Any:
    """target[a] := the greater of target[a] and source[b], entry by entry."""
    for t in range(target.shape[1]):
        target[a, t] = max(target[a, t], source[b, t])


@kernel("void(i32[::],i64,i32[::],i64)", inlined=True)
def copy_row(target: Any, a: Any, source: Any, b: Any) -> Any:
    """target[a] := source[b]."""
    for t in range(target.shape[1]):
        target[a, t] = source[b, t]
