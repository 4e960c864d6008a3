"""The life of condition variables and barriers as memory: made, used, destroyed.

    made, destroyed    a plain write of the object's first bytes        used    a plain read of them

So a use that is not ordered with the creation or the end of the object is a data race like any
other, and a use of one whose memory was freed is a use after free.

Source: what ThreadSanitizer does for pthread_cond_* and pthread_barrier_*.
Deviation: a barrier is read once, when a thread arrives.
May miss: an object in memory outside the arena.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.access import race_access_slow
from irsan.runtime.kernels.race.sync_objects import sync_forget
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.layout.thread_words import USE_CHECKED

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_8 = np.uint64(8)
PLAIN_READ = np.uint64(0)
PLAIN_WRITE = np.uint64(1)
ASK_AGAIN = 13  # word of a race's fault: the call has done nothing yet, it is made again


@kernel("void(ctx,u64)")
def life_changed(ctx: Any, addr: Any) -> None:
    """An object is made or destroyed at `addr`; call it last, a report must not be lost."""
    if ctx.sanitize_thread == U64_0:
        return
    sync_forget(ctx, addr)
    race_access_slow(ctx, addr, U64_8, PLAIN_WRITE)


@kernel("b1(ctx,u64)", outlined=True)
def is_use_racy(ctx: Any, addr: Any) -> Any:
    """An object is about to be used.  True = a race was left: return, the call is made again."""
    if ctx.sanitize_thread == U64_0:
        return False
    thread = thread_at(ctx.thread)
    if thread.spare[USE_CHECKED] != U64_0:
        thread.spare[USE_CHECKED] = U64_0
        return False
    race_access_slow(ctx, addr, U64_8, PLAIN_READ)
    if ctx.action != actions.REPORT:
        return False
    ctx.fault[ASK_AGAIN] = U64_1
    thread.spare[USE_CHECKED] = U64_1
    return True
