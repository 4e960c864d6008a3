"""Writing acquires and releases down for `sync_closure`, in lists by lock and thread."""

from __future__ import annotations

from irsan.runtime.kernels.scalars import i64
from irsan.traces.kernels.kernel import kernel
from irsan.traces.kernels.key_map import ABSENT, find_key, has_room, put_key
from irsan.traces.kernels.operations import NONE, THREAD_BITS
from irsan.traces.kernels.sync_closure import N_ACQUIRES, N_LISTS, N_POOL, N_SHARED, Acquires


@kernel
def acquires_have_room(acquires: Acquires) -> bool:
    """Whether one more acquire surely fits, even if its list has to move."""
    counts = acquires.counts
    return (
        counts[N_ACQUIRES] < len(acquires.time)
        and counts[N_LISTS] < len(acquires.start)
        and counts[N_POOL] + 2 * counts[N_ACQUIRES] + 4 <= len(acquires.pool)
        and has_room(acquires.list_of, 1)
    )


@kernel
def list_of_lock(acquires: Acquires, lock: i64, t: i64) -> i64:
    """The list of thread t's acquires of a lock, a new one at first."""
    which = find_key(acquires.list_of, (lock << THREAD_BITS) | t)
    if which != ABSENT:
        return which
    which = acquires.counts[N_LISTS]
    acquires.counts[N_LISTS] += 1
    put_key(acquires.list_of, (lock << THREAD_BITS) | t, which)
    acquires.thread[which] = t
    acquires.length[which] = 0
    acquires.room[which] = 0
    before = acquires.first_list[lock]
    if before != NONE and acquires.next_list[before] == NONE:
        acquires.shared[acquires.counts[N_SHARED]] = lock
        acquires.counts[N_SHARED] += 1
    acquires.next_list[which] = before
    acquires.first_list[lock] = which
    return which


@kernel
def append_acquire(acquires: Acquires, which: i64, acquire: i64) -> None:
    """Put an acquire at the end of a list; a full list moves to a stretch of twice its length."""
    n = i64(acquires.length[which])
    if n == acquires.room[which]:
        old, new = acquires.start[which], acquires.counts[N_POOL]
        for i in range(n):
            acquires.pool[new + i] = acquires.pool[old + i]
        acquires.start[which] = new
        acquires.room[which] = 2 * n + 2
        acquires.counts[N_POOL] = new + 2 * n + 2
    acquires.pool[acquires.start[which] + n] = acquire
    acquires.length[which] = n + 1


@kernel
def note_acquire(acquires: Acquires, lock: i64, t: i64, time: i64) -> None:
    """Thread t takes a lock at its own time."""
    acquire = acquires.counts[N_ACQUIRES]
    acquires.counts[N_ACQUIRES] += 1
    acquires.time[acquire] = time
    acquires.number[acquire] = acquire
    acquires.release[acquire] = 0
    acquires.opened[lock] = acquire
    append_acquire(acquires, list_of_lock(acquires, lock, t), acquire)


@kernel
def note_release(acquires: Acquires, lock: i64, time: i64, row: i64) -> None:
    """The holder gives a lock back at its own time; its clock is in a row."""
    acquire = acquires.opened[lock]
    acquires.release[acquire] = time
    acquires.row[acquire] = row
