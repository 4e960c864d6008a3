"""WCP: weak-causally-precedes, which drops the orders between critical sections that share nothing.

Smallest order with, for a lock l and critical sections on it,

    (a)  rel(l) before a later access e in a section on l, when rel's section has an access that
         conflicts with e
    (b)  rel(l) before a later rel'(l), when anything in rel's section is WCP-before anything in the
         section of rel'
    (c)  and with HB put before or after it; fork and join order in WCP as they do in HB

An access is reported when an earlier conflicting one precedes it neither in WCP nor in its thread.

    hb         clocks H_t of threads with their own time, H_l of locks
    wcp        int32[T, T]  P_t: what precedes the next event of t in WCP; lock_wcp: P_l
    Sections   the closed critical sections: thread, time of the acquire, H at the release,
               next one on the same lock
    Pairs      for a lock and a variable: the last section that read it, the last one of another
               thread than that, and the same two for writes
    log        int64[T, n]  accesses of a thread since its outermost acquire: variable << 1 | write

**Source**: Kini, Mathur, Viswanathan, "Dynamic Race Prediction in Linear Time", PLDI 2017,
algorithm 1.
**Deviations**: (1) sections on one lock are totally ordered in HB, so the last one of another
thread stands for all in rule (a), and in rule (b) the last one that the queue gives up; the queues
are one list per lock with a place in it per thread.  (2) An acquire is known as soon as its
thread's time is: epochs are compared, not clocks.  (3) Rule (b) holds for two releases of one
thread, too, as the definition has it; the paper's queues leave these out, RAPID joins more of them.
**Soundness**: weak: the first report is a real race or a real deadlock of some reordering.
**Memory**: linear in the number of critical sections, as the paper proves it must be.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from irsan.traces.kernels.access_history import N_FREE, ROWS_PER_EVENT, check_read, check_write
from irsan.traces.kernels.hb import N_RACY
from irsan.traces.kernels.kernel import kernel, register_record
from irsan.traces.kernels.key_map import ABSENT, find_key, has_room, new_key_map, put_key
from irsan.traces.kernels.operations import (
    ACQUIRE,
    FORK,
    JOIN,
    NONE,
    READ,
    RELEASE,
    THREAD_BITS,
    WRITE,
)

KEY_BITS = 31
N_SECTIONS, N_PAIRS, N_STAMPS = 1, 2, 3
LAST_READ, OTHER_READ, LAST_WRITE, OTHER_WRITE = 0, 1, 2, 3


class Sections(NamedTuple):
    """Closed critical sections, and the list of them per lock."""

    thread: Any
    time: Any
    next_one: Any
    clock: Any
    first: Any
    last: Any
    passed: Any


class Held(NamedTuple):
    """What each thread holds and has done meanwhile.

    locks, since  int32[T, depth], int64[T, depth]  locks held, and where in the log each begins
    n_locks, n_log, stamp                           per thread; a stamp changes with each lock event
    log           int64[T, n]
    logged        int64[variables, 2]               stamp under which a read, a write is in a log
    opened        int32[locks]                      own time of the holder at the acquire
    """

    locks: Any
    since: Any
    n_locks: Any
    n_log: Any
    stamp: Any
    log: Any
    logged: Any
    opened: Any


class Weak(NamedTuple):
    """The clocks."""

    hb: Any
    wcp: Any
    lock_hb: Any
    lock_wcp: Any


def new_sections(n_locks: int, n_threads: int, n_sections: int) -> Sections:
    """No section yet."""
    return Sections(
        np.zeros(n_sections, np.int32),
        np.zeros(n_sections, np.int32),
        np.full(n_sections, NONE, np.int32),
        np.zeros((n_sections, n_threads), np.int32),
        np.full(n_locks, NONE, np.int32),
        np.full(n_locks, NONE, np.int32),
        new_key_map(64),
    )


def new_held(n_threads: int, n_locks: int, n_variables: int) -> Held:
    """Nobody holds anything."""
    return Held(
        np.zeros((n_threads, 4), np.int32),
        np.zeros((n_threads, 4), np.int64),
        np.zeros(n_threads, np.int32),
        np.zeros(n_threads, np.int64),
        np.zeros(n_threads, np.int64),
        np.zeros((n_threads, 64), np.int64),
        np.zeros((n_variables, 2), np.int64),
        np.zeros(n_locks, np.int32),
    )


def new_weak(n_threads: int, n_locks: int) -> Weak:
    """Clocks that know nothing."""
    threads, locks = (n_threads, n_threads), (n_locks, n_threads)
    return Weak(*(np.zeros(shape, np.int32) for shape in (threads, threads, locks, locks)))


register_record("sections", new_sections(1, 1, 1))
register_record("held", new_held(1, 1, 1))
register_record("weak", new_weak(1, 1))


@kernel("void(i32[::],i64,i32[::],i64)")
def join_rows(target: Any, a: Any, source: Any, b: Any) -> Any:
    """target[a] := the greater of target[a] and source[b], entry by entry."""
    for t in range(target.shape[1]):
        target[a, t] = max(target[a, t], source[b, t])


@kernel("void(weak,sections,i64,i64,i64)", inlined=True)
def order_after(weak: Any, sections: Any, t: Any, last: Any, other: Any) -> Any:
    """Order thread t in WCP after the last section of another thread: `last`, else `other`."""
    if last != NONE and sections.thread[last] == t:
        last = other
    if last == NONE:
        return
    u = sections.thread[last]
    if weak.wcp[t, u] < sections.clock[last, u]:
        join_rows(weak.wcp, t, sections.clock, last)


@kernel("void(weak,sections,held,keymap,i32[::],i64,i64,b1)")
def rule_a(
    weak: Any, sections: Any, held: Any, pair_of: Any, pairs: Any, t: Any, x: Any, is_write: Any
) -> Any:
    """An access of x under the locks that thread t holds."""
    for i in range(held.n_locks[t]):
        lock = np.int64(held.locks[t, i])
        pair = find_key(pair_of, (lock << KEY_BITS) | x)
        if pair == ABSENT:
            continue
        order_after(weak, sections, t, pairs[pair, LAST_WRITE], pairs[pair, OTHER_WRITE])
        if is_write:
            order_after(weak, sections, t, pairs[pair, LAST_READ], pairs[pair, OTHER_READ])


@kernel("void(weak,sections,i64,i64)")
def rule_b(weak: Any, sections: Any, t: Any, lock: Any) -> Any:
    """A release: pass all sections on the lock whose acquire thread t knows by now."""
    key = (lock << THREAD_BITS) | t
    passed = find_key(sections.passed, key)
    section = np.int64(sections.first[lock] if passed == NONE else sections.next_one[passed])
    known = np.int64(NONE)
    while section != NONE:
        u = sections.thread[section]
        if sections.time[section] > weak.wcp[t, u]:
            break
        known = section
        passed = section
        section = np.int64(sections.next_one[section])
    if passed != NONE:
        put_key(sections.passed, key, passed)
    if known != NONE:
        join_rows(weak.wcp, t, sections.clock, known)


@kernel("void(weak,sections,held,i64,i64,i64[:])")
def close_section(
    weak: Any, sections: Any, held: Any, t: Any, lock: Any, counts: Any
) -> Any:
    """Write the section that ends here down, as the last one of its lock."""
    section = counts[N_SECTIONS]
    counts[N_SECTIONS] += 1
    sections.thread[section] = t
    sections.time[section] = held.opened[lock]
    for u in range(weak.hb.shape[1]):
        sections.clock[section, u] = weak.hb[t, u]
    if sections.last[lock] == NONE:
        sections.first[lock] = section
    else:
        sections.next_one[sections.last[lock]] = section
    sections.last[lock] = section


@kernel("void(sections,keymap,i32[::],i64,i64,i64,i64[:])")
def note_access(
    sections: Any, pair_of: Any, pairs: Any, lock: Any, logged: Any, section: Any, counts: Any
) -> Any:
    """The section has made this access of its log."""
    key = (lock << KEY_BITS) | (logged >> 1)
    pair = find_key(pair_of, key)
    if pair == ABSENT:
        pair = counts[N_PAIRS]
        counts[N_PAIRS] += 1
        put_key(pair_of, key, pair)
        for i in range(4):
            pairs[pair, i] = NONE
    last = LAST_WRITE if logged & 1 else LAST_READ
    known = pairs[pair, last]
    if known != NONE and sections.thread[known] != sections.thread[section]:
        pairs[pair, last + 1] = known
    pairs[pair, last] = section


@kernel("void(held,i64,i64,i64[:])")
def open_section(held: Any, t: Any, lock: Any, counts: Any) -> Any:
    """Thread t holds one lock more."""
    n = held.n_locks[t]
    held.locks[t, n] = lock
    held.since[t, n] = held.n_log[t]
    held.n_locks[t] = n + 1
    counts[N_STAMPS] += 1
    held.stamp[t] = counts[N_STAMPS]


@kernel("i64(held,i64,i64,i64[:])")
def forget_lock(held: Any, t: Any, lock: Any, counts: Any) -> Any:
    """Thread t holds one lock less; returns where in the log the section began."""
    n = held.n_locks[t] - 1
    i = 0
    while held.locks[t, i] != lock:
        i += 1
    since = held.since[t, i]
    for j in range(i, n):
        held.locks[t, j] = held.locks[t, j + 1]
        held.since[t, j] = held.since[t, j + 1]
    held.n_locks[t] = n
    counts[N_STAMPS] += 1
    held.stamp[t] = counts[N_STAMPS]
    return since


@kernel("void(weak,sections,held,keymap,i32[::],i64,i64,i64[:])")
def wcp_release(
    weak: Any, sections: Any, held: Any, pair_of: Any, pairs: Any, t: Any, lock: Any, counts: Any
) -> Any:
    """Lines 4 to 10 of the paper's algorithm, and the tick."""
    rule_b(weak, sections, t, lock)
    section = counts[N_SECTIONS]
    close_section(weak, sections, held, t, lock, counts)
    for i in range(forget_lock(held, t, lock, counts), held.n_log[t]):
        note_access(sections, pair_of, pairs, lock, held.log[t, i], section, counts)
    if held.n_locks[t] == 0:
        held.n_log[t] = 0
    for u in range(weak.hb.shape[1]):
        weak.lock_hb[lock, u] = weak.hb[t, u]
        weak.lock_wcp[lock, u] = weak.wcp[t, u]
    weak.hb[t, t] += 1


@kernel("void(held,i64,i64,i64)", inlined=True)
def log_access(held: Any, t: Any, x: Any, is_write: Any) -> Any:
    """Remember an access made under a lock, once between two lock events of the thread."""
    if held.n_locks[t] == 0 or held.logged[x, is_write] == held.stamp[t]:
        return
    held.logged[x, is_write] = held.stamp[t]
    held.log[t, held.n_log[t]] = (x << 1) | is_write
    held.n_log[t] += 1


@kernel("void(weak,i64,i64,i64)", inlined=True)
def wcp_thread_event(weak: Any, op: Any, t: Any, u: Any) -> Any:
    """Fork and join: orders of both kinds."""
    if op == FORK:
        join_rows(weak.hb, u, weak.hb, t)
        join_rows(weak.wcp, u, weak.hb, t)
        weak.hb[t, t] += 1
    elif op == JOIN:
        join_rows(weak.hb, t, weak.hb, u)
        join_rows(weak.wcp, t, weak.hb, u)


@kernel("b1(sections,held,keymap,i32[::],i64,i64,i64[:])", inlined=True)
def wcp_has_room(
    sections: Any, held: Any, pair_of: Any, pairs: Any, op: Any, t: Any, counts: Any
) -> Any:
    """Whether the tables have room for whatever this event may add to them."""
    if op <= WRITE:
        return held.n_log[t] < held.log.shape[1]
    if op == ACQUIRE:
        return held.n_locks[t] < held.locks.shape[1]
    if op != RELEASE:
        return True
    n_log = held.n_log[t]
    return (
        counts[N_SECTIONS] < len(sections.thread)
        and counts[N_PAIRS] + n_log <= len(pairs)
        and has_room(pair_of, n_log)
        and has_room(sections.passed, 1)
    )


@kernel("i64(weak,sections,held,keymap,i32[::],history,u8[:],i32[:],i32[:],i64,i64[:],i64[:])")
def wcp_events(
    weak: Any,
    sections: Any,
    held: Any,
    pair_of: Any,
    pairs: Any,
    history: Any,
    op: Any,
    thread: Any,
    target: Any,
    first: Any,
    racy: Any,
    counts: Any,
) -> Any:
    """Analyse the events from `first` on; returns where it stopped, for want of room or at the end.

    counts  int64[4]  N_RACY events, N_SECTIONS, N_PAIRS, N_STAMPS so far
    """
    for i in range(first, len(op)):
        o = np.int64(op[i])
        t = np.int64(thread[i])
        x = np.int64(target[i])
        if not wcp_has_room(sections, held, pair_of, pairs, o, t, counts):
            return i
        if o <= WRITE:
            if history.counts[N_FREE] < ROWS_PER_EVENT:
                return i
            if held.n_locks[t] != 0:
                rule_a(weak, sections, held, pair_of, pairs, t, x, o == WRITE)
                log_access(held, t, x, o)
            if o == READ:
                is_racy = check_read(history, x, weak.wcp, t, t, weak.hb[t, t])
            else:
                is_racy = check_write(history, x, weak.wcp, t, t, weak.hb[t, t])
            if is_racy:
                racy[counts[N_RACY]] = i
                counts[N_RACY] += 1
        elif o == ACQUIRE:
            join_rows(weak.hb, t, weak.lock_hb, x)
            join_rows(weak.wcp, t, weak.lock_wcp, x)
            held.opened[x] = weak.hb[t, t]
            open_section(held, t, x, counts)
        elif o == RELEASE:
            wcp_release(weak, sections, held, pair_of, pairs, t, x, counts)
        else:
            wcp_thread_event(weak, o, t, x)
    return len(op)
