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

from typing import Any, NamedTuple

import numpy as np

from irsan.traces.kernels.hb import N_RACY
from irsan.traces.kernels.kernel import kernel, register_record
from irsan.traces.kernels.operations import NONE, READ, WRITE
from irsan.traces.kernels.shb import N_ROWS, row_of
from irsan.traces.kernels.sync_order import copy_greater_clock, join_clock, synchronise

N_READS = 2


class Readers(NamedTuple):
    """The clocks of reads: a row per thread and variable, listed by variable.

    first, next_row  int32  the list of the rows of a variable
    thread, time     int32  whose read it is, and its time; 0: not since the last write
    """

    first: Any
    next_row: Any
    thread: Any
    time: Any


def new_readers(n_variables: int, n_rows: int) -> Readers:
    """No reads yet."""
    none = np.full(n_variables, NONE, np.int32)
    return Readers(none, *(np.full(n_rows, value, np.int32) for value in (NONE, 0, 0)))


register_record("readers", new_readers(1, 1))


@kernel("i64(readers,i64,i64,i64[:])", inlined=True)
def reader_row(readers: Any, x: Any, t: Any, counts: Any) -> Any:
    """The row of thread t's reads of x, a new one at first. O(threads that read x)."""
    row = np.int64(readers.first[x])
    while row != NONE:
        if readers.thread[row] == t:
            return row
        row = np.int64(readers.next_row[row])
    row = counts[N_READS]
    counts[N_READS] += 1
    readers.thread[row] = t
    readers.next_row[row] = readers.first[x]
    readers.first[x] = row
    return row


@kernel("b1(b1,clocks,clocks,i32[:],i32[:],i64,i64)", inlined=True)
def maz_last_write(
    is_tree: Any, threads: Any, writes: Any, rows: Any, writer: Any, t: Any, x: Any
) -> Any:
    """Order thread t after the last write of x; returns whether nothing else did."""
    row = np.int64(rows[x])
    if row < 0:
        return False
    u = writer[row]
    is_racy = u != t and writes.clk[row, u] > threads.clk[t, u]
    join_clock(is_tree, threads, t, writes, row)
    return is_racy


@kernel("b1(readers,clocks,i64,i64)", inlined=True)
def has_unordered_read(readers: Any, threads: Any, t: Any, x: Any) -> Any:
    """Whether thread t does not know some read of x since the last write."""
    row = np.int64(readers.first[x])
    while row != NONE:
        u = readers.thread[row]
        if u != t and readers.time[row] > threads.clk[t, u]:
            return True
        row = np.int64(readers.next_row[row])
    return False


@kernel("void(b1,readers,clocks,clocks,i64,i64)", inlined=True)
def join_reads(is_tree: Any, readers: Any, threads: Any, reads: Any, t: Any, x: Any) -> Any:
    """Order thread t after all reads of x since the last write, and forget them."""
    row = np.int64(readers.first[x])
    while row != NONE:
        if readers.time[row] != 0:
            join_clock(is_tree, threads, t, reads, row)
            readers.time[row] = 0
        row = np.int64(readers.next_row[row])


@kernel(
    "i64(b1,clocks,clocks,clocks,clocks,i32[:],i32[:],readers,"
    "u8[:],i32[:],i32[:],i64,i64[:],i64[:])"
)
def maz_events(
    is_tree: Any,
    threads: Any,
    locks: Any,
    writes: Any,
    reads: Any,
    rows: Any,
    writer: Any,
    readers: Any,
    op: Any,
    thread: Any,
    target: Any,
    first: Any,
    racy: Any,
    counts: Any,
) -> Any:
    """Analyse the events from `first` on; stops for want of rows of `writes` or `reads`.

    rows    int32[variables]  row in `writes`, -1 before the first write
    writer  int32[rows]       thread of the last write
    counts  int64[3]          N_RACY events so far, N_ROWS of `writes`, N_READS of `reads` in use
    """
    clk = threads.clk
    for i in range(first, len(op)):
        o = op[i]
        t = np.int64(thread[i])
        x = np.int64(target[i])
        if o > WRITE:
            synchronise(is_tree, threads, locks, o, t, x)
            continue
        if counts[N_ROWS] == len(writes.clk) or counts[N_READS] == len(reads.clk):
            return i
        is_racy = o == WRITE and has_unordered_read(readers, threads, t, x)
        is_racy |= maz_last_write(is_tree, threads, writes, rows, writer, t, x)
        if o == READ:
            row = reader_row(readers, x, t, counts)
            readers.time[row] = clk[t, t]
            copy_greater_clock(is_tree, reads, row, threads, t)
        else:
            join_reads(is_tree, readers, threads, reads, t, x)
            row = row_of(rows, x, counts, N_ROWS)
            writer[row] = t
            copy_greater_clock(is_tree, writes, row, threads, t)
        clk[t, t] += 1
        if is_racy:
            racy[counts[N_RACY]] = i
            counts[N_RACY] += 1
    return len(op)
