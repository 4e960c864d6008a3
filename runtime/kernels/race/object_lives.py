"""The life of condition variables and barriers as memory: made, used, destroyed.

    made, destroyed    a plain write of the object's first bytes        used    a plain read of them

So a use that is not ordered with the creation or the end of the object is a data race like any
other, and a use of one whose memory was freed is a use after free.

Source: what ThreadSanitizer does for pthread_cond_* and pthread_barrier_*.
Deviation: a barrier is read once, when a thread arrives.
May miss: an object in memory outside the arena.
"""

from __future__ import annotations

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.access import race_access_slow
from irsan.runtime.kernels.race.sync_objects import sync_forget
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout import faults

PLAIN_READ = 0
PLAIN_WRITE = 1
ASK_AGAIN = faults.ASK_AGAIN
RACE_CHECKED = 1  # bit of a thread's use_checked; combined/object_uses.py has the other


@kernel
def life_changed(ctx: Context, addr: u64) -> None:
    """An object is made or destroyed at `addr`; call it last, a report must not be lost."""
    if ctx.sanitize_thread == 0:
        return
    sync_forget(ctx, addr)
    race_access_slow(ctx, addr, 8, PLAIN_WRITE)


@kernel(outlined=True)
def is_use_racy(ctx: Context, addr: u64) -> bool:
    """An object is about to be used.  True = a race was left: return, the call is made again."""
    if ctx.sanitize_thread == 0:
        return False
    thread = thread_at(ctx.thread)
    if thread.wait.use_checked & RACE_CHECKED != 0:
        thread.wait.use_checked &= ~u64(RACE_CHECKED)
        return False
    race_access_slow(ctx, addr, 8, PLAIN_READ)
    if ctx.action != actions.REPORT:
        return False
    ctx.fault[ASK_AGAIN] = 1
    thread.wait.use_checked |= RACE_CHECKED
    return True
