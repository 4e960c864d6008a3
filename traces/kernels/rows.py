"""Rows of times: what vector clocks are made of, joined and copied entry by entry."""

from __future__ import annotations

from irsan.runtime.kernels.scalars import Matrix, i32, i64
from irsan.traces.kernels.kernel import kernel


@kernel(inlined=True)
def join_row(target: Matrix[i32], a: i64, source: Matrix[i32], b: i64) -> None:
    """target[a] := the greater of target[a] and source[b], entry by entry."""
    for t in range(target.shape[1]):
        target[a, t] = max(target[a, t], source[b, t])


@kernel(inlined=True)
def copy_row(target: Matrix[i32], a: i64, source: Matrix[i32], b: i64) -> None:
    """target[a] := source[b]."""
    for t in range(target.shape[1]):
        target[a, t] = source[b, t]
