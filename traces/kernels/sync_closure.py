"""Sync-preserving closures: the least a reordering must run before it can come to given events.

A set of events is a clock: entry u says how many events of thread u are in it.  It is closed when

    the events before a member in its thread, the write that a member reads, the fork of a member's
    thread and the ends of joined threads are members (all of it in one join of clocks), and
    of all members that acquire a lock, those before the last one in the trace have their release

    Acquires   per acquire: own time, number in the trace, time of its release (0: none yet) and the
               row of the releasing thread's clock
    Lists      the acquires of one lock by one thread, as a stretch of `pool` that moves to a larger
               one when full; lists of one lock hang together

**Source**: Mathur, Pavlogiannis, Viswanathan, "Optimal Prediction of Synchronization-Preserving
Races", POPL 2021, definition of SPClosure.
**Deviations**: the last acquire within a clock is found by halving, not by pointers that advance:
a logarithm more, and no table per pair of threads and variable.
**Soundness**: exact.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from irsan.traces.kernels.kernel import kernel, register_record
from irsan.traces.kernels.key_map import new_key_map
from irsan.traces.kernels.operations import NONE

N_ACQUIRES, N_LISTS, N_POOL, N_SHARED = 0, 1, 2, 3


class Acquires(NamedTuple):
    """Acquires, their lists, and what a closure needs beside.

    time, number, release, row                     per acquire
    start, length, room, thread, next_list         per list; `pool` holds the lists themselves
    first_list, opened                             per lock: its lists, its newest acquire
    shared                                         locks that more than one thread has taken
    list_of                                        (lock, thread) to list
    last_in                                        scratch: the last acquire by thread
    counts                                         N_ACQUIRES, N_LISTS, N_POOL, N_SHARED in use
    """

    time: Any
    number: Any
    release: Any
    row: Any
    start: Any
    length: Any
    room: Any
    thread: Any
    next_list: Any
    pool: Any
    first_list: Any
    opened: Any
    shared: Any
    list_of: Any
    last_in: Any
    counts: Any


def new_acquires(n_locks: int, n_threads: int, n_rows: int) -> Acquires:
    """No lock has been taken."""
    return Acquires(
        time=np.zeros(n_rows, np.int32),
        number=np.zeros(n_rows, np.int32),
        release=np.zeros(n_rows, np.int32),
        row=np.zeros(n_rows, np.int32),
        start=np.zeros(n_rows, np.int64),
        length=np.zeros(n_rows, np.int32),
        room=np.zeros(n_rows, np.int32),
        thread=np.zeros(n_rows, np.int32),
        next_list=np.full(n_rows, NONE, np.int32),
        pool=np.zeros(4 * n_rows, np.int32),
        first_list=np.full(n_locks, NONE, np.int32),
        opened=np.full(n_locks, NONE, np.int32),
        shared=np.zeros(n_locks, np.int32),
        list_of=new_key_map(64),
        last_in=np.full(n_threads, NONE, np.int32),
        counts=np.zeros(4, np.int64),
    )


register_record("acquires", new_acquires(1, 1, 1))


@kernel("void(i32[::],i64,i32[::],i64,i64,i64,i64)")
def join_event(
    target: Any, a: Any, rows: Any, row: Any, thread: Any, time: Any, n_threads: Any
) -> Any:
    """target[a] := its join with the clock of an event: a row, and its own thread's time."""
    for u in range(n_threads):
        target[a, u] = max(target[a, u], rows[row, u])
    target[a, thread] = max(target[a, thread], time)


@kernel("i64(acquires,i64,i64)", inlined=True)
def last_acquire(acquires: Any, which: Any, time: Any) -> Any:
    """The last acquire of a list that is not after a time of its thread, or NONE. O(log n)."""
    start = acquires.start[which]
    low, high = 0, np.int64(acquires.length[which])
    while low < high:
        middle = (low + high) >> 1
        if acquires.time[acquires.pool[start + middle]] <= time:
            low = middle + 1
        else:
            high = middle
    return np.int64(acquires.pool[start + low - 1]) if low > 0 else np.int64(NONE)


@kernel("b1(acquires,i64,i32[::],i32[::],i64,i64)")
def close_lock(
    acquires: Any, lock: Any, rows: Any, ideal: Any, a: Any, n_threads: Any
) -> Any:
    """Put the releases that one lock asks for into the set ideal[a]; whether there were any."""
    newest = -1
    which = np.int64(acquires.first_list[lock])
    while which != NONE:
        thread = acquires.thread[which]
        found = last_acquire(acquires, which, ideal[a, thread])
        acquires.last_in[thread] = found
        if found != NONE:
            newest = max(newest, np.int64(acquires.number[found]))
        which = np.int64(acquires.next_list[which])
    has_grown = False
    which = np.int64(acquires.first_list[lock])
    while which != NONE:
        thread = np.int64(acquires.thread[which])
        found = np.int64(acquires.last_in[thread])
        if found != NONE and acquires.number[found] < newest:
            release = np.int64(acquires.release[found])
            if ideal[a, thread] < release:
                join_event(ideal, a, rows, acquires.row[found], thread, release, n_threads)
                has_grown = True
        which = np.int64(acquires.next_list[which])
    return has_grown


@kernel("void(acquires,i32[::],i32[::],i64,i64)")
def close_set(acquires: Any, rows: Any, ideal: Any, a: Any, n_threads: Any) -> Any:
    """Close the set ideal[a]. O(T L log n) a round, and a round per release it brings in."""
    has_grown = True
    while has_grown:
        has_grown = False
        for i in range(acquires.counts[N_SHARED]):
            has_grown |= close_lock(acquires, acquires.shared[i], rows, ideal, a, n_threads)
