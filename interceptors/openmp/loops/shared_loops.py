"""Loops whose chunks threads ask for: dynamic, guided, runtime, and all that have `ordered`.

    init    the first thread of a team to come makes the loop's record, by the number of the loop
    next    a chunk, or the end; the last thread to see the end frees the record
    fini    the end of an iteration of a loop with `ordered`

Giving out chunks orders nothing.  Regions of `ordered` follow each other by iteration: one that
begins knows the one before it.

Source: OpenMP 5.2, sections 11.5.3 and 15.10.2; the calls that clang makes.
"""

from __future__ import annotations

from irsan.interceptors.openmp.loops.static_loops import (
    first_of_block,
    store_counter,
    store_last,
    trips_of,
)
from irsan.interceptors.openmp.members import own_implicit, own_task
from irsan.interceptors.openmp.omp_memory import omp_give, omp_take
from irsan.interceptors.openmp.openmp_types import (
    OmpLoop,
    OmpTask,
    OmpTeam,
    loop_at,
    task_at,
    team_at,
)
from irsan.interceptors.openmp.waits import W_TEAM, wake_team
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release
from irsan.runtime.kernels.race.sync_objects import sync_forget
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of
from irsan.runtime.kernels.scalars import i32, i64, u32, u64
from irsan.runtime.kernels.threads.event_points import wants_switch
from irsan.runtime.kernels.threads.scheduler import (
    block_current,
    release_point,
    take_resuming,
)
from irsan.runtime.records.threads import openmp_records as om

LOOP_BYTES = om.LOOP_DTYPE.itemsize
STATIC_CHUNKED, STATIC, GUIDED = om.STATIC_CHUNKED, om.STATIC, om.GUIDED
DYNAMIC, RUNTIME, AUTO = om.DYNAMIC, om.RUNTIME, om.AUTO
KIND_MASK = 0x1FFF_FFFF
ORDERED = 32  # above the number of the same schedule without it
NO_MERGE = 128
GUIDED_KINDS = (1 << 36) | (1 << 42) | (1 << 43) | (1 << 46)
RUNTIME_SIMD = 47


@kernel
def settle_kind(loop: OmpLoop, task: OmpTask, number: u64, chunk: u64) -> None:
    """The schedule of a loop, by clang's number: static, static in chunks, dynamic or guided."""
    kind = number & KIND_MASK
    if kind >= NO_MERGE:
        kind -= NO_MERGE
    if kind >= 64:
        loop.is_ordered = u64(1)
        kind -= ORDERED
    if kind == RUNTIME or kind == RUNTIME_SIMD:
        kind, chunk = task.schedule, task.chunk
    if kind == AUTO or kind == STATIC:
        kind = u64(STATIC)
    elif kind < 64 and (GUIDED_KINDS >> kind) & 1 != 0:
        kind = u64(GUIDED)
    elif kind != STATIC_CHUNKED:
        kind = u64(DYNAMIC)
    loop.kind = kind
    loop.chunk = max(chunk, u64(1))


@kernel
def find_loop(team: OmpTeam, sequence: u64) -> u64:
    """The record of a loop of a team, by its number; 0: no thread has come to it yet."""
    loop = team.loops
    while loop != 0 and loop_at(loop).sequence != sequence:
        loop = loop_at(loop).next
    return loop


@kernel
def dispatch_init(
    ctx: Context, number: u64, lower: u64, upper: u64, step: i64, chunk: i64, is_signed: u64
) -> None:
    """A thread comes to a loop."""
    task = task_at(own_implicit(ctx))
    team = team_at(task.team)
    task.n_loops += 1
    found = find_loop(team, task.n_loops)
    if found == 0:
        found = omp_take(LOOP_BYTES)
        loop = loop_at(found)
        loop.sequence, loop.next = task.n_loops, team.loops
        team.loops = found
        loop.n_left = team.n_threads
        loop.lower, loop.stride = lower, u64(step)
        loop.trips = trips_of(lower, upper, step, is_signed)
        settle_kind(loop, task_at(own_task(ctx)), number, u64(max(chunk, i64(0))))
    task.loop = found
    task.lower, task.upper, task.turn, task.bumped = 0, 0, 0, 0


@kernel
def leave_loop(ctx: Context, task: OmpTask, team: OmpTeam) -> None:
    """A thread has seen the end of a loop; the last one frees it."""
    addr = task.loop
    task.loop = 0
    loop = loop_at(addr)
    loop.n_left -= 1
    if loop.n_left != 0:
        return
    if team.loops == addr:
        team.loops = loop.next
    else:
        before = team.loops
        while loop_at(before).next != addr:
            before = loop_at(before).next
        loop_at(before).next = loop.next
    sync_forget(ctx, addr)
    omp_give(addr, LOOP_BYTES)


@kernel
def size_of_next(loop: OmpLoop, n_threads: u64) -> u64:
    """Iterations of the next chunk that is given out; left: at least one."""
    left = loop.trips - loop.given
    if loop.kind == GUIDED:
        return min(max(left // (2 * n_threads), loop.chunk), left)
    return min(loop.chunk, left)


@kernel
def take_chunk(loop: OmpLoop, task: OmpTask, n_threads: u64) -> bool:
    """The next chunk of a thread, task.lower and up to task.upper; false: none is left."""
    turn = task.turn
    task.turn += 1
    if loop.kind == STATIC:
        task.lower = first_of_block(loop.trips, task.number, n_threads)
        task.upper = first_of_block(loop.trips, task.number + 1, n_threads)
        return turn == 0 and task.lower < task.upper
    if loop.kind == STATIC_CHUNKED:
        task.lower = (turn * n_threads + task.number) * loop.chunk
        task.upper = min(task.lower + loop.chunk, loop.trips)
        return task.lower < loop.trips
    if loop.given >= loop.trips:
        return False
    size = size_of_next(loop, n_threads)
    task.lower = loop.given
    loop.given += size
    task.upper = loop.given
    return True


@kernel
def must_wait_turn(ctx: Context, team: OmpTeam, loop: OmpLoop, first: u64) -> bool:
    """Block until all iterations before `first` are past their ordered regions."""
    if loop.ordered_turn >= first:
        return False
    block_current(ctx, W_TEAM, addr_of(team), 0)
    return True


@kernel
def dispatch_next(
    ctx: Context, last: u64, lower_at: u64, upper_at: u64, stride_at: u64, n_bytes: u64
) -> i32:
    """1 and the bounds of a chunk, or 0."""
    take_resuming(ctx)
    task = task_at(own_implicit(ctx))
    team, loop = team_at(task.team), loop_at(task.loop)
    if task.loop == 0:
        return 0
    if wants_switch(ctx, task.loop, 0):
        return 0
    if team.cancelled != 0 or not take_chunk(loop, task, team.n_threads):
        leave_loop(ctx, task, team)
        return 0
    release_point(ctx)
    task.bumped = 0
    step = loop.stride
    store_last(ctx, last, task.upper == loop.trips)
    store_counter(ctx, lower_at, loop.lower + task.lower * step, n_bytes)
    store_counter(ctx, upper_at, loop.lower + (task.upper - 1) * step, n_bytes)
    store_counter(ctx, stride_at, step, n_bytes)
    return 1


@kernel
def i_dispatch_next(
    ctx: Context, location: u64, gtid: i32, last: u64, lower: u64, upper: u64, stride: u64,
    n_bytes: u64,
) -> i32:  # fmt: skip
    """__kmpc_dispatch_next_4, 4u, 8, 8u."""
    return dispatch_next(ctx, last, lower, upper, stride, n_bytes)


@kernel
def i_dispatch_init_32(
    ctx: Context, location: u64, gtid: i32, kind: u32, lower: i32, upper: i32, step: i32,
    chunk: i32,
) -> None:  # fmt: skip
    """__kmpc_dispatch_init_4."""
    dispatch_init(ctx, u64(kind), u64(i64(lower)), u64(i64(upper)), i64(step), i64(chunk), 1)


@kernel
def i_dispatch_init_u32(
    ctx: Context, location: u64, gtid: i32, kind: u32, lower: u32, upper: u32, step: i32,
    chunk: i32,
) -> None:  # fmt: skip
    """__kmpc_dispatch_init_4u."""
    dispatch_init(ctx, u64(kind), u64(lower), u64(upper), i64(step), i64(chunk), 0)


@kernel
def i_dispatch_init_64(
    ctx: Context, location: u64, gtid: i32, kind: u32, lower: u64, upper: u64, step: i64,
    chunk: i64, is_signed: u64,
) -> None:  # fmt: skip
    """__kmpc_dispatch_init_8, 8u."""
    dispatch_init(ctx, u64(kind), lower, upper, step, chunk, is_signed)


@kernel
def i_ordered(ctx: Context, location: u64, gtid: i32) -> None:
    """__kmpc_ordered: a region begins once those of all earlier iterations are over."""
    ended = take_resuming(ctx)
    task = task_at(own_implicit(ctx))
    if task.loop == 0:
        return
    if ended == 0 and wants_switch(ctx, task.loop, 0):
        return
    if must_wait_turn(ctx, team_at(task.team), loop_at(task.loop), task.lower):
        return
    sync_acquire(ctx, task.loop)


@kernel
def pass_turn(ctx: Context, task: OmpTask) -> None:
    """One iteration more is past its ordered region."""
    loop_at(task.loop).ordered_turn += 1
    wake_team(ctx, team_at(task.team))


@kernel
def i_end_ordered(ctx: Context, location: u64, gtid: i32) -> None:
    """__kmpc_end_ordered."""
    task = task_at(own_implicit(ctx))
    if task.loop == 0:
        return
    sync_release(ctx, task.loop)
    task.bumped += 1
    pass_turn(ctx, task)
    release_point(ctx)


@kernel
def i_dispatch_fini(ctx: Context, location: u64, gtid: i32) -> None:
    """__kmpc_dispatch_fini_*: an iteration without an ordered region waits for its turn as well."""
    take_resuming(ctx)
    task = task_at(own_implicit(ctx))
    if task.loop == 0:
        return
    if task.bumped != 0:
        task.bumped -= 1
        return
    if not must_wait_turn(ctx, team_at(task.team), loop_at(task.loop), task.lower):
        pass_turn(ctx, task)


@kernel
def i_dispatch_over(ctx: Context, location: u64, gtid: i32) -> None:
    """__kmpc_dispatch_deinit: a loop that was left early is left."""
    task = task_at(own_implicit(ctx))
    if task.loop != 0:
        leave_loop(ctx, task, team_at(task.team))


_ENDS = (("4", 4), ("4u", 4), ("8", 8), ("8u", 8))
EXPORTS = (
    Export("void __kmpc_dispatch_init_4(ptr,i32,u32,i32,i32,i32,i32)",
           kernel="i_dispatch_init_32"),
    Export("void __kmpc_dispatch_init_4u(ptr,i32,u32,u32,u32,i32,i32)",
           kernel="i_dispatch_init_u32"),
    Export("void __kmpc_dispatch_init_8(ptr,i32,u32,u64,u64,i64,i64)",
           kernel="i_dispatch_init_64", constants=(1,)),
    Export("void __kmpc_dispatch_init_8u(ptr,i32,u32,u64,u64,i64,i64)",
           kernel="i_dispatch_init_64", constants=(0,)),
    *(Export(f"i32 __kmpc_dispatch_next_{end}(ptr,i32,ptr,ptr,ptr,ptr)",
             kernel="i_dispatch_next", constants=(n_bytes,)) for end, n_bytes in _ENDS),
    *(Export(f"void __kmpc_dispatch_fini_{end}(ptr,i32)", kernel="i_dispatch_fini")
      for end, _ in _ENDS),
    Export("void __kmpc_dispatch_deinit(ptr,i32)", kernel="i_dispatch_over"),
    Export("void __kmpc_ordered(ptr,i32)", kernel="i_ordered"),
    Export("void __kmpc_end_ordered(ptr,i32)", kernel="i_end_ordered"),
)  # fmt: skip
