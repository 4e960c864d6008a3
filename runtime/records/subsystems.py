"""What each subsystem keeps in the Context: one numpy type for each, `ctx.heap.units` in kernels.

Every kernel depends on this file through the Context, so no other module is imported here: a
number that belongs to one subsystem changes the code of that one only.

Units end the names.  A word that is said to be a flag is 0 or 1.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

_U64 = "u8"


def record(fields: list[Any]) -> np.dtype[np.void]:
    """The numpy type of a record with these fields, each where it is aligned."""
    return np.dtype(fields, align=True)


def _words(*names: str) -> np.dtype[np.void]:
    """Words of 8 bytes, one after the other."""
    return record([(name, _U64) for name in names])


#: the host, which the guest switches to and from
HOST_DTYPE = record(
    [
        ("sp", _U64),  # saved stack pointer of the host
        ("in_guest", _U64),  # 1 while a guest stack is active
        ("defers", _U64),  # 1 while a guest runs or is served: what others send waits
        ("sent_signal", _U64),  # what has come meanwhile and ends the program, 0: nothing
        ("sent_code", _U64),  # its si_code
        ("sent_by", _U64),  # and the process that has sent it
    ]
)

#: why the guest switched to the host
EVENT_DTYPE = record(
    [
        ("number", _U64),  # see runtime/layout/events.py
        ("args", _U64, (16,)),
        ("result", _U64),
        ("routine", _U64),  # number of the export that asks the host
    ]
)

SCHEDULE_DTYPE = record(
    [
        ("rng", _U64, (4,)),  # state of the schedule's random generator
        ("preempt_mean", _U64),  # mean number of safepoints between preemptions, 0 = never
        ("n_threads", _U64),  # thread slots in use (high-water mark)
        ("n_live", _U64),  # threads not finished
        ("n_runnable", _U64),
        ("n_timed", _U64),  # blocked threads whose wait ends by itself
        ("next_wake_ns", _U64),  # no wait ends by itself before
        ("next_tid", _U64),
        ("n_switches", _U64),
        ("fuel_mark", "i8"),  # fuel when its time was last counted: see kernels/fuel.py
        ("clock_ns", _U64),  # virtual time
        ("hash", _U64),  # running hash of all decisions, to detect nondeterminism
        ("switch_from", _U64),  # address where the outgoing stack pointer is saved
        ("waiters", _U64, (64,)),  # blocked threads, by a hash of what they wait for
    ]
)

#: thread-locals of the program, and those of the host that a switch exchanges
THREAD_LOCALS_DTYPE = record(
    [
        ("ranges", _U64, (16,)),  # pairs (address, bytes) of host TLS swapped per switch
        ("n_ranges", _U64),
        ("image", _U64),  # address of the program's thread-local image
        ("size_bytes", _U64),
        ("align", _U64),
    ]
)

C_LIBRARY_DTYPE = record(
    [
        ("errno_addr", _U64),  # the host thread's errno
        ("strtok", _U64),  # where strtok goes on
        ("stdin_addr", _U64),  # of the C library's variable `stdin`
        ("environ_addr", _U64),  # of its variable `environ`
        ("stdout_addr", _U64),  # of its variable `stdout`
    ]
)

N_RUN_BINS: Final = 24
MAX_SIZE_CLASSES: Final = 64

HEAP_DTYPE = record(
    [
        ("units", _U64),  # in use, from HEAP_LO
        ("spans_top", _U64),  # next span record never used
        ("spare_spans", _U64),  # list of span records to use again
        ("chunks_top", _U64),  # next chunk record never used
        ("sequence", _U64),  # allocations so far
        ("n_freed", _U64),
        ("live_bytes", _U64),  # as the program asked for them
        ("n_live", _U64),
        ("peak_bytes", _U64),
        ("quarantine_head", _U64),  # oldest chunk, the next to leave
        ("quarantine_tail", _U64),
        ("quarantine_used_bytes", _U64),  # block bytes, not requested bytes
        ("quarantine_budget_bytes", _U64),
        ("n_quarantined", _U64),
        ("is_poisoning", _U64),  # 1 when blocks are poisoned
        ("n_refused", _U64),
        ("is_fresh", _U64),  # 1 when the last chunk taken is of memory never used
        ("is_plain", _U64),  # 1 when no check needs ordinary chunks: no redzones, no stacks
        ("has_parts", _U64),  # 1 when parts of live blocks may be poisoned: stacks, containers, ...
        ("class_free", _U64, (MAX_SIZE_CLASSES,)),  # free chunks of a class, newest first
        ("class_spans", _U64, (MAX_SIZE_CLASSES,)),  # span that blocks of a class are carved from
        ("run_bins", _U64, (N_RUN_BINS,)),  # by floor(log2(units)): free spans
    ]
)

#: the pool of guarded slots
GUARDED_DTYPE = record(
    [
        ("countdown", _U64),  # allocations until one is sampled; without a pool it never reaches 0
        ("pool_lo", _U64),
        ("pool_bytes", _U64),
        ("n_slots", _U64),
        ("n_used", _U64),  # slots that were ever allocated: 0, 1, ... in this order
        ("n_free", _U64),  # slots that were freed and may be used again
        ("rng", _U64),  # state of the pool's own generator
        ("chunks", _U64),  # address of the chunk record of slot 0
        ("n_sampled", _U64),  # allocations that got a slot
        ("n_full", _U64),  # sampled allocations that found no slot
        ("span", _U64),  # address of the span record of the pool
    ]
)

#: exact objects; the length of the object that was looked up last, 1 when one is a large block's;
#: pointers outside of their objects that were noted
BOUNDS_DTYPE = _words("length", "keeps_large", "n_outside")

#: accesses counted by address; those to addresses that found no room
COUNTS_DTYPE = _words("n_addresses", "n_lost")

#: the stack depot; stacks that found no room; whether the last allocation or free had a new stack
DEPOT_DTYPE = _words("n_words", "n_lost", "n_named", "slot_bits", "was_new")

#: mappings outside of the arena, and the one that was asked for last
FOREIGN_DTYPE = _words(
    "n_ranges", "last_lo", "last_hi", "last_kind", "is_unasked", "has_opened", "n_opened"
)

N_ROW_CLASSES: Final = 5
N_RECORD_CLASSES: Final = 15

RACE_DTYPE = record(
    [
        ("n_sids", _U64),  # sids ever in use: clocks are joined and copied up to here
        ("finish_stamp", _U64),
        ("n_journal", _U64),
        ("n_inexact_sids", _U64),  # reused before their end was known to the new thread
        ("n_flushes", _U64),
        ("n_clock_overflows", _U64),
        ("n_found", _U64),  # races found by the access in progress
        ("dedupe", _U64),  # 1 = a pair of stacks is reported once
        ("n_repeated", _U64),  # races not reported because their pair of stacks was
        ("n_reported", _U64),
        ("n_expanded", _U64),  # cells expanded at this moment
        ("n_lost_cells", _U64),  # histories dropped because side memory was full
        ("record_bump", _U64),
        ("sync_bump", _U64),
        ("sync_free", _U64),
        ("n_sync", _U64),  # sync objects at this moment
        ("n_journal_lost", _U64),
        ("evictions", _U64),  # state of the generator that chooses a shadow word (tsan.py)
        ("n_evicted", _U64),
        # refuels left while accesses of the only thread are recorded; 0 not begun, ALONE_OVER not
        # again
        ("alone", _U64),
        ("mark_credit", _U64),  # bytes of big blocks that may be marked as a whole (big_marks.py)
        ("n_stamps", _U64),  # contents of records that were given a name (record_sharing.py)
        ("n_transitions_followed", _U64),
        ("own_stamp", _U64),  # a content with an entry of all bytes (cell_transitions.py)
        ("own_epoch", _U64),  # of that entry
        ("transition_credit", _U64),  # how many more are remembered without a success
        ("n_uncredited", _U64),  # those that came after
        ("n_missed_looks", _U64),  # less what those that found something were worth
        ("sync_full", _U64),  # 1 = little room for sync objects or clocks: the next tick flushes
        ("past_due", _U64),  # switches until the common past is worked out (past_of_threads.py)
        ("row_bump", _U64, (N_ROW_CLASSES,)),  # by size class of clocks
        ("row_free", _U64, (N_ROW_CLASSES,)),
        ("record_free", _U64, (N_RECORD_CLASSES,)),  # by size class of expanded cells
    ]
)

#: what is recorded of a run: see runtime/records/race/trace_records.py
RECORDING_DTYPE = record(
    [
        ("mode", _U64),  # 0: off, INTO_PIPE, INTO_RING
        ("written_to", _U64),  # address behind the newest event
        ("descriptor", _U64),  # where full buffers are written
        ("is_filtered", _U64),  # 1: an access that repeats the newest one of its place is left out
        ("segment", _U64),  # operations on threads and locks so far
        ("lost_errno", _U64),  # why recording has ended before the run, 0: it has not
        ("laps", _U64),  # how often the ring was full
    ]
)

LOCKS_DTYPE = record(
    [
        ("n_locks", _U64),
        ("n_unheld", _U64),  # locks that were not noted as held
        ("n_edges", _U64),
        ("n_unnumbered", _U64),  # uses of locks that have no number, as all are in use
        ("n_lost_edges", _U64),
        ("n_robust", _U64),  # mutexes that were made robust
    ]
)

#: clocks of file descriptors, the flag io_sync
DESCRIPTORS_DTYPE = _words("n_clocks_taken", "io_sync")

#: functions to run at the end: nodes of combined/exit_handlers.py
EXITS_DTYPE = record(
    [
        ("at_exit", _U64),  # newest of atexit and similar
        ("at_quick_exit", _U64),
        ("free", _U64),  # list of nodes to use again
        ("n_used", _U64),  # nodes ever in use
    ]
)

MAX_OWN_DESCRIPTORS: Final = 4

#: what lies outside of the guest: see threads/waiting.py and threads/shared_memory.py
OUTSIDE_DTYPE = record(
    [
        ("n_trying", _U64),  # threads in WAIT_INPUT
        ("try_streak", _U64),  # tries since the last one that got on
        ("try_countdown", _U64),  # questions to the scheduler until the next round
        ("n_awaited", _U64),  # descriptors in AWAITED (threads/awaited.py) since the last round
        ("n_known", _U64),  # threads whose descriptors these are
        ("was_ready", _U64),  # 1: one of them has ended the last pause
        # 1 = the call in progress fails, errno is set, and the host's is not made
        ("call_ends", _U64),
        # reasons why another process can matter: each child that lives, that the process is a
        # child itself, each mapping of a file that others may have, each peer
        ("others", _U64),
        ("n_children", _U64),  # that were not waited for
        ("is_child", _U64),  # 1 in a process that was forked
        ("first_tid", _U64),  # of the thread that the process began with
        ("n_shared", _U64),  # rows {lo, hi, is named} of 24 bytes at SHARED_ROWS
        ("real_base", _U64),  # real minus virtual time since `others` was last 0; 0: not known yet
        ("own_path", _U64),  # address of the path by which the program can be started again
        ("limits_are_set", _U64),  # 1 once the program has set a limit
        ("program_info", _U64),  # address of a struct dl_phdr_info of the program, 0: none
        ("own_descriptors", _U64, (MAX_OWN_DESCRIPTORS,)),  # of irsan's own + 1, 0: none
        ("fd_sets", _U64, (48,)),  # of select while it is asked; a message, an option of a socket
    ]
)

#: leak search and its scopes
LEAKS_DTYPE = record(
    [
        ("n_disabled", _U64),  # threads that are, or ended, in a scope of __lsan_disable
        ("searches_at_exit", _U64),  # 1 when a search is wanted at the end
        ("is_pending", _U64),  # 1 when the program has ended and the search is due
        ("turned_off_function", _U64),  # address of the program's __lsan_is_turned_off
        ("suppressions_function", _U64),  # of its __lsan_default_suppressions
        ("suppressions_text", _U64),  # what that has returned
        ("n_frontier", _U64),
        ("options", _U64),  # bits USE_UNALIGNED, ... of leak_records.py
        ("n_regions", _U64),
        ("n_barred", _U64),
        ("c_heap_lo", _U64),  # the C library's heap, 0 bytes of it when it is not followed
        ("c_heap_bytes", _U64),
    ]
)

#: what a limit of irsan has refused: counted by kernels, reported by engine/findings/run_limits.py.
#: Every limit and its number, in docs/limits.md.
REFUSED_DTYPE = record(
    [
        ("threads", _U64),  # as many as there are slots were alive
        ("stacks", _U64),  # no room for the stack of another thread
        ("huge_stacks", _U64),  # a stack beyond the largest was asked for
        ("fibers", _U64),  # announced to the race detector
        ("exit_functions", _U64),  # of atexit, at_quick_exit and thread-local destructors
        ("robust_mutexes", _U64),  # whose owner's end is not noticed
        ("global_tables", _U64),  # tables of globals that were registered
    ]
)

N_WEAK_HOOKS: Final = 8

#: callbacks and hooks that the program has installed, and what the host has asked for
INTERFACE_DTYPE = record(
    [
        ("watches", _U64),  # bits WATCH_* of interface_words.py
        ("announced", _U64),  # the block whose free has been announced
        ("budget_bytes", _U64),  # until the resident size is looked at
        ("refused_limit_bytes", _U64),  # limit of that size while it is exceeded, else 0
        ("call_function", _U64),  # to call for the host, with its arguments
        ("call_first", _U64),
        ("call_second", _U64),
        ("call_result", _U64),
        ("free_sizes_unchecked", _U64),  # 1 when free_size_mismatch is off
        ("weak_hooks", _U64, (N_WEAK_HOOKS,)),  # __sanitizer_weak_hook_*, 0: not defined
        ("checks_ioctl", _U64),  # 1 when handle_ioctl is on
        # the program's functions around what may wait for another thread's initialisation
        ("wait_begins", _U64),
        ("wait_ends", _U64),
        ("cookie_of_freed", _U64),  # address of the last array length read from freed memory
        ("exclusive_signals", _U64),  # bit n: the program cannot replace the handler of signal n
        ("n_poisonings_kept", _U64),  # track_poison, 0: none are kept
        ("n_poisonings", _U64),  # so far: poison_records.py
        ("annotations_off", _U64),  # 1 when enable_annotations is off
        ("java_lo", _U64),  # the managed heap, 0 and 0: none
        ("java_hi", _U64),
        # 1 in the child of a fork that other threads did not survive, when it may start none
        ("may_not_start", _U64),
        # memory order added to that of every atomic operation: force_seq_cst_atomics
        ("added_order", _U64),
        ("library_unseen", _U64),  # 1 when ignore_interceptors_accesses is on
        ("joins_unchecked", _U64),  # 1 when detect_invalid_join is off
    ]
)

#: at which points of a run other threads go on: see threads/turns.py
TURNS_DTYPE = record(
    [
        ("attention", _U64),
        ("is_eager", _U64),
        ("exits", _U64),  # record of the thread that runs exit(), 0 = none
        ("exit_deadline_ns", _U64),  # virtual time at which the program is over
        ("exit_left", _U64),  # safepoints the others have until then; 0 = no thread waits for them
        ("calm", _U64),  # slices that ran out since an operation that others can see: fuel.py
        ("stretch", _U64),  # the present slice is 2^stretch times as long as usual
    ]
)

#: signals of the process: see threads/signals.py; bit n - 1 stands for signal n
SIGNALS_DTYPE = record(
    [
        ("noted", _U64),
        ("rings_at", _U64),  # virtual time at which the next timer rings, 0: never
        ("masks_used", _U64),  # 1: a thread uses masks
        ("n_handled", _U64),  # handlers run so far
        ("restarting", _U64),  # those whose handler lets an interrupted call go on (SA_RESTART)
        ("stacks_used", _U64),  # 1 = the guest uses sigaltstack
        ("ignored", _U64),
        ("described", _U64),  # those that some descriptor of signalfd has been asked for
    ]
)

#: thread-locals of opened libraries: see tls_records.py
LIBRARY_TLS_DTYPE = record(
    [
        ("thread_pointer", _U64),  # of the OS thread; 0: nothing is exchanged
        ("first", _U64),
        ("generation", _U64),  # of the dtv when the program started
    ]
)

#: addresses in the glue: irsan_first_frame, __irsan_thread_main, __irsan_timer_notify
ENTRY_POINTS_DTYPE = _words("first_frame", "thread_main", "timer_notify")

#: how the program starts
PROGRAM_DTYPE = record(
    [
        ("argc", _U64),
        ("argv", _U64),
        ("envp", _U64),
        ("main", _U64),
        ("constructors", _U64),
        ("n_constructors", _U64),
        ("archive_tls", _U64),  # bytes of a thread's block before the thread-locals of archives
        ("words_end", _U64),  # where the words that begin with argv end
    ]
)

#: std::__throw_bad_alloc, std::get_new_handler; 0 without C++
CXX_DTYPE = _words("throw_bad_alloc", "get_new_handler")
