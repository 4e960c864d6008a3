"""What mypy knows of the records that kernels see: the fields of each, and their types.

The layout is that of the numpy types beside each class (`LAYOUTS`); a test compares them field by
field.  A class is never made: it stands in annotations, where the decorator reads it.
"""

from __future__ import annotations

from typing import Any, Final

from irsan.runtime.kernels import subsystem_types as parts
from irsan.runtime.kernels.scalars import Vector, i64, u8, u32, u64
from irsan.runtime.records import guarded_records, heap_records
from irsan.runtime.records.context import CONTEXT_DTYPE, THREAD_DTYPE


class Context:
    """All state of a run that kernels and compiled programs share."""

    site: u32
    epoch: u32
    vc: u64
    frame_top: u64
    frame_limit: u64
    fuel: i64
    thread: u64
    ignore_depth: u64
    tls: u64
    action: u32
    routine: u32
    arena_used: u64
    used_pairs: u64
    used_words: u64
    used_granules: u64
    shared_read: u64
    generation: u64
    host_sp: u64
    in_guest: u64
    event: u64
    event_args: Vector[u64]
    event_result: u64
    event_routine: u64
    scratch: Vector[u64]
    fault: Vector[u64]
    crash: Vector[u64]
    rng: Vector[u64]
    preempt_mean: u64
    n_threads: u64
    n_live: u64
    n_runnable: u64
    n_timed: u64
    next_tid: u64
    n_switches: u64
    fuel_mark: i64
    clock_ns: u64
    schedule_hash: u64
    turns: parts.Turns
    switch_from: u64
    tls_ranges: Vector[u64]
    n_tls_ranges: u64
    library_tls: parts.LibraryTls
    errno_addr: u64
    strtok: u64
    stdin_addr: u64
    entry_points: parts.EntryPoints
    program: parts.Program
    cxx: parts.Cxx
    tls_image: u64
    tls_size: u64
    tls_align: u64
    signals: parts.Signals
    sanitize_address: u64
    sanitize_thread: u64
    options: Vector[u64]
    heap: parts.Heap
    depot: parts.Depot
    race: parts.Race
    recording: parts.Recording
    locks: parts.Locks
    descriptors: parts.Descriptors
    exits: parts.Exits
    foreign: parts.ForeignMemory
    waiters: Vector[u64]
    outside: parts.Outside
    leaks: parts.Leaks
    guarded: parts.GuardedPool
    bounds: parts.Bounds
    counts: parts.AccessCounts
    refused: parts.Refused
    interface: parts.Interface


class Thread:
    """A thread slot."""

    tid: u64
    slot: u64
    state: u64
    sp: u64
    epoch: u64
    vc: u64
    frame_base: u64
    frame_top: u64
    frame_limit: u64
    site: u64
    ignore_depth: u64
    tls: u64
    stack_lo: u64
    stack_hi: u64
    room_lo: u64
    room_hi: u64
    guard_bytes: u64
    start_routine: u64
    argument: u64
    result: u64
    detached: u64
    joiner: u64
    run_index: u64
    wait_kind: u64
    wait_addr: u64
    wake_ns: u64
    resuming: u64
    retry_word: u64
    retry_count: u64
    wait_status: u64
    priority: u64
    parent_tid: u64
    creation_stack: u64
    cancel_state: u64
    cancel_pending: u64
    cancel_buffer: u64
    cleanup: u64
    name: Vector[u64]
    specific: u64
    host_tls: Vector[u64]
    held: u64
    n_held: u64
    signals: u64
    sigmask: u64
    use_checked: u64
    sleep_stack: u64
    waits_with: u64
    n_ignores: Vector[u64]
    handler_top: u64
    handler_mask: u64
    handler_state: u64
    handled: u64
    fiber_home: u64
    fiber_current: u64
    fiber_is_announced: u64
    fiber_runner: u64
    fiber_is_home: u64
    fiber_lo: u64
    fiber_hi: u64
    fiber_next_lo: u64
    fiber_next_hi: u64
    fiber_last_lo: u64
    fiber_last_hi: u64
    ignore_sync: u64
    acquire_pending: u64
    release_epoch: u64
    lowest_birth: u64
    thrown_sp: u64
    unwinding: Vector[u64]
    retry_mask: u64


class Span:
    """A run of units of the heap."""

    lo: u64
    size_bytes: u64
    block_bytes: u64
    inverse: u64
    chunks: u64
    own_chunk: u64
    next: u64
    previous: u64
    n_blocks: u32
    n_carved: u32
    kind: u32
    size_class: u32


class Chunk:
    """A block of the heap."""

    begin: u64
    size_bytes: u64
    next: u64
    sequence: u64
    lo: u64
    alloc_stack: u32
    free_stack: u32
    alloc_tid: u32
    free_tid: u32
    state: u8
    family: u8
    align_log: u8
    size_class: u8
    mark: u32


class GuardedSlot:
    """A slot of the guarded pool."""

    begin: u64
    size_bytes: u64
    alloc_tid: u32
    free_tid: u32
    state: u32
    has_crashed: u32
    alloc_trace_bytes: u32
    free_trace_bytes: u32
    alloc_trace: Vector[u8]
    free_trace: Vector[u8]


#: the numpy type of each record
LAYOUTS: Final[dict[type, Any]] = {
    Context: CONTEXT_DTYPE,
    Thread: THREAD_DTYPE,
    Span: heap_records.SPAN_DTYPE,
    Chunk: heap_records.CHUNK_DTYPE,
    GuardedSlot: guarded_records.SLOT_DTYPE,
    **parts.SUBSYSTEM_LAYOUTS,
}
