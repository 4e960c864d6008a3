"""The earlier reads and writes of every variable, as little of them as verdicts need.

A word stands for a set of accesses that later ones are compared with:

    0                    none
    time << 20 | thread  one access (an epoch); all others of the set are ordered before it
    -(row + 1)           several: `pool[row]` holds the last time of each thread

    reads, writes  int64[variables]   the words
    pool           int32[rows, T]     vectors; `free` int32[rows] is the stack of those not in use
    counts         int64[2]           N_FREE rows; N_THREADS entries in use

**Source**: FastTrack's epochs and adaptive vectors (PLDI 2009), made exact for every access: a set
shrinks to an epoch only when a write is ordered after all of it, and writes that race are kept too.
So an access is racy exactly when some earlier conflicting one is not ordered before it, as with
full vectors, for every order that is transitive and is closed under the order within a thread.
**Invariants**: every event takes at most two rows; kernels stop before an event when fewer are
free, and are called again when the caller has grown the pool.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from irsan.traces.kernels.kernel import kernel, register_record
from irsan.traces.kernels.operations import THREAD_BITS, THREAD_MASK

N_FREE, N_THREADS = 0, 1
ROWS_PER_EVENT = 2


class History(NamedTuple):
    """Sets of earlier accesses; see above."""

    reads: Any
    writes: Any
    pool: Any
    free: Any
    counts: Any


def new_history(n_variables: int, n_threads: int, n_rows: int) -> History:
    """No accesses yet."""
    return History(
        np.zeros(n_variables, np.int64),
        np.zeros(n_variables, np.int64),
        np.zeros((n_rows, n_threads), np.int32),
        np.arange(n_rows, dtype=np.int32),
        np.array([n_rows, n_threads], np.int64),
    )


register_record("history", new_history(1, 1, 2))


@kernel("b1(history,i64,i32[::],i64,i64)", inlined=True)
def is_ordered(history: Any, word: Any, clk: Any, row: Any, t: Any) -> Any:
    """Whether all accesses of a set are known to the clock clk[row] of thread t, or are its own."""
    if word == 0:
        return True
    if word > 0:
        other = word & THREAD_MASK
        return other == t or (word >> THREAD_BITS) <= clk[row, other]
    vector = -word - 1
    for other in range(history.counts[N_THREADS]):
        if history.pool[vector, other] > clk[row, other] and other != t:
            return False
    return True


@kernel("i64(history,i64)", inlined=True)
def new_vector(history: Any, word: Any) -> Any:
    """A row of the pool that holds the one access of `word`."""
    n_free = history.counts[N_FREE] - 1
    history.counts[N_FREE] = n_free
    vector = np.int64(history.free[n_free])
    for other in range(history.counts[N_THREADS]):
        history.pool[vector, other] = 0
    history.pool[vector, word & THREAD_MASK] = word >> THREAD_BITS
    return vector


@kernel("void(history,i64)", inlined=True)
def drop_set(history: Any, word: Any) -> Any:
    """A set is not needed any more."""
    if word < 0:
        history.free[history.counts[N_FREE]] = -word - 1
        history.counts[N_FREE] += 1


@kernel("i64(history,i64,i64,i64)", inlined=True)
def with_access(history: Any, word: Any, t: Any, time: Any) -> Any:
    """The set with one more access, which is not ordered after all of it."""
    if word >= 0:
        word = -new_vector(history, word) - 1
    history.pool[-word - 1, t] = time
    return word


@kernel("b1(history,i64,i32[::],i64,i64,i64)", inlined=True)
def check_read(history: Any, x: Any, clk: Any, row: Any, t: Any, time: Any) -> Any:
    """Read of variable x by thread t at its own `time`, knowing clk[row]; returns whether it races.

    Records the read.
    """
    word = history.reads[x]
    own = (time << THREAD_BITS) | t
    if word != own:
        if word >= 0 and is_ordered(history, word, clk, row, t):
            history.reads[x] = own
        else:
            history.reads[x] = with_access(history, word, t, time)
    return not is_ordered(history, history.writes[x], clk, row, t)


@kernel("b1(history,i64,i32[::],i64,i64,i64)", inlined=True)
def check_write(history: Any, x: Any, clk: Any, row: Any, t: Any, time: Any) -> Any:
    """Write of variable x by thread t at its own `time`, knowing clk[row]; whether it races.

    Records the write; reads that are ordered before it are forgotten, as whoever is not ordered
    after them is not ordered after this write either.
    """
    read, write = history.reads[x], history.writes[x]
    is_racy = not is_ordered(history, read, clk, row, t)
    if not is_racy and read != 0:
        drop_set(history, read)
        history.reads[x] = 0
    if is_ordered(history, write, clk, row, t):
        drop_set(history, write)
        history.writes[x] = (time << THREAD_BITS) | t
        return is_racy
    history.writes[x] = with_access(history, write, t, time)
    return True
