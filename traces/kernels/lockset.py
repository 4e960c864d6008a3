"""Lockset: Eraser's state machine, which asks whether some lock protects every variable.

    EXCLUSIVE  one thread has used it: nothing is checked
    SHARED     several threads, the later ones only read: candidates shrink, nothing is reported
    MODIFIED   several threads, and one of the later ones wrote: reported while no candidate is left

**Source**: Savage, Burrows, Nelson, Sobalvarro, Anderson, "Eraser", TOCS 15(4), 1997, figure 4.
**Deviations**: a first read makes a variable EXCLUSIVE, too; every access of a variable without
candidates is reported, not only the first.
**Soundness**: neither: fork, join and hand-over without locks are reported though they are fine,
and races before the second thread comes are not seen.
"""

from __future__ import annotations

from typing import NamedTuple

from irsan.runtime.kernels.scalars import Matrix, Vector, i32, i64
from irsan.traces.kernels.columns import column
from irsan.traces.kernels.event_loop import event_loop
from irsan.traces.kernels.kernel import kernel, table
from irsan.traces.kernels.operations import ACQUIRE, RELEASE, WRITE

VIRGIN, EXCLUSIVE, SHARED, MODIFIED = 0, 1, 2, 3


@table
class Protection(NamedTuple):
    """The state machine of every variable, and what threads hold.

    state, owner   of a variable: its state, its first thread
    start, length  its candidate locks are pool[start : start + length]; `n_pool` places are in use
    held           locks that a thread holds, `n_held` of them
    """

    state: Vector[i32] = column("i32", "variables")
    owner: Vector[i32] = column("i32", "variables")
    start: Vector[i64] = column("i64", "variables")
    length: Vector[i32] = column("i32", "variables")
    pool: Vector[i32] = column("i32", "pool")
    n_pool: Vector[i64] = column("i64", 1)
    held: Matrix[i32] = column("i32", "threads", "depth")
    n_held: Vector[i32] = column("i32", "threads")


@kernel(inlined=True)
def is_held(p: Protection, t: i64, lock: i64) -> bool:
    """Whether thread t holds a lock."""
    for i in range(p.n_held[t]):  # noqa: SIM110
        if p.held[t, i] == lock:
            return True
    return False


@kernel(inlined=True)
def drop_lock(p: Protection, t: i64, lock: i64) -> None:
    """Thread t releases a lock that it holds."""
    last = p.n_held[t] - 1
    for i in range(last):
        if p.held[t, i] == lock:
            p.held[t, i] = p.held[t, last]
    p.n_held[t] = last


@kernel(inlined=True)
def keep_held(p: Protection, t: i64, x: i64) -> None:
    """Candidates of x := those among them that thread t holds."""
    start = p.start[x]
    kept = 0
    for i in range(p.length[x]):
        lock = p.pool[start + i]
        if is_held(p, t, i64(lock)):
            p.pool[start + kept] = lock
            kept += 1
    p.length[x] = kept


@kernel(inlined=True)
def eraser_access(p: Protection, t: i64, x: i64, is_write: bool) -> bool:
    """The state machine of figure 4; returns whether x is modified and unprotected."""
    state = p.state[x]
    if state == VIRGIN or (state == EXCLUSIVE and p.owner[x] == t):
        p.state[x] = EXCLUSIVE
        p.owner[x] = t
        return False
    if state == EXCLUSIVE:
        start = p.n_pool[0]
        for i in range(p.n_held[t]):
            p.pool[start + i] = p.held[t, i]
        p.start[x] = start
        p.length[x] = p.n_held[t]
        p.n_pool[0] = start + p.n_held[t]
        p.state[x] = SHARED
    else:
        keep_held(p, t, x)
    if is_write:
        p.state[x] = MODIFIED
    return p.state[x] == MODIFIED and p.length[x] == 0


@kernel(inlined=True)
def lockset_has_room(p: Protection, operation: i64, t: i64, x: i64) -> bool:
    """Room in the pool for all locks that a thread can hold, and for one lock more to hold."""
    depth = p.held.shape[1]
    return p.n_pool[0] + depth <= len(p.pool) and p.n_held[t] < depth


@kernel(inlined=True)
def lockset_step(p: Protection, operation: i64, t: i64, x: i64) -> bool:
    """One event; returns whether x is unprotected."""
    if operation <= WRITE:
        return eraser_access(p, t, x, operation == WRITE)
    if operation == ACQUIRE:
        p.held[t, p.n_held[t]] = x
        p.n_held[t] += 1
    elif operation == RELEASE:
        drop_lock(p, t, x)
    return False


lockset_events = event_loop(Protection, lockset_has_room, lockset_step)
