"""Calls about explicit tasks beside their queue: undeferred ones, dependences, detached ones.

Source: OpenMP 5.2, section 12.5 (task); the calls that clang makes.
"""

from __future__ import annotations

from irsan.interceptors.openmp.members import omp_self
from irsan.interceptors.openmp.openmp_types import member_at, task_at
from irsan.interceptors.openmp.tasks.dependences import add_depends, forget_entries
from irsan.interceptors.openmp.tasks.tasks import (
    AWAITED,
    FINAL,
    FULFILLED,
    UNDEFERRED,
    block_to_task,
    complete_task,
    drop_task,
    omp_free_block,
    publish_task,
)
from irsan.interceptors.openmp.waits import end_epoch
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of
from irsan.runtime.kernels.scalars import i32, u64


@kernel
def i_begin_undeferred(ctx: Context, location: u64, gtid: i32, block: u64) -> None:
    """__kmpc_omp_task_begin_if0: its maker runs it here."""
    task, member = task_at(block_to_task(block)), member_at(omp_self(ctx))
    task.outer_task = member.task
    task.state = u64(UNDEFERRED)
    member.task = addr_of(task)


@kernel
def i_end_undeferred(ctx: Context, location: u64, gtid: i32, block: u64) -> None:
    """__kmpc_omp_task_complete_if0."""
    addr = block_to_task(block)
    member = member_at(omp_self(ctx))
    member.task = task_at(addr).outer_task
    forget_entries(ctx, task_at(addr))
    omp_free_block(ctx, addr)
    drop_task(ctx, addr)


@kernel
def omp_block_of(addr: u64) -> u64:
    """The kmp_task_t of a task."""
    return task_at(addr).block


@kernel
def omp_note_depends(ctx: Context, block: u64, count: i32, infos: u64) -> None:
    """A task that is about to be submitted depends on what a list names.

    Siblings inside a final task are complete anyway.
    """
    task = task_at(block_to_task(block))
    if count > 0 and task_at(task.parent).flags & FINAL == 0:
        add_depends(ctx, task, task_at(task.parent), u64(count), infos)


@kernel
def i_allow_completion_event(ctx: Context, location: u64, gtid: i32, block: u64) -> u64:
    """__kmpc_task_allow_completion_event: the event of a detachable task is its record."""
    return block_to_task(block)


@kernel
def i_fulfill_event(ctx: Context, event: u64) -> None:
    """omp_fulfill_event: the task is complete once its function has returned as well."""
    task = task_at(event)
    publish_task(ctx, task)
    end_epoch(ctx)
    if task.event == AWAITED:
        complete_task(ctx, task)
    else:
        task.event = u64(FULFILLED)


@kernel
def i_affinity(ctx: Context, location: u64, gtid: i32, block: u64, n: i32, list: u64) -> i32:
    """__kmpc_omp_reg_task_with_affinity: a wish."""
    return 0


EXPORTS = (
    Export("void __kmpc_omp_task_begin_if0(ptr,i32,ptr)", kernel="i_begin_undeferred"),
    Export("void __kmpc_omp_task_complete_if0(ptr,i32,ptr)", kernel="i_end_undeferred"),
    Export(
        "ptr __kmpc_task_allow_completion_event(ptr,i32,ptr)", kernel="i_allow_completion_event"
    ),
    Export("void omp_fulfill_event(ptr)", kernel="i_fulfill_event"),
    Export("i32 __kmpc_omp_reg_task_with_affinity(ptr,i32,ptr,i32,ptr)", kernel="i_affinity"),
)
