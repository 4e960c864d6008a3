"""Run threads that lock and wait, by kernels and by their naive twins, and compare every answer.

A script is a list of steps `(verb, object number)` per thread.  Steps that C leaves undefined
(unlocking what another thread holds) are skipped.  The guest decides who runs; the twins say, when
a call ends, whether it could end so; when it blocks, whether it had to; when none can run,
whether that is true: then no wake-up was lost.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any

from irsan.interceptors.threads import (
    barriers,
    condition_variables,
    mutexes,
    rwlocks,
    semaphores,
    spinlocks,
)
from irsan.runtime.kernels.threads.virtual_clock import store_timespec
from irsan.runtime.layout.thread_states import WAIT_CONDITION, WAIT_MUTEX
from tests.oracles.locks import (
    ERRORCHECK,
    NORMAL,
    OK,
    RECURSIVE,
    NaiveBarrier,
    NaiveCondition,
    NaiveMutex,
    NaiveSemaphore,
    NaiveSharedLock,
)
from tests.support.green import (
    REALTIME_START_NS,
    SCRATCH,
    Body,
    Call,
    GreenGuest,
    GreenThread,
    Watcher,
)

ETIMEDOUT = 110
Script = list[tuple[str, int]]
MUTEX_KINDS = (NORMAL, RECURSIVE, ERRORCHECK)
MUTEXES = [SCRATCH + 64 * i for i in range(3)]
CONDITION = SCRATCH + 0x200
SEMAPHORE = SCRATCH + 0x280
SHARED = SCRATCH + 0x300
BARRIER = SCRATCH + 0x380
SPIN = SCRATCH + 0x3C0
ERRNO = SCRATCH - 64
DEADLINES = SCRATCH + 0x1000  # one timespec per thread
TIMEOUT_NS = 700
VERBS = (
    "lock", "trylock", "timedlock", "unlock", "wait", "timedwait", "signal", "broadcast",
    "sem_wait", "sem_trywait", "sem_timedwait", "sem_post", "read", "tryread", "timedread",
    "write", "trywrite", "timedwrite", "unshare", "arrive", "spin", "tryspin", "unspin", "pause",
)  # fmt: skip


@dataclass(slots=True)
class LockPair(Watcher):
    """All objects of a program twice: in guest memory, and as naive twins."""

    guest: GreenGuest
    barrier_count: int = 2
    semaphore_value: int = 1
    mutexes: list[NaiveMutex] = field(default_factory=list)
    condition: NaiveCondition = field(default_factory=NaiveCondition)
    semaphore: NaiveSemaphore = field(default_factory=lambda: NaiveSemaphore(0))
    shared: NaiveSharedLock = field(default_factory=NaiveSharedLock)
    barrier: NaiveBarrier = field(default_factory=lambda: NaiveBarrier(2))
    spin: NaiveMutex = field(default_factory=NaiveMutex)
    verbs: dict[int, str] = field(default_factory=dict)  # what each thread is doing now
    deadlines: dict[int, int] = field(default_factory=dict)
    waiting_before: set[int] = field(default_factory=set)
    blocked: dict[int, str] = field(default_factory=dict)
    n_blocked: int = 0
    n_ended: int = 0

    def set_up(self) -> None:
        """Initialise the objects in guest memory."""
        ctx = self.guest.ctx
        ctypes.memset(SCRATCH - 64, 0, 0x2000)
        for addr, kind in zip(MUTEXES, MUTEX_KINDS, strict=True):
            mutexes.i_mutexattr_settype(ctx, BARRIER, kind)
            mutexes.i_mutex_init(ctx, addr, BARRIER)
        self.mutexes = [NaiveMutex(kind) for kind in MUTEX_KINDS]
        condition_variables.i_cond_init(ctx, CONDITION, 0)
        semaphores.i_sem_init(ctx, SEMAPHORE, 0, self.semaphore_value)
        self.semaphore = NaiveSemaphore(self.semaphore_value)
        rwlocks.i_rwlock_init(ctx, SHARED, 0)
        barriers.i_barrier_init(ctx, BARRIER, 0, self.barrier_count)
        self.barrier = NaiveBarrier(self.barrier_count)
        self.guest.watcher = self

    def body(self, script: Script) -> Body:
        """A thread that follows a script as far as C defines what it does."""
        for verb, number in script:
            thread = self.guest.current()
            if verb == "pause":
                yield None
                continue
            if verb in ("wait", "timedwait") and self.mutexes[number].owner != thread.tid:
                yield self._call(thread, "lock", number)
                if self.mutexes[number].owner != thread.tid:
                    continue
            if self._is_defined(verb, number, thread.tid):
                yield self._call(thread, verb, number)
        return 0

    def _is_defined(self, verb: str, number: int, tid: int) -> bool:
        if verb == "unlock" and self.mutexes[number].kind == NORMAL:
            return self.mutexes[number].owner == tid
        if verb == "unshare":
            return self.shared.is_held_by(tid)
        if verb == "unspin":
            return self.spin.owner == tid
        return True

    def _call(self, thread: GreenThread, verb: str, number: int) -> Call:
        tid, mutex = thread.tid, MUTEXES[number]
        self.verbs[tid] = f"{verb} {number}"
        deadline = DEADLINES + 16 * tid
        if verb.startswith(("timed", "sem_timed")):
            self.deadlines[tid] = int(self.guest.ctx["schedule"]["clock_ns"]) + TIMEOUT_NS
            store_timespec(deadline, int(REALTIME_START_NS) + self.deadlines[tid])
        return {
            "lock": (mutexes.i_mutex_lock, mutex),
            "trylock": (mutexes.i_mutex_trylock, mutex),
            "timedlock": (mutexes.i_mutex_timedlock, mutex, deadline),
            "unlock": (mutexes.i_mutex_unlock, mutex),
            "wait": (condition_variables.i_cond_wait, CONDITION, mutex),
            "timedwait": (condition_variables.i_cond_timedwait, CONDITION, mutex, deadline),
            "signal": (condition_variables.i_cond_signal, CONDITION),
            "broadcast": (condition_variables.i_cond_broadcast, CONDITION),
            "sem_wait": (semaphores.i_sem_wait, SEMAPHORE),
            "sem_trywait": (semaphores.i_sem_trywait, SEMAPHORE),
            "sem_timedwait": (semaphores.i_sem_timedwait, SEMAPHORE, deadline),
            "sem_post": (semaphores.i_sem_post, SEMAPHORE),
            "read": (rwlocks.i_rwlock_rdlock, SHARED),
            "tryread": (rwlocks.i_rwlock_tryrdlock, SHARED),
            "timedread": (rwlocks.i_rwlock_timedrdlock, SHARED, deadline),
            "write": (rwlocks.i_rwlock_wrlock, SHARED),
            "trywrite": (rwlocks.i_rwlock_trywrlock, SHARED),
            "timedwrite": (rwlocks.i_rwlock_timedwrlock, SHARED, deadline),
            "unshare": (rwlocks.i_rwlock_unlock, SHARED),
            "arrive": (barriers.i_barrier_wait, BARRIER),
            "spin": (spinlocks.i_spin_lock, SPIN),
            "tryspin": (spinlocks.i_spin_trylock, SPIN),
            "unspin": (spinlocks.i_spin_unlock, SPIN),
        }[verb]

    def begins(self, thread: GreenThread) -> None:
        """Remember who waits on the condition before the call."""
        self.blocked.pop(thread.tid, None)
        self.waiting_before = self.guest.waiting(WAIT_CONDITION, CONDITION)

    def blocks(self, thread: GreenThread) -> None:
        """The twin must find that the thread has to wait."""
        verb, number = self._verb(thread.tid)
        self.n_blocked += 1
        self.blocked[thread.tid] = verb
        if verb.endswith("wait") and not verb.startswith("sem"):
            self._condition_blocks(thread.tid, number)
        elif verb == "arrive":
            assert self.barrier.arrive(thread.tid) is None
        else:
            assert self._attempt(verb.removeprefix("timed"), number, thread.tid) is None

    def ends(self, thread: GreenThread, value: int) -> None:
        """The twin must allow this answer."""
        if thread.tid not in self.verbs:
            return  # the main thread, still creating the others
        verb, number = self._verb(thread.tid)
        tid, value = thread.tid, int(value)
        self.n_ended += 1
        if verb in ("wait", "timedwait"):
            assert value in (OK, ETIMEDOUT)
            self._check_time(tid, value)
            self.condition.end(tid, self.mutexes[number], value == ETIMEDOUT)
        elif verb in ("signal", "broadcast"):
            self._condition_wakes(1 if verb == "signal" else 1 << 32)
        elif verb == "arrive" and tid in self.barrier.leaving:
            assert value == self.barrier.leave(tid)
        else:
            self._plain_end(tid, verb, number, value)

    def check_idle(self) -> None:
        """No thread can run: each thread that waits must have to."""
        waiting = self.guest.waiting(WAIT_CONDITION, CONDITION)
        for tid, verb in self.blocked.items():
            number = self._verb(tid)[1]
            if verb == "arrive":
                assert tid in self.barrier.arrived
            elif verb == "wait" and tid in waiting:
                assert tid in self.condition.waiting
            elif verb in ("wait", "timedwait"):
                assert tid not in waiting and self.mutexes[number].owner is not None
            else:
                assert "timed" not in verb
                assert self._attempt(verb, number, tid) is None

    def check_waiters(self) -> None:
        """The waiters that a mutex counts are those that are there."""
        for addr in MUTEXES:
            counted = ctypes.c_uint32.from_address(addr + 12).value
            assert counted == len(self.guest.waiting(WAIT_MUTEX, addr))

    def _verb(self, tid: int) -> tuple[str, int]:
        verb, number = self.verbs[tid].split()
        return verb, int(number)

    def _condition_wakes(self, limit: int) -> None:
        expired = self.condition.waiting - self.waiting_before
        for tid in expired:
            self._check_time(tid, ETIMEDOUT)
        self.condition.expire(expired)
        woken = self.waiting_before - self.guest.waiting(WAIT_CONDITION, CONDITION)
        self.condition.wake(woken, limit)

    def _condition_blocks(self, tid: int, number: int) -> None:
        if tid not in self.condition.depths:
            self.condition.begin(tid, self.mutexes[number])
        else:
            assert self.mutexes[number].owner is not None

    def _check_time(self, tid: int, value: int) -> None:
        if value == ETIMEDOUT:
            assert int(self.guest.ctx["schedule"]["clock_ns"]) >= self.deadlines[tid]

    def _plain_end(self, tid: int, verb: str, number: int, value: int) -> None:
        if verb.startswith("sem") and value == -1:
            value = ctypes.c_uint32.from_address(ERRNO).value
        if value == ETIMEDOUT:
            self._check_time(tid, value)
            assert "timed" in verb
            assert self._attempt(verb, number, tid) is None
            return
        assert value == self._attempt(verb, number, tid), (tid, verb, number)

    def _attempt(self, verb: str, number: int, tid: int) -> int | None:
        verb = verb.removeprefix("timed").replace("sem_timed", "sem_")
        mutex = self.mutexes[number]
        if verb.startswith("sem_"):
            return getattr(self.semaphore, verb.removeprefix("sem_"))()
        if verb in ("lock", "trylock", "unlock"):
            return getattr(mutex, verb)(tid)
        if verb == "arrive":
            return self.barrier.arrive(tid)
        if verb.endswith("spin"):
            name = {"spin": "lock", "tryspin": "trylock", "unspin": "unlock"}[verb]
            return getattr(self.spin, name)(tid)
        return getattr(self.shared, {"unshare": "unlock"}.get(verb, verb))(tid)


def run_scripts(ctx: Any, scripts: list[Script], seed: int, **objects: int) -> LockPair:
    """Run one thread per script to the end, or until none can run; compare all the way."""
    from irsan.interceptors.threads import threads

    guest = GreenGuest(ctx)
    pair = LockPair(guest, **objects)

    def main() -> Body:
        for number in range(1, len(scripts)):
            yield threads.i_pthread_create, SCRATCH + 0x1800 + 8 * number, 0, 1, number
        yield from pair.body(scripts[0])
        return 0

    guest.routines[1] = lambda number: pair.body(scripts[number])
    guest.start(main(), seed, preempt_mean=60)
    pair.set_up()
    try:
        if guest.run() == "idle":
            pair.check_idle()
        pair.check_waiters()
    finally:
        guest.close()
    return pair
