"""SyncP: all races that some reordering shows in which sections of one lock keep their order.

An access e2 races with an earlier conflicting e1 when neither is in the closure of what comes
before the two (`sync_closure`).  For a thread t and the accesses of x by another thread, e1 once
found in the closure stays in the closures of all later accesses of t: a place per list and thread
moves on and never back, so there is at most one closure per access and thread, beside those of
races.

**Source**: Mathur, Pavlogiannis, Viswanathan, POPL 2021, algorithm SyncP.
**Deviations**: reads of a thread between two of its other events share an entry: no closure sets
them apart.  The closure of what comes before e2 is kept as long as nothing new comes in.
**Soundness**: exact for this class of races; each reported one is real.
**Memory**: linear in the number of accesses, as the paper's.
"""

from __future__ import annotations

from typing import NamedTuple

from irsan.runtime.kernels.scalars import Matrix, Vector, i32, i64
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


@table
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

    clock: Matrix[i32] = column("i32", "threads", "threads")
    rows: Matrix[i32] = column("i32", "clock_rows", "threads")
    row_of: Vector[i32] = column("i32", "threads", fill=NONE)
    ideal: Matrix[i32] = column("i32", "threads", "threads")
    is_closed: Vector[i32] = column("i32", "threads")
    trial: Matrix[i32] = column("i32", 1, "threads")
    segment: Vector[i32] = column("i32", "threads")
    writer: Vector[i32] = column("i32", "variables", fill=NONE)
    write_time: Vector[i32] = column("i32", "variables")
    write_row: Vector[i32] = column("i32", "variables")


@table
class Accesses(NamedTuple):
    """Accesses in lists by variable, thread and kind.

    time, row, next_one                                      per access; row: the clock before it
    thread, is_write, first, last, last_segment, next_list   per list
    first_list                                               per variable
    list_of                                                  (variable, thread, kind) to list
    passed                                                   (list, thread) to its last discarded
    """

    time: Vector[i32] = column("i32", "accesses")
    row: Vector[i32] = column("i32", "accesses")
    next_one: Vector[i32] = column("i32", "accesses", fill=NONE)
    thread: Vector[i32] = column("i32", "lists")
    is_write: Vector[i32] = column("i32", "lists")
    first: Vector[i32] = column("i32", "lists", fill=NONE)
    last: Vector[i32] = column("i32", "lists", fill=NONE)
    last_segment: Vector[i32] = column("i32", "lists", fill=NONE)
    next_list: Vector[i32] = column("i32", "lists", fill=NONE)
    first_list: Vector[i32] = column("i32", "variables", fill=NONE)
    list_of: KeyMap = part(KeyMap, keys="lists")
    passed: KeyMap = part(KeyMap, keys="passed")


@table
class SyncpState(NamedTuple):
    """Everything; counts: N_ROWS, N_ACCESSES, N_LISTS in use."""

    order: Order = part(Order)
    acquires: Acquires = part(Acquires)
    accesses: Accesses = part(Accesses)
    counts: Vector[i64] = column("i64", 3)


@kernel(inlined=True)
def touch(order: Order, t: i64) -> None:
    """Thread t learns of events of others."""
    order.row_of[t] = NONE
    order.is_closed[t] = 0


@kernel
def written_row(order: Order, t: i64, counts: Vector[i64]) -> i64:
    """The row with thread t's clock, a new one if the clock has changed."""
    if order.row_of[t] == NONE:
        row = counts[N_ROWS]
        counts[N_ROWS] += 1
        copy_row(order.rows, row, order.clock, t)
        order.row_of[t] = row
    return i64(order.row_of[t])


@kernel
def close_thread(order: Order, acquires: Acquires, t: i64) -> None:
    """Bring ideal[t] up to date: the closure of everything before thread t's next event."""
    join_row(order.ideal, t, order.clock, t)
    if order.is_closed[t] == 0:
        close_set(acquires, order.rows, order.ideal, t)
        order.is_closed[t] = 1


@kernel
def is_race(order: Order, acquires: Acquires, t: i64, u: i64, time: i64, row: i64) -> bool:
    """Whether thread u's access at `time`, with the clock in `row` before it, races with t's next.

    ideal[t] is up to date, and does not have the access.
    """
    copy_row(order.trial, 0, order.ideal, t)
    join_event(order.trial, 0, order.rows, row, u, time - 1)
    close_set(acquires, order.rows, order.trial, 0)
    return order.trial[0, u] < time


@kernel
def races_with_list(
    order: Order, acquires: Acquires, accesses: Accesses, which: i64, t: i64
) -> bool:
    """Whether thread t's next event races with an access of a list; passes those that it cannot."""
    key = (which << THREAD_BITS) | t
    u = i64(accesses.thread[which])
    passed = find_key(accesses.passed, key)
    access = i64(accesses.first[which] if passed == ABSENT else accesses.next_one[passed])
    before = passed
    is_racy = False
    is_ready = False
    while access != NONE and not is_racy:
        time = i64(accesses.time[access])
        if time > order.clock[t, u]:
            if not is_ready:
                close_thread(order, acquires, t)
                is_ready = True
            if time > order.ideal[t, u]:
                is_racy = is_race(order, acquires, t, u, time, i64(accesses.row[access]))
        if not is_racy:
            passed = access
            access = i64(accesses.next_one[access])
    if passed != before:
        put_key(accesses.passed, key, passed)
    return is_racy


@kernel
def check_access(
    order: Order, acquires: Acquires, accesses: Accesses, t: i64, x: i64, is_write: bool
) -> bool:
    """Whether thread t's next event, an access of x, races with an earlier one."""
    which = i64(accesses.first_list[x])
    while which != NONE:
        if accesses.thread[which] != t and (is_write or accesses.is_write[which]):
            if races_with_list(order, acquires, accesses, which, t):
                return True
        which = i64(accesses.next_list[which])
    return False


@kernel
def list_of_variable(accesses: Accesses, x: i64, t: i64, is_write: i64, counts: Vector[i64]) -> i64:
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


@kernel
def note_access(
    order: Order, accesses: Accesses, t: i64, x: i64, is_write: i64, counts: Vector[i64]
) -> None:
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


@kernel(inlined=True)
def note_write(order: Order, t: i64, x: i64, counts: Vector[i64]) -> None:
    """Thread t has written x."""
    order.writer[x] = t
    order.write_time[x] = order.clock[t, t]
    order.write_row[x] = written_row(order, t, counts)


@kernel(inlined=True)
def read_from(order: Order, t: i64, x: i64) -> None:
    """Thread t has read x: the last write and all before it come before its next event."""
    writer = i64(order.writer[x])
    if writer == NONE or writer == t or order.write_time[x] <= order.clock[t, writer]:
        return
    own = order.clock[t, t]
    row = order.write_row[x]
    join_event(order.clock, t, order.rows, i64(row), writer, i64(order.write_time[x]))
    order.clock[t, t] = own
    touch(order, t)


@kernel(inlined=True)
def join_thread_clock(order: Order, t: i64, u: i64) -> None:
    """Everything up to now of thread u comes before thread t's next event."""
    own = order.clock[t, t]
    join_row(order.clock, t, order.clock, u)
    order.clock[t, t] = own
    touch(order, t)


@kernel
def note_sync(
    order: Order, acquires: Acquires, op: i64, t: i64, x: i64, counts: Vector[i64]
) -> None:
    """A lock or thread event, which thread t's clock counts already."""
    if op == ACQUIRE:
        note_acquire(acquires, x, t, i64(order.clock[t, t]))
        order.is_closed[t] = 0
    elif op == RELEASE:
        note_release(acquires, x, i64(order.clock[t, t]), written_row(order, t, counts))
    elif op == FORK:
        join_thread_clock(order, x, t)
    elif op == JOIN:
        join_thread_clock(order, t, x)


@kernel(inlined=True)
def syncp_has_room(state: SyncpState, operation: i64, t: i64, x: i64) -> bool:
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


@kernel(inlined=True)
def syncp_step(state: SyncpState, operation: i64, t: i64, x: i64) -> bool:
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


syncp_events = event_loop(SyncpState, syncp_has_room, syncp_step)
