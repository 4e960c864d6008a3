"""Happens-before edges through objects: acquire, release and similar, by guest address.

    mutex     lock: sync_acquire            unlock: sync_release_store
    rwlock    rdlock: sync_acquire          rdunlock: sync_release_read
              wrlock: sync_acquire_all      wrunlock: sync_release_store
    semaphore, condition variable, barrier, once, channels: sync_release (merge), sync_acquire

The clock of an object is created by its first release.  Every release ends the epoch of the
releasing thread, so that what it does next differs from what it has published.

Source: FastTrack (PLDI 2009, figure 2) for acquire and release; ThreadSanitizer's
tsan_rtl_mutex.cpp.
Deviation: an acquire whose contents are already known is skipped (the object's release epoch, see
sync_objects.py): locking a mutex again and again in one thread costs no clock work.
Soundness: exact; with one thread ever in existence, or detection off, nothing is done.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.clocks.clock_forms import learn_row, publish_into
from irsan.runtime.kernels.race.clocks.clock_rows import free_row, row_merge, row_size
from irsan.runtime.kernels.race.clocks.sync_types import SyncObject, sync_at
from irsan.runtime.kernels.race.clocks.vclock import epoch_before
from irsan.runtime.kernels.race.recording import note
from irsan.runtime.kernels.race.sync_objects import find_sync, get_sync
from irsan.runtime.kernels.race.thread_clocks import ignores_sync, race_tick
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.records.race import trace_records

OP_ACQUIRE = trace_records.ACQUIRE
OP_ACQUIRE_ALL = trace_records.ACQUIRE_ALL
OP_RELEASE = trace_records.RELEASE
OP_RELEASE_STORE = trace_records.RELEASE_STORE
OP_RELEASE_READ = trace_records.RELEASE_READ

__all__ = [
    "sync_acquire",
    "sync_acquire_all",
    "sync_release",
    "sync_release_acquire",
    "sync_release_read",
    "sync_release_store",
]


@kernel(inlined=True)
def knows_row(ctx: Context, obj: SyncObject) -> bool:
    """Whether the running thread has everything in the object's write row already."""
    if row_size(obj.row) == 0:
        return True
    epoch = u64(obj.release_epoch)
    return epoch != 0 and epoch_before(epoch, ctx.vc)


@kernel(inlined=True)
def acquire_object(ctx: Context, obj: SyncObject) -> None:
    """The running thread learns the object's write row."""
    if not knows_row(ctx, obj):
        learn_row(ctx, obj.row)


@kernel(inlined=True)
def store_into_object(ctx: Context, obj: SyncObject) -> None:
    """The object's write row becomes the running thread's clock.  Does not tick."""
    obj.row = publish_into(ctx, obj.row)
    obj.release_epoch = ctx.epoch
    obj.releasing_tid = thread_at(ctx.thread).tid


@kernel
def merge_into_object(ctx: Context, obj: SyncObject) -> None:
    """The object's write row gets the running thread's clock joined in.  Does not tick."""
    if knows_row(ctx, obj):
        store_into_object(ctx, obj)
        return
    row = row_merge(ctx, obj.row, ctx.vc, ctx.race.n_sids)
    obj.row = row
    obj.release_epoch = 0


@kernel(outlined=True)
def acquire_from(ctx: Context, addr: u64) -> None:
    """sync_acquire where synchronisation counts."""
    obj = find_sync(addr)
    if obj != 0:
        note(ctx, OP_ACQUIRE, addr, 0)
        acquire_object(ctx, sync_at(obj))


@kernel(inlined=True)
def sync_acquire(ctx: Context, addr: u64) -> None:
    """The running thread learns what was released into the object at `addr`."""
    if not ignores_sync(ctx):
        acquire_from(ctx, addr)


@kernel
def sync_acquire_all(ctx: Context, addr: u64) -> None:
    """As sync_acquire, with what readers have released: the lock of a writer."""
    if ignores_sync(ctx):
        return
    obj = find_sync(addr)
    if obj == 0:
        return
    note(ctx, OP_ACQUIRE_ALL, addr, 0)
    acquire_object(ctx, sync_at(obj))
    learn_row(ctx, sync_at(obj).read_row)


@kernel
def sync_release(ctx: Context, addr: u64) -> None:
    """Add the running thread's past to the object's, and tick."""
    if ignores_sync(ctx):
        return
    note(ctx, OP_RELEASE, addr, 0)
    merge_into_object(ctx, sync_at(get_sync(ctx, addr)))
    race_tick(ctx)


@kernel(outlined=True)
def release_store_into(ctx: Context, addr: u64) -> None:
    """sync_release_store where synchronisation counts."""
    note(ctx, OP_RELEASE_STORE, addr, 0)
    obj = sync_at(get_sync(ctx, addr))
    store_into_object(ctx, obj)
    free_row(ctx, obj.read_row)
    obj.read_row = 0
    race_tick(ctx)


@kernel(inlined=True)
def sync_release_store(ctx: Context, addr: u64) -> None:
    """The object's past becomes the running thread's (and drops what readers released); tick.

    For the owner of a lock, who has acquired all that was there.
    """
    if not ignores_sync(ctx):
        release_store_into(ctx, addr)


@kernel
def sync_release_acquire(ctx: Context, addr: u64) -> None:
    """Both learn from each other: object and running thread; tick."""
    if ignores_sync(ctx):
        return
    note(ctx, OP_ACQUIRE, addr, 0)
    note(ctx, OP_RELEASE_STORE, addr, 0)
    obj = sync_at(get_sync(ctx, addr))
    acquire_object(ctx, obj)
    store_into_object(ctx, obj)
    race_tick(ctx)


@kernel
def sync_release_read(ctx: Context, addr: u64) -> None:
    """A reader leaves a lock: the next writer learns its past, other readers do not; tick."""
    if ignores_sync(ctx):
        return
    note(ctx, OP_RELEASE_READ, addr, 0)
    obj = sync_at(get_sync(ctx, addr))
    row = row_merge(ctx, obj.read_row, ctx.vc, ctx.race.n_sids)
    obj.read_row = row
    race_tick(ctx)
