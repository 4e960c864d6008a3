"""Atomic operations: an access that races with plain ones only, and clock work by memory order.

The clock of an atomic is that of its present value: what the heads of the release sequences that
the value belongs to have published.

                       present value's clock S            running thread's clock C
    load   relaxed     -                                  fence clock A joins S
           acquire     -                                  C joins S
    store  relaxed     S := F, or nothing without F       -
           release     S := C                             tick
    rmw    relaxed     S joins F                          A joins S
           acquire     S joins F                          C joins S
           release     S joins C                          A joins S, tick
           acq_rel     S joins C (after C joins S)        C joins S, tick
    fence  acquire     -                                  C joins A
           release     -                                  F := C, tick

    F   clock at the thread's last release fence;  A   clocks its relaxed loads have read

A sequentially consistent operation or fence is acq_rel: happens-before between fences comes from
the atomics around them only.  consume is acquire.  The acquire comes before the race check and the
release after it: initialising plainly, then publishing by a release store to the same atomic is
ordered before the load that reads it.

Source: C++20 [intro.races] and [atomics.fences]; notes 8.6.
Deviations: ThreadSanitizer models no fences and lets a relaxed store continue a release sequence.
Here a relaxed store ends it, unless the storing thread made the release store that heads it: C++11
to 17 continued such a sequence, and their programs are not to be accused.
Soundness: exact for C++20 but for that exception, which may miss a race.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u32, store_u64
from irsan.runtime.kernels.race.access import race_access_slow
from irsan.runtime.kernels.race.cells.cell_words import addr_to_cell
from irsan.runtime.kernels.race.cells.race_shared import newest_covers
from irsan.runtime.kernels.race.clocks.clock_forms import learn_bare
from irsan.runtime.kernels.race.clocks.clock_rows import (
    free_row,
    row_acquire,
    row_merge,
    row_size,
    row_store,
)
from irsan.runtime.kernels.race.clocks.race_words import (
    CLOCK_ROW_BYTES,
    FENCED,
    N_SIDS,
    U32_0,
    U64_0,
    U64_1,
    U64_3,
    U64_4,
    U64_8,
    U64_16,
    U64_28,
    U64_32,
    U64_ARENA_LO,
    U64_ARENA_SIZE,
    U64_ATOMIC,
    U64_SINGLE,
    U64_WRITE,
)
from irsan.runtime.kernels.race.clocks.vclock import clock_copy
from irsan.runtime.kernels.race.recording import note
from irsan.runtime.kernels.race.sync_clocks import (
    acquire_object,
    knows_row,
    merge_into_object,
    store_into_object,
)
from irsan.runtime.kernels.race.sync_objects import find_sync, get_sync
from irsan.runtime.kernels.race.thread_clocks import (
    ACQUIRE_PENDING,
    RELEASE_EPOCH,
    ignores_sync,
    race_tick,
)
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.records import trace_records

OP_ACQUIRE = np.uint64(trace_records.ACQUIRE)
OP_RELEASE = np.uint64(trace_records.RELEASE)
OP_RELEASE_STORE = np.uint64(trace_records.RELEASE_STORE)
OP_LOOK = np.uint64(trace_records.LOOK)
OP_FENCE_ACQUIRE = np.uint64(trace_records.FENCE_ACQUIRE)
OP_FENCE_RELEASE = np.uint64(trace_records.FENCE_RELEASE)
OP_PUBLISH = np.uint64(trace_records.PUBLISH)
OP_CLEAR = np.uint64(trace_records.CLEAR)
RELAXED = np.uint64(0)
RELEASE = np.uint64(3)
ATOMIC_WRITE = np.uint64(U64_WRITE | U64_ATOMIC)
ACQUIRE_CLOCK = np.uint64(CLOCK_ROW_BYTES)
RELEASE_CLOCK = np.uint64(2 * CLOCK_ROW_BYTES)
U64_FENCED = np.uint64(FENCED)


@kernel("b1(u64)")
def is_acquire(order: Any) -> Any:
    """Whether a memory order (0 relaxed to 5 seq_cst) acquires."""
    return order != RELAXED and order != RELEASE


@kernel("b1(u64)")
def is_release(order: Any) -> Any:
    """Whether a memory order (0 relaxed to 5 seq_cst) releases."""
    return order >= RELEASE


@kernel("void(ctx,u64,u64)")
def read_clock(ctx: Any, obj: Any, order: Any) -> Any:
    """The reading half: learn the present value's clock now, or keep it for an acquire fence."""
    if is_acquire(order):
        note(ctx, OP_ACQUIRE, load_u64(obj), U64_0)
        acquire_object(ctx, obj)
    elif not knows_row(ctx, obj):
        note(ctx, OP_LOOK, load_u64(obj), U64_0)
        row_acquire(ctx.vc + ACQUIRE_CLOCK, load_u64(obj + U64_8))
        store_u64(ctx.vc + U64_FENCED, U64_1)
        thread_at(ctx.thread).spare[ACQUIRE_PENDING] = U64_1


@kernel("void(ctx,u64)")
def claim_sequence(ctx: Any, obj: Any) -> Any:
    """The running thread heads the object's release sequence if there is none."""
    if row_size(load_u64(obj + U64_8)) == U64_0:
        store_u64(obj + U64_32, thread_at(ctx.thread).tid)


@kernel("void(ctx,u64)")
def publish_fence(ctx: Any, obj: Any) -> Any:
    """Join the clock of the thread's last release fence into an object."""
    note(ctx, OP_PUBLISH, load_u64(obj), U64_0)
    claim_sequence(ctx, obj)
    clock = ctx.vc + RELEASE_CLOCK
    store_u64(obj + U64_8, row_merge(ctx, load_u64(obj + U64_8), clock, ctx.race[N_SIDS]))
    store_u32(obj + U64_28, U32_0)


@kernel("void(ctx,u64)")
def store_relaxed(ctx: Any, addr: Any) -> Any:
    """A relaxed store: another thread's release sequence ends, a release fence is published."""
    thread = thread_at(ctx.thread)
    obj = find_sync(addr)
    if obj != U64_0 and load_u64(obj + U64_32) != thread.tid:
        note(ctx, OP_CLEAR, addr, U64_0)
        free_row(ctx, load_u64(obj + U64_8))
        store_u64(obj + U64_8, U64_0)
    fence = thread.spare[RELEASE_EPOCH]
    if fence == U64_0:
        return
    obj = get_sync(ctx, addr)
    if load_u64(obj + U64_8) != U64_0:
        publish_fence(ctx, obj)
        return
    note(ctx, OP_PUBLISH, addr, U64_0)
    store_u64(obj + U64_8, row_store(ctx, U64_0, ctx.vc + RELEASE_CLOCK, ctx.race[N_SIDS]))
    store_u32(obj + U64_28, np.uint32(fence))
    store_u64(obj + U64_32, thread.tid)


@kernel("void(ctx,u64,u64,u64)", inlined=True)
def atomic_access(ctx: Any, addr: Any, size_bytes: Any, kind: Any) -> Any:
    """The race check of an atomic access; one that repeats the newest access is done at once."""
    first = addr & U64_3
    if first + min(size_bytes, U64_4) <= U64_4 and addr - U64_ARENA_LO < U64_ARENA_SIZE:
        cell = addr_to_cell(addr)
        mask = ((U64_1 << min(size_bytes, U64_4)) - U64_1) << first
        if newest_covers(ctx, cell, mask, kind) and (
            size_bytes <= U64_4
            or (size_bytes == U64_8 and newest_covers(ctx, cell + U64_16, mask, kind))
        ):
            return
    race_access_slow(ctx, addr, size_bytes, kind)


@kernel("void(ctx,u64,u64,u64)")
def race_atomic_load(ctx: Any, addr: Any, size_bytes: Any, order: Any) -> Any:
    """An atomic load, or a compare-exchange that fails (with its failure order).

    order  u64, 0 relaxed, 1 consume, 2 acquire, 3 release, 4 acq_rel, 5 seq_cst
    """
    if ctx.ignore_depth >= U64_SINGLE:
        return
    obj = find_sync(addr)
    if obj != U64_0 and not ignores_sync(ctx):
        read_clock(ctx, obj, order)
    atomic_access(ctx, addr, size_bytes, U64_ATOMIC)


@kernel("void(ctx,u64,u64,u64)")
def race_atomic_store(ctx: Any, addr: Any, size_bytes: Any, order: Any) -> Any:
    """An atomic store."""
    if ctx.ignore_depth >= U64_SINGLE:
        return
    atomic_access(ctx, addr, size_bytes, ATOMIC_WRITE)
    if ignores_sync(ctx):
        return
    if not is_release(order):
        store_relaxed(ctx, addr)
        return
    note(ctx, OP_RELEASE_STORE, addr, U64_0)
    store_into_object(ctx, get_sync(ctx, addr))
    race_tick(ctx)


@kernel("void(ctx,u64,u64,u64)")
def race_atomic_rmw(ctx: Any, addr: Any, size_bytes: Any, order: Any) -> Any:
    """An atomic read-modify-write: exchange, fetch_*, a compare-exchange that succeeds."""
    if ctx.ignore_depth >= U64_SINGLE:
        return
    if ignores_sync(ctx):
        atomic_access(ctx, addr, size_bytes, ATOMIC_WRITE)
        return
    obj = find_sync(addr)
    if obj != U64_0:
        read_clock(ctx, obj, order)
    atomic_access(ctx, addr, size_bytes, ATOMIC_WRITE)
    if not is_release(order):
        if thread_at(ctx.thread).spare[RELEASE_EPOCH] != U64_0:
            publish_fence(ctx, get_sync(ctx, addr))
        return
    if obj == U64_0:
        obj = get_sync(ctx, addr)
    claim_sequence(ctx, obj)
    head = load_u64(obj + U64_32)
    if is_acquire(order):
        note(ctx, OP_RELEASE_STORE, addr, U64_0)
        store_into_object(ctx, obj)
    else:
        note(ctx, OP_RELEASE, addr, U64_0)
        merge_into_object(ctx, obj)
    store_u64(obj + U64_32, head)
    race_tick(ctx)


@kernel("void(ctx,u64)")
def race_fence(ctx: Any, order: Any) -> Any:
    """An atomic fence between threads (signal fences do nothing)."""
    if ignores_sync(ctx):
        return
    thread = thread_at(ctx.thread)
    if is_acquire(order) and thread.spare[ACQUIRE_PENDING] != U64_0:
        note(ctx, OP_FENCE_ACQUIRE, U64_0, U64_0)
        learn_bare(ctx, ctx.vc + ACQUIRE_CLOCK)
        thread.spare[ACQUIRE_PENDING] = U64_0
    if not is_release(order):
        return
    note(ctx, OP_FENCE_RELEASE, U64_0, U64_0)
    clock_copy(ctx.vc + RELEASE_CLOCK, ctx.vc, ctx.race[N_SIDS])
    store_u64(ctx.vc + U64_FENCED, U64_1)
    thread.spare[RELEASE_EPOCH] = np.uint64(ctx.epoch)
    race_tick(ctx)
