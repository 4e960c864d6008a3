"""Sync-preserving closures: the least a reordering must run before it can come to given events.

A set of events is a clock: entry u says how many events of thread u are in it.  It is closed when

    the events before a member in its thread, the write that a member reads, the fork of a member's
    thread and the ends of joined threads are members (all of it in one join of clocks), and
    of all members that acquire a lock, those before the last one in the trace have their release

**Source**: Mathur, Pavlogiannis, Viswanathan, "Optimal Prediction of Synchronization-Preserving
Races", POPL 2021, definition of SPClosure.
**Deviations**: the last acquire within a clock is found by halving, not by pointers that advance:
a logarithm more, and no table per pair of threads and variable.
**Soundness**: exact.
"""

from __future__ import annotations

from typing import NamedTuple

from irsan.runtime.kernels.scalars import Matrix, Vector, i32, i64
from irsan.traces.kernels.columns import column, part
from irsan.traces.kernels.kernel import kernel, table
from irsan.traces.kernels.key_map import KeyMap
from irsan.traces.kernels.operations import NONE
from irsan.traces.kernels.rows import join_row

N_ACQUIRES, N_LISTS, N_POOL, N_SHARED = 0, 1, 2, 3


@table
class Acquires(NamedTuple):
    """Acquires, their lists, and what a closure needs beside.

    The acquires of one lock by one thread are a list: a stretch of `pool` that moves to a larger
    one when full.  The lists of one lock hang together.

    time, number, release, row   of an acquire: its own time, its number in the trace, the time of
                                 its release (0: none yet), the row of the releasing clock
    start, length, room, thread, next_list    of a list
    first_list, opened           of a lock: its lists, its newest acquire
    shared                       locks that more than one thread has taken
    list_of                      (lock, thread) to list
    last_in                      scratch: the last acquire by thread
    counts                       N_ACQUIRES, N_LISTS, N_POOL, N_SHARED in use
    """

    time: Vector[i32] = column("i32", "acquires")
    number: Vector[i32] = column("i32", "acquires")
    release: Vector[i32] = column("i32", "acquires")
    row: Vector[i32] = column("i32", "acquires")
    start: Vector[i64] = column("i64", "lock_lists")
    length: Vector[i32] = column("i32", "lock_lists")
    room: Vector[i32] = column("i32", "lock_lists")
    thread: Vector[i32] = column("i32", "lock_lists")
    next_list: Vector[i32] = column("i32", "lock_lists", fill=NONE)
    pool: Vector[i32] = column("i32", "lock_pool")
    first_list: Vector[i32] = column("i32", "locks", fill=NONE)
    opened: Vector[i32] = column("i32", "locks", fill=NONE)
    shared: Vector[i32] = column("i32", "locks")
    list_of: KeyMap = part(KeyMap, keys="lock_lists")
    last_in: Vector[i32] = column("i32", "threads", fill=NONE)
    counts: Vector[i64] = column("i64", 4)


@kernel
def join_event(
    target: Matrix[i32], a: i64, rows: Matrix[i32], row: i64, thread: i64, time: i64
) -> None:
    """target[a] := its join with the clock of an event: a row, and its own thread's time."""
    join_row(target, a, rows, row)
    target[a, thread] = max(target[a, thread], time)


@kernel(inlined=True)
def last_acquire(acquires: Acquires, which: i64, time: i64) -> i64:
    """The last acquire of a list that is not after a time of its thread, or NONE. O(log n)."""
    start = acquires.start[which]
    low, high = 0, i64(acquires.length[which])
    while low < high:
        middle = (low + high) >> 1
        if acquires.time[acquires.pool[start + middle]] <= time:
            low = middle + 1
        else:
            high = middle
    return i64(acquires.pool[start + low - 1]) if low > 0 else i64(NONE)


@kernel
def close_lock(
    acquires: Acquires, lock: i64, rows: Matrix[i32], ideal: Matrix[i32], a: i64
) -> bool:
    """Put the releases that one lock asks for into the set ideal[a]; whether there were any."""
    newest = -1
    which = i64(acquires.first_list[lock])
    while which != NONE:
        thread = acquires.thread[which]
        found = last_acquire(acquires, which, i64(ideal[a, thread]))
        acquires.last_in[thread] = found
        if found != NONE:
            newest = max(newest, i64(acquires.number[found]))
        which = i64(acquires.next_list[which])
    has_grown = False
    which = i64(acquires.first_list[lock])
    while which != NONE:
        thread = i32(i64(acquires.thread[which]))
        found = i64(acquires.last_in[thread])
        if found != NONE and acquires.number[found] < newest:
            release = i64(acquires.release[found])
            if ideal[a, thread] < release:
                join_event(ideal, a, rows, i64(acquires.row[found]), i64(thread), release)
                has_grown = True
        which = i64(acquires.next_list[which])
    return has_grown


@kernel
def close_set(acquires: Acquires, rows: Matrix[i32], ideal: Matrix[i32], a: i64) -> None:
    """Close the set ideal[a]. O(T L log n) a round, and a round per release it brings in."""
    has_grown = True
    while has_grown:
        has_grown = False
        for i in range(acquires.counts[N_SHARED]):
            has_grown |= close_lock(acquires, i64(acquires.shared[i]), rows, ideal, a)
