"""Lock order: which lock was taken while which other was held, by whom, under which others.

    edge     a LockEdge at EDGES + index * EDGE_BYTES, from 1; `lockset` is all that was held
    mode     bits 0, 1: how the held one is held (lock_table.py); bit 2: the taken one for writing
    buckets  u32[1 << 20] by (held, taken): newest edge of each bucket, 0 = none

An edge (held, taken, tid, lockset) is stored once, and at most MAX_VARIANTS of a pair of locks.
Only a new pair can close a cycle of locks, and only if some edge leads on from the lock that was
taken: then the fault LOCK_ORDER asks the host to look (runtime/views/lock_graph.py), which keeps
silent when no schedule can deadlock.  Another thread or lockset can turn a harmless cycle into a
deadlock: the host marks the locks of the cycles it found IN_CYCLE, and is asked again about edges
of those.

Source: the Goodlock algorithm (Havelund, SPIN 2000), with gate locks and threads as in Agarwal et
al., "Detecting potential deadlocks with static analysis and run-time monitoring" (HVC 2005).
Deviations: no edge for a call that cannot wait for ever (try, timed); edges keep locksets, so a
common gate lock, a single thread and readers among themselves are distinguished from a deadlock,
which ThreadSanitizer's detector reports.
May miss: orders of executions that did not take place; edges beyond MAX_EDGES, and threads beyond
the first MAX_VARIANTS that take a pair of locks.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.locks.lock_table import held_at, held_base, lock_numbered
from irsan.runtime.kernels.locks.lock_types import HeldLock, LockEdge
from irsan.runtime.kernels.memory import load_u32, store_u32
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import record_in, thread_at
from irsan.runtime.kernels.report_fault import current_tid, report_fault
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.records.race.lock_records import (
    EDGE_BUCKET_BITS,
    EDGE_BUCKETS,
    EDGES,
    HELD_ENTRY_BYTES,
    IN_CYCLE,
    LEADS_ON,
    MAX_EDGES,
    MAX_VARIANTS,
    MODE_WRITE,
)

BUCKET_SHIFT = 64 - EDGE_BUCKET_BITS
GOLDEN = 0x9E37_79B9_7F4A_7C15
KNOWN = 0xFFFF_FFFF_FFFF_FFFF
LOCK_ORDER = int(FaultKind.LOCK_ORDER)

edge_numbered = record_in(LockEdge, EDGES)


@kernel
def edge_bucket(pair: u64) -> u64:
    """Address of the bucket of a pair of locks, taken << 32 | held."""
    key = pair * GOLDEN
    return EDGE_BUCKETS + (((key ^ (key >> 32)) * GOLDEN) >> BUCKET_SHIFT) * 4


@kernel
def count_variants(bucket: u64, pair: u64, who: u64) -> u64:
    """Edges of a pair in its bucket; all ones if one of them is by `who`, lockset << 32 | tid."""
    n_found = u64(0)
    index = u64(load_u32(bucket))
    while index != 0:
        edge = edge_numbered(index)
        if edge.pair == pair:
            n_found += 1
            if edge.who == who:
                return KNOWN
        index = u64(edge.next)
    return n_found


@kernel
def append_edge(ctx: Context, bucket: u64, held: HeldLock, taken: u64) -> u64:
    """Index of a new edge from the lock of a held entry, in its bucket; 0 when there is no room."""
    index = ctx.locks.n_edges + 1
    if index > MAX_EDGES:
        ctx.locks.n_lost_edges += 1
        return 0
    ctx.locks.n_edges = index
    edge = edge_numbered(index)
    edge.held = held.number
    edge.taken = u32(taken)
    edge.tid = u32(current_tid(ctx))
    edge.lockset = u32(thread_at(ctx.thread).held)
    edge.held_stack = held.stack
    edge.next = load_u32(bucket)
    store_u32(bucket, u32(index))
    return index


@kernel
def note_edge(ctx: Context, held: HeldLock, taken: u64, stack: u64, mode: u64) -> bool:
    """Keep the edge from the lock of a held entry; whether it may close a cycle.

    stack  of the acquisition of `taken`;  mode  how it is taken
    """
    thread = thread_at(ctx.thread)
    number = u64(held.number)
    pair = (taken << 32) | number
    bucket = edge_bucket(pair)
    n_variants = count_variants(bucket, pair, (thread.held << 32) | thread.tid)
    if number == taken or n_variants >= MAX_VARIANTS:
        return False
    index = append_edge(ctx, bucket, held, taken)
    if index == 0:
        return False
    edge = edge_numbered(index)
    edge.taken_stack = u32(stack)
    edge.mode = u32(u64(held.mode) | ((mode & MODE_WRITE) << 2))
    lock = lock_numbered(number)
    lock.flags = u32(lock.flags | LEADS_ON)
    ends = lock.flags & lock_numbered(taken).flags
    if n_variants == 0:
        return ends & LEADS_ON != 0
    return ends & IN_CYCLE != 0


@kernel(outlined=True)
def note_order(ctx: Context, taken: u64, stack: u32, mode: u64) -> None:
    """The running thread, which holds locks, is about to hold `taken` too: keep the new edges.

    Leaves the fault LOCK_ORDER when a new edge might close a cycle.  O(locks held).
    """
    may_close = False
    n_before = ctx.locks.n_edges
    held = held_base(thread_at(ctx.thread))
    end = held + thread_at(ctx.thread).n_held * HELD_ENTRY_BYTES
    while held != end:
        if note_edge(ctx, held_at(held), taken, u64(stack), mode):
            may_close = True
        held += HELD_ENTRY_BYTES
    if may_close:
        report_fault(ctx, LOCK_ORDER, lock_numbered(taken).address, 0, 0)
        ctx.fault[6] = n_before
