"""What threads of a team wait for, and when a barrier is over.

    clocks of a barrier   even_key, odd_key, by the parity of its generation: who arrives and each
                          task that is complete release, who leaves acquires

Tasks of a generation are complete before its barrier is over, so what leavers learn is exactly what
came before.  Whoever waits blocks on the team's address and looks again once something changes.

Source: OpenMP 5.2, section 15.3 (barriers complete the tasks of their region).
"""

from __future__ import annotations

from irsan.interceptors.openmp.openmp_types import OmpTeam
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.clocks.sync_types import sync_at
from irsan.runtime.kernels.race.recording import note
from irsan.runtime.kernels.race.sync_clocks import (
    merge_into_object,
    sync_acquire,
    sync_release,
)
from irsan.runtime.kernels.race.sync_objects import get_sync, sync_forget
from irsan.runtime.kernels.race.thread_clocks import ignores_sync, race_tick
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.kernels.threads.event_points import switch_behind
from irsan.runtime.kernels.threads.scheduler import wake_waiters
from irsan.runtime.layout.thread_states import WAIT_TEAM
from irsan.runtime.records.race import trace_records

OP_RELEASE = trace_records.RELEASE
W_TEAM = WAIT_TEAM
ALL = 1 << 32
PARALLEL = 1  # of what can be cancelled


@kernel
def wake_team(ctx: Context, team: OmpTeam) -> None:
    """Something has changed that a thread of the team may wait for."""
    wake_waiters(ctx, W_TEAM, addr_of(team), ALL)


@kernel
def omp_publish(ctx: Context, key: u64) -> None:
    """Add the running thread's past to a clock; its epoch goes on, so nothing may follow in it."""
    if ignores_sync(ctx):
        return
    note(ctx, OP_RELEASE, key, 0)
    merge_into_object(ctx, sync_at(get_sync(ctx, key)))


@kernel
def end_epoch(ctx: Context) -> None:
    """What the running thread does from here on is not published."""
    if not ignores_sync(ctx):
        race_tick(ctx)


@kernel
def barrier_key(team: OmpTeam, generation: u64) -> u64:
    """The clock of a barrier."""
    return addr_of(team) + (generation & 1) * 8


@kernel
def end_barrier_if_due(ctx: Context, team: OmpTeam) -> None:
    """All threads have arrived and all tasks are complete: the barrier is over."""
    if team.n_arrived != team.n_threads or team.n_tasks != 0:
        return
    if team.n_cancellable == team.n_threads and team.cancelled != PARALLEL:
        team.cancelled = 0  # the loop or the sections that were cancelled end here
    team.n_arrived, team.n_cancellable = 0, 0
    team.generation += 1
    wake_team(ctx, team)


@kernel
def arrive(ctx: Context, team: OmpTeam) -> u64:
    """The running thread is at a barrier: returns which, and the wait is over once it is past."""
    generation = team.generation
    sync_release(ctx, barrier_key(team, generation))
    team.n_arrived += 1
    end_barrier_if_due(ctx, team)
    return generation


@kernel
def leave_barrier(ctx: Context, team: OmpTeam, generation: u64) -> None:
    """The running thread goes on behind a barrier."""
    sync_acquire(ctx, barrier_key(team, generation))
    switch_behind(ctx)


@kernel
def forget_team(ctx: Context, team: OmpTeam) -> None:
    """A team is over: its address names no clock."""
    sync_forget(ctx, addr_of(team))
    sync_forget(ctx, addr_of(team) + 8)
