"""Vector clocks: a time per thread, joined and copied entry by entry.

**Source**: Fidge (1988), Mattern (1989).
**Soundness**: exact, in the form that every race detector starts from; each operation is O(T).
The functions have the names and arguments of those in `tree_clock`, so that an analysis chooses by
one number.
"""

from __future__ import annotations

from typing import Any

from irsan.traces.kernels.clock_rows import N_THREADS, TOUCHED
from irsan.traces.kernels.kernel import kernel


@kernel("void(clocks,i64,clocks,i64)")
def vector_join(target: Any, a: Any, source: Any, b: Any) -> Any:
    """Clock a of `target` := the entry-wise maximum of itself and clock b of `source`."""
    n = target.counts[N_THREADS]
    for t in range(n):
        target.clk[a, t] = max(target.clk[a, t], source.clk[b, t])
    target.counts[TOUCHED] += n


@kernel("void(clocks,i64,clocks,i64)")
def vector_copy(target: Any, a: Any, source: Any, b: Any) -> Any:
    """Clock a of `target` := clock b of `source`."""
    n = target.counts[N_THREADS]
    for t in range(n):
        target.clk[a, t] = source.clk[b, t]
    target.counts[TOUCHED] += n
