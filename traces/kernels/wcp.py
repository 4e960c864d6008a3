"""WCP: weak-causally-precedes, which drops the orders between critical sections that share nothing.

Smallest order with, for a lock l and critical sections on it,

    (a)  rel(l) before a later access e in a section on l, when rel's section has an access that
         conflicts with e
    (b)  rel(l) before a later rel'(l), when anything in rel's section is WCP-before anything in the
         section of rel'
    (c)  and with HB put before or after it; fork and join order in WCP as they do in HB

An access is reported when an earlier conflicting one precedes it neither in WCP nor in its thread.

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

from typing import NamedTuple

from irsan.runtime.kernels.scalars import Matrix, Vector, i32, i64
from irsan.traces.kernels.access_history import History, check_access, has_vectors
from irsan.traces.kernels.columns import column, part
from irsan.traces.kernels.event_loop import event_loop
from irsan.traces.kernels.kernel import kernel, table
from irsan.traces.kernels.key_map import ABSENT, KeyMap, find_key, has_room, put_key
from irsan.traces.kernels.operations import ACQUIRE, FORK, JOIN, NONE, RELEASE, THREAD_BITS, WRITE
from irsan.traces.kernels.rows import copy_row, join_row

KEY_BITS = 31
N_SECTIONS, N_PAIRS, N_STAMPS = 0, 1, 2
LAST_READ, OTHER_READ, LAST_WRITE, OTHER_WRITE = 0, 1, 2, 3


@table
class Weak(NamedTuple):
    """The clocks.

    hb, lock_hb    H_t of threads with their own time, H_l of locks
    wcp, lock_wcp  P_t: what precedes the next event of t in WCP; P_l
    """

    hb: Matrix[i32] = column("i32", "threads", "threads")
    wcp: Matrix[i32] = column("i32", "threads", "threads")
    lock_hb: Matrix[i32] = column("i32", "locks", "threads")
    lock_wcp: Matrix[i32] = column("i32", "locks", "threads")


@table
class Sections(NamedTuple):
    """Closed critical sections, in a list per lock.

    thread, time, clock, next_one  of a section: time of the acquire, H at the release, next one
    first, last                    of a lock
    passed                         (lock, thread) to the last section that rule (b) has used up
    """

    thread: Vector[i32] = column("i32", "sections")
    time: Vector[i32] = column("i32", "sections")
    next_one: Vector[i32] = column("i32", "sections", fill=NONE)
    clock: Matrix[i32] = column("i32", "sections", "threads")
    first: Vector[i32] = column("i32", "locks", fill=NONE)
    last: Vector[i32] = column("i32", "locks", fill=NONE)
    passed: KeyMap = part(KeyMap, keys="passed")


@table
class Held(NamedTuple):
    """What each thread holds and has done meanwhile.

    locks, since    locks held, and where in the log each begins; `n_locks` of them
    log             accesses since the outermost acquire, variable << 1 | write; `n_log` of them
    stamp           changes with each lock event of the thread
    logged          stamp under which a read, a write of a variable is in a log
    opened          own time of a lock's holder at the acquire
    """

    locks: Matrix[i32] = column("i32", "threads", "depth")
    since: Matrix[i64] = column("i64", "threads", "depth")
    n_locks: Vector[i32] = column("i32", "threads")
    n_log: Vector[i64] = column("i64", "threads")
    stamp: Vector[i64] = column("i64", "threads")
    log: Matrix[i64] = column("i64", "threads", "log")
    logged: Matrix[i64] = column("i64", "variables", 2)
    opened: Vector[i32] = column("i32", "locks")


@table
class WcpState(NamedTuple):
    """Everything.

    pairs    of a lock and a variable: the last section that read it, the last one of another thread
             than that, and the same two for writes
    pair_of  (lock, variable) to pair
    counts   N_SECTIONS, N_PAIRS, N_STAMPS so far
    """

    weak: Weak = part(Weak)
    sections: Sections = part(Sections)
    held: Held = part(Held)
    pair_of: KeyMap = part(KeyMap, keys="pairs")
    pairs: Matrix[i32] = column("i32", "pairs", 4, fill=NONE)
    history: History = part(History)
    counts: Vector[i64] = column("i64", 3)


@kernel(inlined=True)
def order_after(weak: Weak, sections: Sections, t: i64, last: i64, other: i64) -> None:
    """Order thread t in WCP after the last section of another thread: `last`, else `other`."""
    if last != NONE and sections.thread[last] == t:
        last = other
    if last == NONE:
        return
    u = sections.thread[last]
    if weak.wcp[t, u] < sections.clock[last, u]:
        join_row(weak.wcp, t, sections.clock, last)


@kernel
def rule_a(
    weak: Weak,
    sections: Sections,
    held: Held,
    pair_of: KeyMap,
    pairs: Matrix[i32],
    t: i64,
    x: i64,
    is_write: bool,
) -> None:
    """An access of x under the locks that thread t holds."""
    for i in range(held.n_locks[t]):
        lock = i64(held.locks[t, i])
        pair = find_key(pair_of, (lock << KEY_BITS) | x)
        if pair == ABSENT:
            continue
        order_after(weak, sections, t, i64(pairs[pair, LAST_WRITE]), i64(pairs[pair, OTHER_WRITE]))
        if is_write:
            last, other = i64(pairs[pair, LAST_READ]), i64(pairs[pair, OTHER_READ])
            order_after(weak, sections, t, last, other)


@kernel
def rule_b(weak: Weak, sections: Sections, t: i64, lock: i64) -> None:
    """A release: pass all sections on the lock whose acquire thread t knows by now."""
    key = (lock << THREAD_BITS) | t
    passed = find_key(sections.passed, key)
    section = i64(sections.first[lock] if passed == NONE else sections.next_one[passed])
    known = i64(NONE)
    while section != NONE:
        u = sections.thread[section]
        if sections.time[section] > weak.wcp[t, u]:
            break
        known = section
        passed = section
        section = i64(sections.next_one[section])
    if passed != NONE:
        put_key(sections.passed, key, passed)
    if known != NONE:
        join_row(weak.wcp, t, sections.clock, known)


@kernel
def close_section(
    weak: Weak, sections: Sections, held: Held, t: i64, lock: i64, counts: Vector[i64]
) -> None:
    """Write the section that ends here down, as the last one of its lock."""
    section = counts[N_SECTIONS]
    counts[N_SECTIONS] += 1
    sections.thread[section] = t
    sections.time[section] = held.opened[lock]
    copy_row(sections.clock, section, weak.hb, t)
    if sections.last[lock] == NONE:
        sections.first[lock] = section
    else:
        sections.next_one[sections.last[lock]] = section
    sections.last[lock] = section


@kernel
def note_access(
    sections: Sections,
    pair_of: KeyMap,
    pairs: Matrix[i32],
    lock: i64,
    logged: i64,
    section: i64,
    counts: Vector[i64],
) -> None:
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


@kernel
def open_section(held: Held, t: i64, lock: i64, counts: Vector[i64]) -> None:
    """Thread t holds one lock more."""
    n = held.n_locks[t]
    held.locks[t, n] = lock
    held.since[t, n] = held.n_log[t]
    held.n_locks[t] = n + 1
    counts[N_STAMPS] += 1
    held.stamp[t] = counts[N_STAMPS]


@kernel
def forget_lock(held: Held, t: i64, lock: i64, counts: Vector[i64]) -> i64:
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


@kernel(inlined=True)
def wcp_acquire(state: WcpState, t: i64, lock: i64) -> None:
    """Lines 1 to 3 of the paper's algorithm."""
    weak, held = state.weak, state.held
    join_row(weak.hb, t, weak.lock_hb, lock)
    join_row(weak.wcp, t, weak.lock_wcp, lock)
    held.opened[lock] = weak.hb[t, t]
    open_section(held, t, lock, state.counts)


@kernel(inlined=True)
def wcp_release(state: WcpState, t: i64, lock: i64) -> None:
    """Lines 4 to 10 of the paper's algorithm, and the tick."""
    weak, sections, held, counts = state.weak, state.sections, state.held, state.counts
    rule_b(weak, sections, t, lock)
    section = counts[N_SECTIONS]
    close_section(weak, sections, held, t, lock, counts)
    for i in range(forget_lock(held, t, lock, counts), held.n_log[t]):
        note_access(sections, state.pair_of, state.pairs, lock, held.log[t, i], section, counts)
    if held.n_locks[t] == 0:
        held.n_log[t] = 0
    copy_row(weak.lock_hb, lock, weak.hb, t)
    copy_row(weak.lock_wcp, lock, weak.wcp, t)
    weak.hb[t, t] += 1


@kernel(inlined=True)
def log_access(held: Held, t: i64, x: i64, is_write: i64) -> None:
    """Remember an access made under a lock, once between two lock events of the thread."""
    if held.n_locks[t] == 0 or held.logged[x, is_write] == held.stamp[t]:
        return
    held.logged[x, is_write] = held.stamp[t]
    held.log[t, held.n_log[t]] = (x << 1) | is_write
    held.n_log[t] += 1


@kernel(inlined=True)
def wcp_thread_event(weak: Weak, op: i64, t: i64, u: i64) -> None:
    """Fork and join: orders of both kinds."""
    if op == FORK:
        join_row(weak.hb, u, weak.hb, t)
        join_row(weak.wcp, u, weak.hb, t)
        weak.hb[t, t] += 1
    elif op == JOIN:
        join_row(weak.hb, t, weak.hb, u)
        join_row(weak.wcp, t, weak.hb, u)


@kernel(inlined=True)
def wcp_has_room(state: WcpState, operation: i64, t: i64, x: i64) -> bool:
    """Whether the tables have room for whatever this event may add to them."""
    held = state.held
    n_log = held.n_log[t]
    if operation <= WRITE:
        return n_log < held.log.shape[1] and has_vectors(state.history)
    if operation == ACQUIRE:
        return held.n_locks[t] < held.locks.shape[1]
    if operation != RELEASE:
        return True
    return (
        state.counts[N_SECTIONS] < len(state.sections.thread)
        and state.counts[N_PAIRS] + n_log <= len(state.pairs)
        and has_room(state.pair_of, n_log)
        and has_room(state.sections.passed, 1)
    )


@kernel(inlined=True)
def wcp_step(state: WcpState, operation: i64, t: i64, x: i64) -> bool:
    """One event; returns whether it races."""
    weak, held = state.weak, state.held
    if operation == ACQUIRE:
        wcp_acquire(state, t, x)
    elif operation == RELEASE:
        wcp_release(state, t, x)
    elif operation > WRITE:
        wcp_thread_event(weak, operation, t, x)
    else:
        if held.n_locks[t] != 0:
            is_write = operation == WRITE
            rule_a(weak, state.sections, held, state.pair_of, state.pairs, t, x, is_write)
            log_access(held, t, x, operation)
        return check_access(state.history, operation, x, weak.wcp, t, i64(weak.hb[t, t]))
    return False


wcp_events = event_loop(WcpState, wcp_has_room, wcp_step)
