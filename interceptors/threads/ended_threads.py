"""What a thread still holds when it ends: reported, unless the mutex is robust and passes on.

A thread that ends by return, pthread_exit or cancellation comes here after its destructors; a
program that exits does not.  What it still ignores then is reported as well: the end of some
annotation never came.

    robust mutex          its next owner gets EOWNERDEAD and makes it consistent, or no thread can
                          lock it again (ENOTRECOVERABLE)
    any other lock        `mutex held at thread exit`, once for each lock
    variables             end for pointer provenance, with the functions that did not return

A lock counts if it says itself that the thread owns it: what annotations or a library of its own
call a lock may be handed over.

Source: pthread_mutexattr_setrobust(3); the check is Helgrind's.
May miss: locks held for reading.
"""

from __future__ import annotations

from irsan.interceptors.memory.fake_stack import end_variables
from irsan.interceptors.threads.mutexes import OWNER_DEAD, ROBUST, is_destroyed, release_mutex
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.locks.lock_rules import MUTEX_MISUSE, own_word, tell_misuse
from irsan.runtime.kernels.locks.lock_table import find_lock, held_base, lock_numbered
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u32
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.report_fault import report_fault
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.kernels.threads.pthread_types import mutex_at
from irsan.runtime.layout.thread_words import ROBUST as ROBUST_WORD
from irsan.runtime.records.race.lock_records import ENDED_HOLDING, HELD_ENTRY_BYTES, IGNORES_LEFT

W_ENDED_HOLDING = ENDED_HOLDING
W_IGNORES_LEFT = IGNORES_LEFT

EXPORTS = ()


@kernel
def pass_on_robust(ctx: Context) -> None:
    """Every robust mutex of the running thread becomes free, and its next owner will know."""
    i = u64(0)
    while i < ctx.locks.n_robust:
        mutex = load_u64(ROBUST_WORD + i * 8)
        is_robust = load_u32(mutex + 16) & ROBUST != 0 and not is_destroyed(mutex_at(mutex))
        if is_robust and load_u32(mutex + 8) == own_word(ctx):
            store_u32(mutex + 16, u32(load_u32(mutex + 16) | OWNER_DEAD))
            release_mutex(ctx, mutex_at(mutex))
        i += 1


@kernel
def is_own_lock(ctx: Context, addr: u64) -> bool:
    """Whether a mutex, rwlock or spinlock of ours at `addr` has the running thread as its owner."""
    own = own_word(ctx)
    if load_u32(addr) == own or load_u32(addr + 4) == own:
        return True
    return load_u32(addr + 8) == own


@kernel
def tells_of_ignores(ctx: Context) -> bool:
    """Whether a fault was left: annotations have begun to ignore something, and did not end.

    The host forgets them when it reports them.
    """
    thread = thread_at(ctx.thread)
    if thread.race.n_ignores[0] + thread.race.n_ignores[1] == 0:
        return False
    report_fault(ctx, MUTEX_MISUSE, 0, 0, 0)
    ctx.fault[6] = W_IGNORES_LEFT
    return True


@kernel
def settle_held_locks(ctx: Context) -> None:
    """The running thread ends; with an action left behind: report, then call again."""
    if tells_of_ignores(ctx):
        return
    end_variables(ctx)
    pass_on_robust(ctx)
    thread = thread_at(ctx.thread)
    i = u64(0)
    while i < thread.n_held:
        number = u64(load_u32(held_base(thread) + i * HELD_ENTRY_BYTES))
        addr = lock_numbered(number).address
        if find_lock(addr) == number and is_own_lock(ctx, addr):
            newest = load_u32(held_base(thread) + i * HELD_ENTRY_BYTES + 4)
            if tell_misuse(ctx, addr, W_ENDED_HOLDING, u64(newest)):
                return
        i += 1
