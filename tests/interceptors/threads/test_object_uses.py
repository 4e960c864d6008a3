"""Every call that is given a lock or the like: in freed memory, beyond a block, in a live one."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import pytest

from irsan.interceptors.threads import (
    barriers,
    condition_variables,
    mutexes,
    once_and_keys,
    rwlocks,
    semaphores,
    sleeps,
    spinlocks,
    threads,
)
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.combined import object_uses as uses
from irsan.runtime.layout.faults import ASK_AGAIN, FaultKind
from tests.runtime.kernels.heap.test_heap import allocate, free, start_heap
from tests.support.green import GreenGuest, idle_body


def zeroed(ctx: Any, size_bytes: int) -> int:
    """A new block of zeros."""
    block = allocate(ctx, size_bytes)
    ctypes.memset(block, 0, size_bytes)
    return block


def now(ctx: Any) -> int:
    """A struct timespec of zeros: a deadline that has passed."""
    return zeroed(ctx, 16)


def owned_mutex(ctx: Any) -> int:
    """A mutex that the running thread has."""
    mutex = zeroed(ctx, 40)
    mutexes.i_mutex_lock(ctx, mutex)
    return mutex


CALLS: dict[str, tuple[int, Callable[[Any, int], Any]]] = {
    "mutex_init": (40, lambda ctx, a: mutexes.i_mutex_init(ctx, a, 0)),
    "mutex_lock": (40, mutexes.i_mutex_lock),
    "mutex_trylock": (40, mutexes.i_mutex_trylock),
    "mutex_timedlock": (40, lambda ctx, a: mutexes.i_mutex_timedlock(ctx, a, now(ctx))),
    "mutex_clocklock": (40, lambda ctx, a: mutexes.i_mutex_clocklock(ctx, a, 1, now(ctx))),
    "mutex_unlock": (40, mutexes.i_mutex_unlock),
    "mutex_destroy": (40, mutexes.i_mutex_destroy),
    "cond_init": (48, lambda ctx, a: condition_variables.i_cond_init(ctx, a, 0)),
    "cond_wait": (48, lambda ctx, a: condition_variables.i_cond_wait(ctx, a, owned_mutex(ctx))),
    "wait_with": (40, lambda ctx, a: condition_variables.i_cond_wait(ctx, zeroed(ctx, 48), a)),
    "cond_signal": (48, condition_variables.i_cond_signal),
    "cond_broadcast": (48, condition_variables.i_cond_broadcast),
    "cond_destroy": (48, condition_variables.i_cond_destroy),
    "rwlock_init": (56, lambda ctx, a: rwlocks.i_rwlock_init(ctx, a, 0)),
    "rwlock_rdlock": (56, rwlocks.i_rwlock_rdlock),
    "rwlock_wrlock": (56, rwlocks.i_rwlock_wrlock),
    "rwlock_tryrdlock": (56, rwlocks.i_rwlock_tryrdlock),
    "rwlock_trywrlock": (56, rwlocks.i_rwlock_trywrlock),
    "rwlock_timedrdlock": (56, lambda ctx, a: rwlocks.i_rwlock_timedrdlock(ctx, a, now(ctx))),
    "rwlock_clockwrlock": (56, lambda ctx, a: rwlocks.i_rwlock_clockwrlock(ctx, a, 1, now(ctx))),
    "rwlock_unlock": (56, rwlocks.i_rwlock_unlock),
    "rwlock_destroy": (56, rwlocks.i_rwlock_destroy),
    "barrier_init": (32, lambda ctx, a: barriers.i_barrier_init(ctx, a, 0, 1)),
    "barrier_wait": (32, barriers.i_barrier_wait),
    "barrier_destroy": (32, barriers.i_barrier_destroy),
    "sem_init": (32, lambda ctx, a: semaphores.i_sem_init(ctx, a, 0, 1)),
    "sem_wait": (32, semaphores.i_sem_wait),
    "sem_timedwait": (32, lambda ctx, a: semaphores.i_sem_timedwait(ctx, a, now(ctx))),
    "sem_trywait": (32, semaphores.i_sem_trywait),
    "sem_post": (32, semaphores.i_sem_post),
    "sem_getvalue": (32, lambda ctx, a: semaphores.i_sem_getvalue(ctx, a, zeroed(ctx, 4))),
    "sem_destroy": (32, semaphores.i_sem_destroy),
    "spin_init": (4, lambda ctx, a: spinlocks.i_spin_init(ctx, a, 0)),
    "spin_lock": (4, spinlocks.i_spin_lock),
    "spin_trylock": (4, spinlocks.i_spin_trylock),
    "spin_unlock": (4, spinlocks.i_spin_unlock),
    "spin_destroy": (4, spinlocks.i_spin_destroy),
    "once": (4, once_and_keys.once_begin),
}


@pytest.fixture
def ctx(green: GreenGuest) -> Any:
    """A guest with a heap, the address check and a main thread."""
    ctx = start_heap(green.ctx)
    ctx["sanitize_thread"] = 0
    green.start(idle_body())
    return ctx


def bytes_at(addr: int, size_bytes: int) -> bytes:
    return bytes((ctypes.c_uint8 * size_bytes).from_address(addr))


def assert_told(ctx: Any, addr: int, size_bytes: int) -> None:
    """A finding about the whole object, left before anything was done."""
    assert ctx["action"] == actions.REPORT
    assert int(ctx["fault"][0]) == FaultKind.BAD_ACCESS
    assert [int(word) for word in ctx["fault"][1:3]] == [addr, size_bytes]
    assert ctx["fault"][ASK_AGAIN] == 1
    ctx["action"] = actions.NONE


@pytest.mark.parametrize("name", CALLS)
def test_a_use_after_free_is_told_once_and_then_goes_on(ctx: Any, name: str) -> None:
    size_bytes, call = CALLS[name]
    block = zeroed(ctx, 64)
    free(ctx, block)
    before = bytes_at(block, 64)
    call(ctx, block)
    assert_told(ctx, block, size_bytes)
    assert bytes_at(block, 64) == before
    call(ctx, block)
    assert ctx["action"] != actions.REPORT


@pytest.mark.parametrize("name", CALLS)
def test_the_whole_object_must_be_in_the_block(ctx: Any, name: str) -> None:
    size_bytes, call = CALLS[name]
    block = zeroed(ctx, size_bytes - 1)
    call(ctx, block)
    assert_told(ctx, block, size_bytes)


@pytest.mark.parametrize("name", CALLS)
def test_a_live_object_of_the_exact_size_is_no_finding(ctx: Any, name: str) -> None:
    size_bytes, call = CALLS[name]
    block = zeroed(ctx, size_bytes)
    call(ctx, block)
    assert ctx["action"] != actions.REPORT


@pytest.mark.parametrize("name", CALLS)
def test_nothing_is_asked_without_the_address_check(ctx: Any, name: str) -> None:
    _, call = CALLS[name]
    block = zeroed(ctx, 64)
    free(ctx, block)
    ctx["sanitize_address"] = 0
    call(ctx, block)
    assert ctx["action"] != actions.REPORT


ARGUMENTS: dict[str, tuple[int, Callable[[Any, int], Any]]] = {
    "mutex_timedlock": (16, lambda ctx, a: mutexes.i_mutex_timedlock(ctx, owned_mutex(ctx), a)),
    "mutex_clocklock": (16, lambda ctx, a: mutexes.i_mutex_clocklock(ctx, zeroed(ctx, 40), 1, a)),
    "cond_timedwait": (
        16,
        lambda ctx, a: condition_variables.i_cond_timedwait(
            ctx, zeroed(ctx, 48), owned_mutex(ctx), a
        ),
    ),
    "cond_clockwait": (
        16,
        lambda ctx, a: condition_variables.i_cond_clockwait(
            ctx, zeroed(ctx, 48), owned_mutex(ctx), 1, a
        ),
    ),
    "cnd_timedwait": (
        16,
        lambda ctx, a: condition_variables.i_cnd_timedwait(
            ctx, zeroed(ctx, 48), owned_mutex(ctx), a
        ),
    ),
    "timedrdlock": (16, lambda ctx, a: rwlocks.i_rwlock_timedrdlock(ctx, zeroed(ctx, 56), a)),
    "timedwrlock": (16, lambda ctx, a: rwlocks.i_rwlock_timedwrlock(ctx, zeroed(ctx, 56), a)),
    "clockrdlock": (16, lambda ctx, a: rwlocks.i_rwlock_clockrdlock(ctx, zeroed(ctx, 56), 1, a)),
    "clockwrlock": (16, lambda ctx, a: rwlocks.i_rwlock_clockwrlock(ctx, zeroed(ctx, 56), 1, a)),
    "sem_timedwait": (16, lambda ctx, a: semaphores.i_sem_timedwait(ctx, zeroed(ctx, 32), a)),
    "sem_clockwait": (16, lambda ctx, a: semaphores.i_sem_clockwait(ctx, zeroed(ctx, 32), 1, a)),
    "nanosleep": (16, lambda ctx, a: sleeps.i_nanosleep(ctx, a, 0)),
    "sleep_until": (16, lambda ctx, a: sleeps.i_clock_nanosleep(ctx, 1, 1, a, 0)),
    "create": (8, lambda ctx, a: threads.i_pthread_create(ctx, a, 0, 1, 0)),
    "join": (8, lambda ctx, a: threads.i_pthread_join(ctx, 0, a)),
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_times_and_results_in_freed_memory_are_told_once(ctx: Any, name: str) -> None:
    size_bytes, call = ARGUMENTS[name]
    block = zeroed(ctx, 64)
    free(ctx, block)
    call(ctx, block)
    assert_told(ctx, block, size_bytes)
    call(ctx, block)
    assert ctx["action"] != actions.REPORT


@pytest.mark.parametrize("name", ARGUMENTS)
def test_times_and_results_in_live_memory_are_no_finding(ctx: Any, name: str) -> None:
    size_bytes, call = ARGUMENTS[name]
    call(ctx, zeroed(ctx, size_bytes))
    assert ctx["action"] != actions.REPORT


def test_a_wait_with_two_freed_objects_is_told_of_one(ctx: Any) -> None:
    condition, mutex = zeroed(ctx, 48), zeroed(ctx, 40)
    free(ctx, condition)
    free(ctx, mutex)
    condition_variables.i_cond_wait(ctx, condition, mutex)
    assert_told(ctx, condition, 48)
    condition_variables.i_cond_wait(ctx, condition, mutex)
    assert ctx["action"] == actions.RETRY


def test_memory_that_is_not_ours_is_not_asked(ctx: Any) -> None:
    outside = ctypes.create_string_buffer(64)
    assert not uses.is_use_bad(ctx, ctypes.addressof(outside), 40)
    assert ctx["action"] == actions.NONE
