"""Happens-before edges through objects: acquire, release and their kin, by guest address.

    mutex     lock: sync_acquire            unlock: sync_release_store
    rwlock    rdlock: sync_acquire          rdunlock: sync_release_read
              wrlock: sync_acquire_all      wrunlock: sync_release_store
    semaphore, condition variable, barrier, once, channels: sync_release (merge), sync_acquire

The clock of an object is created by its first release.  Every release ends the epoch of the
releasing thread, so that what it does next is told apart from what it has published.

Source: rules of FastTrack and ThreadSanitizer for locks (notes 8.1 and 8.6).
Deviation: an acquire whose contents are already known is skipped (the object's release epoch, see
sync_objects.py): locking a mutex again and again in one thread costs no clock work.
Soundness: exact; with one thread ever in existence, or detection off, nothing is done.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u32, store_u64
from irsan.runtime.kernels.race.clocks.clock_forms import learn_row, publish_into
from irsan.runtime.kernels.race.clocks.clock_rows import free_row, row_merge, row_size
from irsan.runtime.kernels.race.clocks.race_words import (
    N_SIDS,
    U32_0,
    U64_0,
    U64_8,
    U64_16,
    U64_28,
    U64_32,
)
from irsan.runtime.kernels.race.clocks.vclock import epoch_before
from irsan.runtime.kernels.race.recording import note
from irsan.runtime.kernels.race.sync_objects import find_sync, get_sync
from irsan.runtime.kernels.race.thread_clocks import ignores_sync, race_tick
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.records import trace_records

OP_ACQUIRE = np.uint64(trace_records.ACQUIRE)
OP_ACQUIRE_ALL = np.uint64(trace_records.ACQUIRE_ALL)
OP_RELEASE = np.uint64(trace_records.RELEASE)
OP_RELEASE_STORE = np.uint64(trace_records.RELEASE_STORE)
OP_RELEASE_READ = np.uint64(trace_records.RELEASE_READ)

__all__ = [
    "sync_acquire",
    "sync_acquire_all",
    "sync_release",
    "sync_release_acquire",
    "sync_release_read",
    "sync_release_store",
]


@kernel("b1(ctx,u64)", inlined=True)
def knows_row(ctx: Any, obj: Any) -> Any:
    """Whether the running thread has everything in the object's write row already."""
    if row_size(load_u64(obj + U64_8)) == U64_0:
        return True
    epoch = np.uint64(load_u32(obj + U64_28))
    return epoch != U64_0 and epoch_before(epoch, ctx.vc)


@kernel("void(ctx,u64)", inlined=True)
def acquire_object(ctx: Any, obj: Any) -> Any:
    """The running thread learns the object's write row."""
    if not knows_row(ctx, obj):
        learn_row(ctx, load_u64(obj + U64_8))


@kernel("void(ctx,u64)", inlined=True)
def store_into_object(ctx: Any, obj: Any) -> Any:
    """The object's write row becomes the running thread's clock.  Does not tick."""
    store_u64(obj + U64_8, publish_into(ctx, load_u64(obj + U64_8)))
    store_u32(obj + U64_28, ctx.epoch)
    store_u64(obj + U64_32, thread_at(ctx.thread).tid)


@kernel("void(ctx,u64)")
def merge_into_object(ctx: Any, obj: Any) -> Any:
    """The object's write row gets the running thread's clock joined in.  Does not tick."""
    if knows_row(ctx, obj):
        store_into_object(ctx, obj)
        return
    row = row_merge(ctx, load_u64(obj + U64_8), ctx.vc, ctx.race[N_SIDS])
    store_u64(obj + U64_8, row)
    store_u32(obj + U64_28, U32_0)


@kernel("void(ctx,u64)")
def sync_acquire(ctx: Any, addr: Any) -> Any:
    """The running thread learns what was released into the object at `addr`."""
    if ignores_sync(ctx):
        return
    obj = find_sync(addr)
    if obj != U64_0:
        note(ctx, OP_ACQUIRE, addr, U64_0)
        acquire_object(ctx, obj)


@kernel("void(ctx,u64)")
def sync_acquire_all(ctx: Any, addr: Any) -> Any:
    """As sync_acquire, with what readers have released: the lock of a writer."""
    if ignores_sync(ctx):
        return
    obj = find_sync(addr)
    if obj == U64_0:
        return
    note(ctx, OP_ACQUIRE_ALL, addr, U64_0)
    acquire_object(ctx, obj)
    learn_row(ctx, load_u64(obj + U64_16))


@kernel("void(ctx,u64)")
def sync_release(ctx: Any, addr: Any) -> Any:
    """Add the running thread's past to the object's, and tick."""
    if ignores_sync(ctx):
        return
    note(ctx, OP_RELEASE, addr, U64_0)
    merge_into_object(ctx, get_sync(ctx, addr))
    race_tick(ctx)


@kernel("void(ctx,u64)")
def sync_release_store(ctx: Any, addr: Any) -> Any:
    """The object's past becomes the running thread's (and drops what readers released); tick.

    For the owner of a lock, who has acquired all that was there.
    """
    if ignores_sync(ctx):
        return
    note(ctx, OP_RELEASE_STORE, addr, U64_0)
    obj = get_sync(ctx, addr)
    store_into_object(ctx, obj)
    free_row(ctx, load_u64(obj + U64_16))
    store_u64(obj + U64_16, U64_0)
    race_tick(ctx)


@kernel("void(ctx,u64)")
def sync_release_acquire(ctx: Any, addr: Any) -> Any:
    """Both learn from each other: object and running thread; tick."""
    if ignores_sync(ctx):
        return
    note(ctx, OP_ACQUIRE, addr, U64_0)
    note(ctx, OP_RELEASE_STORE, addr, U64_0)
    obj = get_sync(ctx, addr)
    acquire_object(ctx, obj)
    store_into_object(ctx, obj)
    race_tick(ctx)


@kernel("void(ctx,u64)")
def sync_release_read(ctx: Any, addr: Any) -> Any:
    """A reader leaves a lock: the next writer learns its past, other readers do not; tick."""
    if ignores_sync(ctx):
        return
    note(ctx, OP_RELEASE_READ, addr, U64_0)
    obj = get_sync(ctx, addr)
    row = row_merge(ctx, load_u64(obj + U64_16), ctx.vc, ctx.race[N_SIDS])
    store_u64(obj + U64_16, row)
    race_tick(ctx)
