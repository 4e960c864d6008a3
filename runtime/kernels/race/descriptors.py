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

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.callstack import current_stack_id
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u32, store_u64
from irsan.runtime.kernels.race.access import race_access_slow
from irsan.runtime.kernels.race.race_ranges import race_forget
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.records.race import descriptor_records as dr
from irsan.runtime.records.race.descriptor_records import (
    CLOCKS,
    CLOSED,
    GLOBAL_CLOCK,
    MAX_DESCRIPTORS,
    N_SHARED,
    OPEN,
    PLACES,
    RECORD_BYTES,
    RECORDS,
)

N_OWN = dr.N_CLOCKS - dr.N_SHARED
READ = 0
WRITE = 1


@kernel(inlined=True)
def is_followed(ctx: Context, descriptor: i32) -> bool:
    """Whether a descriptor is one that the race detector follows."""
    return ctx.sanitize_thread != 0 and descriptor >= 0 and descriptor < MAX_DESCRIPTORS


@kernel(inlined=True)
def descriptor_place(descriptor: i32) -> u64:
    """The address that stands for a descriptor."""
    return PLACES + u64(descriptor) * 16


@kernel(inlined=True)
def descriptor_record(descriptor: i32) -> u64:
    """Address of a descriptor's record."""
    return RECORDS + u64(descriptor) * RECORD_BYTES


@kernel
def new_descriptor_clock(ctx: Context) -> u64:
    """Address of a clock for one pipe, eventfd or epoll; old ones are shared when all are taken."""
    taken = ctx.descriptors.n_clocks_taken
    ctx.descriptors.n_clocks_taken = taken + 1
    return CLOCKS + (N_SHARED + taken % N_OWN) * 16


@kernel
def wanted_clock(ctx: Context, clock: u64) -> u64:
    """The clock that a descriptor gets instead of `clock`, as io_sync says; 0 for none."""
    if ctx.descriptors.io_sync == 0:
        return 0
    if ctx.descriptors.io_sync == 2:
        return GLOBAL_CLOCK
    return clock


@kernel
def note_opened(ctx: Context, descriptor: i32, clock: u64, kind: u64) -> None:
    """A descriptor is open now; kind: how its opening counts, WRITE or READ."""
    record = descriptor_record(descriptor)
    store_u64(record, wanted_clock(ctx, clock))
    store_u64(record + 24, 0)
    store_u32(record + 8, current_stack_id(ctx))
    store_u32(record + 12, u32(thread_at(ctx.thread).tid))
    store_u32(record + 16, OPEN)
    race_forget(ctx, descriptor_place(descriptor), 8)
    race_access_slow(ctx, descriptor_place(descriptor), 8, kind)


@kernel(outlined=True)
def descriptor_opened(ctx: Context, descriptor: i32, clock: u64) -> None:
    """A descriptor was made; clock: an address of descriptor_records, 0 for none."""
    if is_followed(ctx, descriptor):
        note_opened(ctx, descriptor, clock, WRITE)


@kernel(outlined=True)
def descriptor_used(ctx: Context, descriptor: i32) -> None:
    """A descriptor is used."""
    if is_followed(ctx, descriptor):
        race_access_slow(ctx, descriptor_place(descriptor), 8, READ)


@kernel(outlined=True)
def descriptor_read(ctx: Context, descriptor: i32) -> None:
    """Something was read from a descriptor: what its writers did before is known now."""
    if not is_followed(ctx, descriptor):
        return
    clock = load_u64(descriptor_record(descriptor))
    if clock != 0:
        sync_acquire(ctx, clock)
    descriptor_used(ctx, descriptor)


@kernel(outlined=True)
def descriptor_publishes(ctx: Context, descriptor: i32) -> None:
    """Readers of what a descriptor leads to will know the running thread's past."""
    if not is_followed(ctx, descriptor):
        return
    clock = load_u64(descriptor_record(descriptor))
    if clock != 0:
        sync_release(ctx, clock)
    watching = load_u64(descriptor_record(descriptor) + 24)
    if watching != 0:
        sync_release(ctx, watching)


@kernel(outlined=True)
def descriptor_watched(ctx: Context, descriptor: i32, poller: i32) -> None:
    """An epoll watches a descriptor: whoever it wakes knows what writers of that did before."""
    if is_followed(ctx, descriptor) and is_followed(ctx, poller):
        clock = load_u64(descriptor_record(poller))
        store_u64(descriptor_record(descriptor) + 24, clock)


@kernel(outlined=True)
def descriptor_written(ctx: Context, descriptor: i32) -> None:
    """Something was written to a descriptor."""
    descriptor_used(ctx, descriptor)
    descriptor_publishes(ctx, descriptor)


@kernel
def end_descriptor(ctx: Context, descriptor: i32, kind: u64) -> None:
    """A number leads nowhere any more; a race that this is keeps the facts of the opening."""
    race_access_slow(ctx, descriptor_place(descriptor), 8, kind)
    race_forget(ctx, descriptor_place(descriptor), 8)
    if ctx.action == actions.REPORT:
        return
    record = descriptor_record(descriptor)
    store_u64(record, 0)
    store_u32(record + 8, current_stack_id(ctx))
    store_u32(record + 12, u32(thread_at(ctx.thread).tid))
    store_u32(record + 16, CLOSED)


@kernel(outlined=True)
def descriptor_closed(ctx: Context, descriptor: i32) -> None:
    """A descriptor is about to be closed."""
    if is_followed(ctx, descriptor):
        end_descriptor(ctx, descriptor, WRITE)


@kernel(outlined=True)
def descriptor_replaced(ctx: Context, old: i32, new: i32) -> None:
    """dup2: `new` leads to where `old` leads, whatever it led to before."""
    if not is_followed(ctx, old) or not is_followed(ctx, new) or old == new:
        return
    race_access_slow(ctx, descriptor_place(old), 8, READ)
    if ctx.action == actions.REPORT:
        return
    note_opened(ctx, new, load_u64(descriptor_record(old)), READ)
