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

Source: C++20 [intro.races] and [atomics.fences]; ThreadSanitizer's tsan_interface_atomic.cpp.
Deviations: ThreadSanitizer models no fences and lets a relaxed store continue a release sequence.
Here a relaxed store ends it, unless the storing thread made the release store that heads it: C++11
to 17 continued such a sequence, and their programs are not to be accused.
Soundness: exact for C++20 but for that exception, which may miss a race.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import store_u64
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
    ATOMIC,
    CLOCK_ROW_BYTES,
    FENCED,
    SINGLE,
    WRITE,
)
from irsan.runtime.kernels.race.clocks.sync_types import SyncObject, sync_at
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
    ignores_sync,
    race_tick,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout.memory_map import ARENA_LO, ARENA_SIZE
from irsan.runtime.records.race import trace_records

OP_ACQUIRE = trace_records.ACQUIRE
OP_RELEASE = trace_records.RELEASE
OP_RELEASE_STORE = trace_records.RELEASE_STORE
OP_LOOK = trace_records.LOOK
OP_FENCE_ACQUIRE = trace_records.FENCE_ACQUIRE
OP_FENCE_RELEASE = trace_records.FENCE_RELEASE
OP_PUBLISH = trace_records.PUBLISH
OP_CLEAR = trace_records.CLEAR
RELAXED = 0
RELEASE = 3
ATOMIC_WRITE = WRITE | ATOMIC
ACQUIRE_CLOCK = CLOCK_ROW_BYTES
RELEASE_CLOCK = 2 * CLOCK_ROW_BYTES


@kernel
def is_acquire(order: u64) -> bool:
    """Whether a memory order (0 relaxed to 5 seq_cst) acquires."""
    return order != RELAXED and order != RELEASE


@kernel
def is_release(order: u64) -> bool:
    """Whether a memory order (0 relaxed to 5 seq_cst) releases."""
    return order >= RELEASE


@kernel
def read_clock(ctx: Context, obj: SyncObject, order: u64) -> None:
    """The reading half: learn the present value's clock now, or keep it for an acquire fence."""
    if is_acquire(order):
        note(ctx, OP_ACQUIRE, obj.address, 0)
        acquire_object(ctx, obj)
    elif not knows_row(ctx, obj):
        note(ctx, OP_LOOK, obj.address, 0)
        row_acquire(ctx.vc + ACQUIRE_CLOCK, obj.row)
        store_u64(ctx.vc + FENCED, 1)
        thread_at(ctx.thread).race.acquire_pending = 1


@kernel
def claim_sequence(ctx: Context, obj: SyncObject) -> None:
    """The running thread heads the object's release sequence if there is none."""
    if row_size(obj.row) == 0:
        obj.releasing_tid = thread_at(ctx.thread).tid


@kernel
def publish_fence(ctx: Context, obj: SyncObject) -> None:
    """Join the clock of the thread's last release fence into an object."""
    note(ctx, OP_PUBLISH, obj.address, 0)
    claim_sequence(ctx, obj)
    clock = ctx.vc + RELEASE_CLOCK
    obj.row = row_merge(ctx, obj.row, clock, ctx.race.n_sids)
    obj.release_epoch = 0


@kernel
def store_relaxed(ctx: Context, addr: u64) -> None:
    """A relaxed store: another thread's release sequence ends, a release fence is published."""
    thread = thread_at(ctx.thread)
    obj = find_sync(addr)
    if obj != 0 and sync_at(obj).releasing_tid != thread.tid:
        note(ctx, OP_CLEAR, addr, 0)
        free_row(ctx, sync_at(obj).row)
        sync_at(obj).row = 0
    fence = thread.race.release_epoch
    if fence == 0:
        return
    obj = get_sync(ctx, addr)
    if sync_at(obj).row != 0:
        publish_fence(ctx, sync_at(obj))
        return
    note(ctx, OP_PUBLISH, addr, 0)
    sync_at(obj).row = row_store(ctx, 0, ctx.vc + RELEASE_CLOCK, ctx.race.n_sids)
    sync_at(obj).release_epoch = u32(fence)
    sync_at(obj).releasing_tid = thread.tid


@kernel(inlined=True)
def atomic_access(ctx: Context, addr: u64, size_bytes: u64, kind: u64) -> None:
    """The race check of an atomic access; one that repeats the newest access is done at once."""
    first = addr & 3
    if first + min(size_bytes, u64(4)) <= 4 and addr - ARENA_LO < ARENA_SIZE:
        cell = addr_to_cell(addr)
        mask = ((1 << min(size_bytes, u64(4))) - 1) << first
        if newest_covers(ctx, cell, mask, kind) and (
            size_bytes <= 4 or (size_bytes == 8 and newest_covers(ctx, cell + 16, mask, kind))
        ):
            return
    race_access_slow(ctx, addr, size_bytes, kind)


@kernel
def race_atomic_load(ctx: Context, addr: u64, size_bytes: u64, order: u64) -> None:
    """An atomic load, or a compare-exchange that fails (with its failure order).

    order  u64, 0 relaxed, 1 consume, 2 acquire, 3 release, 4 acq_rel, 5 seq_cst
    """
    if ctx.ignore_depth >= SINGLE:
        return
    obj = find_sync(addr)
    if obj != 0 and not ignores_sync(ctx):
        read_clock(ctx, sync_at(obj), order)
    atomic_access(ctx, addr, size_bytes, ATOMIC)


@kernel
def race_atomic_store(ctx: Context, addr: u64, size_bytes: u64, order: u64) -> None:
    """An atomic store."""
    if ctx.ignore_depth >= SINGLE:
        return
    atomic_access(ctx, addr, size_bytes, ATOMIC_WRITE)
    if ignores_sync(ctx):
        return
    if not is_release(order):
        store_relaxed(ctx, addr)
        return
    note(ctx, OP_RELEASE_STORE, addr, 0)
    store_into_object(ctx, sync_at(get_sync(ctx, addr)))
    race_tick(ctx)


@kernel
def race_atomic_rmw(ctx: Context, addr: u64, size_bytes: u64, order: u64) -> None:
    """An atomic read-modify-write: exchange, fetch_*, a compare-exchange that succeeds."""
    if ctx.ignore_depth >= SINGLE:
        return
    if ignores_sync(ctx):
        atomic_access(ctx, addr, size_bytes, ATOMIC_WRITE)
        return
    obj = find_sync(addr)
    if obj != 0:
        read_clock(ctx, sync_at(obj), order)
    atomic_access(ctx, addr, size_bytes, ATOMIC_WRITE)
    if not is_release(order):
        if thread_at(ctx.thread).race.release_epoch != 0:
            publish_fence(ctx, sync_at(get_sync(ctx, addr)))
        return
    if obj == 0:
        obj = get_sync(ctx, addr)
    claim_sequence(ctx, sync_at(obj))
    head = sync_at(obj).releasing_tid
    if is_acquire(order):
        note(ctx, OP_RELEASE_STORE, addr, 0)
        store_into_object(ctx, sync_at(obj))
    else:
        note(ctx, OP_RELEASE, addr, 0)
        merge_into_object(ctx, sync_at(obj))
    sync_at(obj).releasing_tid = head
    race_tick(ctx)


@kernel
def race_fence(ctx: Context, order: u64) -> None:
    """An atomic fence between threads (signal fences do nothing)."""
    if ignores_sync(ctx):
        return
    thread = thread_at(ctx.thread)
    if is_acquire(order) and thread.race.acquire_pending != 0:
        note(ctx, OP_FENCE_ACQUIRE, 0, 0)
        learn_bare(ctx, ctx.vc + ACQUIRE_CLOCK)
        thread.race.acquire_pending = 0
    if not is_release(order):
        return
    note(ctx, OP_FENCE_RELEASE, 0, 0)
    clock_copy(ctx.vc + RELEASE_CLOCK, ctx.vc, ctx.race.n_sids)
    store_u64(ctx.vc + FENCED, 1)
    thread.race.release_epoch = u64(ctx.epoch)
    race_tick(ctx)
