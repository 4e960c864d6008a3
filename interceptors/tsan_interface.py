"""ThreadSanitizer's public functions: what a program tells the race detector about itself.

    __tsan_acquire, __tsan_release       a happens-before edge through an address
    __tsan_mutex_pre_lock .. post_lock   a lock of the program's own: accesses in between are its
                                         inner workings and are ignored; then its clock is joined
    __tsan_testonly_barrier_*            threads meet without any happens-before edge
    __tsan_read4_pc(p, pc) and kin       accesses with a place of their own; the pc is not used
    AnnotateHappensBefore and kin        the same by the older names

Source: sanitizer/tsan_interface.h for the contract; the flag bits are its.
Deviations: synchronisation inside pre_lock .. post_lock counts, where ThreadSanitizer ignores it:
irsan then knows more order, and may miss a race that only such inner order hides.  The mutexes of
this interface take no part in deadlock or misuse detection.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.callstack import callstack_depth
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, store_u32, store_u64
from irsan.runtime.kernels.race.fasttrack import race_access_slow
from irsan.runtime.kernels.race.race_ranges import race_range
from irsan.runtime.kernels.race.sync_clocks import (
    sync_acquire,
    sync_acquire_all,
    sync_release,
    sync_release_read,
    sync_release_store,
)
from irsan.runtime.kernels.race.sync_objects import sync_forget
from irsan.runtime.kernels.threads.scheduler import (
    block_current,
    sync_point,
    take_resuming,
    wake_waiters,
    wants_switch,
)
from irsan.runtime.thread_states import WAIT_BARRIER

READ_LOCK = np.uint32(1 << 3)
TRY_LOCK_FAILED = np.uint32(1 << 5)
SIZES = (1, 2, 4, 8, 16)

I32_0 = np.int32(0)
U32_1 = np.uint32(1)
U32_ARRIVED = np.uint32(16)  # bits of the arrived count in a test barrier's first word
U32_NEEDED = np.uint32(0xFFFF)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_4 = np.uint64(4)
U64_ALL = np.uint64(1 << 32)
W_BARRIER = np.uint64(WAIT_BARRIER)


@kernel("void(ctx,u64)")
def t_acquire(ctx: Any, addr: Any) -> None:
    """__tsan_acquire."""
    sync_acquire(ctx, addr)
    sync_point(ctx)


@kernel("void(ctx,u64)")
def t_release(ctx: Any, addr: Any) -> None:
    """__tsan_release."""
    sync_release(ctx, addr)
    sync_point(ctx)


@kernel("void(ctx,u64,u64,u64)")
def annotated_acquire(ctx: Any, file: Any, line: Any, addr: Any) -> None:
    """AnnotateHappensAfter."""
    t_acquire(ctx, addr)


@kernel("void(ctx,u64,u64,u64)")
def annotated_release(ctx: Any, file: Any, line: Any, addr: Any) -> None:
    """AnnotateHappensBefore."""
    t_release(ctx, addr)


@kernel("void(ctx)")
def ignore_begin(ctx: Any) -> None:
    """Accesses of this thread are ignored until the matching end."""
    ctx.ignore_depth += U64_1


@kernel("void(ctx)")
def ignore_end(ctx: Any) -> None:
    """The end of `ignore_begin`."""
    ctx.ignore_depth -= U64_1


@kernel("void(ctx,u64,u32)")
def mutex_create(ctx: Any, addr: Any, flags: Any) -> None:
    """__tsan_mutex_create, __tsan_mutex_destroy: the address has no past."""
    sync_forget(ctx, addr)


@kernel("void(ctx,u64,u32)")
def mutex_inside(ctx: Any, addr: Any, flags: Any) -> None:
    """A mutex function begins: what it touches is its own business."""
    ignore_begin(ctx)


@kernel("void(ctx,u64,u32)")
def mutex_outside(ctx: Any, addr: Any, flags: Any) -> None:
    """A mutex function has ended, or calls the program."""
    ignore_end(ctx)


@kernel("void(ctx,u64,u32,i32)")
def mutex_locked(ctx: Any, addr: Any, flags: Any, recursion: Any) -> None:
    """__tsan_mutex_post_lock."""
    ignore_end(ctx)
    if (flags & TRY_LOCK_FAILED) != np.uint32(0):
        return
    if (flags & READ_LOCK) != np.uint32(0):
        sync_acquire(ctx, addr)
    else:
        sync_acquire_all(ctx, addr)
    sync_point(ctx)


@kernel("i32(ctx,u64,u32)")
def mutex_unlocks(ctx: Any, addr: Any, flags: Any) -> Any:
    """__tsan_mutex_pre_unlock: publishes the clock; the result is a depth of recursion, 0 here."""
    if (flags & READ_LOCK) != np.uint32(0):
        sync_release_read(ctx, addr)
    else:
        sync_release_store(ctx, addr)
    ignore_begin(ctx)
    return I32_0


@kernel("void(ctx,u64,u64,u64,u64)")
def access_at_pc(ctx: Any, addr: Any, pc: Any, size_bytes: Any, kind: Any) -> None:
    """A scalar access that names its program counter."""
    race_access_slow(ctx, addr, size_bytes, kind)


@kernel("void(ctx,u64,u64,u64,u64)")
def range_at_pc(ctx: Any, addr: Any, size_bytes: Any, pc: Any, kind: Any) -> None:
    """A range that names its program counter."""
    race_range(ctx, addr, size_bytes, kind)


@kernel("void(ctx,u64,u32)")
def test_barrier_init(ctx: Any, barrier: Any, count: Any) -> None:
    """__tsan_testonly_barrier_init: {needed u16, arrived u16, generation u32}."""
    store_u64(barrier, np.uint64(count & U32_NEEDED))


@kernel("void(ctx,u64)")
def test_barrier_wait(ctx: Any, barrier: Any) -> None:
    """__tsan_testonly_barrier_wait: everybody waits for the last, nobody learns anything."""
    if take_resuming(ctx) == W_BARRIER or wants_switch(ctx):
        return
    word = load_u32(barrier)
    arrived = (word >> U32_ARRIVED) + U32_1
    if arrived < (word & U32_NEEDED):
        store_u32(barrier, (arrived << U32_ARRIVED) | (word & U32_NEEDED))
        block_current(ctx, W_BARRIER, barrier, U64_0)
        return
    store_u32(barrier, word & U32_NEEDED)
    store_u32(barrier + U64_4, load_u32(barrier + U64_4) + U32_1)
    wake_waiters(ctx, W_BARRIER, barrier, U64_ALL)


@kernel("u64(ctx)")
def shadow_stack_size(ctx: Any) -> Any:
    """__tsan_testonly_shadow_stack_current_size: calls in progress."""
    return callstack_depth(ctx)


@kernel("void(ctx)")
def nothing_to_flush(ctx: Any) -> None:
    """__tsan_flush_memory: irsan keeps its history, which loses nothing."""


@kernel("i32(ctx)")
def not_on_valgrind(ctx: Any) -> Any:
    """RunningOnValgrind."""
    return I32_0


def _hook(prototype: str, kernel_name: str, *constants: int) -> Export:
    return Export(prototype, kernel_name, constants=constants, is_hook=True)


def _accesses_with_pc() -> Iterator[Export]:
    for word, kind in (("read", 0), ("write", 1)):
        for size in SIZES:
            yield _hook(f"void __tsan_{word}{size}_pc(ptr,ptr)", "access_at_pc", size, kind)
        yield _hook(f"void __tsan_{word}_range_pc(ptr,u64,ptr)", "range_at_pc", kind)


def _annotations() -> Iterator[Export]:
    for stem, kernel_name in (
        ("AnnotateHappensBefore", "annotated_release"),
        ("AnnotateHappensAfter", "annotated_acquire"),
        ("WTFAnnotateHappensBefore", "annotated_release"),
        ("WTFAnnotateHappensAfter", "annotated_acquire"),
    ):
        yield _hook(f"void {stem}(ptr,u64,ptr)", kernel_name)
    for what in ("Reads", "Writes"):
        yield _hook(f"void AnnotateIgnore{what}Begin(ptr,i32)", "annotated_ignore_begin")
        yield _hook(f"void AnnotateIgnore{what}End(ptr,i32)", "annotated_ignore_end")


@kernel("void(ctx,u64,i32)")
def annotated_ignore_begin(ctx: Any, file: Any, line: Any) -> None:
    """AnnotateIgnoreReadsBegin, AnnotateIgnoreWritesBegin: both kinds, as ThreadSanitizer does."""
    ignore_begin(ctx)


@kernel("void(ctx,u64,i32)")
def annotated_ignore_end(ctx: Any, file: Any, line: Any) -> None:
    """The end of `annotated_ignore_begin`."""
    ignore_end(ctx)


EXPORTS = (
    *_accesses_with_pc(),
    *_annotations(),
    _hook("void __tsan_acquire(ptr)", "t_acquire"),
    _hook("void __tsan_release(ptr)", "t_release"),
    _hook("void __tsan_mutex_create(ptr,u32)", "mutex_create"),
    _hook("void __tsan_mutex_destroy(ptr,u32)", "mutex_create"),
    _hook("void __tsan_mutex_pre_lock(ptr,u32)", "mutex_inside"),
    _hook("void __tsan_mutex_post_lock(ptr,u32,i32)", "mutex_locked"),
    _hook("i32 __tsan_mutex_pre_unlock(ptr,u32)", "mutex_unlocks"),
    _hook("void __tsan_mutex_post_unlock(ptr,u32)", "mutex_outside"),
    _hook("void __tsan_mutex_pre_signal(ptr,u32)", "mutex_inside"),
    _hook("void __tsan_mutex_post_signal(ptr,u32)", "mutex_outside"),
    _hook("void __tsan_mutex_pre_divert(ptr,u32)", "mutex_outside"),
    _hook("void __tsan_mutex_post_divert(ptr,u32)", "mutex_inside"),
    _hook("void __tsan_testonly_barrier_init(ptr,u32)", "test_barrier_init"),
    _hook("void __tsan_testonly_barrier_wait(ptr)", "test_barrier_wait"),
    _hook("u64 __tsan_testonly_shadow_stack_current_size()", "shadow_stack_size"),
    _hook("void __tsan_flush_memory()", "nothing_to_flush"),
    _hook("i32 RunningOnValgrind()", "not_on_valgrind"),
)
