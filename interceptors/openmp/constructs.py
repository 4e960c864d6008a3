"""single, master, masked, copyprivate, sections by call, flush; cancel and cancellation points.

Cancellation happens where OMP_CANCELLATION says so.  What is cancelled is a word of the team, the
construct's number as clang has it, or one of the taskgroup; who waits for a barrier of the region,
or comes to a cancellation point, learns it.

Source: OpenMP 5.2, sections 11.1 (single), 10.5 (masked), 16 (cancellation).
"""

from __future__ import annotations

from irsan.interceptors.openmp.members import own_implicit, own_task, own_team
from irsan.interceptors.openmp.openmp_types import group_at, settings_at, task_at, team_at
from irsan.interceptors.openmp.waits import wake_team
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.race_atomics import race_fence
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.kernels.threads.event_points import wants_switch
from irsan.runtime.kernels.threads.scheduler import sync_point
from irsan.runtime.records.threads.openmp_records import TABLE

TASKGROUP = 4  # of what can be cancelled; 1 is a parallel region, 2 a loop, 3 sections
ACQ_REL = 4


@kernel
def i_single(ctx: Context, location: u64, gtid: i32) -> i32:
    """__kmpc_single: 1 for the first thread of the team that comes to it."""
    task = task_at(own_implicit(ctx))
    team = team_at(task.team)
    if wants_switch(ctx, addr_of(team), 0):
        return 0
    sync_point(ctx)
    task.singles += 1
    if team.singles >= task.singles:
        return 0
    team.singles = task.singles
    return 1


@kernel
def i_omp_nothing(ctx: Context, location: u64, gtid: i32) -> None:
    """The end of a construct without one."""


@kernel
def i_omp_nothing_at(ctx: Context, location: u64) -> None:
    """__kmpc_end."""


@kernel
def i_master(ctx: Context, location: u64, gtid: i32) -> i32:
    """__kmpc_master."""
    return i32(task_at(own_implicit(ctx)).number == 0)


@kernel
def i_masked(ctx: Context, location: u64, gtid: i32, number: i32) -> i32:
    """__kmpc_masked: the thread of that number."""
    return i32(number >= 0 and task_at(own_implicit(ctx)).number == u64(number))


@kernel
def omp_offer(ctx: Context, is_mine: i32, data: u64) -> None:
    """copyprivate: the thread of the single construct shows its variables."""
    if is_mine != 0:
        team_at(own_team(ctx)).copied = data


@kernel
def omp_offered(ctx: Context) -> u64:
    """What it has shown."""
    return team_at(own_team(ctx)).copied


@kernel
def i_flush(ctx: Context, location: u64) -> None:
    """__kmpc_flush: a fence with acquire and release semantics."""
    sync_point(ctx)
    race_fence(ctx, ACQ_REL)


@kernel
def i_cancel(ctx: Context, location: u64, gtid: i32, kind: i32) -> i32:
    """__kmpc_cancel: 1 when the construct is left."""
    if settings_at(TABLE).cancels == 0:
        return 0
    task = task_at(own_task(ctx))
    if kind == TASKGROUP:
        if task.group == 0:
            return 0
        group_at(task.group).cancelled = u64(1)
    else:
        team_at(own_team(ctx)).cancelled = u64(kind)
    wake_team(ctx, team_at(own_team(ctx)))
    return 1


@kernel
def i_cancellation_point(ctx: Context, location: u64, gtid: i32, kind: i32) -> i32:
    """__kmpc_cancellationpoint: 1 when the construct was cancelled."""
    if kind == TASKGROUP:
        group = task_at(own_task(ctx)).group
        return i32(group != 0 and group_at(group).cancelled != 0)
    return i32(team_at(own_team(ctx)).cancelled == u64(kind))


@kernel
def omp_cancelled(ctx: Context) -> i32:
    """What of the running thread's region is cancelled, 0: nothing."""
    return i32(team_at(own_team(ctx)).cancelled)


@kernel
def omp_uncancel(ctx: Context) -> None:
    """The cancelled construct of a team is over."""
    team_at(own_team(ctx)).cancelled = 0


EXPORTS = (
    Export("i32 __kmpc_single(ptr,i32)", kernel="i_single"),
    Export("void __kmpc_end_single(ptr,i32)", kernel="i_omp_nothing", quick=True),
    Export("i32 __kmpc_master(ptr,i32)", kernel="i_master", quick=True),
    Export("void __kmpc_end_master(ptr,i32)", kernel="i_omp_nothing", quick=True),
    Export("i32 __kmpc_masked(ptr,i32,i32)", kernel="i_masked", quick=True),
    Export("void __kmpc_end_masked(ptr,i32)", kernel="i_omp_nothing", quick=True),
    Export("void __kmpc_scope(ptr,i32)", kernel="i_omp_nothing", quick=True),
    Export("void __kmpc_end_scope(ptr,i32)", kernel="i_omp_nothing", quick=True),
    Export("void __kmpc_begin(ptr,i32)", kernel="i_omp_nothing", quick=True),
    Export("void __kmpc_end(ptr)", kernel="i_omp_nothing_at", quick=True),
    Export("void __kmpc_flush(ptr)", kernel="i_flush"),
    Export("i32 __kmpc_cancel(ptr,i32,i32)", kernel="i_cancel"),
    Export("i32 __kmpc_cancellationpoint(ptr,i32,i32)", kernel="i_cancellation_point"),
)
