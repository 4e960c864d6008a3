"""The store of clocks that the vector and the tree functions work on: one clock per row.

    clk     int32[rows, T]      time of thread t in the clock; 0 = knows nothing of t
    aclk    int32[rows, T]      tree only: the parent's time when t's subtree was attached to it
    links   int32[rows, T, 4]   tree only: PARENT, NEXT and PREVIOUS sibling, HEAD child, or NONE
    root    int32[rows]         tree only: thread at the root; NONE = the empty clock
    stack   int32[T]            scratch of a traversal
    counts  int64[2]            N_THREADS: entries in use; TOUCHED: entries read or written so far

The times of a clock are a plain row in both forms, so `time of t` is one load whichever is chosen.
The thread clocks, the lock clocks, ... of an analysis are stores of their own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from irsan.traces.kernels.kernel import register_record
from irsan.traces.kernels.operations import NONE

PARENT, NEXT, PREVIOUS, HEAD = 0, 1, 2, 3
N_THREADS, TOUCHED = 0, 1


class Clocks(NamedTuple):
    """Clocks of the same kind; see above."""

    clk: Any
    aclk: Any
    links: Any
    root: Any
    stack: Any
    counts: Any


def new_clocks(n_rows: int, n_threads: int, *, is_tree: bool) -> Clocks:
    """So many empty clocks over so many threads."""
    tree_shape = (n_rows, n_threads) if is_tree else (0, 0)
    counts = np.array([n_threads, 0], np.int64)
    return Clocks(
        np.zeros((n_rows, n_threads), np.int32),
        np.zeros(tree_shape, np.int32),
        np.full((*tree_shape, 4), NONE, np.int32),
        np.full(n_rows, NONE, np.int32),
        np.zeros(n_threads, np.int32),
        counts,
    )


register_record("clocks", new_clocks(1, 1, is_tree=True))
