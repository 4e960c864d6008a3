"""What mypy knows of the records that subsystems keep in the Context: see record.py."""

from __future__ import annotations

from irsan.runtime.kernels.record import Record
from irsan.runtime.kernels.scalars import Vector, i64, u64
from irsan.runtime.records import subsystems


class Host(Record, layout=subsystems.HOST_DTYPE):
    """The host, and switches to and from it."""

    sp: u64
    in_guest: u64
    defers: u64
    sent_signal: u64
    sent_code: u64
    sent_by: u64


class Event(Record, layout=subsystems.EVENT_DTYPE):
    """Why the guest switched to the host."""

    number: u64
    args: Vector[u64]
    result: u64
    routine: u64


class Schedule(Record, layout=subsystems.SCHEDULE_DTYPE):
    """Threads and virtual time."""

    rng: Vector[u64]
    preempt_mean: u64
    n_threads: u64
    n_live: u64
    n_runnable: u64
    n_timed: u64
    next_wake_ns: u64
    next_tid: u64
    n_switches: u64
    fuel_mark: i64
    clock_ns: u64
    hash: u64
    switch_from: u64
    waiters: Vector[u64]


class ThreadLocals(Record, layout=subsystems.THREAD_LOCALS_DTYPE):
    """Thread-locals of the program and of the host."""

    ranges: Vector[u64]
    n_ranges: u64
    image: u64
    size_bytes: u64
    align: u64


class CLibrary(Record, layout=subsystems.C_LIBRARY_DTYPE):
    """Variables of the C library."""

    errno_addr: u64
    strtok: u64
    stdin_addr: u64
    environ_addr: u64
    stdout_addr: u64


class Heap(Record, layout=subsystems.HEAP_DTYPE):
    """The allocator."""

    units: u64
    spans_top: u64
    spare_spans: u64
    chunks_top: u64
    sequence: u64
    n_freed: u64
    live_bytes: u64
    n_live: u64
    peak_bytes: u64
    quarantine_head: u64
    quarantine_tail: u64
    quarantine_used_bytes: u64
    quarantine_budget_bytes: u64
    n_quarantined: u64
    is_poisoning: u64
    n_refused: u64
    is_fresh: u64
    is_plain: u64
    has_parts: u64
    class_free: Vector[u64]
    class_spans: Vector[u64]
    run_bins: Vector[u64]


class GuardedPool(Record, layout=subsystems.GUARDED_DTYPE):
    """The pool of guarded slots."""

    countdown: u64
    pool_lo: u64
    pool_bytes: u64
    n_slots: u64
    n_used: u64
    n_free: u64
    rng: u64
    chunks: u64
    n_sampled: u64
    n_full: u64
    span: u64


class Bounds(Record, layout=subsystems.BOUNDS_DTYPE):
    """Exact objects."""

    length: u64
    keeps_large: u64
    n_outside: u64


class AccessCounts(Record, layout=subsystems.COUNTS_DTYPE):
    """Accesses counted by address."""

    n_addresses: u64
    n_lost: u64


class Depot(Record, layout=subsystems.DEPOT_DTYPE):
    """The stack depot."""

    n_words: u64
    n_lost: u64
    n_named: u64
    slot_bits: u64
    was_new: u64


class ForeignMemory(Record, layout=subsystems.FOREIGN_DTYPE):
    """Mappings outside of the arena."""

    n_ranges: u64
    last_lo: u64
    last_hi: u64
    last_kind: u64
    is_unasked: u64  # accesses are not looked up: foreign_shadow.py
    has_opened: u64  # a mapping of the program has shadow of its own
    n_opened: u64  # of them, those with mappings of shadow


class Race(Record, layout=subsystems.RACE_DTYPE):
    """The race detector."""

    n_sids: u64
    finish_stamp: u64
    n_journal: u64
    n_inexact_sids: u64
    n_flushes: u64
    n_clock_overflows: u64
    n_found: u64
    dedupe: u64
    n_repeated: u64
    n_reported: u64
    n_expanded: u64
    n_lost_cells: u64
    record_bump: u64
    sync_bump: u64
    sync_free: u64
    n_sync: u64
    n_journal_lost: u64
    evictions: u64
    n_evicted: u64
    alone: u64
    mark_credit: u64
    n_stamps: u64
    n_transitions_followed: u64
    own_stamp: u64
    own_epoch: u64
    transition_credit: u64
    n_uncredited: u64
    n_missed_looks: u64
    sync_full: u64
    past_due: u64
    row_bump: Vector[u64]
    row_free: Vector[u64]
    record_free: Vector[u64]


class Recording(Record, layout=subsystems.RECORDING_DTYPE):
    """What is recorded of a run."""

    mode: u64
    written_to: u64
    descriptor: u64
    is_filtered: u64
    segment: u64
    lost_errno: u64
    laps: u64


class Locks(Record, layout=subsystems.LOCKS_DTYPE):
    """Locks and their order."""

    n_locks: u64
    n_unheld: u64
    n_edges: u64
    n_unnumbered: u64
    n_lost_edges: u64
    n_robust: u64


class Descriptors(Record, layout=subsystems.DESCRIPTORS_DTYPE):
    """File descriptors to the race detector."""

    n_clocks_taken: u64
    io_sync: u64


class Exits(Record, layout=subsystems.EXITS_DTYPE):
    """Functions to run at the end."""

    at_exit: u64
    at_quick_exit: u64
    free: u64
    n_used: u64


class Outside(Record, layout=subsystems.OUTSIDE_DTYPE):
    """Other processes, and waits for what lies outside."""

    n_trying: u64
    try_streak: u64
    try_countdown: u64
    n_awaited: u64
    n_known: u64
    was_ready: u64
    call_ends: u64
    others: u64
    n_children: u64
    is_child: u64
    first_tid: u64
    n_shared: u64
    real_base: u64
    own_path: u64
    limits_are_set: u64
    program_info: u64
    own_descriptors: Vector[u64]
    fd_sets: Vector[u64]


class Leaks(Record, layout=subsystems.LEAKS_DTYPE):
    """The leak search."""

    n_disabled: u64
    searches_at_exit: u64
    is_pending: u64
    turned_off_function: u64
    suppressions_function: u64
    suppressions_text: u64
    n_frontier: u64
    options: u64
    n_regions: u64
    n_barred: u64
    c_heap_lo: u64
    c_heap_bytes: u64


class Refused(Record, layout=subsystems.REFUSED_DTYPE):
    """What a limit has refused."""

    threads: u64
    stacks: u64
    huge_stacks: u64
    fibers: u64
    exit_functions: u64
    robust_mutexes: u64
    global_tables: u64


class Interface(Record, layout=subsystems.INTERFACE_DTYPE):
    """What the program and the host have asked for."""

    watches: u64
    announced: u64
    budget_bytes: u64
    refused_limit_bytes: u64
    call_function: u64
    call_first: u64
    call_second: u64
    call_result: u64
    free_sizes_unchecked: u64
    weak_hooks: Vector[u64]
    checks_ioctl: u64
    wait_begins: u64
    wait_ends: u64
    cookie_of_freed: u64
    exclusive_signals: u64
    n_poisonings_kept: u64
    n_poisonings: u64
    annotations_off: u64
    java_lo: u64
    java_hi: u64
    may_not_start: u64
    added_order: u64
    library_unseen: u64
    joins_unchecked: u64


class Turns(Record, layout=subsystems.TURNS_DTYPE):
    """When other threads go on."""

    attention: u64
    is_eager: u64
    exits: u64
    exit_deadline_ns: u64
    exit_left: u64
    calm: u64
    stretch: u64


class Signals(Record, layout=subsystems.SIGNALS_DTYPE):
    """Signals of the process."""

    noted: u64
    rings_at: u64
    masks_used: u64
    n_handled: u64
    restarting: u64
    stacks_used: u64
    ignored: u64
    described: u64


class LibraryTls(Record, layout=subsystems.LIBRARY_TLS_DTYPE):
    """Thread-locals of opened libraries."""

    thread_pointer: u64
    first: u64
    generation: u64


class EntryPoints(Record, layout=subsystems.ENTRY_POINTS_DTYPE):
    """Addresses in the glue."""

    first_frame: u64
    thread_main: u64
    timer_notify: u64


class Program(Record, layout=subsystems.PROGRAM_DTYPE):
    """How the program starts."""

    argc: u64
    argv: u64
    envp: u64
    main: u64
    constructors: u64
    n_constructors: u64
    archive_tls: u64
    words_end: u64


class Cxx(Record, layout=subsystems.CXX_DTYPE):
    """Functions of the C++ library."""

    throw_bad_alloc: u64
    get_new_handler: u64
