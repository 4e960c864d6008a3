"""The store of clocks that the vector and the tree functions work on: one clock per row.

The times of a clock are a plain row in both forms, so `time of t` is one load whichever is chosen.
The thread clocks, the lock clocks, ... of an analysis are stores of their own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from irsan.traces.kernels.columns import column
from irsan.traces.kernels.kernel import kernel, table
from irsan.traces.kernels.operations import NONE

PARENT, NEXT, PREVIOUS, HEAD, ACLK = 0, 1, 2, 3, 4
NODE_WORDS = 5
TOUCHED = 0


@table("clocks")
class Clocks(NamedTuple):
    """Clocks of the same kind: trees when nodes have words, vectors when they have none.

    clk      time of thread t in the clock; 0 = knows nothing of t
    nodes    trees only: PARENT, NEXT and PREVIOUS sibling, HEAD child, each NONE if there is none;
             ACLK, the parent's time when t's subtree was attached to it
    root     trees only: thread at the root; NONE = the empty clock
    stack    scratch of a traversal
    counts   TOUCHED: entries read or written so far
    """

    clk: Any = column("i32", "rows", "threads")
    nodes: Any = column("i32", "rows", "threads", "node_words", fill=NONE)
    root: Any = column("i32", "rows", fill=NONE)
    stack: Any = column("i32", "threads")
    counts: Any = column("i64", 1)


@kernel("b1(clocks)", inlined=True)
def is_tree(clocks: Any) -> Any:
    """Whether the clocks of a store are trees."""
    return clocks.nodes.shape[2] != 0
