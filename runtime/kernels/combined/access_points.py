"""Plain accesses as events of schedules that are explored: where races were found.

Code without races cannot tell whether a switch falls between two of its plain accesses.  Code with
one can, so the sites of races that earlier schedules had are given to later ones: there another
thread may go on before the access.

The thread begins a new epoch at each of these, or the fast path would answer the next access to the
same place alone.  A clock that ticks more often orders nothing more and nothing less.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.thread_clocks import race_tick
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.kernels.schedulers.exploring import event_point
from irsan.runtime.kernels.schedulers.pending import is_watched


@kernel
def access_point(ctx: Context, addr: u64, kind: u64, site: u64) -> bool:
    """A plain access comes next, READS or WRITES; whether another thread goes on first."""
    if ctx.schedule.n_runnable <= 1 or ctx.ignore_depth != 0 or not is_watched(ctx, site):
        return False
    ctx.site = u32(site)
    race_tick(ctx)
    event_point(ctx, addr, kind, 0)
    return ctx.explore.chosen != 0
