"""SyncP: all races that some reordering shows in which sections of one lock keep their order.

An access e2 races with an earlier conflicting e1 when neither is in the closure of what comes
before the two (`sync_closure`).  For a thread t and the accesses of x by another thread, e1 once
found in the closure stays in the closures of all later accesses of t: a place per list and thread
moves on and never back, so there is at most one closure per access and thread, beside those of
races.

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
from irsan.traces.kernels.columns import column, part
from irsan.traces.kernels.event_loop import event_loop
from irsan.traces.kernels.kernel import kernel, table
from irsan.traces.kernels.key_map import ABSENT, KeyMap, find_key, has_room, put_key
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
from irsan.traces.kernels.rows import copy_row, join_row
from irsan.traces.kernels.sync_closure import Acquires, close_set, join_event

N_ROWS, N_ACCESSES, N_LISTS = 0, 1, 2


@table("order")
class Order(NamedTuple):
    """The clocks of threads and last writes.

    clock      events that thread t's next one has before it by thread order, reads-from, fork and
               join; the own entry counts t's events
    rows       clocks written down; `row_of[t]` is t's, NONE when it has changed since; own entries
               do not count, times stand beside
    ideal      closure of what comes before a thread's next event, and whether it is still good
    trial      one more, for trials
    segment    changes at every event of the thread but reads
    writer, write_time, write_row   the last write of a variable; writer NONE: none yet
    """

    clock: Any = column("i32", "threads", "threads")
    rows: Any = column("i32", "clock_rows", "threads")
    row_of: Any = column("i32", "threads", fill=NONE)
    ideal: Any = column("i32", "threads", "threads")
    is_closed: Any = column("i32", "threads")
    trial: Any = column("i32", 1, "threads")
    segment: Any = column("i32", "threads")
    writer: Any = column("i32", "variables", fill=NONE)
    write_time: Any = column("i32", "variables")
    write_row: Any = column("i32", "variables")


@table("accesses")
class Accesses(NamedTuple):
    """Accesses in lists by variable, thread and kind.

    time, row, next_one                                      per access; row: the clock before it
    thread, is_write, first, last, last_segment, next_list   per list
    first_list                                               per variable
    list_of                                                  (variable, thread, kind) to list
    passed                                                   (list, thread) to its last discarded
    """

    time: Any = column("i32", "accesses")
    row: Any = column("i32", "accesses")
    next_one: Any = column("i32", "accesses", fill=NONE)
    thread: Any = column("i32", "lists")
    is_write: Any = column("i32", "lists")
    first: Any = column("i32", "lists", fill=NONE)
    last: Any = column("i32", "lists", fill=NONE)
    last_segment: Any = column("i32", "lists", fill=NONE)
    next_list: Any = column("i32", "lists", fill=NONE)
    first_list: Any = column("i32", "variables", fill=NONE)
    list_of: Any = part(KeyMap, keys="lists")
    passed: Any = part(KeyMap, keys="passed")


@table("syncp")
class SyncpState(NamedTuple):
    """Everything; counts: N_ROWS, N_ACCESSES, N_LISTS in use."""

    order: Any = part(Order)
    acquires: Any = part(Acquires)
    accesses: Any = part(Accesses)
    counts: Any = column("i64", 3)


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
        copy_row(order.rows, row, order.clock, t)
        order.row_of[t] = row
    return np.int64(order.row_of[t])


@kernel("void(order,acquires,i64)")
def close_thread(order: Any, acquires: Any, t: Any) -> Any:
    """Bring ideal[t] up to date: the closure of everything before thread t's next event."""
    join_row(order.ideal, t, order.clock, t)
    if order.is_closed[t] == 0:
        close_set(acquires, order.rows, order.ideal, t)
        order.is_closed[t] = 1


@kernel("b1(order,acquires,i64,i64,i64,i64)")
def is_race(order: Any, acquires: Any, t: Any, u: Any, time: Any, row: Any) -> Any:
    """Whether thread u's access at `time`, with the clock in `row` before it, races with t's next.

    ideal[t] is up to date, and does not have the access.
    """
    copy_row(order.trial, 0, order.ideal, t)
    join_event(order.trial, 0, order.rows, row, u, time - 1)
    close_set(acquires, order.rows, order.trial, 0)
    return order.trial[0, u] < time


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
    own = order.clock[t, t]
    row = order.write_row[x]
    join_event(order.clock, t, order.rows, row, writer, order.write_time[x])
    order.clock[t, t] = own
    touch(order, t)


@kernel("void(order,i64,i64)", inlined=True)
def join_thread_clock(order: Any, t: Any, u: Any) -> Any:
    """Everything up to now of thread u comes before thread t's next event."""
    own = order.clock[t, t]
    join_row(order.clock, t, order.clock, u)
    order.clock[t, t] = own
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


@kernel("b1(syncp,i64,i64,i64)", inlined=True)
def syncp_has_room(state: Any, operation: Any, t: Any, x: Any) -> Any:
    """Whether the tables have room for whatever an event may add to them."""
    order, accesses, counts = state.order, state.accesses, state.counts
    return (
        counts[N_ROWS] < len(order.rows)
        and counts[N_ACCESSES] < len(accesses.time)
        and counts[N_LISTS] < len(accesses.first)
        and has_room(accesses.list_of, 1)
        and has_room(accesses.passed, 2 * len(order.row_of))
        and acquires_have_room(state.acquires)
    )


@kernel("b1(syncp,i64,i64,i64)", inlined=True)
def syncp_step(state: Any, operation: Any, t: Any, x: Any) -> Any:
    """One event; returns whether it races."""
    order, acquires, accesses = state.order, state.acquires, state.accesses
    if operation > JOIN:
        return False
    if operation > WRITE:
        order.clock[t, t] += 1
        note_sync(order, acquires, operation, t, x, state.counts)
        order.segment[t] += 1
        return False
    is_racy = check_access(order, acquires, accesses, t, x, operation == WRITE)
    note_access(order, accesses, t, x, operation, state.counts)
    order.clock[t, t] += 1
    if operation == READ:
        read_from(order, t, x)
    else:
        note_write(order, t, x, state.counts)
        order.segment[t] += 1
    return is_racy


syncp_events = event_loop("syncp", syncp_has_room, syncp_step)
