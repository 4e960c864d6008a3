"""Uses of locks, conditions, barriers and semaphores as memory: may these bytes still be touched?

The library's own code touches them, where no instrumented check stands: `delete this` under a
lock_guard of a member, a condition that is notified after its owner is gone.  So each call that is
given such an object looks at the shadow of all of it, one load, before it does anything.

    address check on     the address check's finding, as for a read or write of the program: who
                         allocated the memory, who freed it.  The call is then made again, and goes
                         on as it would natively
    thread check alone   freed memory says so in its cells; a lock touches them when it is taken
                         (lock_rules.py), an unlock and a semaphore where they say that

A wait that goes on does not look again: its object may be destroyed once the wait is over for
others.  The time that it was given, and where a result goes, are looked at as it begins, too.

Source: ThreadSanitizer looks at the cells in each call for a mutex.  AddressSanitizer has nothing
of the kind.
May miss: an object outside the arena; memory of a freed block that was handed out again.
"""

from __future__ import annotations

from irsan.runtime.kernels.checks.access import asan_access_slow
from irsan.runtime.kernels.checks.foreign import is_arena
from irsan.runtime.kernels.checks.ranges import READ_FLAGS, WRITE_FLAGS
from irsan.runtime.kernels.combined.touches import is_clear
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.object_lives import is_use_racy
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout import faults
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.records.threads import pthread_records

ASK_AGAIN = faults.ASK_AGAIN
MUTEX_BYTES = pthread_records.MUTEX_DTYPE.itemsize
CONDITION_BYTES = pthread_records.CONDITION_DTYPE.itemsize
RWLOCK_BYTES = pthread_records.RWLOCK_DTYPE.itemsize
BARRIER_BYTES = pthread_records.BARRIER_DTYPE.itemsize
SEMAPHORE_BYTES = pthread_records.SEMAPHORE_DTYPE.itemsize
SPIN_BYTES = pthread_records.SPINLOCK_DTYPE.itemsize
ONCE_BYTES = 4
TIME_BYTES = libc.size("struct timespec")
RESULT_BYTES = 8
# Bits of a thread's use_checked; object_lives.py has the other.
OBJECT_CHECKED = 2
ARGUMENT_CHECKED = 4


@kernel(inlined=True)
def is_usable(ctx: Context, addr: u64, size_bytes: u64) -> bool:
    """Whether the address check has nothing to say about the use of an object; at most 56 bytes."""
    return ctx.sanitize_address == 0 or is_clear(ctx, addr, size_bytes)


@kernel(outlined=True)
def tell_bad_use(ctx: Context, addr: u64, size_bytes: u64, flags: u64, checked: u64) -> bool:
    """Tell of bytes that are not all addressable, or not ours, once for each call.

    checked  which bit of use_checked says that it has been told
    """
    if not is_arena(addr):
        return False
    thread = thread_at(ctx.thread)
    if thread.wait.use_checked & checked != 0:
        thread.wait.use_checked &= ~checked
        return False
    if asan_access_slow(ctx, addr, size_bytes, flags):
        return False
    ctx.fault[ASK_AGAIN] = 1
    thread.wait.use_checked |= checked
    return True


@kernel(inlined=True)
def is_use_bad(ctx: Context, addr: u64, size_bytes: u64) -> bool:
    """An object is about to be used.  True = a finding was left: return, the call is made again."""
    if is_usable(ctx, addr, size_bytes):
        return False
    return tell_bad_use(ctx, addr, size_bytes, WRITE_FLAGS, OBJECT_CHECKED)


@kernel
def is_argument_bad(ctx: Context, addr: u64, size_bytes: u64, flags: u64) -> bool:
    """is_use_bad of what a call is given beside its object, as it begins; 0 = nothing."""
    if is_usable(ctx, addr, size_bytes) or thread_at(ctx.thread).wait.resuming != 0:
        return False
    return tell_bad_use(ctx, addr, size_bytes, flags, ARGUMENT_CHECKED)


@kernel
def is_time_bad(ctx: Context, addr: u64) -> bool:
    """is_argument_bad of the timespec that a call which waits reads."""
    return is_argument_bad(ctx, addr, TIME_BYTES, READ_FLAGS)


@kernel
def is_result_bad(ctx: Context, addr: u64) -> bool:
    """is_argument_bad of the word that a call writes."""
    return is_argument_bad(ctx, addr, RESULT_BYTES, WRITE_FLAGS)


@kernel
def is_use_faulty(ctx: Context, addr: u64, size_bytes: u64) -> bool:
    """is_use_bad, or a race with who made or destroyed the object."""
    return is_use_bad(ctx, addr, size_bytes) or is_use_racy(ctx, addr)
