"""Which file descriptors are timerfds on the virtual clock, and what reading one gives.

    BY_DESCRIPTOR    u16 by number: row of its timer + 1; dup adds one, close takes one away
    N_DESCRIPTORS    how many there are, so that closing and reading others costs one load

A number that was closed behind our back does no harm: the kernel refuses to set what is no timerfd.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.combined.timers import (
    DESCRIPTOR,
    FILE,
    OVERRUN,
    ROW_BYTES,
    ROWS,
    delete_timer,
    new_timer,
    row_at,
)
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u16, load_u64, store_u16, store_u64
from irsan.runtime.records import timer_records as tr

U16_0 = np.uint16(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_2 = np.uint64(2)
I32_0 = np.int32(0)
N_DESCRIPTORS = np.uint64(tr.N_DESCRIPTORS)
BY_DESCRIPTOR = np.uint64(tr.BY_DESCRIPTOR)
MAX_DESCRIPTOR = np.int32(tr.MAX_DESCRIPTOR)
CLOCK = np.uint64(tr.CLOCK)
N_FILES = np.uint64(tr.N_FILES)


@kernel("u64(i32)")
def timer_of(file: Any) -> Any:
    """Row of the timer that a descriptor stands for; 0: none."""
    if load_u64(N_DESCRIPTORS) == U64_0 or file < I32_0 or file >= MAX_DESCRIPTOR:
        return U64_0
    number = np.uint64(load_u16(BY_DESCRIPTOR + np.uint64(file) * U64_2))
    if number == U64_0:
        return U64_0
    return row_at(number - U64_1)


@kernel("void(ctx,i32)")
def timer_closed(ctx: Any, file: Any) -> None:
    """A descriptor is closed; its timer goes with the last one of it."""
    row = timer_of(file)
    if row == U64_0:
        return
    store_u16(BY_DESCRIPTOR + np.uint64(file) * U64_2, U16_0)
    store_u64(N_DESCRIPTORS, load_u64(N_DESCRIPTORS) - U64_1)
    store_u64(row + N_FILES, load_u64(row + N_FILES) - U64_1)
    if load_u64(row + N_FILES) == U64_0:
        delete_timer(ctx, row)
        return
    other = I32_0
    while timer_of(other) != row and other < MAX_DESCRIPTOR:
        other += np.int32(1)
    store_u64(row + FILE, np.uint64(other))


@kernel("void(ctx,i32,u64)")
def timer_opened(ctx: Any, file: Any, row: Any) -> None:
    """A descriptor stands for the timer of a row from now on; row 0: for none."""
    timer_closed(ctx, file)
    if row == U64_0 or file < I32_0 or file >= MAX_DESCRIPTOR:
        return
    number = np.uint64((row - ROWS) // ROW_BYTES)
    store_u16(BY_DESCRIPTOR + np.uint64(file) * U64_2, np.uint16(number + U64_1))
    store_u64(N_DESCRIPTORS, load_u64(N_DESCRIPTORS) + U64_1)
    store_u64(row + N_FILES, load_u64(row + N_FILES) + U64_1)


@kernel("void(ctx,i32,i32)")
def timerfd_created(ctx: Any, file: Any, clock_id: Any) -> None:
    """timerfd_create has given a descriptor; without a row its time is the host's."""
    timer_closed(ctx, file)
    if file >= MAX_DESCRIPTOR:
        return
    row = new_timer(DESCRIPTOR)
    if row == U64_0:
        return
    store_u64(row + FILE, np.uint64(file))
    store_u64(row + CLOCK, np.uint64(clock_id))
    timer_opened(ctx, file, row)


@kernel("void(i32,u64)")
def tell_expirations(file: Any, buffer: Any) -> None:
    """A timerfd was read: its reader learns how often it rang."""
    row = timer_of(file)
    if row != U64_0 and load_u64(row + OVERRUN) != U64_0:
        store_u64(buffer, load_u64(row + OVERRUN))
        store_u64(row + OVERRUN, U64_0)
