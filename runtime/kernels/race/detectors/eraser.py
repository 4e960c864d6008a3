"""The detector `lockset`: Eraser's states and candidate locks, for teaching and as a hint.

    state            first thread   another reads    another writes      reported when
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

from irsan.runtime.kernels.depot import depot_parent, depot_put, depot_site
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u32, store_u64
from irsan.runtime.kernels.race.cells.race_records import record_to_address
from irsan.runtime.kernels.race.clocks.race_words import ATOMIC, WRITE
from irsan.runtime.kernels.race.detectors.clock_histories import addr_to_place, place_to_addr
from irsan.runtime.kernels.race.detectors.shared_histories import (
    forget_places,
    note_races,
    own_history,
    run_end,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u32, u64

VIRGIN = 0
EXCLUSIVE = 1
SHARED = 2
SHARED_MODIFIED = 3
TOLD = 4

NEWEST = 16  # of a record: where the three accesses are
OTHER = 32
NEWEST_WRITE = 48


@kernel
def holds_lock(lockset: u32, mark: u32, for_writing: bool) -> bool:
    """Whether a lockset has the lock of a mark (number << 1 | is write).  O(locks)."""
    wanted = mark | 1
    while lockset != 0:
        held = depot_site(lockset)
        if held == wanted or (not for_writing and held | 1 == wanted):
            return True
        lockset = depot_parent(lockset)
    return False


@kernel
def common_locks(ctx: Context, candidates: u32, held: u32, for_writing: bool) -> u32:
    """The candidates that are held, too, as a lockset.  O(candidates * held)."""
    kept = u32(0)
    while candidates != 0:
        mark = depot_site(candidates)
        if holds_lock(held, mark, for_writing):
            kept = depot_put(ctx, kept, mark)
        candidates = depot_parent(candidates)
    return kept


@kernel
def next_state(state: u32, is_first_thread: u32, is_write: bool) -> u32:
    """Eraser's state after an access; `state` is not TOLD.

    is_first_thread  whether the thread is that of the EXCLUSIVE state
    """
    if state < EXCLUSIVE or (state == EXCLUSIVE and is_first_thread):
        return EXCLUSIVE
    if is_write or state == SHARED_MODIFIED:
        return SHARED_MODIFIED
    return SHARED


@kernel
def remember_access(rec: u64, tid: u64, epoch: u64, stack: u64, kind: u64) -> None:
    """Make an access the newest of a record; the one before stays if it is another thread's."""
    newest = rec + NEWEST
    if u64(load_u32(newest)) != tid:
        store_u64(rec + OTHER, load_u64(newest))
        store_u64(rec + OTHER + 8, load_u64(newest + 8))
    store_u64(newest, tid | (epoch << 32))
    store_u64(newest + 8, stack | (kind << 32))
    if kind & WRITE != 0:
        store_u64(rec + NEWEST_WRITE, load_u64(newest))
        store_u64(rec + NEWEST_WRITE + 8, load_u64(newest + 8))


@kernel
def other_access(rec: u64, tid: u64) -> u64:
    """Where a record has the access to name beside that of thread `tid`: a write if it can."""
    write = rec + NEWEST_WRITE
    if load_u32(write + 4) != 0 and u64(load_u32(write)) != tid:
        return write
    if u64(load_u32(rec + NEWEST)) != tid:
        return rec + NEWEST
    return rec + OTHER


@kernel
def note_unprotected(ctx: Context, place: u64, end: u64, rec: u64) -> None:
    """Note that no lock protects the bytes of the run [place, end)."""
    access = other_access(rec, thread_at(ctx.thread).tid)
    epoch = u64(load_u32(access + 4))
    stack = u64(load_u32(access + 8))
    kind = u64(load_u32(access + 12))
    note_races(ctx, place_to_addr(place), place_to_addr(end), epoch, stack, kind)


@kernel
def lockset_run(ctx: Context, place: u64, end: u64, kind: u64, stack: u64) -> None:
    """Eraser's step for the run [place, end)."""
    index = u64(load_u32(place))
    if index != 0 and load_u32(record_to_address(index) + 8) == TOLD:
        return
    index = own_history(ctx, place, end, 0)
    if index == 0:
        return
    rec = record_to_address(index)
    tid = thread_at(ctx.thread).tid
    is_write = kind & WRITE != 0
    before = load_u32(rec + 8)
    state = next_state(before, u64(load_u32(rec + NEWEST)) == tid, is_write)
    if state != EXCLUSIVE:
        held = u32(thread_at(ctx.thread).held)
        known = held if before == EXCLUSIVE else load_u32(rec + 12)
        candidates = common_locks(ctx, known, held, is_write)
        store_u32(rec + 12, candidates)
        if state == SHARED_MODIFIED and candidates == 0:
            note_unprotected(ctx, place, end, rec)
            state = u32(TOLD)
    store_u32(rec + 8, state)
    remember_access(rec, tid, u64(ctx.epoch), stack, kind)


@kernel
def lockset_access(ctx: Context, addr: u64, size_bytes: u64, kind: u64, stack: u64) -> None:
    """Check and record an access to [addr, addr + size) of the arena.  O(bytes + runs * locks^2).

    kind  READ or WRITE; with ATOMIC nothing is done.  Races are in the found list.
    """
    if kind & ATOMIC != 0:
        return
    place = addr_to_place(addr)
    end = addr_to_place(addr + size_bytes)
    while place < end:
        stop = run_end(place, end)
        lockset_run(ctx, place, stop, kind, stack)
        place = stop


@kernel
def lockset_restart(ctx: Context, addr: u64, end: u64) -> None:
    """The bytes [addr, end) are VIRGIN again."""
    forget_places(ctx, addr_to_place(addr), addr_to_place(end))
