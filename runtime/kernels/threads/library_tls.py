"""Thread-locals of libraries that the program opens, exchanged when the running thread changes.

    save_library_tls(ctx, slot)      entries of the dtv from FIRST on, and its generation, to a row
    load_library_tls(ctx, slot)      the other way; a module without a block is marked unallocated
    archive_tls_address(ctx, pair)   __tls_get_addr of archives that are linked with the program

All guest threads run on one OS thread, whose dtv says where its block of each library is; blocks
are made by glibc when they are first touched.  With the generation exchanged as well, it notices
for each guest thread by itself which libraries have come and gone since that thread last looked.

Source: glibc's elf/dl-tls.c (_dl_update_slotinfo, tls_get_addr_tail).
Deviations: a library that must lie in the static block (initial-exec) has one block for all.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, real_function, real_memset, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.records.threads.tls_records import (
    DTV_OFFSET,
    MAX_MODULES,
    MODULE_BYTES,
    ROW_BYTES,
    ROWS,
)

real_free = real_function("free", 1)

UNALLOCATED = 2**64 - 1


@kernel(inlined=True)
def n_swapped(ctx: Context) -> u64:
    """How many modules of the program the dtv has room for now."""
    capacity = load_u64(load_u64(ctx.library_tls.thread_pointer + DTV_OFFSET) - MODULE_BYTES)
    if capacity < ctx.library_tls.first:
        return 0
    return min(capacity - ctx.library_tls.first + 1, u64(MAX_MODULES))


@kernel(outlined=True)
def keep_blocks(ctx: Context, row: u64) -> None:
    """The slow way of saving: entries and generation."""
    dtv = load_u64(ctx.library_tls.thread_pointer + DTV_OFFSET)
    entry = dtv + ctx.library_tls.first * MODULE_BYTES
    store_u64(row, load_u64(dtv))
    for i in range(n_swapped(ctx) * 2):
        at = u64(i) * 8
        store_u64(row + MODULE_BYTES + at, load_u64(entry + at))


@kernel(outlined=True)
def bring_blocks(ctx: Context, row: u64) -> None:
    """The slow way of loading; a row without generation is a new thread's."""
    dtv = load_u64(ctx.library_tls.thread_pointer + DTV_OFFSET)
    entry = dtv + ctx.library_tls.first * MODULE_BYTES
    generation = load_u64(row)
    if generation == 0:
        generation = ctx.library_tls.generation
    store_u64(dtv, generation)
    for i in range(n_swapped(ctx)):
        at = u64(i) * MODULE_BYTES
        block = load_u64(row + MODULE_BYTES + at)
        if block == 0:
            block = u64(UNALLOCATED)
        store_u64(entry + at, block)
        store_u64(entry + at + 8, load_u64(row + MODULE_BYTES + at + 8))


@kernel(inlined=True)
def knows_no_library(ctx: Context, row: u64) -> bool:
    """Whether neither the dtv nor the row of a thread has ever known a library of the program."""
    if ctx.library_tls.thread_pointer == 0:
        return True
    dtv = load_u64(ctx.library_tls.thread_pointer + DTV_OFFSET)
    return load_u64(dtv) == ctx.library_tls.generation and load_u64(row) == 0


@kernel(inlined=True)
def save_library_tls(ctx: Context, slot: u64) -> None:
    """The running thread, in `slot`, is about to be another."""
    row = ROWS + slot * ROW_BYTES
    if not knows_no_library(ctx, row):
        keep_blocks(ctx, row)


@kernel(inlined=True)
def load_library_tls(ctx: Context, slot: u64) -> None:
    """The thread in `slot` is about to run."""
    row = ROWS + slot * ROW_BYTES
    if not knows_no_library(ctx, row):
        bring_blocks(ctx, row)


@kernel
def forget_library_tls(ctx: Context, slot: u64) -> None:
    """A new thread takes the slot of one that has ended: the blocks of that one are freed."""
    row = ROWS + slot * ROW_BYTES
    if ctx.library_tls.thread_pointer == 0 or load_u64(row) == 0:
        return
    for i in range(u64(MAX_MODULES)):
        block = load_u64(row + u64(i + 1) * MODULE_BYTES + 8)
        if block != 0:
            real_free(block)
    real_memset(row, 0, ROW_BYTES)


@kernel
def archive_tls_address(ctx: Context, pair: u64) -> u64:
    """Address of a thread-local by the two words that the linker has written.

    0 | address                for one of a native library
    1 | offset in the block    for one of the archives', behind the program's own
    """
    offset = load_u64(pair + 8)
    if load_u64(pair) == 0:
        return offset
    return ctx.tls + ctx.program.archive_tls + offset
