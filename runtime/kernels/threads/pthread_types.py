"""Objects of the C library in the program's memory, as kernels see them: see pthread_records.py."""

from __future__ import annotations

from irsan.runtime.kernels.record import Placed
from irsan.runtime.kernels.records import record_at
from irsan.runtime.kernels.scalars import u32
from irsan.runtime.records.threads import pthread_records


class Mutex(Placed, layout=pthread_records.MUTEX_DTYPE):
    """pthread_mutex_t, mtx_t."""

    lock: u32
    count: u32
    owner: u32
    n_waiters: u32
    kind: u32
    holder_here: u32


class Condition(Placed, layout=pthread_records.CONDITION_DTYPE):
    """pthread_cond_t, cnd_t."""

    n_signals: u32
    clock: u32


class RwLock(Placed, layout=pthread_records.RWLOCK_DTYPE):
    """pthread_rwlock_t."""

    n_readers: u32
    writer: u32
    writer_here: u32
    writing_process: u32


class Barrier(Placed, layout=pthread_records.BARRIER_DTYPE):
    """pthread_barrier_t."""

    n_needed: u32
    n_arrived: u32
    generation: u32


class Semaphore(Placed, layout=pthread_records.SEMAPHORE_DTYPE):
    """sem_t."""

    value: u32


class Spinlock(Placed, layout=pthread_records.SPINLOCK_DTYPE):
    """pthread_spinlock_t."""

    owner: u32


mutex_at = record_at(Mutex)
condition_at = record_at(Condition)
rwlock_at = record_at(RwLock)
barrier_at = record_at(Barrier)
semaphore_at = record_at(Semaphore)
spinlock_at = record_at(Spinlock)
