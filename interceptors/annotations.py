"""Dynamic annotations: what a program says about itself by Annotate*(file, line, ...).

    HappensBefore, HappensAfter     a happens-before edge through an address
    IgnoreReads, IgnoreWrites       Begin .. End: accesses are ignored, both kinds alike
    IgnoreSync                      Begin .. End: what is acquired and released makes no order
    ThreadName                      the name of the running thread in reports
    RWLock*                         lock_annotations.py
    BenignRace, ExpectRace          host side, engine/jit/expected_races.py
    CondVarSignal, NewMemory, ...   no effect: a detector of pure happens-before needs no such hint

With enable_annotations=0 all of these do nothing.

Source: the dynamic annotations of ThreadSanitizer (tsan_interface_ann.h names them).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from irsan.interceptors.lock_annotations import are_off
from irsan.interceptors.registry import Export
from irsan.interceptors.threads import i_pthread_setname
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.race_threads import (
    race_ignore_begin,
    race_ignore_end,
    sync_ignore_begin,
    sync_ignore_end,
)
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release
from irsan.runtime.kernels.threads.scheduler import sync_point

I32_0 = np.int32(0)

_NO_EFFECT = (
    "CondVarSignal", "CondVarSignalAll", "CondVarWait", "MutexIsNotPHB", "MutexIsUsedAsCondVar",
    "PCQCreate", "PCQDestroy", "PCQPut", "PCQGet", "TraceMemory", "FlushState", "NoOp",
    "EnableRaceDetection", "NewMemory", "PublishMemoryRange", "UnpublishMemoryRange",
    "MemoryIsInitialized", "MemoryIsUninitialized",
)  # fmt: skip


@kernel("void(ctx,u64,i32,u64)")
def annotated_acquire(ctx: Any, file: Any, line: Any, addr: Any) -> None:
    """AnnotateHappensAfter."""
    if not are_off(ctx):
        sync_acquire(ctx, addr)
        sync_point(ctx)


@kernel("void(ctx,u64,i32,u64)")
def annotated_publish(ctx: Any, file: Any, line: Any, addr: Any) -> None:
    """AnnotateHappensBefore."""
    if not are_off(ctx):
        sync_release(ctx, addr)
        sync_point(ctx)


@kernel("void(ctx,u64,i32)")
def annotated_ignore_begin(ctx: Any, file: Any, line: Any) -> None:
    """AnnotateIgnoreReadsBegin, AnnotateIgnoreWritesBegin: both kinds, as ThreadSanitizer does."""
    if not are_off(ctx):
        race_ignore_begin(ctx)


@kernel("void(ctx,u64,i32)")
def annotated_ignore_end(ctx: Any, file: Any, line: Any) -> None:
    """The end of `annotated_ignore_begin`."""
    if not are_off(ctx):
        race_ignore_end(ctx)


@kernel("void(ctx,u64,i32)")
def annotated_sync_ignore_begin(ctx: Any, file: Any, line: Any) -> None:
    """AnnotateIgnoreSyncBegin."""
    if not are_off(ctx):
        sync_ignore_begin(ctx)


@kernel("void(ctx,u64,i32)")
def annotated_sync_ignore_end(ctx: Any, file: Any, line: Any) -> None:
    """AnnotateIgnoreSyncEnd."""
    if not are_off(ctx):
        sync_ignore_end(ctx)


@kernel("void(ctx,u64,i32,u64)")
def annotated_name(ctx: Any, file: Any, line: Any, name: Any) -> None:
    """AnnotateThreadName."""
    if not are_off(ctx):
        i_pthread_setname(ctx, ctx.thread, name)


@kernel("void(ctx,u64,i32)")
def no_effect(ctx: Any, file: Any, line: Any) -> None:
    """An annotation that a detector of happens-before does not need."""


@kernel("i32(ctx)")
def not_on_valgrind(ctx: Any) -> Any:
    """RunningOnValgrind."""
    return I32_0


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
        yield _hook(f"void AnnotateIgnore{what}Begin(ptr,i32)", "annotated_ignore_begin")
        yield _hook(f"void AnnotateIgnore{what}End(ptr,i32)", "annotated_ignore_end")
    for what in _NO_EFFECT:
        yield Export(f"void Annotate{what}(ptr,i32)", "no_effect", quick=True, is_hook=True)


EXPORTS = (
    *_hooks(),
    _hook("void AnnotateIgnoreSyncBegin(ptr,i32)", "annotated_sync_ignore_begin"),
    _hook("void AnnotateIgnoreSyncEnd(ptr,i32)", "annotated_sync_ignore_end"),
    _hook("void AnnotateThreadName(ptr,i32,ptr)", "annotated_name"),
    _hook("i32 RunningOnValgrind()", "not_on_valgrind"),
)
