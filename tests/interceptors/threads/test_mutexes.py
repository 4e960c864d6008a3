"""Mutexes and spinlocks call by call: kinds, glibc's layout.  See test_lock_twins."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from irsan.interceptors.threads import ended_threads, mutexes
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.threads.scheduler import make_runnable
from tests.support.green import SCRATCH, call_told, slot_to_addr

MUTEX = SCRATCH
ATTRIBUTES = SCRATCH + 64
TIME = SCRATCH + 128
EPERM, EBUSY, EINVAL, EDEADLK = 1, 16, 22, 35
EOWNERDEAD, ENOTRECOVERABLE = 130, 131
NORMAL, RECURSIVE, ERRORCHECK, ADAPTIVE = range(4)
MUTEX_BYTES = 40


def with_kind(ctx: Any, kind: int) -> int:
    ctypes.memset(ATTRIBUTES, 0, 8)
    assert mutexes.i_mutexattr_settype(ctx, ATTRIBUTES, kind) == 0
    assert mutexes.i_mutex_init(ctx, MUTEX, ATTRIBUTES) == 0
    return MUTEX


def blocks(ctx: Any, status: int) -> bool:
    """Whether the last call asked to be tried again."""
    action = int(ctx["action"])
    ctx["action"] = actions.NONE
    return action == actions.RETRY and status == 0


@pytest.mark.parametrize("kind", [NORMAL, RECURSIVE, ERRORCHECK, ADAPTIVE])
def test_the_layout_is_the_c_librarys(guest: Any, kind: int) -> None:
    """An attribute that libc wrote makes our mutex; a mutex that libc wrote has its kind here."""
    libc = ctypes.CDLL(None)
    raw = (ctypes.c_uint8 * 8)()
    theirs = (ctypes.c_uint8 * MUTEX_BYTES)()
    assert libc.pthread_mutexattr_init(raw) == 0
    assert libc.pthread_mutexattr_settype(raw, kind) == 0
    assert libc.pthread_mutex_init(theirs, raw) == 0
    ctypes.memset(MUTEX, 0xAA, MUTEX_BYTES)
    mutexes.i_mutex_init(guest.ctx, MUTEX, ctypes.addressof(raw))
    theirs[17] = 0  # a flag about lock elision
    assert ctypes.string_at(MUTEX, MUTEX_BYTES) == bytes(theirs)
    assert mutexes.i_mutexattr_settype(guest.ctx, ATTRIBUTES, kind) == 0
    assert ctypes.c_uint32.from_address(ATTRIBUTES).value & 3 == kind


def test_a_static_initialiser_of_zeros_is_a_normal_mutex(guest: Any) -> None:
    assert call_told(mutexes.i_mutex_lock, guest.ctx, MUTEX) == 0
    assert call_told(mutexes.i_mutex_trylock, guest.ctx, MUTEX) == EBUSY
    assert call_told(mutexes.i_mutex_destroy, guest.ctx, MUTEX) == EBUSY
    assert call_told(mutexes.i_mutex_unlock, guest.ctx, MUTEX) == 0
    assert call_told(mutexes.i_mutex_destroy, guest.ctx, MUTEX) == 0


@pytest.mark.parametrize("kind", [-1, 4, 100])
def test_other_kinds_are_refused(guest: Any, kind: int) -> None:
    assert mutexes.i_mutexattr_settype(guest.ctx, ATTRIBUTES, kind) == EINVAL


def test_a_recursive_mutex_is_free_after_as_many_unlocks(guest: Any) -> None:
    ctx = guest.ctx
    mutex = with_kind(ctx, RECURSIVE)
    for call in (mutexes.i_mutex_lock, mutexes.i_mutex_trylock, mutexes.i_mutex_lock):
        assert call(ctx, mutex) == 0
    guest.switch_to(guest.new_thread(1))
    assert call_told(mutexes.i_mutex_unlock, ctx, mutex) == EPERM
    guest.switch_to(guest.main)
    for _ in range(3):
        guest.switch_to(guest.main)
        assert call_told(mutexes.i_mutex_unlock, ctx, mutex) == 0
    assert call_told(mutexes.i_mutex_unlock, ctx, mutex) == EPERM
    assert call_told(mutexes.i_mutex_destroy, ctx, mutex) == 0


def test_an_errorcheck_mutex_says_what_is_wrong(guest: Any) -> None:
    ctx = guest.ctx
    mutex = with_kind(ctx, ERRORCHECK)
    assert call_told(mutexes.i_mutex_unlock, ctx, mutex) == EPERM
    assert call_told(mutexes.i_mutex_lock, ctx, mutex) == 0
    assert call_told(mutexes.i_mutex_lock, ctx, mutex) == EDEADLK
    assert call_told(mutexes.i_mutex_trylock, ctx, mutex) == EBUSY
    guest.switch_to(guest.new_thread(1))
    assert call_told(mutexes.i_mutex_unlock, ctx, mutex) == EPERM


def test_locking_a_normal_mutex_twice_waits_for_ever(guest: Any) -> None:
    make_runnable(guest.ctx, slot_to_addr(0))
    call_told(mutexes.i_mutex_lock, guest.ctx, MUTEX)
    assert blocks(guest.ctx, call_told(mutexes.i_mutex_lock, guest.ctx, MUTEX))


def test_no_time_is_refused_only_by_who_must_wait(guest: Any) -> None:
    ctx = guest.ctx
    (ctypes.c_int64 * 2).from_address(TIME)[:] = [1, 10**9]
    assert call_told(mutexes.i_mutex_timedlock, ctx, MUTEX, TIME) == 0
    assert call_told(mutexes.i_mutex_timedlock, ctx, MUTEX, TIME) == EINVAL
    assert call_told(mutexes.i_mutex_clocklock, ctx, MUTEX, 1, TIME) == EINVAL
    assert ctypes.c_uint32.from_address(MUTEX + 12).value == 0


def robust(ctx: Any) -> int:
    libc = ctypes.CDLL(None)
    assert libc.pthread_mutexattr_init(ctypes.c_void_p(ATTRIBUTES)) == 0
    assert libc.pthread_mutexattr_setrobust(ctypes.c_void_p(ATTRIBUTES), 1) == 0
    assert mutexes.i_mutex_init(ctx, MUTEX, ATTRIBUTES) == 0
    return MUTEX


def end_owner(guest: Any, mutex: int) -> None:
    guest.switch_to(guest.new_thread(1))
    assert mutexes.i_mutex_lock(guest.ctx, mutex) == 0
    ended_threads.settle_held_locks(guest.ctx)
    guest.switch_to(guest.main)


def test_the_next_owner_of_a_robust_mutex_is_told_and_repairs_it(guest: Any) -> None:
    ctx, mutex = guest.ctx, robust(guest.ctx)
    assert mutexes.i_mutex_consistent(ctx, mutex) == EINVAL
    end_owner(guest, mutex)
    assert mutexes.i_mutex_lock(ctx, mutex) == EOWNERDEAD
    assert mutexes.i_mutex_consistent(ctx, mutex) == 0
    assert mutexes.i_mutex_unlock(ctx, mutex) == 0
    assert mutexes.i_mutex_trylock(ctx, mutex) == 0


def test_a_robust_mutex_that_nobody_repairs_is_lost(guest: Any) -> None:
    ctx, mutex = guest.ctx, robust(guest.ctx)
    end_owner(guest, mutex)
    assert mutexes.i_mutex_trylock(ctx, mutex) == EOWNERDEAD
    assert mutexes.i_mutex_unlock(ctx, mutex) == 0
    assert mutexes.i_mutex_lock(ctx, mutex) == ENOTRECOVERABLE
    assert mutexes.i_mutex_trylock(ctx, mutex) == ENOTRECOVERABLE
