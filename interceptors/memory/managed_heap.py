"""A managed heap that a virtual machine announces: the sixteen functions __tsan_java_*.

    __tsan_java_init(lo, n), _fini()     one heap; fini gives the exit status of the run
    __tsan_java_alloc, _free, _move      objects: a multiple of 8 bytes at a multiple of 8
    __tsan_java_find(&from, to)          the first object in [from, to): its place and size
    __tsan_java_finalize()               a finalizer runs: everything has happened before it
    __tsan_java_mutex_lock[_rec] ...     monitors; an object's address is the lock's
    __tsan_java_acquire, _release[_store]

    object    16 bytes per 8 of the heap, at OBJECTS + 2 * offset, where the object starts
              {size in bytes u64, 0 = none; stack of the allocation u32; tid u32}

Source: ThreadSanitizer's tsan_interface_java.h for the contract.
Deviations: the history of a moved object moves with it.  Of a heap beyond 8 GiB no objects are
known, so find and reports do not name them; races there are found all the same.
"""

from __future__ import annotations

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.callstack import current_stack_id
from irsan.runtime.kernels.combined.race_moves import race_move
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.locks.lock_annotations import (
    annotated_intent,
    annotated_read_release,
    annotated_release,
    annotated_taken,
    is_taken_wrongly,
)
from irsan.runtime.kernels.memory import (
    load_u64,
    real_memmove,
    real_memset,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.race.all_threads import learn_everything
from irsan.runtime.kernels.race.external_code import is_in_external_code
from irsan.runtime.kernels.race.race_ranges import race_forget, race_malloc
from irsan.runtime.kernels.race.sync_clocks import (
    sync_acquire,
    sync_release,
    sync_release_store,
)
from irsan.runtime.kernels.race.thread_clocks import (
    race_ignore_begin,
    race_ignore_end,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.report_fault import current_tid
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.threads.scheduler import sync_point
from irsan.runtime.records.memory.java_records import MAX_HEAP_BYTES, OBJECTS
from irsan.runtime.records.race.lock_records import MODE_WRITE

READ = 0
WRITE = MODE_WRITE


@kernel
def addr_to_object(ctx: Context, addr: u64) -> u64:
    """Where the object that starts at an address of the heap is noted."""
    return OBJECTS + (addr - ctx.interface.java_lo) * 2


@kernel
def is_noted(ctx: Context, addr: u64, size_bytes: u64) -> bool:
    """Whether a range lies in the part of the heap whose objects are noted."""
    lo, hi = ctx.interface.java_lo, ctx.interface.java_hi
    hi = min(hi, lo + MAX_HEAP_BYTES)
    return addr & 7 == 0 and lo <= addr <= hi and size_bytes <= hi - addr


@kernel
def java_init(ctx: Context, lo: u64, size_bytes: u64) -> None:
    """__tsan_java_init."""
    ctx.interface.java_lo = lo
    ctx.interface.java_hi = lo + size_bytes


@kernel
def java_alloc(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """__tsan_java_alloc: written by this thread, now, in the managed function that is running."""
    site = ctx.site
    if is_in_external_code(ctx):
        ctx.site = 0
    if is_noted(ctx, addr, size_bytes):
        place = addr_to_object(ctx, addr)
        store_u64(place, size_bytes)
        store_u32(place + 8, current_stack_id(ctx))
        store_u32(place + 12, u32(current_tid(ctx)))
    race_malloc(ctx, addr, size_bytes)
    ctx.site = site


@kernel
def java_free(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """__tsan_java_free: the collector has found that these objects are unreachable."""
    if is_noted(ctx, addr, size_bytes):
        real_memset(addr_to_object(ctx, addr), 0, size_bytes * 2)
    race_forget(ctx, addr, size_bytes)


@kernel
def java_move(ctx: Context, src: u64, dst: u64, size_bytes: u64) -> None:
    """__tsan_java_move; the ranges may overlap."""
    if is_noted(ctx, src, size_bytes) and is_noted(ctx, dst, size_bytes):
        old, new = addr_to_object(ctx, src), addr_to_object(ctx, dst)
        n_bytes = size_bytes * 2
        real_memmove(new, old, n_bytes)
        if new > old:
            real_memset(old, 0, min(n_bytes, new - old))
        else:
            left = max(old, new + n_bytes)
            real_memset(left, 0, old + n_bytes - left)
    race_move(ctx, src, dst, size_bytes)


@kernel
def java_find(ctx: Context, from_at: u64, to: u64) -> u64:
    """__tsan_java_find: the object's size, its place in *from_at; 0 when there is none."""
    addr = load_u64(from_at)
    if not is_noted(ctx, addr, 0):
        return 0
    end = min(to, min(ctx.interface.java_hi, ctx.interface.java_lo + MAX_HEAP_BYTES))
    while addr < end:
        size_bytes = load_u64(addr_to_object(ctx, addr))
        if size_bytes != 0:
            store_u64(from_at, addr)
            return size_bytes
        addr += 8
    return 0


@kernel
def java_finalize(ctx: Context) -> None:
    """__tsan_java_finalize: all that any thread has done so far is this thread's past."""
    learn_everything(ctx)


@kernel
def monitor_entered(ctx: Context, addr: u64, mode: u64, n_levels: i32) -> None:
    """A monitor was got; its address is an object's, whose bytes are not the lock's to touch."""
    if annotated_intent(ctx, addr, mode) or is_taken_wrongly(ctx, addr, mode):
        return
    race_ignore_begin(ctx)
    annotated_taken(ctx, addr, mode, 0, n_levels)
    race_ignore_end(ctx)


@kernel
def java_lock(ctx: Context, addr: u64) -> None:
    """__tsan_java_mutex_lock."""
    monitor_entered(ctx, addr, WRITE, 1)


@kernel
def java_lock_levels(ctx: Context, addr: u64, n_levels: i32) -> None:
    """__tsan_java_mutex_lock_rec."""
    monitor_entered(ctx, addr, WRITE, n_levels)


@kernel
def java_read_lock(ctx: Context, addr: u64) -> None:
    """__tsan_java_mutex_read_lock."""
    monitor_entered(ctx, addr, READ, 1)


@kernel
def java_unlock(ctx: Context, addr: u64) -> None:
    """__tsan_java_mutex_unlock."""
    annotated_release(ctx, addr, False)


@kernel
def java_unlock_levels(ctx: Context, addr: u64) -> i32:
    """__tsan_java_mutex_unlock_rec: how many levels were given up."""
    return annotated_release(ctx, addr, True)


@kernel
def java_read_unlock(ctx: Context, addr: u64) -> None:
    """__tsan_java_mutex_read_unlock."""
    annotated_read_release(ctx, addr)


@kernel
def java_acquire(ctx: Context, addr: u64) -> None:
    """__tsan_java_acquire."""
    sync_acquire(ctx, addr)
    sync_point(ctx)


@kernel
def java_release(ctx: Context, addr: u64) -> None:
    """__tsan_java_release."""
    sync_release(ctx, addr)
    sync_point(ctx)


@kernel
def java_release_store(ctx: Context, addr: u64) -> None:
    """__tsan_java_release_store."""
    sync_release_store(ctx, addr)
    sync_point(ctx)


def _hook(prototype: str, kernel_name: str) -> Export:
    return Export(prototype, kernel_name, is_hook=True)


EXPORTS = (
    _hook("void __tsan_java_init(u64,u64)", "java_init"),
    _hook("void __tsan_java_alloc(u64,u64)", "java_alloc"),
    _hook("void __tsan_java_free(u64,u64)", "java_free"),
    _hook("void __tsan_java_move(u64,u64,u64)", "java_move"),
    _hook("u64 __tsan_java_find(ptr,u64)", "java_find"),
    _hook("void __tsan_java_finalize()", "java_finalize"),
    _hook("void __tsan_java_mutex_lock(u64)", "java_lock"),
    _hook("void __tsan_java_mutex_lock_rec(u64,i32)", "java_lock_levels"),
    _hook("void __tsan_java_mutex_unlock(u64)", "java_unlock"),
    _hook("i32 __tsan_java_mutex_unlock_rec(u64)", "java_unlock_levels"),
    _hook("void __tsan_java_mutex_read_lock(u64)", "java_read_lock"),
    _hook("void __tsan_java_mutex_read_unlock(u64)", "java_read_unlock"),
    _hook("void __tsan_java_acquire(u64)", "java_acquire"),
    _hook("void __tsan_java_release(u64)", "java_release"),
    _hook("void __tsan_java_release_store(u64)", "java_release_store"),
)
