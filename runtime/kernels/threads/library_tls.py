"""Thread-locals of libraries that the program opens, exchanged when the running thread changes.

    save_library_tls(ctx, slot)      entries of the dtv from FIRST on, and its generation, to a row
    load_library_tls(ctx, slot)      the other way; a module without a block is marked unallocated

All guest threads run on one OS thread, whose dtv says where its block of each library is; blocks
are made by glibc when they are first touched.  With the generation exchanged as well, it notices
for each guest thread by itself which libraries have come and gone since that thread last looked.

Source: glibc's elf/dl-tls.c (_dl_update_slotinfo, tls_get_addr_tail).
Deviations: a library that must lie in the static block (initial-exec) has one block for all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, real_function, real_memset, store_u64
from irsan.runtime.records import tls_records as tr

real_free = real_function("free", 1)

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_8 = np.uint64(8)
POINTER = tr.THREAD_POINTER
FIRST = tr.FIRST
GENERATION = tr.GENERATION
DTV_OFFSET = np.uint64(tr.DTV_OFFSET)
MODULE_BYTES = np.uint64(tr.MODULE_BYTES)
ROWS = np.uint64(tr.ROWS)
MAX_MODULES = np.uint64(tr.MAX_MODULES)
ROW_BYTES = np.uint64(tr.ROW_BYTES)
UNALLOCATED = np.uint64(2**64 - 1)


@kernel("u64(ctx)", inlined=True)
def n_swapped(ctx: Any) -> Any:
    """How many modules of the program the dtv has room for now."""
    capacity = load_u64(load_u64(ctx.library_tls[POINTER] + DTV_OFFSET) - MODULE_BYTES)
    if capacity < ctx.library_tls[FIRST]:
        return U64_0
    return min(capacity - ctx.library_tls[FIRST] + U64_1, MAX_MODULES)


@kernel("void(ctx,u64)", outlined=True)
def keep_blocks(ctx: Any, row: Any) -> None:
    """The slow way of saving: entries and generation."""
    dtv = load_u64(ctx.library_tls[POINTER] + DTV_OFFSET)
    entry = dtv + ctx.library_tls[FIRST] * MODULE_BYTES
    store_u64(row, load_u64(dtv))
    for i in range(n_swapped(ctx) * np.uint64(2)):
        at = np.uint64(i) * U64_8
        store_u64(row + MODULE_BYTES + at, load_u64(entry + at))


@kernel("void(ctx,u64)", outlined=True)
def bring_blocks(ctx: Any, row: Any) -> None:
    """The slow way of loading; a row without generation is a new thread's."""
    dtv = load_u64(ctx.library_tls[POINTER] + DTV_OFFSET)
    entry = dtv + ctx.library_tls[FIRST] * MODULE_BYTES
    generation = load_u64(row)
    if generation == U64_0:
        generation = ctx.library_tls[GENERATION]
    store_u64(dtv, generation)
    for i in range(n_swapped(ctx)):
        at = np.uint64(i) * MODULE_BYTES
        block = load_u64(row + MODULE_BYTES + at)
        if block == U64_0:
            block = UNALLOCATED
        store_u64(entry + at, block)
        store_u64(entry + at + U64_8, load_u64(row + MODULE_BYTES + at + U64_8))


@kernel("b1(ctx,u64)", inlined=True)
def knows_no_library(ctx: Any, row: Any) -> Any:
    """Whether neither the dtv nor the row of a thread has ever known a library of the program."""
    if ctx.library_tls[POINTER] == U64_0:
        return True
    dtv = load_u64(ctx.library_tls[POINTER] + DTV_OFFSET)
    return load_u64(dtv) == ctx.library_tls[GENERATION] and load_u64(row) == U64_0


@kernel("void(ctx,u64)", inlined=True)
def save_library_tls(ctx: Any, slot: Any) -> None:
    """The running thread, in `slot`, is about to be another."""
    row = ROWS + slot * ROW_BYTES
    if not knows_no_library(ctx, row):
        keep_blocks(ctx, row)


@kernel("void(ctx,u64)", inlined=True)
def load_library_tls(ctx: Any, slot: Any) -> None:
    """The thread in `slot` is about to run."""
    row = ROWS + slot * ROW_BYTES
    if not knows_no_library(ctx, row):
        bring_blocks(ctx, row)


@kernel("void(ctx,u64)")
def forget_library_tls(ctx: Any, slot: Any) -> None:
    """A new thread takes the slot of one that has ended: the blocks of that one are freed."""
    row = ROWS + slot * ROW_BYTES
    if ctx.library_tls[POINTER] == U64_0 or load_u64(row) == U64_0:
        return
    for i in range(MAX_MODULES):
        block = load_u64(row + np.uint64(i + U64_1) * MODULE_BYTES + U64_8)
        if block != U64_0:
            real_free(block)
    real_memset(row, U64_0, ROW_BYTES)
