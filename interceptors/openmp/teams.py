"""Parallel regions: a team is made of threads that their maker keeps, and ends in a barrier.

    fork    the clock of whoever makes the team goes to each of its threads
    join    that of the last barrier comes back

A worker is a green thread of irsan that belongs to the thread which has made it, and has the same
number in its next region: so threadprivate variables, which are thread-locals, persist.  In each
region it is a new thread to the race detector, with a number of its own: what it did in an earlier
region is known to it only by what ordered the two.

Source: OpenMP 5.2, section 10.1 (parallel), 10.2 (teams on the host).
Deviation: a region gets as many threads as it asks for, whatever OMP_DYNAMIC says.
"""

from __future__ import annotations

from irsan.interceptors.openmp.members import (
    TASK_BYTES,
    TEAM_BYTES,
    inherit_controls,
    omp_self,
    set_label,
    threads_of_level,
)
from irsan.interceptors.openmp.omp_memory import omp_give, omp_take
from irsan.interceptors.openmp.openmp_types import (
    OmpTask,
    OmpTeam,
    OmpThread,
    member_at,
    settings_at,
    task_at,
    team_at,
    thread_of_slot,
)
from irsan.interceptors.openmp.waits import forget_team, wake_team
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.callstack import callstack_init, current_stack_id
from irsan.runtime.kernels.combined.thread_life import cancel_start, note_creation, start_thread
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.sync_objects import sync_forget
from irsan.runtime.kernels.race.thread_clocks import thread_finish, thread_fork, thread_join_edge
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of, thread_at
from irsan.runtime.kernels.scalars import i32, i64, u64
from irsan.runtime.kernels.threads.scheduler import block_current, release_point, wake_waiters
from irsan.runtime.layout.thread_states import WAIT_REGION
from irsan.runtime.records.threads.openmp_records import TABLE

W_REGION = WAIT_REGION
SERIAL, LEAGUE = 1, 2  # what is made; 0: a parallel region


@kernel
def wanted_threads(member: OmpThread, task: OmpTask, team: OmpTeam, form: u64) -> u64:
    """How many threads a region gets."""
    settings = settings_at(TABLE)
    asked, asked_teams = member.asked_threads, member.asked_teams
    member.asked_threads, member.asked_teams = 0, 0
    if form == SERIAL:
        return 1
    if form == LEAGUE:
        return max(asked_teams, max(settings.n_teams, u64(1)))
    if team.active >= task.max_levels:
        return 1
    n_threads = asked if asked != 0 else task.n_threads
    if team.thread_limit != 0:
        n_threads = min(n_threads, team.thread_limit)
    if task.thread_limit != 0:
        n_threads = min(n_threads, task.thread_limit)
    return max(min(n_threads, settings.thread_limit), u64(1))


@kernel
def new_team(member: OmpThread, form: u64, n_threads: u64) -> u64:
    """A team inside the one that a thread is in, without tasks yet."""
    team, outer = team_at(omp_take(TEAM_BYTES)), team_at(task_at(member.implicit).team)
    team.outer, team.master = addr_of(outer), addr_of(member)
    team.n_threads = n_threads
    team.level, team.active = outer.level, outer.active
    team.thread_limit = outer.thread_limit
    if form == LEAGUE:
        team.is_league = u64(1)
        team.thread_limit = member.asked_limit
        if team.thread_limit == 0:
            team.thread_limit = settings_at(TABLE).teams_limit
        member.asked_limit = 0
    else:
        team.level += 1
        team.active += u64(n_threads > 1)
    return addr_of(team)


@kernel
def new_implicit(team: OmpTeam, number: u64, source: OmpTask) -> u64:
    """The task of one thread of a team."""
    task = task_at(omp_take(TASK_BYTES))
    task.team = addr_of(team)
    task.number = number
    task.parent = addr_of(source)
    task.refs = u64(1)
    inherit_controls(task, source)
    own_level = threads_of_level(team.level)
    if own_level != 0:
        task.n_threads = own_level
    return addr_of(task)


@kernel
def enter_team(member: OmpThread, implicit: u64) -> None:
    """A thread begins its part of a region."""
    task = task_at(implicit)
    task.outer_implicit, task.outer_task = member.implicit, member.task
    member.implicit, member.task = implicit, implicit


@kernel
def leave_team(ctx: Context, member: OmpThread) -> None:
    """A thread is done with its part of a region."""
    implicit = member.implicit
    task = task_at(implicit)
    member.implicit, member.task = task.outer_implicit, task.outer_task
    sync_forget(ctx, implicit)
    sync_forget(ctx, implicit + 8)
    omp_give(implicit, TASK_BYTES)


@kernel
def append_worker(master: OmpThread, worker: u64) -> None:
    """A worker comes behind all others: in each region the first ones have the same numbers."""
    last = master.workers
    if last == 0:
        master.workers = worker
        return
    while member_at(last).next_worker != 0:
        last = member_at(last).next_worker
    member_at(last).next_worker = worker


@kernel
def make_worker(ctx: Context, master: OmpThread) -> u64:
    """A new thread that waits for regions of its maker; 0 when no thread can be made."""
    routine = settings_at(TABLE).worker_entry
    addr = start_thread(ctx, routine, 0, 1, settings_at(TABLE).stack_bytes)
    if addr == 0:
        return 0
    if not thread_fork(ctx, addr):
        cancel_start(ctx, addr)
        return 0
    member = thread_of_slot(thread_at(addr).slot)
    member.tid = thread_at(addr).tid + 1
    member.thread = addr
    member.root, member.workers, member.assigned, member.left = 0, 0, 0, 0
    member.asked_threads, member.asked_teams, member.asked_limit = 0, 0, 0
    member.implicit, member.task = 0, 0
    member.next_worker = 0
    append_worker(master, addr_of(member))
    thread_at(addr).argument = addr_of(member)
    return addr_of(member)


@kernel
def renew_worker(ctx: Context, member: OmpThread) -> bool:
    """A worker that waits becomes a new thread to the race detector; false if there is none."""
    thread = thread_at(member.thread)
    thread.tid = ctx.schedule.next_tid
    thread.parent_tid = thread_at(ctx.thread).tid
    thread.creation_stack = u64(current_stack_id(ctx))
    callstack_init(thread)
    thread.site = 0
    if not thread_fork(ctx, member.thread):
        return False
    ctx.schedule.next_tid = ctx.schedule.next_tid + 1
    note_creation(thread.tid, thread.parent_tid, thread.creation_stack)
    member.tid = thread.tid + 1
    return True


@kernel
def idle_worker(master: OmpThread) -> u64:
    """A worker of a thread that has no region; 0: all have one."""
    worker = master.workers
    while worker != 0:
        if member_at(worker).assigned == 0 and member_at(worker).implicit == 0:
            return worker
        worker = member_at(worker).next_worker
    return 0


@kernel
def take_worker(ctx: Context, master: OmpThread) -> u64:
    """A worker for a region that begins; 0 when none can be had."""
    worker = idle_worker(master)
    if worker == 0:
        return make_worker(ctx, master)
    return worker if renew_worker(ctx, member_at(worker)) else u64(0)


@kernel
def add_worker(ctx: Context, team: OmpTeam, source: OmpTask, number: u64) -> bool:
    """Thread `number` of a team begins; false when there is no thread for it."""
    worker = take_worker(ctx, member_at(team.master))
    if worker == 0:
        return False
    member = member_at(worker)
    member.assigned = new_implicit(team, number, source)
    set_label(member.tid - 1, number, team.n_threads)
    wake_waiters(ctx, W_REGION, worker, 1)
    return True


@kernel
def omp_fork(ctx: Context, form: u64, microtask: u64, n_arguments: i32, arguments: u64) -> u64:
    """Begin a region: its team, whose thread 0 the running thread is."""
    member = member_at(omp_self(ctx))
    settings_at(TABLE).paused = u64(0)
    source = task_at(member.task)
    outer = team_at(task_at(member.implicit).team)
    n_threads = wanted_threads(member, source, outer, form)
    team = team_at(new_team(member, form, n_threads))
    team.microtask, team.n_arguments, team.arguments = microtask, u64(i64(n_arguments)), arguments
    team.first = new_implicit(team, 0, source)
    number = u64(1)
    while number < n_threads and add_worker(ctx, team, source, number):
        number += 1
    if number != n_threads:
        settings_at(TABLE).n_unmade += n_threads - number
        team.n_threads = number
    enter_team(member, team.first)
    if number > 1:
        release_point(ctx)  # natively they all begin at once, so any may be the first
    return addr_of(team)


@kernel
def omp_begin_worker(ctx: Context, addr: u64) -> u64:
    """A worker begins the region that it was given: its team."""
    member = member_at(addr)
    implicit = member.assigned
    member.assigned = 0
    enter_team(member, implicit)
    return task_at(implicit).team


@kernel
def omp_end_worker(ctx: Context, addr: u64) -> None:
    """A worker is behind the last barrier of a region: it waits for another one."""
    member = member_at(addr)
    team = team_at(task_at(member.implicit).team)
    leave_team(ctx, member)
    member.left = addr_of(team)
    thread_finish(ctx)
    team.n_done += 1
    wake_team(ctx, team)
    block_current(ctx, W_REGION, addr, 0)


@kernel
def join_workers(ctx: Context, master: OmpThread, team: u64) -> None:
    """Thread 0 knows all of the others to their end: their numbers can be used again."""
    worker = master.workers
    while worker != 0:
        member = member_at(worker)
        if member.left == team:
            thread_join_edge(ctx, member.thread)
            member.left = 0
        worker = member.next_worker


@kernel
def omp_join(ctx: Context, addr: u64) -> None:
    """All other threads have left a team: thread 0 goes back to the one around it."""
    team = team_at(addr)
    join_workers(ctx, member_at(team.master), addr)
    leave_team(ctx, member_at(team.master))
    forget_team(ctx, team)
    omp_give(addr, TEAM_BYTES)


@kernel
def i_push_num_threads(ctx: Context, location: u64, gtid: i32, n_threads: i32) -> None:
    """__kmpc_push_num_threads: for the next region."""
    if n_threads > 0:
        member_at(omp_self(ctx)).asked_threads = u64(n_threads)


@kernel
def i_limit_threads(ctx: Context, n_threads: i32) -> None:
    """__kmpc_set_thread_limit: of the target region that the running task is."""
    if n_threads > 0:
        task_at(member_at(omp_self(ctx)).task).thread_limit = u64(n_threads)


@kernel
def i_push_num_teams(
    ctx: Context, location: u64, gtid: i32, n_teams: i32, thread_limit: i32
) -> None:
    """__kmpc_push_num_teams: for the next teams region."""
    member = member_at(omp_self(ctx))
    member.asked_teams = u64(max(n_teams, i32(0)))
    member.asked_limit = u64(max(thread_limit, i32(0)))


@kernel
def i_push_num_teams_51(
    ctx: Context, location: u64, gtid: i32, fewest: i32, most: i32, thread_limit: i32
) -> None:
    """__kmpc_push_num_teams_51: the most of a range."""
    i_push_num_teams(ctx, location, gtid, most, thread_limit)


@kernel
def i_push_proc_bind(ctx: Context, location: u64, gtid: i32, kind: i32) -> None:
    """__kmpc_push_proc_bind: all threads share one processor."""


EXPORTS = (
    Export("void __kmpc_push_num_threads(ptr,i32,i32)", kernel="i_push_num_threads", quick=True),
    Export("void irsan_omp_limit_threads(i32)", kernel="i_limit_threads", quick=True),
    Export("void __kmpc_push_num_teams(ptr,i32,i32,i32)", kernel="i_push_num_teams", quick=True),
    Export("void __kmpc_push_num_teams_51(ptr,i32,i32,i32,i32)", kernel="i_push_num_teams_51",
           quick=True),
    Export("void __kmpc_push_proc_bind(ptr,i32,i32)", kernel="i_push_proc_bind", quick=True),
)  # fmt: skip
