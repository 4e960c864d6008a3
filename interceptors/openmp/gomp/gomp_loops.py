"""Loops and sections as GCC and Polly call them: GOMP_loop_*, GOMP_sections_*, GOMP_ordered_*.

    start    the thread comes to the loop, and has its first chunk
    next     its next chunk; its upper end is behind the last iteration
    end      with a barrier or without one; a loop that was left early is left here

The loops are those of shared_loops.py.  In a loop with `ordered` nobody says where an iteration
ends: a chunk's turn is over when its thread asks for the next one.

Source: GCC's libgomp.h and omp-builtins.def for the calls; what `gcc -fdump-tree-ompexp` shows.
"""

from __future__ import annotations

from collections.abc import Iterator

from irsan.interceptors.openmp.loops.doacross import (
    BOUND_BYTES,
    i_doacross_fini,
    i_doacross_post,
    omp_begin_doacross,
)
from irsan.interceptors.openmp.loops.shared_loops import (
    DYNAMIC,
    GUIDED,
    RUNTIME,
    STATIC,
    STATIC_CHUNKED,
    dispatch_init,
    dispatch_next,
    i_dispatch_over,
    i_end_ordered,
    i_ordered,
    must_wait_turn,
)
from irsan.interceptors.openmp.loops.static_loops import WIDE, store_counter, trips_of
from irsan.interceptors.openmp.members import own_implicit
from irsan.interceptors.openmp.omp_memory import omp_give, omp_take
from irsan.interceptors.openmp.openmp_types import doacross_at, loop_at, task_at, team_at
from irsan.interceptors.openmp.waits import wake_team
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, i64, u32, u64
from irsan.runtime.kernels.threads.scheduler import take_resuming
from irsan.runtime.records.threads import openmp_records as om

AUTO = om.AUTO
KIND_BITS = 7  # of a schedule's number; a bit far above says monotonic


@kernel
def trips_before(lower: u64, stop: u64, step: i64, is_signed: u64) -> u64:
    """Iterations of a loop that ends before `stop`; at most 2^64 - 1 are there to count."""
    sign = u64(is_signed) << 63
    first, end = lower ^ sign, stop ^ sign
    if (step > 0 and first >= end) or (step < 0 and first <= end):
        return 0
    return trips_of(lower, stop - 1 if step > 0 else stop + 1, step, is_signed)


@kernel
def gomp_kind(number: u64) -> u64:
    """GCC's number of a schedule as clang's: 0 runtime, 1 static, 2 dynamic, 3 guided, 4 auto."""
    kind = number & KIND_BITS
    if kind == 0:
        return RUNTIME
    if kind == 1:
        return STATIC_CHUNKED
    if kind == 2:
        return DYNAMIC
    return u64(GUIDED) if kind == 3 else u64(AUTO)


@kernel
def gomp_step(up: i32, step: i64) -> i64:
    """What a loop of unsigned numbers adds: `up` says whether it counts up."""
    magnitude = step if step > 0 else -step
    return magnitude if up & 0xFF != 0 else -magnitude


@kernel
def gomp_begin_loop(
    ctx: Context, kind: u64, lower: u64, stop: u64, step: i64, chunk: i64, is_signed: u64
) -> None:
    """A thread comes to a loop, once: a call that is made again finds it there."""
    if task_at(own_implicit(ctx)).loop != 0:
        return
    if kind == STATIC_CHUNKED and chunk <= 0:
        kind = u64(STATIC)
    trips = trips_before(lower, stop, step, is_signed)
    if trips == 0:
        dispatch_init(ctx, kind, 1, 0, 1, chunk, 0)
    else:
        last = lower + (trips - 1) * u64(step)
        dispatch_init(ctx, kind, lower, last, step, chunk, is_signed)


@kernel
def gomp_next(ctx: Context, lower_at: u64, stop_at: u64) -> i32:
    """1 and a chunk, whose end is behind its last iteration, or 0."""
    loop = task_at(own_implicit(ctx)).loop
    if loop == 0:
        return 0
    step = i64(loop_at(loop).stride)
    if dispatch_next(ctx, 0, lower_at, stop_at, 0, WIDE) == 0:
        return 0
    last = load_u64(stop_at)
    store_counter(ctx, stop_at, last + 1 if step > 0 else last - 1, WIDE)
    return 1


@kernel
def gomp_start(
    ctx: Context, lower: u64, stop: u64, step: i64, chunk: i64, lower_at: u64, stop_at: u64,
    kind: u64,
) -> i32:  # fmt: skip
    """GOMP_loop_<schedule>_start."""
    gomp_begin_loop(ctx, kind, lower, stop, step, chunk, 1)
    return gomp_next(ctx, lower_at, stop_at)


@kernel
def gomp_start_runtime(
    ctx: Context, lower: u64, stop: u64, step: i64, lower_at: u64, stop_at: u64
) -> i32:
    """GOMP_loop_runtime_start."""
    return gomp_start(ctx, lower, stop, step, 0, lower_at, stop_at, RUNTIME)


@kernel
def gomp_start_ull(
    ctx: Context, up: i32, lower: u64, stop: u64, step: i64, chunk: i64, lower_at: u64,
    stop_at: u64, kind: u64,
) -> i32:  # fmt: skip
    """GOMP_loop_ull_<schedule>_start."""
    gomp_begin_loop(ctx, kind, lower, stop, gomp_step(up, step), chunk, 0)
    return gomp_next(ctx, lower_at, stop_at)


@kernel
def gomp_start_ull_runtime(
    ctx: Context, up: i32, lower: u64, stop: u64, step: i64, lower_at: u64, stop_at: u64
) -> i32:
    """GOMP_loop_ull_runtime_start."""
    return gomp_start_ull(ctx, up, lower, stop, step, 0, lower_at, stop_at, RUNTIME)


@kernel
def gomp_next_ordered(ctx: Context, lower_at: u64, stop_at: u64) -> i32:
    """GOMP_loop_ordered_*_next: the iterations of the last chunk are over, in their turn."""
    take_resuming(ctx)
    task = task_at(own_implicit(ctx))
    if task.loop != 0 and task.lower != task.upper:
        loop, team = loop_at(task.loop), team_at(task.team)
        if must_wait_turn(ctx, team, loop, task.lower):
            return 0
        loop.ordered_turn += task.upper - task.lower - task.bumped
        task.lower, task.bumped = task.upper, 0
        wake_team(ctx, team)
    return gomp_next(ctx, lower_at, stop_at)


@kernel
def gomp_leave_loop(ctx: Context) -> None:
    """GOMP_loop_end_nowait, GOMP_sections_end_nowait; the others have a barrier behind it."""
    i_dispatch_over(ctx, 0, 0)
    i_doacross_fini(ctx, 0, 0)


@kernel
def gomp_begin_sections(ctx: Context, count: u32) -> None:
    """Sections are the iterations 1 to `count` of a loop."""
    gomp_begin_loop(ctx, DYNAMIC, 1, u64(count) + 1, 1, 1, 1)


@kernel
def gomp_next_section(ctx: Context) -> u32:
    """GOMP_sections_next: the number of a section, or 0."""
    if dispatch_next(ctx, 0, 0, 0, 0, WIDE) == 0:
        return 0
    return u32(task_at(own_implicit(ctx)).lower + 1)


@kernel
def gomp_start_sections(ctx: Context, count: u32) -> u32:
    """GOMP_sections_start."""
    gomp_begin_sections(ctx, count)
    return gomp_next_section(ctx)


@kernel
def gomp_begin_doacross(ctx: Context, count: u32, counts: u64, kind: u64, chunk: i64) -> u64:
    """A thread comes to a nest whose loops count from 0; 0 when there is no room for it."""
    n_bytes = u64(count) * BOUND_BYTES
    bounds = omp_take(n_bytes)
    for dimension in range(count):
        bound = bounds + u64(dimension) * BOUND_BYTES
        store_u64(bound + 8, load_u64(counts + u64(dimension) * 8) - 1)
        store_u64(bound + 16, 1)
    nest = omp_begin_doacross(ctx, i32(count), bounds)
    omp_give(bounds, n_bytes)
    gomp_begin_loop(ctx, kind, 0, load_u64(counts), 1, chunk, 0)
    return nest


@kernel
def gomp_dimensions(ctx: Context) -> i32:
    """How many loops the nest has that the running thread is in."""
    return i32(doacross_at(task_at(own_implicit(ctx)).doacross).n_dimensions)


@kernel
def gomp_post(ctx: Context, counters: u64) -> None:
    """GOMP_doacross_post."""
    i_doacross_post(ctx, 0, 0, counters)


@kernel
def gomp_begin_ordered(ctx: Context) -> None:
    """GOMP_ordered_start."""
    i_ordered(ctx, 0, 0)


@kernel
def gomp_end_ordered(ctx: Context) -> None:
    """GOMP_ordered_end."""
    i_end_ordered(ctx, 0, 0)


_CHUNKED = (("static", STATIC_CHUNKED), ("dynamic", DYNAMIC), ("guided", GUIDED))
_FREE = (*_CHUNKED, ("nonmonotonic_dynamic", DYNAMIC), ("nonmonotonic_guided", GUIDED))
_ANY_RUNTIME = ("runtime", "nonmonotonic_runtime", "maybe_nonmonotonic_runtime")


def _loops(width: str, up: str, start: str, start_runtime: str) -> Iterator[Export]:
    """All that a loop of signed or unsigned numbers may call, but for the end of it."""
    starts = [*_FREE, *((f"ordered_{name}", kind) for name, kind in _CHUNKED)]
    bounds = "u64,u64,i64"
    for name, kind in starts:
        yield Export(f"i32 GOMP_loop_{width}{name}_start({up}{bounds},i64,ptr,ptr)",
                     kernel=start, constants=(kind,))  # fmt: skip
    runtimes = (*_ANY_RUNTIME, "ordered_runtime")
    for name in runtimes:
        yield Export(f"i32 GOMP_loop_{width}{name}_start({up}{bounds},ptr,ptr)",
                     kernel=start_runtime)  # fmt: skip
    for name in (*(name for name, _ in starts), *runtimes):
        yield Export(f"i32 GOMP_loop_{width}{name}_next(ptr,ptr)",
                     kernel="gomp_next_ordered" if "ordered" in name else "gomp_next")  # fmt: skip


EXPORTS = (
    *_loops("", "", "gomp_start", "gomp_start_runtime"),
    *_loops("ull_", "i32,", "gomp_start_ull", "gomp_start_ull_runtime"),
    Export("void GOMP_loop_end_nowait()", kernel="gomp_leave_loop"),
    Export("void GOMP_sections_end_nowait()", kernel="gomp_leave_loop"),
    Export("u32 GOMP_sections_start(u32)", kernel="gomp_start_sections"),
    Export("u32 GOMP_sections_next()", kernel="gomp_next_section"),
    Export("void GOMP_ordered_start()", kernel="gomp_begin_ordered"),
    Export("void GOMP_ordered_end()", kernel="gomp_end_ordered"),
    Export("void GOMP_doacross_post(ptr)", kernel="gomp_post"),
    Export("void GOMP_doacross_ull_post(ptr)", kernel="gomp_post"),
)
