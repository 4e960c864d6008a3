"""Plain accesses as events of schedules that are explored: where races were found.

Code without races cannot tell whether a switch falls between two of its plain accesses.  Code with
one can, so the sites of races that earlier schedules had are given to later ones: there another
thread may go on before the access.  What was touched there is watched from then on, wherever it is
touched: in `if (p) use(*p)` only the first read is reported as racing, and it is the second that
must not see what another thread has done since.

    ctx.explore.addresses   granules of eight bytes by hash; of two at one place the later one

The thread begins a new epoch at each of these, or the fast path would answer the next access to the
same place alone; and behind it, or it would answer one at another site.  A clock that ticks more
often orders nothing more and nothing less.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.thread_clocks import race_tick
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import b1, u32, u64
from irsan.runtime.kernels.schedulers.exploring import event_point
from irsan.runtime.kernels.schedulers.pending import is_watched
from irsan.runtime.records.explore_records import MAX_ADDRESSES

GRANULE_BITS = 3
GOLDEN = 0x9E37_79B9_7F4A_7C15
INDEX_SHIFT = 64 - (MAX_ADDRESSES.bit_length() - 1)


@kernel(inlined=True)
def index_of(addr: u64) -> u64:
    """Place of an address among those that are watched."""
    return ((addr >> GRANULE_BITS) * GOLDEN) >> INDEX_SHIFT


@kernel(inlined=True)
def is_address_watched(ctx: Context, addr: u64) -> b1:
    """Whether the granule of an address was touched at a given site."""
    return ctx.explore.addresses[index_of(addr)] == addr >> GRANULE_BITS


@kernel
def access_point(ctx: Context, addr: u64, kind: u64, site: u64) -> bool:
    """A plain access comes next, READS or WRITES; whether another thread goes on first."""
    if ctx.schedule.n_runnable <= 1 or ctx.ignore_depth != 0:
        return False
    if is_watched(ctx, site):
        ctx.explore.addresses[index_of(addr)] = addr >> GRANULE_BITS
    elif not is_address_watched(ctx, addr):
        return False
    ctx.site = u32(site)
    race_tick(ctx)
    event_point(ctx, addr, kind, 0)
    return ctx.explore.chosen != 0


@kernel
def access_done(ctx: Context, addr: u64) -> None:
    """A plain access was recorded, in a schedule that is explored."""
    if is_address_watched(ctx, addr):
        race_tick(ctx)
