"""Lockset: Eraser's state machine, which asks whether some lock protects every variable.

    EXCLUSIVE  one thread has used it: nothing is checked
    SHARED     several threads, the later ones only read: candidates shrink, nothing is reported
    MODIFIED   several threads, and one of the later ones wrote: reported while no candidate is left

    owner, state  int32[variables]    first thread, state
    start, length int64, int32        the candidate locks of a variable: pool[start : start+length]
    held          int32[T, depth]     locks that a thread holds; n_held int32[T]

**Source**: Savage, Burrows, Nelson, Sobalvarro, Anderson, "Eraser", TOCS 15(4), 1997, figure 4.
**Deviations**: a first read makes a variable EXCLUSIVE, too; every access of a variable without
candidates is reported, not only the first.
**Soundness**: neither: fork, join and hand-over without locks are reported though they are fine,
and races before the second thread comes are not seen.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from irsan.traces.kernels.hb import N_RACY
from irsan.traces.kernels.kernel import kernel, register_record
from irsan.traces.kernels.operations import ACQUIRE, RELEASE, WRITE

VIRGIN, EXCLUSIVE, SHARED, MODIFIED = 0, 1, 2, 3
N_POOL = 1


class Protection(NamedTuple):
    """Candidate locks and held locks; see above."""

    state: Any
    owner: Any
    start: Any
    length: Any
    pool: Any
    held: Any
    n_held: Any


def new_protection(n_variables: int, n_threads: int, n_pool: int, depth: int) -> Protection:
    """Variables that nobody has used, threads without locks."""
    return Protection(
        np.zeros(n_variables, np.int32),
        np.zeros(n_variables, np.int32),
        np.zeros(n_variables, np.int64),
        np.zeros(n_variables, np.int32),
        np.zeros(n_pool, np.int32),
        np.zeros((n_threads, depth), np.int32),
        np.zeros(n_threads, np.int32),
    )


register_record("protection", new_protection(1, 1, 1, 1))


@kernel("b1(protection,i64,i64)", inlined=True)
def is_held(p: Any, t: Any, lock: Any) -> Any:
    """Whether thread t holds a lock."""
    for i in range(p.n_held[t]):  # noqa: SIM110
        if p.held[t, i] == lock:
            return True
    return False


@kernel("void(protection,i64,i64)", inlined=True)
def drop_lock(p: Any, t: Any, lock: Any) -> Any:
    """Thread t releases a lock that it holds."""
    last = p.n_held[t] - 1
    for i in range(last):
        if p.held[t, i] == lock:
            p.held[t, i] = p.held[t, last]
    p.n_held[t] = last


@kernel("void(protection,i64,i64)", inlined=True)
def keep_held(p: Any, t: Any, x: Any) -> Any:
    """Candidates of x := those among them that thread t holds."""
    start = p.start[x]
    kept = 0
    for i in range(p.length[x]):
        lock = p.pool[start + i]
        if is_held(p, t, lock):
            p.pool[start + kept] = lock
            kept += 1
    p.length[x] = kept


@kernel("b1(protection,i64,i64,b1,i64[:])", inlined=True)
def eraser_access(p: Any, t: Any, x: Any, is_write: Any, counts: Any) -> Any:
    """The state machine of figure 4; returns whether x is modified and unprotected."""
    state = p.state[x]
    if state == VIRGIN or (state == EXCLUSIVE and p.owner[x] == t):
        p.state[x] = EXCLUSIVE
        p.owner[x] = t
        return False
    if state == EXCLUSIVE:
        start = counts[N_POOL]
        for i in range(p.n_held[t]):
            p.pool[start + i] = p.held[t, i]
        p.start[x] = start
        p.length[x] = p.n_held[t]
        counts[N_POOL] = start + p.n_held[t]
        p.state[x] = SHARED
    else:
        keep_held(p, t, x)
    if is_write:
        p.state[x] = MODIFIED
    return p.state[x] == MODIFIED and p.length[x] == 0


@kernel("i64(protection,u8[:],i32[:],i32[:],i64,i64[:],i64[:])")
def lockset_events(
    p: Any, op: Any, thread: Any, target: Any, first: Any, racy: Any, counts: Any
) -> Any:
    """Analyse the events from `first` on; returns where it stopped, for want of room or at the end.

    It stops when the pool has no room for all locks that a thread can hold, or a thread holds as
    many as `held` is deep.  counts int64[2]: N_RACY events so far, N_POOL places in use.
    """
    depth = p.held.shape[1]
    for i in range(first, len(op)):
        o = op[i]
        t = np.int64(thread[i])
        x = np.int64(target[i])
        if o <= WRITE:
            if counts[N_POOL] + depth > len(p.pool):
                return i
            if eraser_access(p, t, x, o == WRITE, counts):
                racy[counts[N_RACY]] = i
                counts[N_RACY] += 1
        elif o == ACQUIRE:
            if p.n_held[t] == depth:
                return i
            p.held[t, p.n_held[t]] = x
            p.n_held[t] += 1
        elif o == RELEASE:
            drop_lock(p, t, x)
    return len(op)
