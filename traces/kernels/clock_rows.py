"""The store of clocks that the vector and the tree functions work on: one clock per row.

The times of a clock are a plain row in both forms, so `time of t` is one load whichever is chosen.
The thread clocks, the lock clocks, ... of an analysis are stores of their own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from irsan.runtime.kernels.scalars import Matrix, Vector, i32, i64
from irsan.traces.kernels.columns import column
from irsan.traces.kernels.kernel import kernel, table
from irsan.traces.kernels.operations import NONE

ACLK, NEXT, BEFORE, HEAD = 0, 1, 2, 3
NODE_WORDS = 4
TOUCHED = 0


@table
class Clocks(NamedTuple):
    """Clocks of the same kind: trees when nodes have words, vectors when they have none.

    clk      time of thread t in the clock; 0 = knows nothing of t
    nodes    trees only, sixteen bytes of a cache line for each thread: ACLK, the parent's time when
             t's subtree was attached to it; links as thread + 1, 0 for none: NEXT sibling, BEFORE
             (the sibling before t; of a head child, its parent with a minus), HEAD child
    root     trees only: thread at the root; NONE = the empty clock
    stack    scratch of a traversal: nodes, with a time each
    counts   TOUCHED: entries read or written so far
    """

    clk: Matrix[i32] = column("i32", "rows", "threads")
    nodes: Any = column("i32", "rows", "threads", "node_words")
    root: Vector[i32] = column("i32", "rows", fill=NONE)
    stack: Matrix[i32] = column("i32", "threads", 2)
    counts: Vector[i64] = column("i64", 1)


@kernel(inlined=True)
def is_tree(clocks: Clocks) -> bool:
    """Whether the clocks of a store are trees."""
    return bool(clocks.nodes.shape[2])
