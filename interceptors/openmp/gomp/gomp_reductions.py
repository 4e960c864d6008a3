"""Variables that tasks reduce, as GCC has it: the program combines, the runtime has the memory.

    data    words of the program, one list for each taskgroup
      [0]   variables          [1]  bytes of one thread's part     [2]  alignment, then the memory
      [3]   what to free       [4]  a list more, or 0              [6]  end of the memory
      [7 + 3 i]  address of variable i      [8 + 3 i]  its place in a thread's part

A task asks for its thread's part of a variable; tasks of one thread that ask are ordered then, as
in task_reductions.py.

Source: GCC's task.c (GOMP_taskgroup_reduction_register) for the list.
"""

from __future__ import annotations

from irsan.interceptors.memory.passed_memory import written
from irsan.interceptors.openmp.members import omp_self, own_implicit, own_task, own_team
from irsan.interceptors.openmp.openmp_types import group_at, loop_at, task_at, team_at
from irsan.interceptors.openmp.tasks.steps import i_taskgroup
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.combined.tracked_heap import tracked_allocate_zeroed, tracked_free
from irsan.runtime.kernels.heap.heap import UNKNOWN_SIZE
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.race.race_ranges import race_forget
from irsan.runtime.kernels.race.sync_clocks import sync_acquire
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.kernels.uninitialised.uninit_shadow import bits_clear, tracks_bits
from irsan.runtime.records.memory.heap_records import MALLOC

PART_AT, MEMORY_AT, BLOCK_AT, MORE_AT, END_AT, FIRST_AT = 8, 16, 24, 32, 48, 56
ENTRY_BYTES = 24


@kernel
def set_memory(ctx: Context, data: u64, block: u64, memory: u64, end: u64) -> None:
    """A list has its memory.

    Threads of a region that has just begun read it: it is as if it had been so before.
    """
    store_u64(data + MEMORY_AT, memory)
    store_u64(data + BLOCK_AT, block)
    store_u64(data + END_AT, end)
    race_forget(ctx, data + MEMORY_AT, END_AT + 8 - MEMORY_AT)
    if tracks_bits():
        bits_clear(ctx, data + MEMORY_AT, END_AT + 8 - MEMORY_AT)


@kernel
def gomp_register(ctx: Context, data: u64, n_threads: u64) -> None:
    """Make the memory of a list and of those behind it: nothing is known to have touched it."""
    while data != 0:
        alignment = max(load_u64(data + MEMORY_AT), u64(1))
        n_bytes = load_u64(data + PART_AT) * n_threads
        block = tracked_allocate_zeroed(ctx, n_bytes + alignment)
        race_forget(ctx, block, n_bytes + alignment)
        memory = (block + alignment - 1) // alignment * alignment
        set_memory(ctx, data, block, memory, memory + n_bytes)
        data = load_u64(data + MORE_AT)


@kernel
def gomp_begin_reduced(ctx: Context, data: u64) -> None:
    """A taskgroup begins whose tasks reduce what a list names."""
    i_taskgroup(ctx, 0, 0)
    group_at(task_at(own_task(ctx)).group).gomp = data


@kernel
def gomp_reduce_loop(ctx: Context, data: u64) -> None:
    """The threads of a loop reduce what each one's own list names, in the memory of the first."""
    loop = loop_at(task_at(own_implicit(ctx)).loop)
    first = loop.reduced
    if first == 0:
        gomp_register(ctx, data, team_at(own_team(ctx)).n_threads)
        loop.reduced = data
    else:
        set_memory(ctx, data, load_u64(first + BLOCK_AT), load_u64(first + MEMORY_AT),
                   load_u64(first + END_AT))  # fmt: skip
    gomp_begin_reduced(ctx, data)


@kernel
def gomp_reduce_group(ctx: Context, data: u64) -> None:
    """GOMP_taskgroup_reduction_register: for the taskgroup that the running task is in."""
    gomp_register(ctx, data, team_at(own_team(ctx)).n_threads)
    group_at(task_at(own_task(ctx)).group).gomp = data


@kernel
def gomp_unregister(ctx: Context, data: u64) -> None:
    """GOMP_taskgroup_reduction_unregister: the program has combined all parts."""
    while data != 0:
        following = load_u64(data + MORE_AT)
        tracked_free(ctx, load_u64(data + BLOCK_AT), MALLOC, UNKNOWN_SIZE, 0)
        data = following


@kernel
def gomp_loop_reduced(ctx: Context) -> u64:
    """The list of the taskgroup that a loop has; thread 0 frees the memory, others get 0."""
    task = task_at(own_implicit(ctx))
    return group_at(task.group).gomp if task.number == 0 else u64(0)


@kernel
def entry_of_place(data: u64, variable: u64) -> u64:
    """The entry of a list that an address is about, a variable's or one of its parts'; 0: none."""
    entry = data + FIRST_AT
    end = entry + load_u64(data) * ENTRY_BYTES
    memory = load_u64(data + MEMORY_AT)
    is_part = memory <= variable and variable < load_u64(data + END_AT)
    place = (variable - memory) % load_u64(data + PART_AT) if is_part else u64(0)
    while entry < end:
        if load_u64(entry) == variable or (is_part and load_u64(entry + 8) == place):
            return entry
        entry += ENTRY_BYTES
    return 0


@kernel
def remap_one(group: u64, number: u64, place: u64, original_at: u64) -> None:
    """Replace the address of a variable by that of a thread's part of it."""
    variable = load_u64(place)
    while group != 0:
        data = group_at(group).gomp
        while data != 0:
            entry = entry_of_place(data, variable)
            if entry != 0:
                part = load_u64(data + MEMORY_AT) + number * load_u64(data + PART_AT)
                store_u64(place, part + load_u64(entry + 8))
                if original_at != 0:
                    store_u64(original_at, load_u64(entry))
                return
            data = load_u64(data + MORE_AT)
        group = group_at(group).outer


@kernel
def gomp_remap(ctx: Context, count: u64, n_originals: u64, places: u64) -> None:
    """GOMP_task_reduction_remap: the running thread's parts of variables.

    Behind the places of all are those of the addresses that the first ones had.
    """
    sync_acquire(ctx, omp_self(ctx))
    task = task_at(own_task(ctx))
    task.uses_thread = u64(1)
    number = task_at(own_implicit(ctx)).number
    for place in range(count):
        index = u64(place)
        original = places + (count + index) * 8 if index < n_originals else u64(0)
        remap_one(task.group, number, places + index * 8, original)
    written(ctx, places, (count + n_originals) * 8)


EXPORTS = (
    Export("void GOMP_taskgroup_reduction_register(ptr)", kernel="gomp_reduce_group"),
    Export("void GOMP_taskgroup_reduction_unregister(ptr)", kernel="gomp_unregister"),
    Export("void GOMP_task_reduction_remap(u64,u64,ptr)", kernel="gomp_remap"),
)
