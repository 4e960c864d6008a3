"""Growing the stores that several analyses share: clocks and access histories."""

from __future__ import annotations

import numpy as np

from irsan.traces.arrays import capacity, grown, reshaped
from irsan.traces.kernels.access_history import N_FREE, History
from irsan.traces.kernels.access_history import N_THREADS as HISTORY_THREADS
from irsan.traces.kernels.clock_rows import N_THREADS, Clocks, new_clocks
from irsan.traces.kernels.operations import NONE


def grown_clocks(clocks: Clocks, n_rows: int, n_threads: int) -> Clocks:
    """The store with at least so many rows and threads; new clocks are empty."""
    old_rows, old_threads = clocks.clk.shape
    if n_rows > old_rows or n_threads > old_threads:
        shape = (capacity(old_rows, n_rows), capacity(old_threads, n_threads))
        if clocks.aclk.size:
            clocks = clocks._replace(
                aclk=reshaped(clocks.aclk, shape),
                links=reshaped(clocks.links, (*shape, 4), NONE),
            )
        clocks = clocks._replace(
            clk=reshaped(clocks.clk, shape),
            root=reshaped(clocks.root, shape[:1], NONE),
            stack=reshaped(clocks.stack, shape[1:]),
        )
    clocks.counts[N_THREADS] = max(n_threads, int(clocks.counts[N_THREADS]))
    return clocks


def new_thread_clocks(*, is_tree: bool) -> Clocks:
    """A store for the clocks of threads, of which there are none yet."""
    clocks = new_clocks(1, 1, is_tree=is_tree)
    clocks.counts[N_THREADS] = 0
    return clocks


def grown_thread_clocks(clocks: Clocks, n_threads: int) -> Clocks:
    """One clock per thread; a new thread knows its own time, which is 1."""
    n_old = int(clocks.counts[N_THREADS])
    clocks = grown_clocks(clocks, n_threads, n_threads)
    new = np.arange(n_old, n_threads)
    clocks.clk[new, new] = 1
    clocks.root[new] = new
    return clocks


def grown_history(history: History, n_variables: int, n_threads: int) -> History:
    """Room for so many variables and threads."""
    if n_threads > history.pool.shape[1]:
        width = capacity(history.pool.shape[1], n_threads)
        history = history._replace(pool=reshaped(history.pool, (len(history.pool), width)))
    history.counts[HISTORY_THREADS] = max(n_threads, int(history.counts[HISTORY_THREADS]))
    return history._replace(
        reads=grown(history.reads, n_variables),
        writes=grown(history.writes, n_variables),
    )


def with_more_vectors(history: History) -> History:
    """Twice the rows of the pool."""
    n_old = len(history.pool)
    n_free = int(history.counts[N_FREE])
    free = reshaped(history.free, (2 * n_old,))
    free[n_free : n_free + n_old] = np.arange(n_old, 2 * n_old)
    history.counts[N_FREE] += n_old
    return history._replace(
        pool=reshaped(history.pool, (2 * n_old, history.pool.shape[1])), free=free
    )
