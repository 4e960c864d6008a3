"""Whether a program has ended so that the host has nothing to look at.

Asked where one program is played many times (engine/glue/templates/threads/schedules.ll): such an
end is told by machine code, as Python would copy hundreds of pages in the process that ends.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.kernels.thread_slots import slot_to_thread
from irsan.runtime.layout import events
from irsan.runtime.layout.thread_states import FREE

EXIT = int(events.EXIT)


@kernel
def ends_clean(ctx: Context) -> bool:
    """Whether it has called exit, and neither leaks nor threads are to be looked for.

    A program that has lowered its limits is none: what is told of it could not be written.
    """
    if ctx.event.number != EXIT or ctx.outside.limits_are_set != 0:
        return False
    if ctx.leaks.is_pending != 0 and ctx.heap.n_live != 0:
        return False
    return ctx.sanitize_thread == 0 or _has_joined_all(ctx)


@kernel
def _has_joined_all(ctx: Context) -> bool:
    """Whether only the running thread is left, and ignores nothing (diagnose_threads.py)."""
    running = thread_at(ctx.thread)
    if running.race.n_ignores[0] != 0 or running.race.n_ignores[1] != 0:
        return False
    for index in range(ctx.schedule.n_threads):
        addr = slot_to_thread(u64(index))
        if addr != ctx.thread and thread_at(addr).state != FREE:
            return False
    return True
