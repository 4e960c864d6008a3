"""Whether locks and threads are used as a real execution can use them, and re-entrancy made flat.

Refused: acquiring a lock that another thread holds; releasing a lock that one does not hold;
forking or joining oneself; forking a thread that has begun; acting after having been joined
(begin, end and dummy events do not count as acting).
An acquire of a lock that the thread holds already, and the release that goes with it, become
SKIPPED: every analysis below may take locks to be flat.  So does a join of a thread without any
event, which RAPID does not know: through such a thread nothing is ordered.

**Soundness**: exact for the rules above.  Locks still held at the end are fine.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from irsan.runtime.kernels.scalars import Vector, i32, i64, u8
from irsan.traces.kernels.columns import column
from irsan.traces.kernels.kernel import kernel, table
from irsan.traces.kernels.operations import ACQUIRE, FORK, JOIN, NONE, RELEASE, SKIPPED


class Violation(IntEnum):
    """What an event does that no execution can do."""

    NONE = 0
    HELD_BY_OTHER = 1
    NOT_HELD = 2
    FORKED_TWICE = 3
    AFTER_JOIN = 4
    ITSELF = 5


BEGUN, JOINED, SEEN = 1, 2, 4


@table
class Usage(NamedTuple):
    """The state of all locks and threads.

    holder  thread that holds a lock, NONE when free
    depth   how often the holder has acquired it
    life    bits: BEGUN (has acted or was forked), JOINED, SEEN (has an event)
    """

    holder: Vector[i32] = column("i32", "locks", fill=NONE)
    depth: Vector[i32] = column("i32", "locks")
    life: Vector[i32] = column("i32", "threads")


@kernel
def check_acquire(usage: Usage, thread: i64, lock: i64) -> i64:
    """Take a lock; returns a Violation."""
    if usage.depth[lock] > 0 and usage.holder[lock] != thread:
        return i64(Violation.HELD_BY_OTHER)
    usage.holder[lock] = thread
    usage.depth[lock] += 1
    return i64(Violation.NONE)


@kernel
def check_thread_event(usage: Usage, operation: i64, child: i64) -> i64:
    """A fork or join of another thread; returns a Violation."""
    if operation == JOIN:
        usage.life[child] |= JOINED
        return i64(Violation.NONE)
    if usage.life[child] & BEGUN:
        return i64(Violation.FORKED_TWICE)
    usage.life[child] |= BEGUN
    return i64(Violation.NONE)


@kernel
def check_events(
    usage: Usage, op: Vector[u8], thread: Vector[i32], target: Vector[i32], violation: Vector[i64]
) -> i64:
    """Check a chunk and make its lock operations flat, in `op` itself.

    Returns the number of events that are fine; violation int64[1] says what the next one did.
    """
    violation[0] = 0
    for i in range(len(op)):
        o = op[i]
        t = thread[i]
        x = target[i]
        usage.life[t] |= SEEN
        if o > JOIN:
            continue
        found = i64(0)
        if usage.life[t] & JOINED:
            found = i64(Violation.AFTER_JOIN)
        elif o == ACQUIRE:
            found = check_acquire(usage, i64(t), i64(x))
            if usage.depth[x] > 1:
                op[i] = SKIPPED
        elif o == RELEASE:
            if usage.depth[x] == 0 or usage.holder[x] != t:
                found = i64(Violation.NOT_HELD)
            else:
                usage.depth[x] -= 1
                if usage.depth[x] > 0:
                    op[i] = SKIPPED
        elif o == FORK or o == JOIN:
            found = i64(Violation.ITSELF) if t == x else check_thread_event(usage, i64(o), i64(x))
            if o == JOIN and not usage.life[x] & SEEN:
                op[i] = SKIPPED
        if found != 0:
            violation[0] = found
            return i
        usage.life[t] |= BEGUN
    return len(op)
