"""The detector `lockset`: Eraser's states and candidate locks, for teaching and as a hint.

    state            first thread   another reads    another writes      is told when
    VIRGIN           EXCLUSIVE      -                -                   -
    EXCLUSIVE        EXCLUSIVE      SHARED           SHARED_MODIFIED     no lock is held
    SHARED           SHARED         SHARED           SHARED_MODIFIED     no lock is left
    SHARED_MODIFIED  SHARED_MODIFIED, TOLD after its one report          no lock is left

    candidates   the locks held at every access since the second thread came; of a write, only those
                 held for writing.  Sets are paths in the depot (lock_table.py), 0 = none

    record       {state u32, candidates u32}, then three accesses of 16 bytes {tid u32, epoch u32,
                 stack id u32, kind u32}: the newest, the newest of another thread than that one,
                 the newest write

Source: Eraser (Savage et al., TOCS 1997, sections 2 and 3).
Deviations: a location is a byte (bytes with one history share a record); a block begins anew with
malloc and free, and free itself is no access; atomic accesses are not looked at.
Soundness: none.  Data handed over without locks (start and end of threads, barriers, semaphores,
atomics) is accused, so findings are marked as heuristic; races of threads that happen to hold the
same lock, and of the first thread before it shares the data, are missed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.depot import depot_parent, depot_put, depot_site
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u32, store_u64
from irsan.runtime.kernels.race.cells.race_records import record_to_address
from irsan.runtime.kernels.race.clocks.race_words import (
    U32_0,
    U64_0,
    U64_4,
    U64_8,
    U64_12,
    U64_16,
    U64_32,
    U64_ATOMIC,
    U64_WRITE,
)
from irsan.runtime.kernels.race.detectors.clock_histories import addr_to_place, place_to_addr
from irsan.runtime.kernels.race.detectors.shared_histories import (
    forget_places,
    note_races,
    own_history,
    run_end,
)
from irsan.runtime.kernels.records import thread_at

VIRGIN = 0
EXCLUSIVE = 1
SHARED = 2
SHARED_MODIFIED = 3
TOLD = 4

U32_1 = np.uint32(1)
U32_EXCLUSIVE = np.uint32(EXCLUSIVE)
U32_SHARED = np.uint32(SHARED)
U32_SHARED_MODIFIED = np.uint32(SHARED_MODIFIED)
U32_TOLD = np.uint32(TOLD)
NEWEST = U64_16  # of a record: where the three accesses are
OTHER = U64_32
NEWEST_WRITE = np.uint64(48)


@kernel("b1(u32,u32,b1)")
def holds_lock(lockset: Any, mark: Any, for_writing: Any) -> Any:
    """Whether a lockset has the lock of a mark (number << 1 | is write).  O(locks)."""
    wanted = mark | U32_1
    while lockset != U32_0:
        held = depot_site(lockset)
        if held == wanted or (not for_writing and held | U32_1 == wanted):
            return True
        lockset = depot_parent(lockset)
    return False


@kernel("u32(ctx,u32,u32,b1)")
def common_locks(ctx: Any, candidates: Any, held: Any, for_writing: Any) -> Any:
    """The candidates that are held, too, as a lockset.  O(candidates * held)."""
    kept = U32_0
    while candidates != U32_0:
        mark = depot_site(candidates)
        if holds_lock(held, mark, for_writing):
            kept = depot_put(ctx, kept, mark)
        candidates = depot_parent(candidates)
    return kept


@kernel("u32(u32,u32,b1)")
def next_state(state: Any, is_first_thread: Any, is_write: Any) -> Any:
    """Eraser's state after an access; `state` is not TOLD.

    is_first_thread  whether the thread is that of the EXCLUSIVE state
    """
    if state < U32_EXCLUSIVE or (state == U32_EXCLUSIVE and is_first_thread):
        return U32_EXCLUSIVE
    if is_write or state == U32_SHARED_MODIFIED:
        return U32_SHARED_MODIFIED
    return U32_SHARED


@kernel("void(u64,u64,u64,u64,u64)")
def remember_access(rec: Any, tid: Any, epoch: Any, stack: Any, kind: Any) -> Any:
    """Make an access the newest of a record; the one before stays if it is another thread's."""
    newest = rec + NEWEST
    if np.uint64(load_u32(newest)) != tid:
        store_u64(rec + OTHER, load_u64(newest))
        store_u64(rec + OTHER + U64_8, load_u64(newest + U64_8))
    store_u64(newest, tid | (epoch << U64_32))
    store_u64(newest + U64_8, stack | (kind << U64_32))
    if kind & U64_WRITE != U64_0:
        store_u64(rec + NEWEST_WRITE, load_u64(newest))
        store_u64(rec + NEWEST_WRITE + U64_8, load_u64(newest + U64_8))


@kernel("u64(u64,u64)")
def other_access(rec: Any, tid: Any) -> Any:
    """Where a record has the access to name beside that of thread `tid`: a write if it can."""
    write = rec + NEWEST_WRITE
    if load_u32(write + U64_4) != U32_0 and np.uint64(load_u32(write)) != tid:
        return write
    if np.uint64(load_u32(rec + NEWEST)) != tid:
        return rec + NEWEST
    return rec + OTHER


@kernel("void(ctx,u64,u64,u64)")
def note_unprotected(ctx: Any, place: Any, end: Any, rec: Any) -> Any:
    """Note that no lock protects the bytes of the run [place, end)."""
    access = other_access(rec, thread_at(ctx.thread).tid)
    epoch = np.uint64(load_u32(access + U64_4))
    stack = np.uint64(load_u32(access + U64_8))
    kind = np.uint64(load_u32(access + U64_12))
    note_races(ctx, place_to_addr(place), place_to_addr(end), epoch, stack, kind)


@kernel("void(ctx,u64,u64,u64,u64)")
def lockset_run(ctx: Any, place: Any, end: Any, kind: Any, stack: Any) -> Any:
    """Eraser's step for the run [place, end)."""
    index = np.uint64(load_u32(place))
    if index != U64_0 and load_u32(record_to_address(index) + U64_8) == U32_TOLD:
        return
    index = own_history(ctx, place, end, U64_0)
    if index == U64_0:
        return
    rec = record_to_address(index)
    tid = thread_at(ctx.thread).tid
    is_write = kind & U64_WRITE != U64_0
    before = load_u32(rec + U64_8)
    state = next_state(before, np.uint64(load_u32(rec + NEWEST)) == tid, is_write)
    if state != U32_EXCLUSIVE:
        held = np.uint32(thread_at(ctx.thread).held)
        known = held if before == U32_EXCLUSIVE else load_u32(rec + U64_12)
        candidates = common_locks(ctx, known, held, is_write)
        store_u32(rec + U64_12, candidates)
        if state == U32_SHARED_MODIFIED and candidates == U32_0:
            note_unprotected(ctx, place, end, rec)
            state = U32_TOLD
    store_u32(rec + U64_8, state)
    remember_access(rec, tid, np.uint64(ctx.epoch), stack, kind)


@kernel("void(ctx,u64,u64,u64,u64)")
def lockset_access(ctx: Any, addr: Any, size_bytes: Any, kind: Any, stack: Any) -> Any:
    """Check and record an access to [addr, addr + size) of the arena.  O(bytes + runs * locks^2).

    kind  READ or WRITE; with ATOMIC nothing is done.  Races are in the found list.
    """
    if kind & U64_ATOMIC != U64_0:
        return
    place = addr_to_place(addr)
    end = addr_to_place(addr + size_bytes)
    while place < end:
        stop = run_end(place, end)
        lockset_run(ctx, place, stop, kind, stack)
        place = stop


@kernel("void(ctx,u64,u64)")
def lockset_restart(ctx: Any, addr: Any, end: Any) -> Any:
    """The bytes [addr, end) are VIRGIN again."""
    forget_places(ctx, addr_to_place(addr), addr_to_place(end))
