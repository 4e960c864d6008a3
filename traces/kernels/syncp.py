"""SyncP: all races that some reordering shows in which sections of one lock keep their order.

An access e2 races with an earlier conflicting e1 when neither is in the closure of what comes
before the two (`sync_closure`).  For a thread t and the accesses of x by another thread, e1 once
found in the closure stays in the closures of all later accesses of t: a place per list and thread
moves on and never back, so there is at most one closure per access and thread, beside those of
races.

    clock      int32[T, T]       events that thread t's next one has before it by thread order,
                                 reads-from, fork and join; the own entry counts t's events
    rows       int32[n, T]       clocks written down; `row_of[t]` is t's, NONE when it has changed
                                 since; own entries do not count, times stand beside
    Accesses   lists by variable, thread and kind: time, row of the clock before it, next one

**Source**: Mathur, Pavlogiannis, Viswanathan, POPL 2021, algorithm SyncP.
**Deviations**: reads of a thread between two of its other events share an entry: no closure tells
them apart.  The closure of what comes before e2 is kept as long as nothing new comes in.
**Soundness**: exact for this class of races; each reported one is real.
**Memory**: linear in the number of accesses, as the paper's.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from irsan.traces.kernels.acquire_lists import acquires_have_room, note_acquire, note_release
from irsan.traces.kernels.hb import N_RACY
from irsan.traces.kernels.kernel import kernel, register_record
from irsan.traces.kernels.key_map import ABSENT, find_key, has_room, new_key_map, put_key
from irsan.traces.kernels.operations import (
    ACQUIRE,
    FORK,
    JOIN,
    NONE,
    READ,
    RELEASE,
    THREAD_BITS,
    WRITE,
)
from irsan.traces.kernels.sync_closure import close_set, join_event

N_ROWS, N_ACCESSES, N_LISTS = 1, 2, 3


class Order(NamedTuple):
    """The clocks of threads and last writes.

    ideal      int32[T + 1, T]   closure of what comes before a thread's next event; one for trials
    is_closed  int32[T]          whether that closure is still good
    segment    int32[T]          changes at every event of the thread but reads
    writer, write_time, write_row  int32[variables]  the last write; writer NONE: none yet
    """

    clock: Any
    rows: Any
    row_of: Any
    ideal: Any
    is_closed: Any
    segment: Any
    writer: Any
    write_time: Any
    write_row: Any
    n_threads: Any


class Accesses(NamedTuple):
    """Accesses and the lists of them.

    time, row, next_one                                      per access
    thread, is_write, first, last, last_segment, next_list   per list
    first_list                                               per variable
    list_of                                                  (variable, thread, kind) to list
    passed                                                   (list, thread) to its last discarded
    """

    time: Any
    row: Any
    next_one: Any
    thread: Any
    is_write: Any
    first: Any
    last: Any
    last_segment: Any
    next_list: Any
    first_list: Any
    list_of: Any
    passed: Any


def new_order(n_threads: int, n_variables: int, n_rows: int) -> Order:
    """Nothing has happened."""
    return Order(
        np.zeros((n_threads, n_threads), np.int32),
        np.zeros((n_rows, n_threads), np.int32),
        np.full(n_threads, NONE, np.int32),
        np.zeros((n_threads + 1, n_threads), np.int32),
        np.zeros(n_threads, np.int32),
        np.zeros(n_threads, np.int32),
        np.full(n_variables, NONE, np.int32),
        np.zeros(n_variables, np.int32),
        np.zeros(n_variables, np.int32),
        np.zeros(1, np.int64),
    )


def new_accesses(n_variables: int, n_rows: int, n_lists: int) -> Accesses:
    """No access yet."""
    return Accesses(
        time=np.zeros(n_rows, np.int32),
        row=np.zeros(n_rows, np.int32),
        next_one=np.full(n_rows, NONE, np.int32),
        thread=np.zeros(n_lists, np.int32),
        is_write=np.zeros(n_lists, np.int32),
        first=np.full(n_lists, NONE, np.int32),
        last=np.full(n_lists, NONE, np.int32),
        last_segment=np.full(n_lists, NONE, np.int32),
        next_list=np.full(n_lists, NONE, np.int32),
        first_list=np.full(n_variables, NONE, np.int32),
        list_of=new_key_map(64),
        passed=new_key_map(64),
    )


register_record("order", new_order(1, 1, 1))
register_record("accesses", new_accesses(1, 1, 1))


@kernel("void(order,i64)", inlined=True)
def touch(order: Any, t: Any) -> Any:
    """Thread t learns of events of others."""
    order.row_of[t] = NONE
    order.is_closed[t] = 0


@kernel("i64(order,i64,i64[:])")
def written_row(order: Any, t: Any, counts: Any) -> Any:
    """The row with thread t's clock, a new one if the clock has changed."""
    if order.row_of[t] == NONE:
        row = counts[N_ROWS]
        counts[N_ROWS] += 1
        for u in range(order.n_threads[0]):
            order.rows[row, u] = order.clock[t, u]
        order.row_of[t] = row
    return np.int64(order.row_of[t])


@kernel("void(order,acquires,i64)")
def close_thread(order: Any, acquires: Any, t: Any) -> Any:
    """Bring ideal[t] up to date: the closure of everything before thread t's next event."""
    for u in range(order.n_threads[0]):
        order.ideal[t, u] = max(order.ideal[t, u], order.clock[t, u])
    if order.is_closed[t] == 0:
        close_set(acquires, order.rows, order.ideal, t, order.n_threads[0])
        order.is_closed[t] = 1


@kernel("b1(order,acquires,i64,i64,i64,i64)")
def is_race(order: Any, acquires: Any, t: Any, u: Any, time: Any, row: Any) -> Any:
    """Whether thread u's access at `time`, with the clock in `row` before it, races with t's next.

    ideal[t] is up to date, and does not have the access.
    """
    trial = len(order.ideal) - 1
    for v in range(order.n_threads[0]):
        order.ideal[trial, v] = order.ideal[t, v]
    join_event(order.ideal, trial, order.rows, row, u, time - 1, order.n_threads[0])
    close_set(acquires, order.rows, order.ideal, trial, order.n_threads[0])
    return order.ideal[trial, u] < time


@kernel("b1(order,acquires,accesses,i64,i64)")
def races_with_list(order: Any, acquires: Any, accesses: Any, which: Any, t: Any) -> Any:
    """Whether thread t's next event races with an access of a list; passes those that it cannot."""
    key = (which << THREAD_BITS) | t
    u = np.int64(accesses.thread[which])
    passed = find_key(accesses.passed, key)
    access = np.int64(accesses.first[which] if passed == ABSENT else accesses.next_one[passed])
    before = passed
    is_racy = False
    is_ready = False
    while access != NONE and not is_racy:
        time = np.int64(accesses.time[access])
        if time > order.clock[t, u]:
            if not is_ready:
                close_thread(order, acquires, t)
                is_ready = True
            if time > order.ideal[t, u]:
                is_racy = is_race(order, acquires, t, u, time, accesses.row[access])
        if not is_racy:
            passed = access
            access = np.int64(accesses.next_one[access])
    if passed != before:
        put_key(accesses.passed, key, passed)
    return is_racy


@kernel("b1(order,acquires,accesses,i64,i64,b1)")
def check_access(
    order: Any, acquires: Any, accesses: Any, t: Any, x: Any, is_write: Any
) -> Any:
    """Whether thread t's next event, an access of x, races with an earlier one."""
    which = np.int64(accesses.first_list[x])
    while which != NONE:
        if accesses.thread[which] != t and (is_write or accesses.is_write[which]):
            if races_with_list(order, acquires, accesses, which, t):
                return True
        which = np.int64(accesses.next_list[which])
    return False


@kernel("i64(accesses,i64,i64,i64,i64[:])")
def list_of_variable(accesses: Any, x: Any, t: Any, is_write: Any, counts: Any) -> Any:
    """The list of thread t's reads or writes of x, a new one at first."""
    key = (((x << THREAD_BITS) | t) << 1) | is_write
    which = find_key(accesses.list_of, key)
    if which != ABSENT:
        return which
    which = counts[N_LISTS]
    counts[N_LISTS] += 1
    put_key(accesses.list_of, key, which)
    accesses.thread[which] = t
    accesses.is_write[which] = is_write
    accesses.next_list[which] = accesses.first_list[x]
    accesses.first_list[x] = which
    return which


@kernel("void(order,accesses,i64,i64,i64,i64[:])")
def note_access(order: Any, accesses: Any, t: Any, x: Any, is_write: Any, counts: Any) -> Any:
    """Write thread t's next event, an access of x, down."""
    which = list_of_variable(accesses, x, t, is_write, counts)
    row = written_row(order, t, counts)
    last = accesses.last[which]
    if is_write == 0 and last != NONE and accesses.row[last] == row:
        if accesses.last_segment[which] == order.segment[t]:
            return
    access = counts[N_ACCESSES]
    counts[N_ACCESSES] += 1
    accesses.time[access] = order.clock[t, t] + 1
    accesses.row[access] = row
    accesses.last_segment[which] = order.segment[t]
    if last == NONE:
        accesses.first[which] = access
    else:
        accesses.next_one[last] = access
    accesses.last[which] = access


@kernel("void(order,i64,i64,i64[:])", inlined=True)
def note_write(order: Any, t: Any, x: Any, counts: Any) -> Any:
    """Thread t has written x."""
    order.writer[x] = t
    order.write_time[x] = order.clock[t, t]
    order.write_row[x] = written_row(order, t, counts)


@kernel("void(order,i64,i64)", inlined=True)
def read_from(order: Any, t: Any, x: Any) -> Any:
    """Thread t has read x: the last write and all before it come before its next event."""
    writer = np.int64(order.writer[x])
    if writer == NONE or writer == t or order.write_time[x] <= order.clock[t, writer]:
        return
    n_threads = order.n_threads[0]
    own = order.clock[t, t]
    row = order.write_row[x]
    join_event(order.clock, t, order.rows, row, writer, order.write_time[x], n_threads)
    order.clock[t, t] = own
    touch(order, t)


@kernel("void(order,i64,i64)", inlined=True)
def join_thread_clock(order: Any, t: Any, u: Any) -> Any:
    """Everything up to now of thread u comes before thread t's next event."""
    for v in range(order.n_threads[0]):
        if v != t:
            order.clock[t, v] = max(order.clock[t, v], order.clock[u, v])
    touch(order, t)


@kernel("void(order,acquires,i64,i64,i64,i64[:])")
def note_sync(order: Any, acquires: Any, op: Any, t: Any, x: Any, counts: Any) -> Any:
    """A lock or thread event, which thread t's clock counts already."""
    if op == ACQUIRE:
        note_acquire(acquires, x, t, order.clock[t, t])
        order.is_closed[t] = 0
    elif op == RELEASE:
        note_release(acquires, x, order.clock[t, t], written_row(order, t, counts))
    elif op == FORK:
        join_thread_clock(order, x, t)
    elif op == JOIN:
        join_thread_clock(order, t, x)


@kernel("b1(order,acquires,accesses,i64,i64[:])", inlined=True)
def syncp_has_room(order: Any, acquires: Any, accesses: Any, x: Any, counts: Any) -> Any:
    """Whether the tables have room for whatever an event may add to them."""
    return (
        counts[N_ROWS] < len(order.rows)
        and counts[N_ACCESSES] < len(accesses.time)
        and counts[N_LISTS] < len(accesses.first)
        and has_room(accesses.list_of, 1)
        and has_room(accesses.passed, 2 * order.n_threads[0])
        and acquires_have_room(acquires)
    )


@kernel("i64(order,acquires,accesses,u8[:],i32[:],i32[:],i64,i64[:],i64[:])")
def syncp_events(
    order: Any,
    acquires: Any,
    accesses: Any,
    op: Any,
    thread: Any,
    target: Any,
    first: Any,
    racy: Any,
    counts: Any,
) -> Any:
    """Analyse the events from `first` on; returns where it stopped, for want of room or at the end.

    counts  int64[4]  N_RACY events, N_ROWS, N_ACCESSES, N_LISTS so far
    """
    for i in range(first, len(op)):
        o = np.int64(op[i])
        t = np.int64(thread[i])
        x = np.int64(target[i])
        if o > JOIN:
            continue
        if not syncp_has_room(order, acquires, accesses, x, counts):
            return i
        if o > WRITE:
            order.clock[t, t] += 1
            note_sync(order, acquires, o, t, x, counts)
            order.segment[t] += 1
            continue
        if check_access(order, acquires, accesses, t, x, o == WRITE):
            racy[counts[N_RACY]] = i
            counts[N_RACY] += 1
        note_access(order, accesses, t, x, o, counts)
        order.clock[t, t] += 1
        if o == READ:
            read_from(order, t, x)
        else:
            note_write(order, t, x, counts)
            order.segment[t] += 1
    return len(op)
