"""The plain numpy layout of the records that hold all mutable run-time state: no numba here.

The host side (engine, crash handler, glue) reads field offsets from these without paying numba's
import; `irsan.runtime.kernels.records` gives kernels typed views of the same bytes.

Invariant: field order is the layout; a change bumps nothing by hand, because the cache key of the
compiled runtime is a hash of this file.
"""

from __future__ import annotations

import numpy as np

from irsan.runtime.records import subsystems as parts

_U64, _U32, _U16, _U8 = "u8", "u4", "u2", "u1"

CONTEXT_DTYPE = np.dtype(
    [
        # -- hot: one cache line, touched by every hook ------------------------------------
        ("site", _U32),  # site number of the access or call in progress
        ("epoch", _U32),  # current thread's epoch, sid << 20 | clock
        ("vc", _U64),  # address of the current thread's vector clock (u32 per sid)
        ("frame_top", _U64),  # address of the current frame in the shadow call stack
        ("frame_limit", _U64),  # first address past the current shadow call stack
        ("fuel", "i8"),  # safepoints left before the scheduler is asked
        ("thread", _U64),  # address of the current thread's record
        ("ignore_depth", _U64),  # > 0: race accesses of this thread are ignored
        ("tls", _U64),  # address of the current thread's thread-local block
        ("action", _U32),  # what the glue does after a kernel: see runtime/kernels/actions.py
        ("routine", _U32),  # number of the interceptor in progress, 0 in plain hooks
        ("arena_used", _U64),  # bytes from ARENA_LO whose shadow is meaningful: grows with the heap
        ("used_pairs", _U64),  # the same in units of 2, 4 and 8 bytes: see kernels/checks/access.py
        ("used_words", _U64),
        ("used_granules", _U64),
        ("shared_read", _U64),  # what an expanded cell says when this thread has just read it
        ("generation", _U64),  # number of epochs begun so far, by any thread
        # -- engine ----------------------------------------------------------------------
        ("host_sp", _U64),  # saved stack pointer of the host
        ("in_guest", _U64),  # 1 while a guest stack is active
        ("event", _U64),  # why the guest switched to the host
        ("event_args", _U64, (16,)),
        ("event_result", _U64),
        ("event_routine", _U64),  # number of the export that asks the host
        ("scratch", _U64, (12,)),  # memory for one call of a kernel: out-parameters, va_list copies
        ("fault", _U64, (16,)),  # facts about a finding: see runtime/layout/faults.py
        ("crash", _U64, (40,)),  # signal number, address, registers at a native crash
        # -- scheduler -------------------------------------------------------------------
        ("rng", _U64, (4,)),  # state of the schedule's random generator
        ("preempt_mean", _U64),  # mean number of safepoints between preemptions, 0 = never
        ("n_threads", _U64),  # thread slots in use (high-water mark)
        ("n_live", _U64),  # threads not finished
        ("n_runnable", _U64),
        ("n_timed", _U64),  # blocked threads whose wait ends by itself
        ("next_tid", _U64),
        ("n_switches", _U64),
        ("fuel_mark", "i8"),  # fuel when its time was last counted: see kernels/fuel.py
        ("clock_ns", _U64),  # virtual time
        ("schedule_hash", _U64),  # running hash of all decisions, to detect nondeterminism
        ("turns", parts.TURNS_DTYPE),
        ("switch_from", _U64),  # address where the outgoing stack pointer is saved
        ("tls_ranges", _U64, (16,)),  # pairs (address, bytes) of host TLS swapped per switch
        ("n_tls_ranges", _U64),
        ("library_tls", parts.LIBRARY_TLS_DTYPE),
        ("errno_addr", _U64),  # the host thread's errno
        ("strtok", _U64),  # where strtok goes on
        ("stdin_addr", _U64),  # of the C library's variable `stdin`
        ("entry_points", parts.ENTRY_POINTS_DTYPE),
        ("program", parts.PROGRAM_DTYPE),
        ("cxx", parts.CXX_DTYPE),
        ("tls_image", _U64),  # address of the program's thread-local image
        ("tls_size", _U64),
        ("tls_align", _U64),
        ("signals", parts.SIGNALS_DTYPE),
        # -- options ---------------------------------------------------------------------
        ("sanitize_address", _U64),
        ("sanitize_thread", _U64),
        ("options", _U64, (64,)),  # see runtime/layout/options.py for the numbers
        # -- subsystems: see subsystems.py -----------------------------------------------
        ("heap", parts.HEAP_DTYPE),
        ("depot", parts.DEPOT_DTYPE),
        ("race", parts.RACE_DTYPE),
        ("recording", parts.RECORDING_DTYPE),
        ("locks", parts.LOCKS_DTYPE),
        ("descriptors", parts.DESCRIPTORS_DTYPE),
        ("exits", parts.EXITS_DTYPE),
        ("foreign", parts.FOREIGN_DTYPE),
        ("waiters", _U64, (64,)),  # blocked threads, by a hash of what they wait for
        ("outside", parts.OUTSIDE_DTYPE),
        ("leaks", parts.LEAKS_DTYPE),
        ("guarded", parts.GUARDED_DTYPE),
        ("bounds", parts.BOUNDS_DTYPE),
        ("counts", parts.COUNTS_DTYPE),
        ("refused", parts.REFUSED_DTYPE),
        ("interface", parts.INTERFACE_DTYPE),
    ],
    align=True,
)

#: of thread-locals that every switch copies: errno, those of native libraries at fixed places
MAX_SWAPPED_BYTES = 2048
MAX_LIBRARY_TLS_BYTES = MAX_SWAPPED_BYTES - 8

THREAD_DTYPE = np.dtype(
    [
        ("tid", _U64),  # number in reports: T0, T1, ...
        ("slot", _U64),
        ("state", _U64),  # see runtime/layout/thread_states.py
        ("sp", _U64),  # saved stack pointer while not running
        ("epoch", _U64),
        ("vc", _U64),
        ("frame_base", _U64),
        ("frame_top", _U64),
        ("frame_limit", _U64),
        ("site", _U64),
        ("ignore_depth", _U64),
        ("tls", _U64),
        ("stack_lo", _U64),
        ("stack_hi", _U64),
        ("room_lo", _U64),  # what the stack, its guard and the thread-local block lie in
        ("room_hi", _U64),
        ("guard_bytes", _U64),  # as asked for
        ("start_routine", _U64),
        ("argument", _U64),
        ("result", _U64),
        ("detached", _U64),
        ("joiner", _U64),  # record address of the thread waiting in join
        ("run_index", _U64),  # place in the runnable list
        ("wait_kind", _U64),
        ("wait_addr", _U64),
        ("wake_ns", _U64),  # virtual time at which a timed wait ends, 0 = never
        ("resuming", _U64),  # wait kind whose end this thread has not looked at yet
        ("retry_word", _U64),  # what a kernel keeps between two tries of one call
        ("retry_count", _U64),
        ("wait_status", _U64),  # how the wait ended: 0 signalled, 1 timed out
        ("priority", _U64),
        ("parent_tid", _U64),
        ("creation_stack", _U64),  # stack id
        ("cancel_state", _U64),
        ("cancel_pending", _U64),
        ("cancel_buffer", _U64),  # newest cleanup handler's jump buffer
        ("cleanup", _U64),
        ("name", _U64, (4,)),
        ("specific", _U64),  # address of the table of pthread_key values
        ("host_tls", _U64, (MAX_SWAPPED_BYTES // 8,)),  # swapped host TLS
        ("held", _U64),  # locks held: owned by the sync kernels
        ("n_held", _U64),
        ("signals", _U64),  # bit n - 1: signal n waits for this thread to run its handler
        ("sigmask", _U64),  # signals that this thread blocks
        # -- misuse and waiting ----------------------------------------------------------
        ("use_checked", _U64),  # 1: the use that the call in progress makes was checked already
        ("sleep_stack", _U64),  # stack id of the newest sleep that is over, 0 = none
        ("waits_with", _U64),  # the mutex with which the thread waits on a condition variable
        ("n_ignores", _U64, (2,)),  # places noted in IGNORES: of ignored accesses, of ignored sync
        # -- signals: see signal_records.py ----------------------------------------------
        ("handler_top", _U64),
        ("handler_mask", _U64),
        ("handler_state", _U64),
        ("handled", _U64),
        # -- fibers: see fiber_records.py, views/context_stacks.py -----------------------
        ("fiber_home", _U64),
        ("fiber_current", _U64),
        ("fiber_is_announced", _U64),
        ("fiber_runner", _U64),
        ("fiber_is_home", _U64),
        ("fiber_lo", _U64),
        ("fiber_hi", _U64),
        ("fiber_next_lo", _U64),
        ("fiber_next_hi", _U64),
        ("fiber_last_lo", _U64),
        ("fiber_last_hi", _U64),
        # -- race detector, provenance, exceptions ---------------------------------------
        ("ignore_sync", _U64),  # > 0: synchronisation of this thread is ignored
        ("acquire_pending", _U64),  # 1: relaxed loads have seen released clocks since the fence
        ("release_epoch", _U64),  # epoch of the last release fence, 0 = none
        ("lowest_birth", _U64),  # lowest variable made since frames that were left were looked for
        ("thrown_sp", _U64),  # stack pointer of the function that throws, 0 = none does
        ("unwinding", _U64, (6,)),  # the unwinder's record of a thread that ends: 32 bytes, aligned
        ("retry_mask", _U64),  # signal mask to put back when a wait ends
    ],
    align=True,
)
