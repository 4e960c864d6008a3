"""Mutexes that nobody watches: a lock is three stores, and counts as a scheduling point.

    lock     free, of the usual kind, first call, no switch due        -> owner, count, lock
    unlock   owned, of the usual kind, nobody waits                    -> 0, 0, 0

That is so in live memory, without the thread check, while no schedule is explored or traced and no
other process has memory of ours.  What is not so quickly decided goes the whole way (mutexes.py),
which would have done the same here.

Soundness: no check is left out; the way that is not taken asks for none under these conditions.
"""

from __future__ import annotations

from irsan.runtime.kernels.combined.object_uses import MUTEX_BYTES, is_usable
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.locks.lock_rules import own_word
from irsan.runtime.kernels.race.clocks.race_words import SINGLE
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of, thread_at
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.kernels.threads.pthread_types import Mutex
from irsan.runtime.kernels.threads.scheduler import release_point, sync_point


@kernel(inlined=True)
def is_unwatched(ctx: Context) -> bool:
    """Whether a lock is its own words and nothing else."""
    watching = ctx.sanitize_thread | ctx.explore.is_on | ctx.explore.is_tracing
    return watching | ctx.explore.has_tries | ctx.outside.n_shared == 0 and (
        ctx.ignore_depth >= SINGLE
    )


@kernel(inlined=True)
def own_mutex(ctx: Context, mutex: Mutex) -> None:
    """The running thread has a mutex, once."""
    mutex.lock = 1
    mutex.count = 1
    mutex.owner = own_word(ctx)


@kernel(inlined=True)
def disown_mutex(mutex: Mutex) -> None:
    """No thread has a mutex."""
    mutex.lock = 0
    mutex.count = 0
    mutex.owner = 0


@kernel(inlined=True)
def lock_quickly(ctx: Context, mutex: Mutex) -> bool:
    """Lock a mutex for ever; False: nothing was done."""
    is_usual = u64(mutex.lock) | u64(mutex.kind) | thread_at(ctx.thread).wait.resuming == 0
    if not is_usual or ctx.fuel <= 0 or not is_unwatched(ctx):
        return False
    if not is_usable(ctx, addr_of(mutex), MUTEX_BYTES):
        return False
    sync_point(ctx)
    own_mutex(ctx, mutex)
    return True


@kernel(inlined=True)
def unlock_quickly(ctx: Context, mutex: Mutex) -> bool:
    """Unlock a mutex; False: nothing was done."""
    is_usual = u64(mutex.kind) | u64(mutex.n_waiters) == 0
    if not is_usual or mutex.owner != own_word(ctx) or not is_unwatched(ctx):
        return False
    if not is_usable(ctx, addr_of(mutex), MUTEX_BYTES):
        return False
    disown_mutex(mutex)
    release_point(ctx)
    return True
