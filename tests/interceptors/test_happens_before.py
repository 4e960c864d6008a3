"""What synchronisation orders and what it does not: two accesses, one primitive between them."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import pytest

from irsan.interceptors.threads import (
    barriers,
    c11_mutexes,
    condition_variables,
    mutexes,
    once_and_keys,
    rwlocks,
    semaphores,
    sleeps,
    spinlocks,
    threads,
)
from irsan.runtime.kernels.race import access
from irsan.runtime.views import mappings
from tests.support.green import SCRATCH, Body, Call, GreenGuest, all_of

HANDLES = SCRATCH
TARGET = SCRATCH + 0x100
LOCK = SCRATCH + 0x200
OTHER_LOCK = SCRATCH + 0x240
CONDITION = SCRATCH + 0x280
SEMAPHORE = SCRATCH + 0x300
BARRIER = SCRATCH + 0x380
WRITE = 1

Calls = list[Call]
LOCKED: Calls = [(mutexes.i_mutex_lock, LOCK)]
UNLOCKED: Calls = [(mutexes.i_mutex_unlock, LOCK)]
ORDERED: dict[str, tuple[Calls, Calls, Calls]] = {
    # calls before the first access, calls after it, calls before the second access
    "mutex": (LOCKED, UNLOCKED, LOCKED),
    "trylock": (LOCKED, UNLOCKED, [(mutexes.i_mutex_trylock, LOCK)]),
    "C11 mutex": ([(c11_mutexes.i_mtx_lock, LOCK)], [(c11_mutexes.i_mtx_unlock, LOCK)], LOCKED),
    "spinlock": (
        [(spinlocks.i_spin_lock, LOCK)], [(spinlocks.i_spin_unlock, LOCK)],
        [(spinlocks.i_spin_trylock, LOCK)],
    ),
    "writer, reader": (
        [(rwlocks.i_rwlock_wrlock, LOCK)], [(rwlocks.i_rwlock_unlock, LOCK)],
        [(rwlocks.i_rwlock_rdlock, LOCK)],
    ),
    "reader, writer": (
        [(rwlocks.i_rwlock_rdlock, LOCK)], [(rwlocks.i_rwlock_unlock, LOCK)],
        [(rwlocks.i_rwlock_trywrlock, LOCK)],
    ),
    "semaphore": (
        [], [(semaphores.i_sem_post, SEMAPHORE)], [(semaphores.i_sem_wait, SEMAPHORE)],
    ),
    "asking a semaphore": (
        [], [(semaphores.i_sem_post, SEMAPHORE)],
        [(semaphores.i_sem_getvalue, SEMAPHORE, SEMAPHORE + 32)],
    ),
    "barrier": (
        [], [(barriers.i_barrier_wait, BARRIER)], [(barriers.i_barrier_wait, BARRIER)],
    ),
    "once": (
        [(once_and_keys.once_begin, LOCK)], [(once_and_keys.once_end, LOCK, 2)],
        [(once_and_keys.once_begin, LOCK)],
    ),
    "static guard": (
        [(once_and_keys.i_guard_acquire, LOCK)], [(once_and_keys.i_guard_release, LOCK)],
        [(once_and_keys.i_guard_acquire, LOCK)],
    ),
}  # fmt: skip
UNORDERED: dict[str, tuple[Calls, Calls, Calls]] = {
    "nothing": ([], [], []),
    "another mutex": (LOCKED, UNLOCKED, [(mutexes.i_mutex_lock, OTHER_LOCK)]),
    "two readers": (
        [(rwlocks.i_rwlock_rdlock, LOCK)], [(rwlocks.i_rwlock_unlock, LOCK)],
        [(rwlocks.i_rwlock_rdlock, LOCK)],
    ),
    "a signal by itself": ([], [(condition_variables.i_cond_signal, CONDITION)], []),
    "sleeping": ([], [], [(sleeps.i_sleep, 5)]),
    "yielding": ([], [(sleeps.i_sched_yield,)], [(sleeps.i_sched_yield,)]),
    "a failed trylock": ([], LOCKED, [(mutexes.i_mutex_trylock, LOCK)]),
}  # fmt: skip


@pytest.fixture
def green(guest: Any) -> Iterator[GreenGuest]:
    guest.ctx["sanitize_thread"] = 1
    mappings.refresh_mappings(guest.ctx)
    barriers.i_barrier_init(guest.ctx, BARRIER, 0, 2)
    found = GreenGuest(guest.ctx)
    yield found
    found.close()


def write() -> Call:
    return access.race_access_slow, TARGET, 8, WRITE


def n_races(green: GreenGuest, calls: tuple[Calls, Calls, Calls]) -> int:
    """Findings of: a thread writes between its calls, then main writes after its own."""
    before, after, second = calls
    log = []

    def worker() -> Body:
        yield from all_of(before)
        yield write()
        log.append("written")
        yield from all_of(after)
        log.append("over")
        return 0

    def main() -> Body:
        yield threads.i_pthread_create, HANDLES, 0, 1, 0
        is_meeting = any(call[0] is barriers.i_barrier_wait for call in after)
        while ("written" if is_meeting else "over") not in log:
            yield (sleeps.i_sched_yield,)
        yield from all_of(second)
        yield write()
        return 0

    green.routines[1] = lambda _: worker()
    green.start(main())
    assert green.run() == "ended"
    return len(green.reports)


@pytest.mark.parametrize("name", ORDERED)
def test_ordered(green: GreenGuest, name: str) -> None:
    assert n_races(green, ORDERED[name]) == 0


@pytest.mark.parametrize("name", UNORDERED)
def test_unordered(green: GreenGuest, name: str) -> None:
    assert n_races(green, UNORDERED[name]) == 1


def test_creation_and_join_order(green: GreenGuest) -> None:
    def worker() -> Body:
        yield write()
        return 0

    def main() -> Body:
        yield write()
        yield threads.i_pthread_create, HANDLES, 0, 1, 0
        handle = ctypes.c_uint64.from_address(HANDLES).value
        yield threads.i_pthread_join, handle, 0
        yield write()
        return 0

    green.routines[1] = lambda _: worker()
    green.start(main())
    assert green.run() == "ended"
    assert green.reports == []


def test_a_detached_thread_is_not_ordered_by_its_end(green: GreenGuest) -> None:
    log = []

    def worker() -> Body:
        yield write()
        log.append("over")
        return 0

    def main() -> Body:
        yield threads.i_pthread_create, HANDLES, 0, 1, 0
        yield threads.i_pthread_detach, ctypes.c_uint64.from_address(HANDLES).value
        while "over" not in log:
            yield (sleeps.i_sched_yield,)
        yield sleeps.i_usleep, 1000
        yield write()
        return 0

    green.routines[1] = lambda _: worker()
    green.start(main())
    assert green.run() == "ended"
    assert len(green.reports) == 1


def test_a_condition_orders_through_its_mutex(green: GreenGuest) -> None:
    def worker() -> Body:
        yield from all_of(LOCKED)
        yield write()
        yield condition_variables.i_cond_signal, CONDITION
        yield from all_of(UNLOCKED)
        return 0

    def main() -> Body:
        yield from all_of(LOCKED)
        yield threads.i_pthread_create, HANDLES, 0, 1, 0
        yield condition_variables.i_cond_wait, CONDITION, LOCK
        yield write()
        yield from all_of(UNLOCKED)
        return 0

    green.routines[1] = lambda _: worker()
    green.start(main())
    assert green.run() == "ended"
    assert green.reports == []


def test_a_barrier_used_again_orders_each_round(green: GreenGuest) -> None:
    """Both write in turns, a barrier between any two turns."""

    def turns(first: int) -> Body:
        for turn in range(6):
            if turn % 2 == first:
                yield write()
            yield barriers.i_barrier_wait, BARRIER
        return 0

    def main() -> Body:
        yield threads.i_pthread_create, HANDLES, 0, 1, 1
        yield from turns(0)
        return 0

    green.routines[1] = turns
    green.start(main())
    assert green.run() == "ended"
    assert green.reports == []
