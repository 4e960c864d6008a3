"""Memory that other processes have as well, and waiting for objects there.

    SHARED_ROWS   {lo, hi, is named} of each shared mapping; named: of a file, so that processes
                  may have it that are no kin of this one

What lies in shared memory is changed by others without a word, so who waits for it asks again and
again (kind WAIT_INPUT, kernels/threads/waiting.py).  While no other process can have the memory,
waiting is as for any object, and so is what irsan says when everybody waits.

Behind MAX_SHARED mappings all memory outside the arena counts as shared: right, but slower.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.checks.foreign import is_arena
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.threads.real_time import others_less, others_more
from irsan.runtime.kernels.threads.scheduler import (
    N_TRYING,
    TRY_STREAK,
    W_INPUT,
    block_current,
    wake_waiters,
)
from irsan.runtime.layout import outside_words as ow

OTHERS, N_CHILDREN, IS_CHILD, N_SHARED = ow.OTHERS, ow.N_CHILDREN, ow.IS_CHILD, ow.N_SHARED
ROWS = np.uint64(ow.SHARED_ROWS)
MAX_ROWS = np.uint64(ow.MAX_SHARED)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
U64_ROW = np.uint64(24)
U64_MAX = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


@kernel("void(u64,u64,u64,u64)")
def put_row(row: Any, lo: Any, hi: Any, named: Any) -> None:
    """Write one row."""
    store_u64(row, lo)
    store_u64(row + U64_8, hi)
    store_u64(row + U64_16, named)


@kernel("u64(ctx,u64)", outlined=True)
def shared_row(ctx: Any, addr: Any) -> Any:
    """Address of the row of the shared mapping at `addr`, 0: none.  O(shared mappings)."""
    row = ROWS
    for _ in range(ctx.outside[N_SHARED]):
        if load_u64(row) <= addr and addr < load_u64(row + U64_8):
            return row
        row += U64_ROW
    return U64_0


@kernel("b1(ctx,u64)")
def is_shared_memory(ctx: Any, addr: Any) -> Any:
    """Whether an address lies in memory that other processes can have."""
    if ctx.outside[N_SHARED] == U64_0 or is_arena(addr):
        return False
    return shared_row(ctx, addr) != U64_0


@kernel("void(ctx,u64,u64,u64)", outlined=True)
def note_shared(ctx: Any, lo: Any, hi: Any, named: Any) -> None:
    """A shared mapping begins; named: 1 when it is of a file, else 0."""
    n_rows = ctx.outside[N_SHARED]
    if n_rows >= MAX_ROWS:
        others_more(ctx, U64_1 - load_u64(ROWS + U64_16))
        put_row(ROWS, U64_0, U64_MAX, U64_1)
        return
    put_row(ROWS + n_rows * U64_ROW, lo, hi, named)
    ctx.outside[N_SHARED] = n_rows + U64_1
    others_more(ctx, named)


@kernel("void(ctx,u64)")
def drop_row(ctx: Any, row: Any) -> None:
    """A shared mapping is gone; the last row takes its place."""
    others_less(ctx, load_u64(row + U64_16))
    ctx.outside[N_SHARED] -= U64_1
    last = ROWS + ctx.outside[N_SHARED] * U64_ROW
    put_row(row, load_u64(last), load_u64(last + U64_8), load_u64(last + U64_16))


@kernel("void(ctx,u64,u64)", outlined=True)
def forget_shared(ctx: Any, lo: Any, hi: Any) -> None:
    """What was mapped in [lo, hi) is no longer."""
    i = U64_0
    while i < ctx.outside[N_SHARED]:
        row = ROWS + i * U64_ROW
        first, end, named = load_u64(row), load_u64(row + U64_8), load_u64(row + U64_16)
        i += U64_1
        if end <= lo or hi <= first:
            continue
        if lo <= first and end <= hi:
            drop_row(ctx, row)
            i -= U64_1
        elif lo <= first:
            store_u64(row, hi)
        else:
            store_u64(row + U64_8, lo)
            if hi < end:
                note_shared(ctx, hi, end, named)


@kernel("b1(ctx,u64)")
def others_may_change(ctx: Any, addr: Any) -> Any:
    """Whether another process may have the shared memory at `addr`."""
    if ctx.outside[N_CHILDREN] != U64_0 or ctx.outside[IS_CHILD] != U64_0:
        return True
    row = shared_row(ctx, addr)
    return row != U64_0 and load_u64(row + U64_16) != U64_0


@kernel("void(ctx,u64,u64,u64)", outlined=True)
def block_shared(ctx: Any, kind: Any, addr: Any, wake_ns: Any) -> None:
    """Block on (kind, addr), or, while others may change what is at addr, ask there again."""
    if not others_may_change(ctx, addr):
        block_current(ctx, kind, addr, wake_ns)
        return
    ctx.outside[N_TRYING] += U64_1
    ctx.outside[TRY_STREAK] += U64_1
    block_current(ctx, W_INPUT, addr, wake_ns)


@kernel("void(ctx,u64,u64,u64)", outlined=True)
def wake_shared(ctx: Any, kind: Any, addr: Any, limit: Any) -> None:
    """Wake threads of this process that wait for (kind, addr), however they do."""
    woken = wake_waiters(ctx, kind, addr, limit)
    if woken < limit:
        wake_waiters(ctx, W_INPUT, addr, limit - woken)


@kernel("void(ctx)")
def child_begun(ctx: Any) -> None:
    """A child process lives."""
    ctx.outside[N_CHILDREN] += U64_1
    others_more(ctx, U64_1)


@kernel("void(ctx)")
def child_ended(ctx: Any) -> None:
    """A child was waited for."""
    if ctx.outside[N_CHILDREN] != U64_0:
        ctx.outside[N_CHILDREN] -= U64_1
        others_less(ctx, U64_1)
