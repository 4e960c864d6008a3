"""Dynamic annotations: what a program says about itself by Annotate*(file, line, ...).

    HappensBefore, HappensAfter     a happens-before edge through an address
    IgnoreReads, IgnoreWrites       Begin .. End: accesses are ignored, both kinds alike
    IgnoreSync                      Begin .. End: acquires and releases make no order
    ThreadName                      the name of the running thread in reports
    RWLock*                         lock_annotations.py
    BenignRace, ExpectRace          host side, engine/findings/expected_races.py
    CondVarSignal, NewMemory, ...   no effect: a detector of pure happens-before needs no such hint

With enable_annotations=0 all of these do nothing.

Source: the dynamic annotations of ThreadSanitizer (tsan_interface_ann.h names them).
"""

from __future__ import annotations

from collections.abc import Iterator

from irsan.interceptors.registry import Export
from irsan.interceptors.threads.lock_annotations import are_off
from irsan.interceptors.threads.thread_names import i_pthread_setname
from irsan.runtime.kernels.callstack import current_stack_id
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, store_u32
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release
from irsan.runtime.kernels.race.thread_clocks import (
    race_ignore_begin,
    race_ignore_end,
    sync_ignore_begin,
    sync_ignore_end,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.kernels.threads.scheduler import sync_point
from irsan.runtime.layout.thread_words import IGNORE_BYTES, IGNORES, MAX_IGNORES

LOW32 = 0xFFFF_FFFF
ACCESSES = 0
SYNC = 1

_NO_EFFECT = (
    "CondVarSignal", "CondVarSignalAll", "CondVarWait", "MutexIsNotPHB", "MutexIsUsedAsCondVar",
    "PCQCreate", "PCQDestroy", "PCQPut", "PCQGet", "TraceMemory", "FlushState", "NoOp",
    "EnableRaceDetection", "NewMemory", "PublishMemoryRange", "UnpublishMemoryRange",
    "MemoryIsInitialized", "MemoryIsUninitialized",
)  # fmt: skip


@kernel
def annotated_acquire(ctx: Context, file: u64, line: i32, addr: u64) -> None:
    """AnnotateHappensAfter."""
    if not are_off(ctx):
        sync_acquire(ctx, addr)
        sync_point(ctx)


@kernel
def annotated_publish(ctx: Context, file: u64, line: i32, addr: u64) -> None:
    """AnnotateHappensBefore."""
    if not are_off(ctx):
        sync_release(ctx, addr)
        sync_point(ctx)


@kernel
def note_ignore(ctx: Context, what: u64) -> None:
    """Keep where the running thread begins to ignore ACCESSES or SYNC, each place once."""
    thread = thread_at(ctx.thread)
    n_noted = thread.race.n_ignores[what]
    table = IGNORES + (thread.slot * 2 + what) * IGNORE_BYTES
    stack = current_stack_id(ctx)
    for index in range(n_noted):
        if load_u32(table + u64(index) * 4) == stack:
            return
    if n_noted < MAX_IGNORES:
        store_u32(table + n_noted * 4, stack)
        thread.race.n_ignores[what] = n_noted + 1


@kernel
def annotated_ignore_begin(ctx: Context, file: u64, line: i32) -> None:
    """AnnotateIgnoreReadsBegin, AnnotateIgnoreWritesBegin: both kinds, as ThreadSanitizer does."""
    if not are_off(ctx):
        race_ignore_begin(ctx)
        note_ignore(ctx, ACCESSES)


@kernel
def annotated_ignore_end(ctx: Context, file: u64, line: i32) -> None:
    """The end of `annotated_ignore_begin`."""
    if not are_off(ctx):
        race_ignore_end(ctx)
        if ctx.ignore_depth & LOW32 == 0:
            thread_at(ctx.thread).race.n_ignores[0] = 0


@kernel
def annotated_sync_ignore_begin(ctx: Context, file: u64, line: i32) -> None:
    """AnnotateIgnoreSyncBegin."""
    if not are_off(ctx):
        sync_ignore_begin(ctx)
        note_ignore(ctx, SYNC)


@kernel
def annotated_sync_ignore_end(ctx: Context, file: u64, line: i32) -> None:
    """AnnotateIgnoreSyncEnd."""
    if not are_off(ctx):
        sync_ignore_end(ctx)
        thread = thread_at(ctx.thread)
        if thread.race.ignore_sync == 0:
            thread.race.n_ignores[SYNC] = 0


@kernel
def annotated_name(ctx: Context, file: u64, line: i32, name: u64) -> None:
    """AnnotateThreadName."""
    if not are_off(ctx):
        i_pthread_setname(ctx, ctx.thread, name)


@kernel
def no_effect(ctx: Context, file: u64, line: i32) -> None:
    """An annotation that a detector of happens-before does not need."""


@kernel
def not_on_valgrind(ctx: Context) -> i32:
    """RunningOnValgrind."""
    return 0


def _hook(prototype: str, kernel_name: str) -> Export:
    return Export(prototype, kernel_name, is_hook=True)


def _hooks() -> Iterator[Export]:
    for stem, kernel_name in (
        ("AnnotateHappensBefore", "annotated_publish"),
        ("AnnotateHappensAfter", "annotated_acquire"),
        ("WTFAnnotateHappensBefore", "annotated_publish"),
        ("WTFAnnotateHappensAfter", "annotated_acquire"),
    ):
        yield _hook(f"void {stem}(ptr,i32,ptr)", kernel_name)
    for what in ("Reads", "Writes"):
        yield Export(f"void AnnotateIgnore{what}Begin(ptr,i32)", "annotated_ignore_begin")
        yield _hook(f"void AnnotateIgnore{what}End(ptr,i32)", "annotated_ignore_end")
    for what in _NO_EFFECT:
        yield Export(f"void Annotate{what}(ptr,i32)", "no_effect", quick=True, is_hook=True)


EXPORTS = (
    *_hooks(),
    Export("void AnnotateIgnoreSyncBegin(ptr,i32)", "annotated_sync_ignore_begin"),
    _hook("void AnnotateIgnoreSyncEnd(ptr,i32)", "annotated_sync_ignore_end"),
    _hook("void AnnotateThreadName(ptr,i32,ptr)", "annotated_name"),
    _hook("i32 RunningOnValgrind()", "not_on_valgrind"),
)
