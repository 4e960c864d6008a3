"""Events of a schedule that is traced, one row each: for shrinking, searching, and to be shown."""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.kernels.schedulers.pending import place_to_thread
from irsan.runtime.layout.explore_words import EVENT_BYTES, EVENTS, MAX_EVENTS, TOUCHES

WORD_BITS = 64


@kernel
def threads_that_can_go_on(ctx: Context) -> u64:
    """Bits, by thread number, of the runnable threads whose event would not wait at once."""
    bits = u64(0)
    place = u64(0)
    while place < ctx.schedule.n_runnable:
        thread = thread_at(place_to_thread(place))
        is_free = thread.point.needs == 0 or load_u32(thread.point.needs) == 0
        if is_free and thread.tid < WORD_BITS:
            bits |= 1 << thread.tid
        place += 1
    return bits


@kernel
def note_row(ctx: Context, place: u64, slot: u64, touched: u64, bits: u64) -> None:
    """Leave a row; place: thread number, kind and site in one word."""
    if ctx.explore.n_events < MAX_EVENTS:
        row = EVENTS + ctx.explore.n_events * EVENT_BYTES
        store_u64(row, place)
        store_u64(row + 8, touched)
        store_u64(row + 16, bits)
        store_u64(row + 24, ctx.explore.steps | (slot << 32))
    ctx.explore.n_events += 1


@kernel(outlined=True)
def note_touched(ctx: Context, addr: u64) -> None:
    """Leave the row of a lock that the running thread has taken or given up."""
    thread = thread_at(ctx.thread)
    kind = u64(TOUCHES) << 16
    note_row(ctx, (thread.tid & 0xFFFF) | kind | (u64(ctx.site) << 32), thread.slot, addr, 0)


@kernel(inlined=True)
def note_touch(ctx: Context, addr: u64) -> None:
    """The running thread has taken or given up a lock, where schedules are traced."""
    if ctx.explore.is_tracing != 0:
        note_touched(ctx, addr)
