"""What a thread is to OpenMP: its team, its number there, the task that it runs.

    member      a row per slot of a thread, made when the thread first asks
    implicit    the task that a thread has in a region; the first one is a team of its own
    task        the same, or an explicit one that it runs meanwhile

A task inherits the control variables of the one that makes it; OMP_NUM_THREADS may say another
number for each level.

Source: OpenMP 5.2, section 2 (internal control variables).
"""

from __future__ import annotations

from irsan.interceptors.openmp.omp_memory import omp_give, omp_take
from irsan.interceptors.openmp.openmp_types import (
    OmpTask,
    member_at,
    settings_at,
    task_at,
    team_at,
    thread_of_slot,
)
from irsan.runtime.kernels.combined.fibers import own_tid
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, real_memset, store_u32
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of, thread_at
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.kernels.thread_slots import slot_to_thread
from irsan.runtime.layout.field_offsets import field_offset
from irsan.runtime.records.threads import openmp_records as om
from irsan.runtime.records.threads.openmp_records import (
    LABEL_BYTES,
    LABELS,
    MAX_LABELS,
    N_LEVELS,
    TABLE,
)

MEMBER_BYTES = om.THREAD_DTYPE.itemsize
TEAM_BYTES = om.TEAM_DTYPE.itemsize
TASK_BYTES = om.TASK_DTYPE.itemsize
LEVELS_AT = TABLE + field_offset(om.SETTINGS_DTYPE, "n_threads")


@kernel
def threads_of_level(level: u64) -> u64:
    """What OMP_NUM_THREADS says for the regions below so many others; 0: no more than above."""
    return load_u64(LEVELS_AT + level * 8) if level < N_LEVELS else u64(0)


@kernel
def first_controls(task: OmpTask) -> None:
    """The control variables of a thread's first task are the environment's."""
    settings = settings_at(TABLE)
    task.n_threads = max(threads_of_level(0), u64(1))
    task.dynamic = settings.dynamic
    task.schedule = settings.schedule
    task.chunk = settings.chunk
    task.max_levels = settings.max_levels


@kernel
def inherit_controls(task: OmpTask, source: OmpTask) -> None:
    """A task begins with the control variables of the one that makes it."""
    task.n_threads = source.n_threads
    task.dynamic = source.dynamic
    task.schedule = source.schedule
    task.chunk = source.chunk
    task.max_levels = source.max_levels
    task.thread_limit = source.thread_limit


@kernel
def begin_member(slot: u64, tid: u64) -> None:
    """Make a thread known: it is a team of one, whose threads an earlier owner of the row left."""
    member = thread_of_slot(slot)
    workers, root = member.workers, member.root
    if root != 0:
        omp_give(task_at(root).team, TEAM_BYTES)
        omp_give(root, TASK_BYTES)
    real_memset(addr_of(member), 0, MEMBER_BYTES)
    team, task = team_at(omp_take(TEAM_BYTES)), task_at(omp_take(TASK_BYTES))
    team.n_threads, team.n_teams, team.master = u64(1), u64(1), addr_of(member)
    team.first = addr_of(task)
    task.team = addr_of(team)
    first_controls(task)
    member.tid = tid
    member.thread = slot_to_thread(slot)
    member.workers = workers
    member.root, member.implicit, member.task = addr_of(task), addr_of(task), addr_of(task)


@kernel
def omp_self(ctx: Context) -> u64:
    """Address of the running thread's member."""
    thread = thread_at(ctx.thread)
    member = thread_of_slot(thread.slot)
    tid = own_tid(thread) + 1
    if member.tid != tid or member.implicit == 0:
        begin_member(thread.slot, tid)
    return addr_of(member)


@kernel
def own_task(ctx: Context) -> u64:
    """Address of the task that the running thread runs."""
    return member_at(omp_self(ctx)).task


@kernel
def own_implicit(ctx: Context) -> u64:
    """Address of the task that the running thread has in its region."""
    return member_at(omp_self(ctx)).implicit


@kernel
def own_team(ctx: Context) -> u64:
    """Address of the running thread's team."""
    return task_at(own_implicit(ctx)).team


@kernel
def set_label(tid: u64, number: u64, size: u64) -> None:
    """What reports say of a thread number: which thread of how many, or a task."""
    if tid < MAX_LABELS:
        store_u32(LABELS + tid * LABEL_BYTES, u32(number))
        store_u32(LABELS + tid * LABEL_BYTES + 4, u32(size))


@kernel
def league_size(ctx: Context) -> u64:
    """How many teams the league around has; 1 outside of one."""
    team = own_team(ctx)
    while team_at(team).is_league == 0 and team_at(team).outer != 0:
        team = team_at(team).outer
    return team_at(team).n_threads if team_at(team).is_league != 0 else u64(1)


@kernel
def league_number(ctx: Context) -> u64:
    """Number of the running thread's team in its league."""
    implicit = own_implicit(ctx)
    while True:
        team = team_at(task_at(implicit).team)
        if team.is_league != 0:
            return task_at(implicit).number
        if team.outer == 0:
            return 0
        implicit = task_at(team.first).outer_implicit
