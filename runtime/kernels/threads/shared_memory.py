"""Memory that other processes have as well, and waiting for objects there.

    SHARED_ROWS   {lo, hi, is named} of each shared mapping; named: of a file, so that processes
                  may have it that are not related to this one

What lies in shared memory is changed by others without a word, so who waits for it asks again and
again (kind WAIT_INPUT, kernels/threads/waiting.py).  While no other process can have the memory,
waiting is as for any object, and so is what irsan says when everybody waits.

Behind MAX_SHARED mappings all memory outside the arena counts as shared: right, but slower.
"""

from __future__ import annotations

from irsan.runtime.kernels.checks.foreign import is_arena
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.kernels.threads.real_time import others_less, others_more
from irsan.runtime.kernels.threads.scheduler import (
    W_INPUT,
    block_current,
    wake_waiters,
)
from irsan.runtime.layout import outside_words as ow

ROWS = ow.SHARED_ROWS
MAX_ROWS = ow.MAX_SHARED
ROW = 24
MAX = 0xFFFF_FFFF_FFFF_FFFF


@kernel
def put_row(row: u64, lo: u64, hi: u64, named: u64) -> None:
    """Write one row."""
    store_u64(row, lo)
    store_u64(row + 8, hi)
    store_u64(row + 16, named)


@kernel(outlined=True)
def shared_row(ctx: Context, addr: u64) -> u64:
    """Address of the row of the shared mapping at `addr`, 0: none.  O(shared mappings)."""
    row = u64(ROWS)
    for _ in range(ctx.outside.n_shared):
        if load_u64(row) <= addr and addr < load_u64(row + 8):
            return row
        row += ROW
    return 0


@kernel
def is_shared_memory(ctx: Context, addr: u64) -> bool:
    """Whether an address lies in memory that other processes can have."""
    if ctx.outside.n_shared == 0 or is_arena(addr):
        return False
    return shared_row(ctx, addr) != 0


@kernel(outlined=True)
def note_shared(ctx: Context, lo: u64, hi: u64, named: u64) -> None:
    """A shared mapping begins; named: 1 when it is of a file, else 0."""
    n_rows = ctx.outside.n_shared
    if n_rows >= MAX_ROWS:
        others_more(ctx, 1 - load_u64(ROWS + 16))
        put_row(ROWS, 0, MAX, 1)
        return
    put_row(ROWS + n_rows * ROW, lo, hi, named)
    ctx.outside.n_shared = n_rows + 1
    others_more(ctx, named)


@kernel
def drop_row(ctx: Context, row: u64) -> None:
    """A shared mapping is gone; the last row takes its place."""
    others_less(ctx, load_u64(row + 16))
    ctx.outside.n_shared -= 1
    last = ROWS + ctx.outside.n_shared * ROW
    put_row(row, load_u64(last), load_u64(last + 8), load_u64(last + 16))


@kernel(outlined=True)
def forget_shared(ctx: Context, lo: u64, hi: u64) -> None:
    """What was mapped in [lo, hi) is no longer."""
    i = u64(0)
    while i < ctx.outside.n_shared:
        row = ROWS + i * ROW
        first, end, named = load_u64(row), load_u64(row + 8), load_u64(row + 16)
        i += 1
        if end <= lo or hi <= first:
            continue
        if lo <= first and end <= hi:
            drop_row(ctx, row)
            i -= 1
        elif lo <= first:
            store_u64(row, hi)
        else:
            store_u64(row + 8, lo)
            if hi < end:
                note_shared(ctx, hi, end, named)


@kernel
def others_may_change(ctx: Context, addr: u64) -> bool:
    """Whether another process may have the shared memory at `addr`."""
    if ctx.outside.n_children != 0 or ctx.outside.is_child != 0:
        return True
    row = shared_row(ctx, addr)
    return row != 0 and load_u64(row + 16) != 0


@kernel(outlined=True)
def block_shared(ctx: Context, kind: u64, addr: u64, wake_ns: u64) -> None:
    """Block on (kind, addr), or, while others may change the word at addr, ask there again."""
    if not others_may_change(ctx, addr):
        block_current(ctx, kind, addr, wake_ns)
        return
    ctx.outside.n_trying += 1
    ctx.outside.try_streak += 1
    block_current(ctx, W_INPUT, addr, wake_ns)


@kernel(outlined=True)
def wake_shared(ctx: Context, kind: u64, addr: u64, limit: u64) -> None:
    """Wake threads of this process that wait for (kind, addr), however they do."""
    woken = wake_waiters(ctx, kind, addr, limit)
    if woken < limit:
        wake_waiters(ctx, W_INPUT, addr, limit - woken)


@kernel
def child_begun(ctx: Context) -> None:
    """A child process lives."""
    ctx.outside.n_children += 1
    others_more(ctx, 1)


@kernel
def child_ended(ctx: Context) -> None:
    """A child was waited for."""
    if ctx.outside.n_children != 0:
        ctx.outside.n_children -= 1
        others_less(ctx, 1)
