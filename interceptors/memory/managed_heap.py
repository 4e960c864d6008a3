"""A managed heap that a virtual machine tells about: the sixteen functions __tsan_java_*.

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

from typing import Any

import numpy as np

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
from irsan.runtime.kernels.report_fault import current_tid
from irsan.runtime.kernels.threads.scheduler import sync_point
from irsan.runtime.records import java_records as jr
from irsan.runtime.records.lock_records import MODE_WRITE

JAVA_LO, JAVA_HI = jr.JAVA_LO, jr.JAVA_HI

I32_1 = np.int32(1)
U32_0 = np.uint32(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_2 = np.uint64(2)
U64_4 = np.uint64(4)
U64_7 = np.uint64(7)
U64_8 = np.uint64(8)
U64_12 = np.uint64(12)
U64_16 = np.uint64(16)
U64_OBJECTS = np.uint64(jr.OBJECTS)
U64_MAX_HEAP = np.uint64(jr.MAX_HEAP_BYTES)
READ = np.uint64(0)
WRITE = np.uint64(MODE_WRITE)


@kernel("u64(ctx,u64)")
def addr_to_object(ctx: Any, addr: Any) -> Any:
    """Where the object that starts at an address of the heap is noted."""
    return U64_OBJECTS + (addr - ctx.interface[JAVA_LO]) * U64_2


@kernel("b1(ctx,u64,u64)")
def is_noted(ctx: Any, addr: Any, size_bytes: Any) -> Any:
    """Whether a range lies in the part of the heap whose objects are noted."""
    lo, hi = ctx.interface[JAVA_LO], ctx.interface[JAVA_HI]
    hi = min(hi, lo + U64_MAX_HEAP)
    return addr & U64_7 == U64_0 and lo <= addr <= hi and size_bytes <= hi - addr


@kernel("void(ctx,u64,u64)")
def java_init(ctx: Any, lo: Any, size_bytes: Any) -> None:
    """__tsan_java_init."""
    ctx.interface[JAVA_LO] = lo
    ctx.interface[JAVA_HI] = lo + size_bytes


@kernel("void(ctx,u64,u64)")
def java_alloc(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """__tsan_java_alloc: written by this thread, now, in the managed function that is running."""
    site = ctx.site
    if is_in_external_code(ctx):
        ctx.site = U32_0
    if is_noted(ctx, addr, size_bytes):
        place = addr_to_object(ctx, addr)
        store_u64(place, size_bytes)
        store_u32(place + U64_8, current_stack_id(ctx))
        store_u32(place + U64_12, np.uint32(current_tid(ctx)))
    race_malloc(ctx, addr, size_bytes)
    ctx.site = site


@kernel("void(ctx,u64,u64)")
def java_free(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """__tsan_java_free: the collector has found that nobody can reach these objects."""
    if is_noted(ctx, addr, size_bytes):
        real_memset(addr_to_object(ctx, addr), U64_0, size_bytes * U64_2)
    race_forget(ctx, addr, size_bytes)


@kernel("void(ctx,u64,u64,u64)")
def java_move(ctx: Any, src: Any, dst: Any, size_bytes: Any) -> None:
    """__tsan_java_move; the ranges may overlap."""
    if is_noted(ctx, src, size_bytes) and is_noted(ctx, dst, size_bytes):
        old, new = addr_to_object(ctx, src), addr_to_object(ctx, dst)
        n_bytes = size_bytes * U64_2
        real_memmove(new, old, n_bytes)
        if new > old:
            real_memset(old, U64_0, min(n_bytes, new - old))
        else:
            left = max(old, new + n_bytes)
            real_memset(left, U64_0, old + n_bytes - left)
    race_move(ctx, src, dst, size_bytes)


@kernel("u64(ctx,u64,u64)")
def java_find(ctx: Any, from_at: Any, to: Any) -> Any:
    """__tsan_java_find: the object's size, its place in *from_at; 0 when there is none."""
    addr = load_u64(from_at)
    if not is_noted(ctx, addr, U64_0):
        return U64_0
    end = min(to, min(ctx.interface[JAVA_HI], ctx.interface[JAVA_LO] + U64_MAX_HEAP))
    while addr < end:
        size_bytes = load_u64(addr_to_object(ctx, addr))
        if size_bytes != U64_0:
            store_u64(from_at, addr)
            return size_bytes
        addr += U64_8
    return U64_0


@kernel("void(ctx)")
def java_finalize(ctx: Any) -> None:
    """__tsan_java_finalize: all that any thread has done so far is this thread's past."""
    learn_everything(ctx)


@kernel("void(ctx,u64,u64,i32)")
def monitor_entered(ctx: Any, addr: Any, mode: Any, n_levels: Any) -> None:
    """A monitor was got; its address is an object's, whose bytes are not the lock's to touch."""
    if annotated_intent(ctx, addr, mode) or is_taken_wrongly(ctx, addr, mode):
        return
    race_ignore_begin(ctx)
    annotated_taken(ctx, addr, mode, U32_0, n_levels)
    race_ignore_end(ctx)


@kernel("void(ctx,u64)")
def java_lock(ctx: Any, addr: Any) -> None:
    """__tsan_java_mutex_lock."""
    monitor_entered(ctx, addr, WRITE, I32_1)


@kernel("void(ctx,u64,i32)")
def java_lock_levels(ctx: Any, addr: Any, n_levels: Any) -> None:
    """__tsan_java_mutex_lock_rec."""
    monitor_entered(ctx, addr, WRITE, n_levels)


@kernel("void(ctx,u64)")
def java_read_lock(ctx: Any, addr: Any) -> None:
    """__tsan_java_mutex_read_lock."""
    monitor_entered(ctx, addr, READ, I32_1)


@kernel("void(ctx,u64)")
def java_unlock(ctx: Any, addr: Any) -> None:
    """__tsan_java_mutex_unlock."""
    annotated_release(ctx, addr, False)


@kernel("i32(ctx,u64)")
def java_unlock_levels(ctx: Any, addr: Any) -> Any:
    """__tsan_java_mutex_unlock_rec: how many levels were given up."""
    return annotated_release(ctx, addr, True)


@kernel("void(ctx,u64)")
def java_read_unlock(ctx: Any, addr: Any) -> None:
    """__tsan_java_mutex_read_unlock."""
    annotated_read_release(ctx, addr)


@kernel("void(ctx,u64)")
def java_acquire(ctx: Any, addr: Any) -> None:
    """__tsan_java_acquire."""
    sync_acquire(ctx, addr)
    sync_point(ctx)


@kernel("void(ctx,u64)")
def java_release(ctx: Any, addr: Any) -> None:
    """__tsan_java_release."""
    sync_release(ctx, addr)
    sync_point(ctx)


@kernel("void(ctx,u64)")
def java_release_store(ctx: Any, addr: Any) -> None:
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
