"""Waiting in a team: one step at a time, and a task of the program between two steps.

    omp_step(kind, goal)   a task that the caller runs, and asks again      a record
                           nothing to do: the thread is blocked             action RETRY
                           what was waited for is there                     0

    BARRIER, generation    the barrier is over; what came before it is known
    TASKWAIT               the children of the current task are complete
    GROUP, group           its tasks are complete
    DEPENDS, task          what it depends on is complete
    JOIN, team             its other threads have left it
    CANCELLABLE, generation    as BARRIER, or the region is cancelled

A worker without a region waits for one in omp_idle.

Source: OpenMP 5.2, section 15.
"""

from __future__ import annotations

from irsan.interceptors.openmp.members import own_task, own_team
from irsan.interceptors.openmp.omp_memory import omp_give, omp_take
from irsan.interceptors.openmp.openmp_types import group_at, member_at, task_at, team_at
from irsan.interceptors.openmp.tasks.dependences import (
    add_depends,
    begin_depends,
    end_depends,
    may_begin,
)
from irsan.interceptors.openmp.tasks.tasks import TASK_BYTES, next_task
from irsan.interceptors.openmp.waits import PARALLEL, W_TEAM, arrive, leave_barrier
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.actions import YIELD
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.sync_clocks import sync_acquire
from irsan.runtime.kernels.race.sync_objects import sync_forget
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.kernels.threads.event_points import wants_switch
from irsan.runtime.kernels.threads.scheduler import block_current, sync_point, take_resuming
from irsan.runtime.layout.thread_states import WAIT_REGION
from irsan.runtime.records.threads import openmp_records as om

W_REGION = WAIT_REGION
BARRIER, TASKWAIT, GROUP = om.BARRIER, om.TASKWAIT, om.GROUP
DEPENDS, CANCELLABLE = om.DEPENDS, om.CANCELLABLE
GROUP_BYTES = om.GROUP_DTYPE.itemsize


@kernel
def is_reached(ctx: Context, kind: u64, goal: u64) -> bool:
    """Whether what the running thread waits for is there."""
    if kind == BARRIER:
        return team_at(own_team(ctx)).generation != goal
    if kind == TASKWAIT:
        return task_at(own_task(ctx)).n_children == 0
    if kind == GROUP:
        return group_at(goal).n_tasks == 0
    if kind == DEPENDS:
        return may_begin(task_at(goal))
    if kind == CANCELLABLE:
        team = team_at(own_team(ctx))
        return team.generation != goal or team.cancelled == PARALLEL
    return team_at(goal).n_done + 1 == team_at(goal).n_threads


@kernel
def learn_reached(ctx: Context, kind: u64, goal: u64) -> None:
    """What was waited for happens before what the running thread does next."""
    if kind == BARRIER:
        leave_barrier(ctx, team_at(own_team(ctx)), goal)
    elif kind == CANCELLABLE:
        if team_at(own_team(ctx)).generation != goal:
            leave_barrier(ctx, team_at(own_team(ctx)), goal)
    elif kind == TASKWAIT:
        sync_acquire(ctx, own_task(ctx))
    elif kind == GROUP:
        sync_acquire(ctx, goal)
    elif kind == DEPENDS:
        begin_depends(ctx, task_at(goal))


@kernel
def omp_step(ctx: Context, kind: u64, goal: u64) -> u64:
    """One step of waiting."""
    take_resuming(ctx)
    if is_reached(ctx, kind, goal):
        learn_reached(ctx, kind, goal)
        return 0
    task = next_task(ctx)
    if task == 0:
        block_current(ctx, W_TEAM, own_team(ctx), 0)
    return task


@kernel
def omp_idle(ctx: Context, member: u64) -> None:
    """A worker waits for a region to begin."""
    take_resuming(ctx)
    if member_at(member).assigned == 0:
        block_current(ctx, W_REGION, member, 0)


@kernel
def omp_arrive(ctx: Context) -> u64:
    """The running thread comes to a barrier: its generation."""
    team = team_at(own_team(ctx))
    if wants_switch(ctx, addr_of(team), 0):
        return 0
    sync_point(ctx)
    return arrive(ctx, team)


@kernel
def omp_yield_task(ctx: Context) -> u64:
    """taskyield: a task that may run now; others may go on."""
    task = next_task(ctx)
    if task == 0:
        ctx.action = YIELD
    return task


@kernel
def omp_begin_wait(ctx: Context, count: i32, infos: u64) -> u64:
    """A stand-in for a task that depends on what a list names: to be waited for."""
    stand_in = omp_take(TASK_BYTES)
    add_depends(ctx, task_at(stand_in), task_at(own_task(ctx)), u64(count), infos)
    return stand_in


@kernel
def omp_end_wait(ctx: Context, stand_in: u64) -> None:
    """It was waited for."""
    end_depends(ctx, task_at(stand_in))
    omp_give(stand_in, TASK_BYTES)


@kernel
def i_taskgroup(ctx: Context, location: u64, gtid: i32) -> None:
    """__kmpc_taskgroup."""
    task = task_at(own_task(ctx))
    group = omp_take(GROUP_BYTES)
    group_at(group).outer = task.group
    task.group = group


@kernel
def omp_own_group(ctx: Context) -> u64:
    """The taskgroup that the running task is in."""
    return task_at(own_task(ctx)).group


@kernel
def omp_end_group(ctx: Context, addr: u64) -> None:
    """The tasks of a group are complete: the group is over."""
    task_at(own_task(ctx)).group = group_at(addr).outer
    sync_forget(ctx, addr)
    omp_give(addr, GROUP_BYTES)


EXPORTS = (Export("void __kmpc_taskgroup(ptr,i32)", kernel="i_taskgroup"),)
