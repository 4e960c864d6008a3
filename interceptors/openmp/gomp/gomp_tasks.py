"""Tasks as GCC has them: a function of one pointer, to a copy of what it captures.

The copy lies behind the record that clang's tasks have (tasks.py), and the record ends with:

    + 40   function              + 72   alignment of the copy
    + 48   what copies, or 0     + 80   lower, + 88 upper: of a part of a taskloop, from 0
    + 56   what is copied        + 96   what the taskloop counts from
    + 64   its bytes             + 104  what makes a part's last iteration its end

    depend   [0] addresses, [1] written; or [0] 0, [1] addresses, [2] written, [3] mutexinoutset,
             [4] in, then depend objects: an address and its kind each

Source: GCC's libgomp_g.h and task.c for the calls, gomp-constants.h for the flags.
"""

from __future__ import annotations

from irsan.interceptors.memory.passed_memory import written
from irsan.interceptors.openmp.gomp.gomp_loops import gomp_step, trips_before
from irsan.interceptors.openmp.tasks.dependences import (
    FLAGS_AT,
    IN,
    IN_OUT_SET,
    INFO_BYTES,
    MUTEX,
    OUT,
)
from irsan.interceptors.openmp.tasks.task_calls import i_allow_completion_event
from irsan.interceptors.openmp.tasks.tasks import DETACHABLE, i_task_alloc
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, i64, u32, u64

FUNCTION_AT, COPY_AT, SOURCE_AT, SIZE_AT, ALIGNMENT_AT = 40, 48, 56, 64, 72
LOWER_AT, UPPER_AT, ORIGIN_AT, BEYOND_AT, RECORD_BYTES = 80, 88, 96, 104, 112
GOMP_FINAL, GOMP_DETACH = 2, 1 << 13


@kernel
def gomp_align_copy(block: u64) -> u64:
    """Where the copy of what a task captures lies; the task's function gets that."""
    alignment = max(load_u64(block + ALIGNMENT_AT), u64(1))
    place = (block + RECORD_BYTES + alignment - 1) // alignment * alignment
    if load_u64(block + SIZE_AT) == 0:
        place = load_u64(block + SOURCE_AT)
    store_u64(block, place)
    return place


@kernel
def gomp_make_task(
    ctx: Context, entry: u64, function: u64, source: u64, copy: u64, n_bytes: u64, alignment: u64,
    flags: u32,
) -> u64:  # fmt: skip
    """A task that was not begun; what it captures is not copied yet."""
    own_flags = u64(flags & GOMP_FINAL)
    if flags & GOMP_DETACH != 0:
        own_flags |= u64(DETACHABLE)
    room = RECORD_BYTES + n_bytes + alignment
    block = i_task_alloc(ctx, 0, 0, u32(own_flags), room, 0, entry)
    if block == 0:
        return 0
    store_u64(block + FUNCTION_AT, function)
    store_u64(block + COPY_AT, copy)
    store_u64(block + SOURCE_AT, source)
    store_u64(block + SIZE_AT, n_bytes)
    store_u64(block + ALIGNMENT_AT, alignment)
    gomp_align_copy(block)
    return block


@kernel
def gomp_tell_event(ctx: Context, block: u64, detach: u64, source: u64) -> None:
    """The event of a task goes to its variable, and to the first word of what it captures."""
    event = i_allow_completion_event(ctx, 0, 0, block)
    if detach != 0:
        store_u64(detach, event)
        written(ctx, detach, 8)
    if source != 0:
        store_u64(source, event)
        written(ctx, source, 8)


@kernel
def gomp_count_depends(depend: u64) -> i32:
    """How many dependences a list has."""
    if depend == 0:
        return 0
    count = load_u64(depend)
    return i32(count if count != 0 else load_u64(depend + 8))


@kernel
def kind_of_object(number: u64) -> u64:
    """The kind of a depend object: 1 in, 2 out, 3 inout, 4 mutexinoutset, 5 inoutset."""
    if number == 4:
        return MUTEX
    if number == 5:
        return IN_OUT_SET
    return u64(IN) if number == 1 else u64(OUT)


@kernel
def gomp_read_depends(depend: u64, infos: u64) -> None:
    """A list of dependences as clang has it, at a place with room for it."""
    is_short = load_u64(depend) != 0
    n_out = load_u64(depend + 8) if is_short else load_u64(depend + 16)
    n_mutex = u64(0) if is_short else load_u64(depend + 24)
    count = load_u64(depend) if is_short else load_u64(depend + 8)
    n_plain = count if is_short else n_out + n_mutex + load_u64(depend + 32)
    first = depend + 16 if is_short else depend + 40
    for place in range(count):
        index = u64(place)
        address = load_u64(first + index * 8)
        kind = u64(OUT)
        if index >= n_plain:
            kind = kind_of_object(load_u64(address + 8))
            address = load_u64(address)
        elif index >= n_out:
            kind = u64(MUTEX) if index < n_out + n_mutex else u64(IN)
        info = infos + index * INFO_BYTES
        store_u64(info, address)
        store_u64(info + 8, 0)
        store_u64(info + FLAGS_AT, kind)


@kernel
def gomp_set_loop(block: u64, lower: u64, stop: u64, step: i64, is_signed: u64) -> None:
    """A task is the pattern of a taskloop's parts, whose bounds count from 0."""
    trips = trips_before(lower, stop, step, is_signed)
    store_u64(block + LOWER_AT, 0)
    store_u64(block + UPPER_AT, (trips - 1) * u64(step))
    store_u64(block + ORIGIN_AT, lower)
    store_u64(block + BEYOND_AT, u64(1) if step > 0 else 0 - u64(1))


@kernel
def gomp_set_part(ctx: Context, block: u64) -> None:
    """What a part of a taskloop captures begins with its bounds."""
    place, origin = load_u64(block), load_u64(block + ORIGIN_AT)
    store_u64(place, origin + load_u64(block + LOWER_AT))
    store_u64(place + 8, origin + load_u64(block + UPPER_AT) + load_u64(block + BEYOND_AT))
    written(ctx, place, 16)


@kernel
def gomp_taskloop_step(flags: u32, step: i64) -> i64:
    """What a taskloop of unsigned numbers adds."""
    return gomp_step(i32((flags >> 8) & 1), step)


EXPORTS: tuple[Export, ...] = ()  # its calls are engine/glue/templates/openmp/gomp_tasks.ll
