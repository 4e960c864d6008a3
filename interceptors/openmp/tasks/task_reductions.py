"""Variables that the tasks of a group reduce: a copy for each thread, combined at the group's end.

Tasks that one thread runs share its copy, one after the other: a task that asks for it knows those
that had it before.  Otherwise tasks of one thread are not ordered.

    kmp_taskred_input_t   56 bytes: shared, original, size, init, fini, combine, flags

Source: OpenMP 5.2, section 5.5.9 (task_reduction, in_reduction); the calls that clang makes.
"""

from __future__ import annotations

from irsan.interceptors.openmp.members import omp_self, own_task
from irsan.interceptors.openmp.omp_memory import omp_give, omp_take
from irsan.interceptors.openmp.openmp_types import (
    OmpReduction,
    copy_at,
    group_at,
    reduction_at,
    task_at,
)
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.combined.tracked_heap import tracked_allocate_zeroed, tracked_free
from irsan.runtime.kernels.heap.heap import UNKNOWN_SIZE
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64
from irsan.runtime.kernels.race.sync_clocks import sync_acquire
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of, thread_at
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.records.memory.heap_records import MALLOC
from irsan.runtime.records.threads import openmp_records as om

REDUCTION_BYTES = om.REDUCTION_DTYPE.itemsize
COPY_BYTES = om.COPY_DTYPE.itemsize
INPUT_BYTES = 56


@kernel
def i_taskred_init(ctx: Context, gtid: i32, count: i32, inputs: u64) -> u64:
    """__kmpc_taskred_init: the group that the running task is in reduces these variables."""
    group = group_at(task_at(own_task(ctx)).group)
    for index in range(count):
        source = inputs + u64(index) * INPUT_BYTES
        item = reduction_at(omp_take(REDUCTION_BYTES))
        item.shared, item.original = load_u64(source), load_u64(source + 8)
        item.size, item.init = load_u64(source + 16), load_u64(source + 24)
        item.fini, item.combine = load_u64(source + 32), load_u64(source + 40)
        item.next = group.reductions
        group.reductions = addr_of(item)
    return addr_of(group)


@kernel
def own_copy(item: OmpReduction, slot: u64) -> u64:
    """The copy of a thread; 0: it has none yet."""
    copy = item.copies
    while copy != 0 and copy_at(copy).slot != slot:
        copy = copy_at(copy).next
    return copy


@kernel
def is_about(item: OmpReduction, variable: u64) -> bool:
    """Whether an address is that of a variable, or of one of its copies."""
    if item.shared == variable or item.original == variable:
        return True
    copy = item.copies
    while copy != 0:
        if copy_at(copy).memory == variable:
            return True
        copy = copy_at(copy).next
    return False


@kernel
def omp_find_reduction(ctx: Context, group: u64, variable: u64) -> u64:
    """What the groups around say of a variable; 0: none of them reduces it."""
    if group == 0:
        group = task_at(own_task(ctx)).group
    while group != 0:
        item = group_at(group).reductions
        while item != 0:
            if is_about(reduction_at(item), variable):
                return item
            item = reduction_at(item).next
        group = group_at(group).outer
    return 0


@kernel
def omp_reduction_copy(ctx: Context, addr: u64) -> u64:
    """The running thread's copy of a variable; what it needs to be made goes to event.args.

    event.args[0]  the function that makes its first value, 0: it is ready
    event.args[1]  what that takes beside the copy
    """
    item = reduction_at(addr)
    sync_acquire(ctx, omp_self(ctx))
    task_at(own_task(ctx)).uses_thread = u64(1)
    slot = thread_at(ctx.thread).slot
    found = own_copy(item, slot)
    ctx.event.args[0] = 0
    if found == 0:
        found = omp_take(COPY_BYTES)
        copy_at(found).slot = slot
        copy_at(found).memory = tracked_allocate_zeroed(ctx, item.size)
        copy_at(found).next = item.copies
        item.copies = found
        ctx.event.args[0] = item.init
        ctx.event.args[1] = item.original
    return copy_at(found).memory


@kernel
def omp_next_combined(ctx: Context, group: u64) -> u64:
    """Of a group whose tasks are complete: the next copy to be combined; 0: none is left.

    event.args: the function that combines, the variable, the function that ends the copy or 0.
    """
    addr = group_at(group).reductions
    while addr != 0 and reduction_at(addr).copies == 0:
        following = reduction_at(addr).next
        omp_give(addr, REDUCTION_BYTES)
        addr = following
    group_at(group).reductions = addr
    if addr == 0:
        return 0
    item = reduction_at(addr)
    copy = item.copies
    item.copies = copy_at(copy).next
    memory = copy_at(copy).memory
    omp_give(copy, COPY_BYTES)
    ctx.event.args[0] = item.combine
    ctx.event.args[1] = item.shared
    ctx.event.args[2] = item.fini
    return memory


@kernel
def omp_free_copy(ctx: Context, memory: u64) -> None:
    """A copy was combined."""
    tracked_free(ctx, memory, MALLOC, UNKNOWN_SIZE, 0)


EXPORTS = (Export("ptr __kmpc_taskred_init(i32,i32,ptr)", kernel="i_taskred_init"),)
