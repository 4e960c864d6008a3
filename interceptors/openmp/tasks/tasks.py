"""Explicit tasks: made, queued, begun, complete.

    made     memory of the program's heap for what the task captures; the record is before it
    queued   until a thread of the team waits for something, or a barrier; more than MOST_PENDING
             do not wait: the task runs at once
    begun    on the stack of that thread, as a fiber of its own to the race detector: tasks that
             happen to run on one thread race with each other
    complete the clocks of the parent's taskwait, of the taskgroup, of the team's barrier and of
             dependent tasks get the task's

Tasks that ask for their thread's number, or for its copy of a variable that tasks reduce, use what
belongs to the thread; those that one thread runs are ordered then, as they take turns there.

A task that waits runs other tasks meanwhile, only those that it has made, or that these have: so
what a suspended task holds is never needed by one above it on the stack.  A task that is made
inside a final one, or undeferred, is its maker's own work.

Source: OpenMP 5.2, section 12 (tasking), 12.9 (scheduling constraints).
Deviations: untied tasks stay on their thread; priorities are ignored.
"""

from __future__ import annotations

from irsan.interceptors.openmp.members import inherit_controls, omp_self, own_task, set_label
from irsan.interceptors.openmp.omp_memory import omp_give, omp_take
from irsan.interceptors.openmp.openmp_types import (
    OmpTask,
    OmpTeam,
    group_at,
    member_at,
    task_at,
    team_at,
)
from irsan.interceptors.openmp.tasks.dependences import (
    begin_depends,
    end_depends,
    forget_entries,
    may_begin,
    publish_depends,
)
from irsan.interceptors.openmp.waits import (
    barrier_key,
    end_barrier_if_due,
    end_epoch,
    omp_publish,
    wake_team,
)
from irsan.interceptors.registry import Export
from irsan.interceptors.threads.fibers import create_fiber, current_fiber
from irsan.runtime.kernels.combined.fibers import S_FREE, become
from irsan.runtime.kernels.combined.timer_threads import expect_threads
from irsan.runtime.kernels.combined.tracked_heap import tracked_allocate, tracked_free
from irsan.runtime.kernels.heap.heap import UNKNOWN_SIZE
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, stack_pointer, store_u32, store_u64
from irsan.runtime.kernels.race.race_ranges import race_forget
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release
from irsan.runtime.kernels.race.sync_objects import sync_forget
from irsan.runtime.kernels.race.thread_clocks import thread_finish, thread_join_edge
from irsan.runtime.kernels.random import random_below
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of, thread_at
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.threads.stack_bounds import stack_lo_of
from irsan.runtime.kernels.uninitialised.uninit_shadow import bits_clear, tracks_bits
from irsan.runtime.records.memory.heap_records import MALLOC
from irsan.runtime.records.threads import openmp_records as om
from irsan.runtime.records.threads.openmp_records import IS_TASK, MOST_PENDING

TASK_BYTES = om.TASK_DTYPE.itemsize
HEAD_BYTES = 16  # before a kmp_task_t: the address of its record, its bytes
ROUTINE_AT, PART_AT, DESTRUCTORS_AT, KMP_TASK_BYTES = 8, 16, 24, 40
FINAL, HAS_DESTRUCTORS, DETACHABLE = 2, 8, 64  # bits of a task's flags
MADE, QUEUED, RUNNING, ENDED, UNDEFERRED = 0, 1, 2, 3, 4
LATER, NOW = 1, 2  # when the next part of an untied task is called
FULFILLED, AWAITED = 1, 2  # of the event of a detachable task
CHOICES = 4  # one in so many picks takes the oldest task


@kernel
def block_to_task(block: u64) -> u64:
    """The record of a kmp_task_t."""
    return load_u64(block - HEAD_BYTES)


@kernel
def new_task(ctx: Context, parent_addr: u64, flags: u64) -> u64:
    """A record of a task that the running thread makes in another one."""
    task, parent = task_at(omp_take(TASK_BYTES)), task_at(parent_addr)
    task.is_explicit = u64(1)
    task.parent = parent_addr
    task.team = task_at(member_at(omp_self(ctx)).implicit).team
    task.group = parent.group
    task.flags = flags | (parent.flags & FINAL)
    task.refs = u64(1)
    parent.refs += 1
    inherit_controls(task, parent)
    return addr_of(task)


@kernel
def i_task_alloc(
    ctx: Context, location: u64, gtid: i32, flags: u32, n_bytes: u64, shared_bytes: u64,
    routine: u64,
) -> u64:  # fmt: skip
    """__kmpc_omp_task_alloc: what the task captures, and behind it pointers to what it shares."""
    own_bytes = (n_bytes + 7) & ~u64(7)
    head = tracked_allocate(ctx, HEAD_BYTES + own_bytes + shared_bytes, 16, MALLOC)
    if head == 0:
        return 0
    block = head + HEAD_BYTES
    task = new_task(ctx, own_task(ctx), u64(flags))
    task_at(task).block = block
    if tracks_bits():
        bits_clear(ctx, head, HEAD_BYTES + KMP_TASK_BYTES)
    store_u64(head, task)
    store_u64(head + 8, own_bytes + shared_bytes)
    store_u64(block, block + own_bytes if shared_bytes != 0 else u64(0))
    store_u64(block + ROUTINE_AT, routine)
    store_u32(block + PART_AT, 0)
    return block


@kernel
def count_task(ctx: Context, task: OmpTask) -> None:
    """A task exists that others may wait for; it is a fiber of its own from here on."""
    expect_threads(ctx)
    team_at(task.team).n_tasks += 1
    task_at(task.parent).n_children += 1
    if task.group != 0:
        group_at(task.group).n_tasks += 1
    if ctx.sanitize_thread == 0:
        return
    task.fiber = create_fiber(ctx, 0)
    if task.fiber != 0:
        set_label(thread_at(task.fiber).tid, 0, IS_TASK)
    else:
        sync_release(ctx, addr_of(task) + 8)


@kernel
def queue_task(ctx: Context, task: OmpTask) -> None:
    """A task waits for a thread, behind all others."""
    team = team_at(task.team)
    task.state = u64(QUEUED)
    task.maker = omp_self(ctx)
    if team.newest != 0:
        task_at(team.newest).next = addr_of(task)
    else:
        team.oldest = addr_of(task)
    team.newest = addr_of(task)
    team.n_queued += 1
    wake_team(ctx, team)


@kernel
def omp_submit(ctx: Context, block: u64) -> u64:
    """A task is complete but for running: its record when it runs at once, else 0."""
    task = task_at(block_to_task(block))
    if task_at(task.parent).flags & FINAL != 0:
        return addr_of(task)
    count_task(ctx, task)
    if team_at(task.team).n_queued >= MOST_PENDING and may_begin(task):
        return addr_of(task)
    queue_task(ctx, task)
    return 0


@kernel
def omp_next_part(block: u64) -> i32:
    """When the next part of an untied task is called, which submits itself; 0: it is a new task."""
    task = task_at(block_to_task(block))
    if task.state == RUNNING:
        task.goes_on = u64(1)
        return LATER
    return i32(NOW) if task.state == UNDEFERRED else i32(0)


@kernel
def omp_goes_on(addr: u64) -> i32:
    """Whether the function of a task has more parts to be called for."""
    task = task_at(addr)
    goes_on = task.goes_on
    task.goes_on = 0
    return i32(goes_on)


@kernel
def descends_from(task_addr: u64, ancestor: u64) -> bool:
    """Whether a task was made by another one, or by one that was."""
    while task_addr != 0:
        if task_addr == ancestor:
            return True
        task_addr = task_at(task_addr).parent
    return False


@kernel
def may_run(task: OmpTask, current: u64) -> bool:
    """Whether a thread that is inside `current` may begin a task."""
    if task_at(current).is_explicit != 0 and not descends_from(addr_of(task), current):
        return False
    return may_begin(task)


@kernel
def take_from_queue(team: OmpTeam, before: u64, addr: u64) -> u64:
    """Take a task out of its team's queue, behind the task `before`; returns it."""
    following = task_at(addr).next
    if before != 0:
        task_at(before).next = following
    else:
        team.oldest = following
    if team.newest == addr:
        team.newest = before
    task_at(addr).next = 0
    team.n_queued -= 1
    return addr


@kernel
def next_task(ctx: Context) -> u64:
    """Take a task that the running thread may begin: its own newest, or the oldest; 0: none."""
    member = member_at(omp_self(ctx))
    team = team_at(task_at(member.implicit).team)
    if team.oldest == 0:
        return 0
    takes_own = random_below(ctx, CHOICES) != 0
    before, addr = u64(0), team.oldest
    found, before_found = u64(0), u64(0)
    while addr != 0:
        is_own = task_at(addr).maker == addr_of(member)
        if (found == 0 or (takes_own and is_own)) and may_run(task_at(addr), member.task):
            found, before_found = addr, before
        before, addr = addr, task_at(addr).next
    return u64(0) if found == 0 else take_from_queue(team, before_found, found)


@kernel
def forget_stack_below(ctx: Context) -> None:
    """Another task's frames come to lie where the last one's were: no history connects them.

    Nor does any connect what they do with the thread's own variables, one after the other.
    """
    if ctx.sanitize_thread == 0:
        return
    here, thread = stack_pointer(), thread_at(ctx.thread)
    lo = stack_lo_of(thread, here)
    if lo < here:
        race_forget(ctx, lo, here - lo)
    race_forget(ctx, thread.tls, ctx.thread_locals.size_bytes)


@kernel
def omp_begin_task(ctx: Context, addr: u64) -> None:
    """The running thread begins a task, as the fiber that the task is."""
    task, member = task_at(addr), member_at(omp_self(ctx))
    if task_at(member.task).uses_thread != 0:
        sync_release(ctx, addr_of(member))
    task.outer_task = member.task
    member.task = addr
    task.state = u64(RUNNING)
    if task.fiber != 0:
        task.outer_fiber = current_fiber(ctx)
        if task.outer_fiber != 0:
            forget_stack_below(ctx)
            become(ctx, task.fiber)
        else:
            thread_join_edge(ctx, task.fiber)
    else:
        sync_acquire(ctx, addr + 8)
    begin_depends(ctx, task)


@kernel
def omp_routine_of(addr: u64) -> u64:
    """The function of a task; 0 when its taskgroup was cancelled."""
    group = task_at(addr).group
    if group != 0 and group_at(group).cancelled != 0:
        return 0
    return load_u64(task_at(addr).block + ROUTINE_AT)


@kernel
def omp_destructors_of(addr: u64) -> u64:
    """The function that destroys what a task has captured; 0: nothing to destroy."""
    task = task_at(addr)
    if task.flags & HAS_DESTRUCTORS == 0:
        return 0
    return load_u64(task.block + DESTRUCTORS_AT)


@kernel
def omp_free_block(ctx: Context, addr: u64) -> None:
    """What a task has captured is freed, by the task."""
    block = task_at(addr).block
    task_at(addr).block = 0
    if block != 0:
        tracked_free(ctx, block - HEAD_BYTES, MALLOC, UNKNOWN_SIZE, 0)


@kernel
def publish_task(ctx: Context, task: OmpTask) -> None:
    """What the running thread has done is part of a task: whoever waits for that will know.

    All of it in one epoch, which the caller ends: a task that is over has no later one, so whoever
    knows its end knows all of its number, which can then go to another task.
    """
    team = team_at(task.team)
    omp_publish(ctx, barrier_key(team, team.generation))
    omp_publish(ctx, task.parent)
    if task.group != 0:
        omp_publish(ctx, task.group)
    if task.uses_thread != 0:
        omp_publish(ctx, omp_self(ctx))
    publish_depends(ctx, task)


@kernel
def leave_fiber(ctx: Context, task: OmpTask) -> None:
    """The running thread goes on as who it was before a task."""
    if task.fiber == 0 or task.outer_fiber == 0:
        end_epoch(ctx)
    if task.fiber == 0:
        return
    if task.outer_fiber != 0:
        forget_stack_below(ctx)
        thread_finish(ctx)
        become(ctx, task.outer_fiber)
    thread_at(task.fiber).state = S_FREE
    task.fiber = 0


@kernel
def drop_task(ctx: Context, addr: u64) -> None:
    """One reference to a task's record less; the last one takes the parent's along."""
    while addr != 0:
        task = task_at(addr)
        task.refs -= 1
        if task.refs != 0 or task.is_explicit == 0:
            return
        parent = task.parent
        sync_forget(ctx, addr)
        sync_forget(ctx, addr + 8)
        omp_give(addr, TASK_BYTES)
        addr = parent


@kernel
def complete_task(ctx: Context, task: OmpTask) -> None:
    """A task that was counted is complete: who waits for it may go on."""
    team = team_at(task.team)
    team.n_tasks -= 1
    task_at(task.parent).n_children -= 1
    if task.group != 0:
        group_at(task.group).n_tasks -= 1
    end_depends(ctx, task)
    drop_task(ctx, addr_of(task))
    end_barrier_if_due(ctx, team)
    wake_team(ctx, team)


@kernel
def omp_end_task(ctx: Context, addr: u64) -> None:
    """The function of a task has returned."""
    task, member = task_at(addr), member_at(omp_self(ctx))
    is_included = task_at(task.parent).flags & FINAL != 0
    member.task = task.outer_task
    forget_entries(ctx, task)
    if is_included:
        drop_task(ctx, addr)
        return
    publish_task(ctx, task)
    leave_fiber(ctx, task)
    if task_at(member.task).uses_thread != 0:
        sync_acquire(ctx, addr_of(member))
    if task.flags & DETACHABLE != 0 and task.event != FULFILLED:
        task.event = u64(AWAITED)
        return
    complete_task(ctx, task)


EXPORTS = (Export("ptr __kmpc_omp_task_alloc(ptr,i32,u32,u64,u64,ptr)", kernel="i_task_alloc"),)
