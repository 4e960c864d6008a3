"""MAZ: the pairs of conflicting accesses that could be turned round, by Mazurkiewicz's order.

As HB, and conflicting accesses are ordered as they happened:

    read x    check LW_x; C_t := C_t join LW_x; RV_{t,x} := C_t; C_t[t]++
    write x   check LW_x and the reads since; C_t := C_t join LW_x and all RV_{u,x} since the last
              write; LW_x := C_t; C_t[t]++

An access is reported when an earlier conflicting one is ordered before it by nothing but their own
conflict: a model checker would try the two the other way round.

**Source**: Mazurkiewicz (1987); the algorithm of "A Tree Clock Data Structure for Causal Orderings
in Concurrent Executions", ASPLOS 2022.
**Deviations**: time goes on after every access, as a read has a successor in this order, too;
RV_{t,x} exists only once t has read x (`readers`, a list per variable).
**Soundness**: a report is no race by itself: with locks a reversible pair is a pair of accesses
whose critical sections nothing else orders.  Locks order as in HB, so such a pair is concurrent in
HB up to the conflicts before it.
"""

from __future__ import annotations

from typing import NamedTuple

from irsan.runtime.kernels.scalars import Vector, i32, i64
from irsan.traces.kernels.clock_rows import Clocks
from irsan.traces.kernels.columns import column, part
from irsan.traces.kernels.event_loop import event_loop
from irsan.traces.kernels.kernel import kernel, table
from irsan.traces.kernels.last_writes import LastWrites, written_row
from irsan.traces.kernels.operations import NONE, READ, WRITE
from irsan.traces.kernels.sync_order import copy_clock, join_clock, synchronise


@table
class Readers(NamedTuple):
    """The clocks of reads: a row per thread and variable, listed by variable.

    first, next_row  the list of the rows of a variable
    thread, time     whose read it is, and its time; 0: not since the last write
    count            rows in use
    """

    clocks: Clocks = part(Clocks, rows="readers")
    first: Vector[i32] = column("i32", "variables", fill=NONE)
    next_row: Vector[i32] = column("i32", "readers", fill=NONE)
    thread: Vector[i32] = column("i32", "readers")
    time: Vector[i32] = column("i32", "readers")
    count: Vector[i64] = column("i64", 1)  # type: ignore[assignment]


@table
class MazState(NamedTuple):
    """Clocks of threads, locks, last writes, with their threads, and reads."""

    threads: Clocks = part(Clocks, rows="threads")
    locks: Clocks = part(Clocks, rows="locks")
    writes: LastWrites = part(LastWrites)
    writer: Vector[i32] = column("i32", "written")
    reads: Readers = part(Readers)


@kernel(inlined=True)
def reader_row(reads: Readers, x: i64, t: i64) -> i64:
    """The row of thread t's reads of x, a new one at first. O(threads that read x)."""
    row = i64(reads.first[x])
    while row != NONE:
        if reads.thread[row] == t:
            return row
        row = i64(reads.next_row[row])
    row = reads.count[0]
    reads.count[0] += 1
    reads.thread[row] = t
    reads.next_row[row] = reads.first[x]
    reads.first[x] = row
    return row


@kernel(inlined=True)
def join_last_write(state: MazState, t: i64, x: i64) -> bool:
    """Order thread t after the last write of x; returns whether nothing else did."""
    row = i64(state.writes.row[x])
    if row == NONE:
        return False
    clocks, u = state.writes.clocks, state.writer[row]
    is_racy = u != t and clocks.clk[row, u] > state.threads.clk[t, u]
    join_clock(state.threads, t, clocks, row)
    return is_racy


@kernel(inlined=True)
def has_unordered_read(reads: Readers, threads: Clocks, t: i64, x: i64) -> bool:
    """Whether thread t does not know some read of x since the last write."""
    row = i64(reads.first[x])
    while row != NONE:
        u = reads.thread[row]
        if u != t and reads.time[row] > threads.clk[t, u]:
            return True
        row = i64(reads.next_row[row])
    return False


@kernel(inlined=True)
def join_reads(reads: Readers, threads: Clocks, t: i64, x: i64) -> None:
    """Order thread t after all reads of x since the last write, and forget them."""
    row = i64(reads.first[x])
    while row != NONE:
        if reads.time[row] != 0:
            join_clock(threads, t, reads.clocks, row)
            reads.time[row] = 0
        row = i64(reads.next_row[row])


@kernel(inlined=True)
def maz_has_room(state: MazState, operation: i64, t: i64, x: i64) -> bool:
    """Room for one more event."""
    return state.writes.count[0] < len(state.writer) and state.reads.count[0] < len(
        state.reads.thread
    )


@kernel(inlined=True)
def maz_step(state: MazState, operation: i64, t: i64, x: i64) -> bool:
    """One event; returns whether it is reversible."""
    threads, reads = state.threads, state.reads
    if operation > WRITE:
        synchronise(threads, state.locks, operation, t, x)
        return False
    is_racy = operation == WRITE and has_unordered_read(reads, threads, t, x)
    is_racy |= join_last_write(state, t, x)
    if operation == READ:
        row = reader_row(reads, x, t)
        reads.time[row] = threads.clk[t, t]
        copy_clock(reads.clocks, row, threads, t)
    else:
        join_reads(reads, threads, t, x)
        row = written_row(state.writes, x)
        state.writer[row] = t
        copy_clock(state.writes.clocks, row, threads, t)
    threads.clk[t, t] += 1
    return is_racy


maz_events = event_loop(MazState, maz_has_room, maz_step)
