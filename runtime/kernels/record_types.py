"""Context, Thread and records of the heap, as kernels see them: see record.py."""

from __future__ import annotations

from irsan.runtime.kernels import explore_types, inject_types, thread_types
from irsan.runtime.kernels import subsystem_types as parts
from irsan.runtime.kernels.record import Placed, Record
from irsan.runtime.kernels.scalars import Vector, i64, u8, u16, u32, u64
from irsan.runtime.records.context import CONTEXT_DTYPE, THREAD_DTYPE
from irsan.runtime.records.memory import (
    extent_records,
    guarded_records,
    heap_records,
)


class Context(Record, layout=CONTEXT_DTYPE):
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
    shared_read: u64
    generation: u64
    shared_mask: u64
    same_epoch: u64
    race_span: u64
    host: parts.Host
    event: parts.Event
    scratch: Vector[u64]
    fault: Vector[u64]
    crash: Vector[u64]
    sanitize_address: u64
    sanitize_thread: u64
    options: Vector[u64]
    schedule: parts.Schedule
    turns: parts.Turns
    explore: explore_types.Explore
    thread_locals: parts.ThreadLocals
    library_tls: parts.LibraryTls
    c_library: parts.CLibrary
    entry_points: parts.EntryPoints
    program: parts.Program
    cxx: parts.Cxx
    signals: parts.Signals
    heap: parts.Heap
    depot: parts.Depot
    race: parts.Race
    recording: parts.Recording
    locks: parts.Locks
    descriptors: parts.Descriptors
    exits: parts.Exits
    foreign: parts.ForeignMemory
    outside: parts.Outside
    leaks: parts.Leaks
    guarded: parts.GuardedPool
    bounds: parts.Bounds
    counts: parts.AccessCounts
    refused: parts.Refused
    interface: parts.Interface
    inject: inject_types.Inject


class Thread(Record, layout=THREAD_DTYPE):
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
    stack: thread_types.Stack
    start_routine: u64
    argument: u64
    result: u64
    detached: u64
    joiner: u64
    run_index: u64
    wait: thread_types.Wait
    parent_tid: u64
    point: explore_types.Point
    creation_stack: u64
    cancel: thread_types.Cancel
    cleanup: u64
    name: Vector[u64]
    specific: u64
    host_tls: Vector[u64]
    held: u64
    n_held: u64
    signals: u64
    sigmask: u64
    scheduling: u64
    affinity: u64
    handler: thread_types.Handler
    fiber: thread_types.Fiber
    race: thread_types.RaceOfThread
    unwind: thread_types.Unwind


class Extent(Record, layout=extent_records.EXTENT_DTYPE):
    """The extent of an object, kept for the next question."""

    lo: u64
    length: u64
    kept_bytes: u64
    to_wait: u32
    waited: u32


class Span(Record, layout=heap_records.SPAN_DTYPE):
    """A run of units of the heap."""

    lo: u64
    size_bytes: u64
    block_bytes: u64
    inverse: u64
    chunks: u64
    own_chunk: u64
    next: u64
    previous: u64
    dead_bytes: u64
    dead_lo: u64
    dead_hi: u64
    fresh_bytes: u64
    large_begin: u64
    large_bytes: u64
    facts_low: u64
    facts_high: u64
    n_blocks: u32
    n_carved: u32
    kind: u32
    size_class: u32


class Chunk(Placed, layout=heap_records.CHUNK_DTYPE):
    """A block of the heap."""

    shape: u32
    next: u32
    mark: u8
    family: u8
    align_log: u8


class ChunkFacts(Placed, layout=heap_records.FACTS_DTYPE):
    """Who allocated a block and who freed it."""

    alloc_stack: u32
    sequence: u32
    free_stack: u32
    alloc_tid: u8
    free_tid: u8
    check: u16


class WideChunk(Placed, layout=heap_records.WIDE_DTYPE):
    """What of a block does not fit into its record."""

    sequence_high: u64
    alloc_tid: u32
    free_tid: u32


class GuardedSlot(Record, layout=guarded_records.SLOT_DTYPE):
    """A slot of the guarded pool."""

    begin: u64
    size_bytes: u64
    alloc_tid: u32
    free_tid: u32
    state: u32
    has_crashed: u32
    alloc_trace_bytes: u32
    free_trace_bytes: u32
    facts_low: u64
    facts_high: u64
    alloc_trace: Vector[u8]
    free_trace: Vector[u8]
