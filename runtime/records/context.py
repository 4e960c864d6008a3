"""The plain numpy layout of the records that hold all mutable run-time state: no numba here.

The host side (engine, crash handler, glue) reads field offsets from these without paying numba's
import; `irsan.runtime.kernels.records` gives kernels typed views of the same bytes.

Invariant: field order is the layout; a change bumps nothing by hand, because the cache key of the
compiled runtime is a hash of this file.
"""

from __future__ import annotations

import numpy as np

from irsan.runtime.records import (
    explore_records,
    inject_records,
    thread_parts,
)
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
        ("shared_read", _U64),  # what an expanded cell says when this thread has just read it
        ("generation", _U64),  # number of epochs begun so far, by any thread
        ("shared_mask", _U64),  # bits of `shared_read` that count
        ("same_epoch", _U64),  # what half a cell says when all its bytes were accessed in `epoch`
        ("race_span", _U64),  # accesses less than this from ARENA_LO are recorded: 0 if none are
        # -- engine ----------------------------------------------------------------------
        ("host", parts.HOST_DTYPE),
        ("event", parts.EVENT_DTYPE),
        ("scratch", _U64, (12,)),  # memory for one call of a kernel: out-parameters, va_list copies
        ("fault", _U64, (16,)),  # facts about a finding: see runtime/layout/faults.py
        ("crash", _U64, (40,)),  # signal number, address, registers at a native crash
        # -- options ---------------------------------------------------------------------
        ("sanitize_address", _U64),
        ("sanitize_thread", _U64),
        ("options", _U64, (64,)),  # see runtime/layout/options.py for the numbers
        # -- subsystems ------------------------------------------------------------------
        ("schedule", parts.SCHEDULE_DTYPE),
        ("turns", parts.TURNS_DTYPE),
        ("explore", explore_records.EXPLORE_DTYPE),
        ("thread_locals", parts.THREAD_LOCALS_DTYPE),
        ("library_tls", parts.LIBRARY_TLS_DTYPE),
        ("c_library", parts.C_LIBRARY_DTYPE),
        ("entry_points", parts.ENTRY_POINTS_DTYPE),
        ("program", parts.PROGRAM_DTYPE),
        ("cxx", parts.CXX_DTYPE),
        ("signals", parts.SIGNALS_DTYPE),
        ("heap", parts.HEAP_DTYPE),
        ("depot", parts.DEPOT_DTYPE),
        ("race", parts.RACE_DTYPE),
        ("recording", parts.RECORDING_DTYPE),
        ("locks", parts.LOCKS_DTYPE),
        ("descriptors", parts.DESCRIPTORS_DTYPE),
        ("exits", parts.EXITS_DTYPE),
        ("foreign", parts.FOREIGN_DTYPE),
        ("outside", parts.OUTSIDE_DTYPE),
        ("leaks", parts.LEAKS_DTYPE),
        ("guarded", parts.GUARDED_DTYPE),
        ("bounds", parts.BOUNDS_DTYPE),
        ("counts", parts.COUNTS_DTYPE),
        ("refused", parts.REFUSED_DTYPE),
        ("interface", parts.INTERFACE_DTYPE),
        ("inject", inject_records.INJECT_DTYPE),
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
        ("stack", thread_parts.STACK_DTYPE),
        ("start_routine", _U64),
        ("argument", _U64),
        ("result", _U64),
        ("detached", _U64),
        ("joiner", _U64),  # record address of the thread waiting in join
        ("run_index", _U64),  # place in the runnable list
        ("wait", thread_parts.WAIT_DTYPE),
        ("parent_tid", _U64),
        ("point", explore_records.POINT_DTYPE),
        ("creation_stack", _U64),  # stack id
        ("cancel", thread_parts.CANCEL_DTYPE),
        ("cleanup", _U64),  # newest destructor of a thread-local: see combined/exit_handlers.py
        ("name", _U64, (4,)),
        ("specific", _U64),  # address of the table of pthread_key values
        ("host_tls", _U64, (MAX_SWAPPED_BYTES // 8,)),  # swapped host TLS
        ("held", _U64),  # locks held: owned by the sync kernels
        ("n_held", _U64),
        ("signals", _U64),  # bit n - 1: signal n waits for this thread to run its handler
        ("sigmask", _U64),  # signals that this thread blocks
        ("scheduling", _U64),  # policy and priority: interceptors/threads/scheduling.py
        ("affinity", _U64),  # processors that it was given; 0: all
        ("handler", thread_parts.HANDLER_DTYPE),
        ("fiber", thread_parts.FIBER_DTYPE),
        ("race", thread_parts.RACE_DTYPE),
        ("unwind", thread_parts.UNWIND_DTYPE),
    ],
    align=True,
)
