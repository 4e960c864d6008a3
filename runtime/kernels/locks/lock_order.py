"""Lock order: which lock was taken while which other was held, by whom, under which others.

    edge     32 bytes at EDGES + index * 32, from 1
             {held u32, taken u32, tid u32, lockset u32 (all that was held), stack of the held one's
              acquisition u32, stack of the taken one's u32, next u32, mode u32}
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
common gate lock, a single thread and readers among themselves are told apart from a deadlock, which
ThreadSanitizer's detector reports.
May miss: orders of executions that did not take place; edges beyond MAX_EDGES, and threads beyond
the first MAX_VARIANTS that take a pair of locks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.locks.lock_table import (
    U64_ENTRY,
    held_base,
    lock_record,
)
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u32
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.report_fault import current_tid, report_fault
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.records.lock_records import (
    EDGE_BUCKET_BITS,
    EDGE_BUCKETS,
    EDGE_BYTES,
    EDGES,
    FLAGS,
    IN_CYCLE,
    LEADS_ON,
    MAX_EDGES,
    MAX_VARIANTS,
    MODE_WRITE,
    N_EDGES,
    N_LOST_EDGES,
)

U32_0 = np.uint32(0)
U32_LEADS_ON = np.uint32(LEADS_ON)
U32_IN_CYCLE = np.uint32(IN_CYCLE)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_12 = np.uint64(12)
U64_16 = np.uint64(16)
U64_20 = np.uint64(20)
U64_24 = np.uint64(24)
U64_28 = np.uint64(28)
U64_2 = np.uint64(2)
U64_32 = np.uint64(32)
U64_EDGE = np.uint64(EDGE_BYTES)
U64_EDGES = np.uint64(EDGES)
U64_MAX_EDGES = np.uint64(MAX_EDGES)
U64_BUCKETS = np.uint64(EDGE_BUCKETS)
U64_BUCKET_SHIFT = np.uint64(64 - EDGE_BUCKET_BITS)
U64_GOLDEN = np.uint64(0x9E37_79B9_7F4A_7C15)
U64_FLAGS = np.uint64(FLAGS)
U64_MAX_VARIANTS = np.uint64(MAX_VARIANTS)
U64_KNOWN = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
U64_WRITE = np.uint64(MODE_WRITE)
LOCK_ORDER = np.uint64(FaultKind.LOCK_ORDER)


@kernel("u64(u64)")
def edge_bucket(pair: Any) -> Any:
    """Address of the bucket of a pair of locks, taken << 32 | held."""
    key = pair * U64_GOLDEN
    return U64_BUCKETS + (((key ^ (key >> U64_32)) * U64_GOLDEN) >> U64_BUCKET_SHIFT) * U64_4


@kernel("u64(u64,u64,u64)")
def count_variants(bucket: Any, pair: Any, who: Any) -> Any:
    """Edges of a pair in its bucket; all ones if one of them is by `who`, lockset << 32 | tid."""
    n_found = U64_0
    index = np.uint64(load_u32(bucket))
    while index != U64_0:
        edge = U64_EDGES + index * U64_EDGE
        if load_u64(edge) == pair:
            n_found += U64_1
            if load_u64(edge + U64_8) == who:
                return U64_KNOWN
        index = np.uint64(load_u32(edge + U64_24))
    return n_found


@kernel("u64(ctx,u64,u64,u64)")
def append_edge(ctx: Any, bucket: Any, held: Any, taken: Any) -> Any:
    """Index of a new edge from the lock of a held entry, in its bucket; 0 when there is no room."""
    index = ctx.sync[N_EDGES] + U64_1
    if index > U64_MAX_EDGES:
        ctx.sync[N_LOST_EDGES] += U64_1
        return U64_0
    ctx.sync[N_EDGES] = index
    edge = U64_EDGES + index * U64_EDGE
    store_u32(edge, load_u32(held))
    store_u32(edge + U64_4, np.uint32(taken))
    store_u32(edge + U64_8, np.uint32(current_tid(ctx)))
    store_u32(edge + U64_12, np.uint32(thread_at(ctx.thread).held))
    store_u32(edge + U64_16, load_u32(held + U64_4))
    store_u32(edge + U64_24, load_u32(bucket))
    store_u32(bucket, np.uint32(index))
    return index


@kernel("b1(ctx,u64,u64,u64,u64)")
def note_edge(ctx: Any, held: Any, taken: Any, stack: Any, mode: Any) -> Any:
    """Keep the edge from the lock of a held entry; whether it may close a cycle.

    stack  of the acquisition of `taken`;  mode  how it is taken
    """
    thread = thread_at(ctx.thread)
    number = np.uint64(load_u32(held))
    pair = (taken << U64_32) | number
    bucket = edge_bucket(pair)
    n_variants = count_variants(bucket, pair, (thread.held << U64_32) | thread.tid)
    if number == taken or n_variants >= U64_MAX_VARIANTS:
        return False
    index = append_edge(ctx, bucket, held, taken)
    if index == U64_0:
        return False
    edge = U64_EDGES + index * U64_EDGE
    store_u32(edge + U64_20, np.uint32(stack))
    modes = np.uint64(load_u32(held + U64_8)) | ((mode & U64_WRITE) << U64_2)
    store_u32(edge + U64_28, np.uint32(modes))
    flags = lock_record(number) + U64_FLAGS
    store_u32(flags, load_u32(flags) | U32_LEADS_ON)
    ends = load_u32(flags) & load_u32(lock_record(taken) + U64_FLAGS)
    if n_variants == U64_0:
        return ends & U32_LEADS_ON != U32_0
    return ends & U32_IN_CYCLE != U32_0


@kernel("void(ctx,u64,u32,u64)", outlined=True)
def note_order(ctx: Any, taken: Any, stack: Any, mode: Any) -> None:
    """The running thread, which holds locks, is about to hold `taken` too: keep the new edges.

    Leaves the fault LOCK_ORDER when a new edge might close a cycle.  O(locks held).
    """
    may_close = False
    n_before = ctx.sync[N_EDGES]
    held = held_base(thread_at(ctx.thread))
    end = held + thread_at(ctx.thread).n_held * U64_ENTRY
    while held != end:
        if note_edge(ctx, held, taken, np.uint64(stack), mode):
            may_close = True
        held += U64_ENTRY
    if may_close:
        report_fault(ctx, LOCK_ORDER, load_u64(lock_record(taken)), U64_0, U64_0)
        ctx.fault[6] = n_before
