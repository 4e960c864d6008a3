"""Which file descriptors are timerfds on the virtual clock, and what reading one gives.

    BY_DESCRIPTOR    u16 by number: row of its timer + 1; dup adds one, close takes one away
    N_DESCRIPTORS    how many there are, so that closing and reading others costs one load

A number that was closed behind our back does no harm: the kernel refuses to set anything but a
timerfd.
"""

from __future__ import annotations

from irsan.runtime.kernels.combined.timer_types import timer_at, timer_numbered
from irsan.runtime.kernels.combined.timers import (
    DESCRIPTOR,
    ROW_BYTES,
    ROWS,
    delete_timer,
    new_timer,
)
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u16, load_u64, store_u16, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of
from irsan.runtime.kernels.scalars import i32, u16, u64
from irsan.runtime.records.threads.timer_records import (
    BY_DESCRIPTOR,
    MAX_DESCRIPTOR,
    N_DESCRIPTORS,
)


@kernel
def timer_of(file: i32) -> u64:
    """Row of the timer that a descriptor stands for; 0: none."""
    if load_u64(N_DESCRIPTORS) == 0 or file < 0 or file >= MAX_DESCRIPTOR:
        return 0
    number = u64(load_u16(BY_DESCRIPTOR + u64(file) * 2))
    if number == 0:
        return 0
    return addr_of(timer_numbered(number - 1))


@kernel
def timer_closed(ctx: Context, file: i32) -> None:
    """A descriptor is closed; its timer goes with the last one of it."""
    row = timer_of(file)
    if row == 0:
        return
    store_u16(BY_DESCRIPTOR + u64(file) * 2, 0)
    store_u64(N_DESCRIPTORS, load_u64(N_DESCRIPTORS) - 1)
    timer_at(row).n_files = timer_at(row).n_files - 1
    if timer_at(row).n_files == 0:
        delete_timer(ctx, timer_at(row))
        return
    other = i32(0)
    while timer_of(other) != row and other < MAX_DESCRIPTOR:
        other = i32(other + 1)
    timer_at(row).file = u64(other)


@kernel
def timer_opened(ctx: Context, file: i32, row: u64) -> None:
    """A descriptor stands for the timer of a row from now on; row 0: for none."""
    timer_closed(ctx, file)
    if row == 0 or file < 0 or file >= MAX_DESCRIPTOR:
        return
    number = u64((row - ROWS) // ROW_BYTES)
    store_u16(BY_DESCRIPTOR + u64(file) * 2, u16(number + 1))
    store_u64(N_DESCRIPTORS, load_u64(N_DESCRIPTORS) + 1)
    timer_at(row).n_files = timer_at(row).n_files + 1


@kernel
def timerfd_created(ctx: Context, file: i32, clock_id: i32) -> None:
    """timerfd_create has given a descriptor; without a row its time is the host's."""
    timer_closed(ctx, file)
    if file >= MAX_DESCRIPTOR:
        return
    row = new_timer(DESCRIPTOR)
    if row == 0:
        return
    timer_at(row).file = u64(file)
    timer_at(row).clock = u64(clock_id)
    timer_opened(ctx, file, row)


@kernel
def tell_expirations(file: i32, buffer: u64) -> None:
    """A timerfd was read: its reader learns how often it rang."""
    row = timer_of(file)
    if row != 0 and timer_at(row).overrun != 0:
        store_u64(buffer, timer_at(row).overrun)
        timer_at(row).overrun = 0
