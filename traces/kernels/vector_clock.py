"""Vector clocks: a time per thread, joined and copied entry by entry.

**Source**: Fidge (1988), Mattern (1989).
**Soundness**: exact, in the form that every race detector starts from; each operation is O(T).
The functions take the arguments of those in `tree_clock`; `sync_order` chooses between them.
"""

from __future__ import annotations

from irsan.runtime.kernels.scalars import i64
from irsan.traces.kernels.clock_rows import TOUCHED, Clocks
from irsan.traces.kernels.kernel import kernel
from irsan.traces.kernels.rows import copy_row, join_row


@kernel(inlined=True, callable_too=True)
def vector_join(target: Clocks, a: i64, source: Clocks, b: i64) -> None:
    """Clock a of `target` := the entry-wise maximum of itself and clock b of `source`."""
    join_row(target.clk, a, source.clk, b)
    target.counts[TOUCHED] += target.clk.shape[1]


@kernel(inlined=True, callable_too=True)
def vector_copy(target: Clocks, a: i64, source: Clocks, b: i64) -> None:
    """Clock a of `target` := clock b of `source`."""
    copy_row(target.clk, a, source.clk, b)
    target.counts[TOUCHED] += target.clk.shape[1]
