"""The earlier reads and writes of every variable, as little of them as verdicts need.

A word stands for a set of accesses that later ones are compared with:

    0                    none
    time << 20 | thread  one access (an epoch); all others of the set are ordered before it
    -(row + 1)           several: `pool[row]` holds the last time of each thread

**Source**: FastTrack's epochs and adaptive vectors (PLDI 2009), made exact for every access: a set
shrinks to an epoch only when a write is ordered after all of it, and writes that race are kept too.
So an access is racy exactly when some earlier conflicting one is not ordered before it, as with
full vectors, for every order that is transitive and is closed under the order within a thread.
**Invariants**: every event takes at most two rows; kernels stop before an event when there are
fewer, and are called again when the caller has grown the pool.
"""

from __future__ import annotations

from typing import NamedTuple

from irsan.runtime.kernels.scalars import Matrix, Vector, i32, i64
from irsan.traces.kernels.columns import column
from irsan.traces.kernels.kernel import kernel, table
from irsan.traces.kernels.operations import READ, THREAD_BITS, THREAD_MASK

N_FREE, N_BEGUN = 0, 1
ROWS_PER_EVENT = 2


@table
class History(NamedTuple):
    """Sets of earlier accesses: a word per variable, and the vectors of those that need one.

    pool    the last time of each thread in a set of several accesses
    free    stack of the rows that were given back
    counts  N_FREE rows on that stack, N_BEGUN rows that have ever been used
    """

    reads: Vector[i64] = column("i64", "variables")
    writes: Vector[i64] = column("i64", "variables")
    pool: Matrix[i32] = column("i32", "vectors", "threads")
    free: Vector[i32] = column("i32", "vectors")
    counts: Vector[i64] = column("i64", 2)


def vectors_needed(history: History) -> int:
    """So many rows that the next event surely fits."""
    return int(history.counts[N_BEGUN]) + ROWS_PER_EVENT


@kernel(inlined=True)
def has_vectors(history: History) -> bool:
    """Whether there are rows for whatever one event may need."""
    n_fresh = len(history.pool) - history.counts[N_BEGUN]
    return n_fresh + history.counts[N_FREE] >= ROWS_PER_EVENT


@kernel(inlined=True)
def time_to_epoch(time: i64, t: i64) -> i64:
    """The word for one access, by thread t at its own time."""
    return (i64(time) << THREAD_BITS) | t


@kernel(inlined=True)
def is_ordered(history: History, word: i64, clk: Matrix[i32], t: i64) -> bool:
    """Whether all accesses of a set are known to the clock clk[t] of thread t, or are its own."""
    if word == 0:
        return True
    if word > 0:
        other = word & THREAD_MASK
        return other == t or (word >> THREAD_BITS) <= clk[t, other]
    vector = -word - 1
    for other in range(history.pool.shape[1]):
        if history.pool[vector, other] > clk[t, other] and other != t:
            return False
    return True


@kernel(inlined=True)
def new_vector(history: History, word: i64) -> i64:
    """A row of the pool that holds the one access of `word`."""
    vector = i64(history.counts[N_BEGUN])
    if history.counts[N_FREE] > 0:
        history.counts[N_FREE] -= 1
        vector = i64(history.free[history.counts[N_FREE]])
    else:
        history.counts[N_BEGUN] += 1
    for other in range(history.pool.shape[1]):
        history.pool[vector, other] = 0
    history.pool[vector, word & THREAD_MASK] = word >> THREAD_BITS
    return vector


@kernel(inlined=True)
def drop_set(history: History, word: i64) -> None:
    """A set is not needed any more."""
    if word < 0:
        history.free[history.counts[N_FREE]] = -word - 1
        history.counts[N_FREE] += 1


@kernel(inlined=True)
def with_access(history: History, word: i64, t: i64, time: i64) -> i64:
    """The set with one more access, which is not ordered after all of it."""
    if word >= 0:
        word = -new_vector(history, word) - 1
    history.pool[-word - 1, t] = time
    return word


@kernel(inlined=True)
def check_read(history: History, x: i64, clk: Matrix[i32], t: i64, time: i64) -> bool:
    """Read of variable x by thread t at its own `time`, knowing clk[t]; returns whether it races.

    Records the read.
    """
    word = history.reads[x]
    own = time_to_epoch(time, t)
    if word != own:
        if word >= 0 and is_ordered(history, word, clk, t):
            history.reads[x] = own
        else:
            history.reads[x] = with_access(history, word, t, time)
    return not is_ordered(history, history.writes[x], clk, t)


@kernel(inlined=True)
def check_write(history: History, x: i64, clk: Matrix[i32], t: i64, time: i64) -> bool:
    """Write of variable x by thread t at its own `time`, knowing clk[t]; whether it races.

    Records the write; reads that are ordered before it are forgotten, as whoever is not ordered
    after them is not ordered after this write either.
    """
    read, write = history.reads[x], history.writes[x]
    is_racy = not is_ordered(history, read, clk, t)
    if not is_racy and read != 0:
        drop_set(history, read)
        history.reads[x] = 0
    if is_ordered(history, write, clk, t):
        drop_set(history, write)
        history.writes[x] = time_to_epoch(time, t)
        return is_racy
    history.writes[x] = with_access(history, write, t, time)
    return True


@kernel(inlined=True)
def check_access(
    history: History, operation: i64, x: i64, clk: Matrix[i32], t: i64, time: i64
) -> bool:
    """A read or a write; returns whether it races."""
    if operation == READ:
        return check_read(history, x, clk, t, time)
    return check_write(history, x, clk, t, time)
