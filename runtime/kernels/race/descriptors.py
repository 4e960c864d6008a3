"""File descriptors as shared variables, and as channels between threads.

    opened, closed    a write of the descriptor's place         used    a read of it

so a use that is not ordered with the close of a descriptor is a data race, which is worse than it
sounds: the number may belong to another file by then.

    io_sync=1   writing to a descriptor happens before reading from what it leads to: both ends of
                a pipe, an eventfd and an epoll have a clock of their own, all files share one, all
                sockets another; connect happens before accept
    io_sync=2   one clock for all        io_sync=0   none

Source: tsan_fd.cpp.  As there, a close forgets the past of the number, and dup2 onto a number that
is open reads it only, because servers put /dev/null in the place of standard streams.
May miss: descriptors from 32,768 on, those that arrive in messages, uses by FILE functions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.callstack import current_stack_id
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u32, store_u64
from irsan.runtime.kernels.race.access import race_access_slow
from irsan.runtime.kernels.race.race_ranges import race_forget
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.records import descriptor_records as dr

IO_SYNC = dr.IO_SYNC
N_CLOCKS_TAKEN = dr.N_CLOCKS_TAKEN

I32_0 = np.int32(0)
I32_LIMIT = np.int32(dr.MAX_DESCRIPTORS)
U32_0 = np.uint32(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_2 = np.uint64(2)
U64_8 = np.uint64(8)
U64_12 = np.uint64(12)
U64_16 = np.uint64(16)
U64_24 = np.uint64(24)
U64_PLACES = np.uint64(dr.PLACES)
U64_CLOCKS = np.uint64(dr.CLOCKS)
U64_N_SHARED = np.uint64(dr.N_SHARED)
U64_N_OWN = np.uint64(dr.N_CLOCKS - dr.N_SHARED)
U64_RECORDS = np.uint64(dr.RECORDS)
U64_RECORD_BYTES = np.uint64(dr.RECORD_BYTES)
GLOBAL_CLOCK = np.uint64(dr.GLOBAL_CLOCK)
U32_OPEN = np.uint32(dr.OPEN)
U32_CLOSED = np.uint32(dr.CLOSED)
READ = np.uint64(0)
WRITE = np.uint64(1)


@kernel("b1(ctx,i32)", inlined=True)
def is_followed(ctx: Any, descriptor: Any) -> Any:
    """Whether a descriptor is one that the race detector follows."""
    return ctx.sanitize_thread != U64_0 and descriptor >= I32_0 and descriptor < I32_LIMIT


@kernel("u64(i32)", inlined=True)
def descriptor_place(descriptor: Any) -> Any:
    """The address that stands for a descriptor."""
    return U64_PLACES + np.uint64(descriptor) * U64_16


@kernel("u64(i32)", inlined=True)
def descriptor_record(descriptor: Any) -> Any:
    """Address of a descriptor's record."""
    return U64_RECORDS + np.uint64(descriptor) * U64_RECORD_BYTES


@kernel("u64(ctx)")
def new_descriptor_clock(ctx: Any) -> Any:
    """Address of a clock for one pipe, eventfd or epoll; old ones are shared when all are taken."""
    taken = ctx.sync[N_CLOCKS_TAKEN]
    ctx.sync[N_CLOCKS_TAKEN] = taken + U64_1
    return U64_CLOCKS + (U64_N_SHARED + taken % U64_N_OWN) * U64_16


@kernel("u64(ctx,u64)")
def wanted_clock(ctx: Any, clock: Any) -> Any:
    """The clock that a descriptor gets instead of `clock`, as io_sync says; 0 for none."""
    if ctx.sync[IO_SYNC] == U64_0:
        return U64_0
    if ctx.sync[IO_SYNC] == U64_2:
        return GLOBAL_CLOCK
    return clock


@kernel("void(ctx,i32,u64,u64)")
def note_opened(ctx: Any, descriptor: Any, clock: Any, kind: Any) -> None:
    """A descriptor is open now; kind: how its opening counts, WRITE or READ."""
    record = descriptor_record(descriptor)
    store_u64(record, wanted_clock(ctx, clock))
    store_u64(record + U64_24, U64_0)
    store_u32(record + U64_8, current_stack_id(ctx))
    store_u32(record + U64_12, np.uint32(thread_at(ctx.thread).tid))
    store_u32(record + U64_16, U32_OPEN)
    race_forget(ctx, descriptor_place(descriptor), U64_8)
    race_access_slow(ctx, descriptor_place(descriptor), U64_8, kind)


@kernel("void(ctx,i32,u64)", outlined=True)
def descriptor_opened(ctx: Any, descriptor: Any, clock: Any) -> None:
    """A descriptor was made; clock: an address of descriptor_records, 0 for none."""
    if is_followed(ctx, descriptor):
        note_opened(ctx, descriptor, clock, WRITE)


@kernel("void(ctx,i32)", outlined=True)
def descriptor_used(ctx: Any, descriptor: Any) -> None:
    """A descriptor is used."""
    if is_followed(ctx, descriptor):
        race_access_slow(ctx, descriptor_place(descriptor), U64_8, READ)


@kernel("void(ctx,i32)", outlined=True)
def descriptor_read(ctx: Any, descriptor: Any) -> None:
    """Something was read from a descriptor: what its writers did before is known now."""
    if not is_followed(ctx, descriptor):
        return
    clock = load_u64(descriptor_record(descriptor))
    if clock != U64_0:
        sync_acquire(ctx, clock)
    descriptor_used(ctx, descriptor)


@kernel("void(ctx,i32)", outlined=True)
def descriptor_publishes(ctx: Any, descriptor: Any) -> None:
    """Readers of what a descriptor leads to will know the running thread's past."""
    if not is_followed(ctx, descriptor):
        return
    clock = load_u64(descriptor_record(descriptor))
    if clock != U64_0:
        sync_release(ctx, clock)
    watching = load_u64(descriptor_record(descriptor) + U64_24)
    if watching != U64_0:
        sync_release(ctx, watching)


@kernel("void(ctx,i32,i32)", outlined=True)
def descriptor_watched(ctx: Any, descriptor: Any, poller: Any) -> None:
    """An epoll watches a descriptor: whoever it wakes knows what writers of that did before."""
    if is_followed(ctx, descriptor) and is_followed(ctx, poller):
        clock = load_u64(descriptor_record(poller))
        store_u64(descriptor_record(descriptor) + U64_24, clock)


@kernel("void(ctx,i32)", outlined=True)
def descriptor_written(ctx: Any, descriptor: Any) -> None:
    """Something was written to a descriptor."""
    descriptor_used(ctx, descriptor)
    descriptor_publishes(ctx, descriptor)


@kernel("void(ctx,i32,u64)")
def end_descriptor(ctx: Any, descriptor: Any, kind: Any) -> None:
    """A number leads nowhere any more; a race that this is keeps the facts of the opening."""
    race_access_slow(ctx, descriptor_place(descriptor), U64_8, kind)
    race_forget(ctx, descriptor_place(descriptor), U64_8)
    if ctx.action == actions.REPORT:
        return
    record = descriptor_record(descriptor)
    store_u64(record, U64_0)
    store_u32(record + U64_8, current_stack_id(ctx))
    store_u32(record + U64_12, np.uint32(thread_at(ctx.thread).tid))
    store_u32(record + U64_16, U32_CLOSED)


@kernel("void(ctx,i32)", outlined=True)
def descriptor_closed(ctx: Any, descriptor: Any) -> None:
    """A descriptor is about to be closed."""
    if is_followed(ctx, descriptor):
        end_descriptor(ctx, descriptor, WRITE)


@kernel("void(ctx,i32,i32)", outlined=True)
def descriptor_replaced(ctx: Any, old: Any, new: Any) -> None:
    """dup2: `new` leads to where `old` leads, whatever it led to before."""
    if not is_followed(ctx, old) or not is_followed(ctx, new) or old == new:
        return
    race_access_slow(ctx, descriptor_place(old), U64_8, READ)
    if ctx.action == actions.REPORT:
        return
    note_opened(ctx, new, load_u64(descriptor_record(old)), READ)
