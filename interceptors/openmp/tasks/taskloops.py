"""taskloop: a task for each part of a loop's iterations; what each captures is a copy.

    grainsize(n)   parts of n to 2n - 1 iterations        num_tasks(n)   n parts, or one for each
    neither        ten parts for each thread                             iteration

Source: OpenMP 5.2, section 12.6; the call that clang makes.
"""

from __future__ import annotations

from irsan.interceptors.openmp.loops.static_loops import first_of_block
from irsan.interceptors.openmp.members import own_task, own_team
from irsan.interceptors.openmp.openmp_types import task_at, team_at
from irsan.interceptors.openmp.tasks.tasks import (
    HEAD_BYTES,
    block_to_task,
    drop_task,
    new_task,
    omp_free_block,
)
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.combined.tracked_heap import tracked_allocate
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, real_memcpy, store_u64
from irsan.runtime.kernels.provenance.provenance_objects import tracks_provenance
from irsan.runtime.kernels.provenance.provenance_slots import slots_copy
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, i64, u64
from irsan.runtime.kernels.uninitialised.uninit_origins import bits_copy
from irsan.runtime.kernels.uninitialised.uninit_shadow import tracks_bits
from irsan.runtime.records.memory.heap_records import MALLOC

PER_THREAD = 10
GRAINSIZE, NUM_TASKS = 1, 2


@kernel
def omp_loop_trips(lower_at: u64, upper_at: u64, step: i64) -> u64:
    """Iterations of a taskloop."""
    lower, upper = load_u64(lower_at), load_u64(upper_at)
    if step > 0:
        return u64(0) if i64(lower) > i64(upper) else (upper - lower) // u64(step) + 1
    return u64(0) if i64(lower) < i64(upper) else (lower - upper) // u64(-step) + 1


@kernel
def omp_loop_parts(ctx: Context, trips: u64, kind: i32, asked: u64) -> u64:
    """How many tasks a taskloop makes."""
    n_parts = team_at(own_team(ctx)).n_threads * PER_THREAD
    if kind == GRAINSIZE:
        n_parts = trips // max(asked, u64(1))
    elif kind == NUM_TASKS:
        n_parts = asked
    return min(max(n_parts, u64(1)), trips)


@kernel
def omp_copy_task(ctx: Context, block: u64) -> u64:
    """A task like another one that was not begun."""
    n_bytes = HEAD_BYTES + load_u64(block - HEAD_BYTES + 8)
    head = tracked_allocate(ctx, n_bytes, 16, MALLOC)
    if head == 0:
        return 0
    real_memcpy(head, block - HEAD_BYTES, n_bytes)
    if tracks_bits():
        bits_copy(ctx, head, block - HEAD_BYTES, n_bytes)
    if tracks_provenance():
        slots_copy(head, block - HEAD_BYTES, n_bytes)
    task = new_task(ctx, own_task(ctx), task_at(block_to_task(block)).flags)
    copy = head + HEAD_BYTES
    task_at(task).block = copy
    store_u64(head, task)
    if load_u64(block) != 0:
        store_u64(copy, copy + (load_u64(block) - block))
    return copy


@kernel
def omp_set_bounds(
    copy: u64, block: u64, lower_at: u64, upper_at: u64, step: i64, part: u64, n_parts: u64,
    trips: u64,
) -> None:  # fmt: skip
    """The bounds of one part, in a copy of the task that has those of the whole loop."""
    lower = load_u64(lower_at)
    first, stop = first_of_block(trips, part, n_parts), first_of_block(trips, part + 1, n_parts)
    store_u64(copy + (lower_at - block), lower + first * u64(step))
    store_u64(copy + (upper_at - block), lower + (stop - 1) * u64(step))


@kernel
def omp_drop_pattern(ctx: Context, block: u64) -> None:
    """The task that all parts were copied from is not needed any more."""
    addr = block_to_task(block)
    omp_free_block(ctx, addr)
    drop_task(ctx, addr)


EXPORTS: tuple[Export, ...] = ()  # its call is engine/glue/templates/openmp/openmp_tasks.ll
