"""Locks of the program's own: __tsan_mutex_* and the AnnotateRWLock* family.

    pre_lock .. post_lock        what the lock's code accesses and synchronises is its own business
    pre_unlock .. post_unlock    the same; pre_signal .. post_signal too
    pre_divert .. post_divert    in between, the lock's code does something else, which is checked

The rules are in runtime/kernels/locks/lock_annotations.py.  With enable_annotations=0 all of these
do nothing.

Source: sanitizer/tsan_interface.h for the contract; the flag bits are its.
"""

from __future__ import annotations

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.locks.lock_annotations import (
    NOTHING_DONE,
    annotated_create,
    annotated_destroy,
    annotated_intent,
    annotated_read_release,
    annotated_release,
    annotated_taken,
    is_taken_wrongly,
)
from irsan.runtime.kernels.race.thread_clocks import (
    race_ignore_begin,
    race_ignore_end,
    sync_ignore_begin,
    sync_ignore_end,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.records.race.lock_records import MODE_TRIED, MODE_WRITE

READ_LOCK = 1 << 3
TRY_LOCK = 1 << 4
TRY_LOCK_FAILED = 1 << 5
RECURSIVE_LOCK = 1 << 6
RECURSIVE_UNLOCK = 1 << 7

STATIC = 1
READ = 0
WRITE = MODE_WRITE
TRIED = MODE_TRIED


@kernel(inlined=True)
def are_off(ctx: Context) -> bool:
    """Whether the user wants annotations to mean nothing."""
    return ctx.interface.annotations_off != 0


@kernel
def flags_to_mode(flags: u32) -> u64:
    """How a lock is taken, as lock_records has it."""
    mode = u64(WRITE) if flags & READ_LOCK == 0 else u64(READ)
    return mode if flags & TRY_LOCK == 0 else mode | TRIED


@kernel
def inner_begin(ctx: Context) -> None:
    """The code of a lock runs."""
    race_ignore_begin(ctx)
    sync_ignore_begin(ctx)


@kernel
def inner_end(ctx: Context) -> None:
    """The code of the program runs."""
    sync_ignore_end(ctx)
    race_ignore_end(ctx)


@kernel
def mutex_create(ctx: Context, addr: u64, flags: u32) -> None:
    """__tsan_mutex_create."""
    if not are_off(ctx):
        annotated_create(ctx, addr, flags)


@kernel
def mutex_destroy(ctx: Context, addr: u64, flags: u32) -> None:
    """__tsan_mutex_destroy."""
    if not are_off(ctx):
        annotated_destroy(ctx, addr, flags)


@kernel
def mutex_pre_lock(ctx: Context, addr: u64, flags: u32) -> None:
    """__tsan_mutex_pre_lock."""
    if are_off(ctx) or annotated_intent(ctx, addr, flags_to_mode(flags)):
        return
    inner_begin(ctx)


@kernel
def mutex_post_lock(ctx: Context, addr: u64, flags: u32, recursion: i32) -> None:
    """__tsan_mutex_post_lock; recursion counts only with the flag for it."""
    if are_off(ctx):
        return
    mode = flags_to_mode(flags)
    has_failed = flags & TRY_LOCK_FAILED != 0
    if not has_failed and is_taken_wrongly(ctx, addr, mode):
        return
    inner_end(ctx)
    if not has_failed:
        n_levels = i32(1) if flags & RECURSIVE_LOCK == 0 else recursion
        annotated_taken(ctx, addr, mode, flags, n_levels)


@kernel
def mutex_pre_unlock(ctx: Context, addr: u64, flags: u32) -> i32:
    """__tsan_mutex_pre_unlock: how many levels were given up; 0 for readers."""
    if are_off(ctx):
        return 0
    n_levels = i32(0)
    if flags & READ_LOCK == 0:
        n_levels = annotated_release(ctx, addr, flags & RECURSIVE_UNLOCK != 0)
        if n_levels == NOTHING_DONE:
            return 0
    elif annotated_read_release(ctx, addr):
        return 0
    inner_begin(ctx)
    return n_levels


@kernel
def mutex_inside(ctx: Context, addr: u64, flags: u32) -> None:
    """__tsan_mutex_pre_signal, __tsan_mutex_post_divert."""
    if not are_off(ctx):
        inner_begin(ctx)


@kernel
def mutex_outside(ctx: Context, addr: u64, flags: u32) -> None:
    """__tsan_mutex_post_unlock, __tsan_mutex_post_signal, __tsan_mutex_pre_divert."""
    if not are_off(ctx):
        inner_end(ctx)


@kernel
def rwlock_create(ctx: Context, file: u64, line: i32, addr: u64, flags: u32) -> None:
    """AnnotateRWLockCreate, AnnotateRWLockCreateStatic."""
    mutex_create(ctx, addr, flags)


@kernel
def rwlock_destroy(ctx: Context, file: u64, line: i32, addr: u64) -> None:
    """AnnotateRWLockDestroy."""
    mutex_destroy(ctx, addr, 0)


@kernel
def rwlock_acquired(ctx: Context, file: u64, line: i32, addr: u64, is_write: u64) -> None:
    """AnnotateRWLockAcquired: wanted and got at once."""
    if are_off(ctx):
        return
    mode = u64(WRITE) if is_write != 0 else u64(READ)
    if annotated_intent(ctx, addr, mode) or is_taken_wrongly(ctx, addr, mode):
        return
    annotated_taken(ctx, addr, mode, 0, 1)


@kernel
def rwlock_released(ctx: Context, file: u64, line: i32, addr: u64, is_write: u64) -> None:
    """AnnotateRWLockReleased."""
    if are_off(ctx):
        return
    if is_write != 0:
        annotated_release(ctx, addr, False)
    else:
        annotated_read_release(ctx, addr)


def _named(prototype: str, kernel_name: str, *constants: int) -> Export:
    return Export(prototype, kernel_name, constants=constants)


EXPORTS = (
    _named("void __tsan_mutex_create(ptr,u32)", "mutex_create"),
    _named("void __tsan_mutex_destroy(ptr,u32)", "mutex_destroy"),
    _named("void __tsan_mutex_pre_lock(ptr,u32)", "mutex_pre_lock"),
    _named("void __tsan_mutex_post_lock(ptr,u32,i32)", "mutex_post_lock"),
    _named("i32 __tsan_mutex_pre_unlock(ptr,u32)", "mutex_pre_unlock"),
    _named("void __tsan_mutex_post_unlock(ptr,u32)", "mutex_outside"),
    _named("void __tsan_mutex_pre_signal(ptr,u32)", "mutex_inside"),
    _named("void __tsan_mutex_post_signal(ptr,u32)", "mutex_outside"),
    _named("void __tsan_mutex_pre_divert(ptr,u32)", "mutex_outside"),
    _named("void __tsan_mutex_post_divert(ptr,u32)", "mutex_inside"),
    _named("void AnnotateRWLockCreate(ptr,i32,ptr)", "rwlock_create", 0),
    _named("void AnnotateRWLockCreateStatic(ptr,i32,ptr)", "rwlock_create", int(STATIC)),
    _named("void AnnotateRWLockDestroy(ptr,i32,ptr)", "rwlock_destroy"),
    _named("void AnnotateRWLockAcquired(ptr,i32,ptr,u64)", "rwlock_acquired"),
    _named("void AnnotateRWLockReleased(ptr,i32,ptr,u64)", "rwlock_released"),
)
