"""Loops whose iterations are divided before they begin: __kmpc_for_static_init_*, distribute.

    static            one block of neighbouring iterations for each thread
    static, chunk     chunks in turn
    simd: static      blocks whose size is a multiple of the chunk

The bounds of the loop become those of the thread's first chunk; `stride` leads to its next.

Source: OpenMP 5.2, section 11.5.3; the calls that clang makes.
"""

from __future__ import annotations

from irsan.interceptors.memory.passed_memory import written
from irsan.interceptors.openmp.members import league_number, league_size, own_implicit
from irsan.interceptors.openmp.openmp_types import task_at, team_at
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u32, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, i64, u32, u64

CHUNKED, BALANCED = 33, 45  # of a loop; static is what is left
DIST_CHUNKED, DIST = 91, 92  # of teams
KIND_MASK = 0x1FFF_FFFF  # without the bits of monotonic and nonmonotonic
WIDE, SIGNED = 8, 1  # a loop's counter: bytes, and whether it has a sign


@kernel
def load_counter(addr: u64, n_bytes: u64, is_signed: u64) -> u64:
    """A bound of a loop."""
    if n_bytes == WIDE:
        return load_u64(addr)
    word = load_u32(addr)
    return u64(i64(i32(word))) if is_signed != 0 else u64(word)


@kernel
def store_counter(ctx: Context, addr: u64, value: u64, n_bytes: u64) -> None:
    """A bound of a loop is set."""
    if addr == 0:
        return
    if n_bytes == WIDE:
        store_u64(addr, value)
    else:
        store_u32(addr, u32(value))
    written(ctx, addr, n_bytes)


@kernel
def store_last(ctx: Context, addr: u64, is_last: bool) -> None:
    """Whether the thread has the last iteration."""
    if addr != 0:
        store_u32(addr, u32(is_last))
        written(ctx, addr, 4)


@kernel
def trips_of(lower: u64, upper: u64, step: i64, is_signed: u64) -> u64:
    """How many iterations a loop has."""
    if step == 0:
        return 0
    if is_signed != 0:
        is_empty = i64(lower) > i64(upper) if step > 0 else i64(lower) < i64(upper)
    else:
        is_empty = lower > upper if step > 0 else lower < upper
    if is_empty:
        return 0
    if step > 0:
        return (upper - lower) // u64(step) + 1
    return (lower - upper) // u64(-step) + 1


@kernel
def first_of_block(trips: u64, number: u64, n_threads: u64) -> u64:
    """The first iteration of a thread, of blocks that differ by one at most."""
    return number * (trips // n_threads) + min(number, trips % n_threads)


@kernel
def begin_of_part(kind: u64, number: u64, n_threads: u64, trips: u64, size: u64) -> u64:
    """The first iteration of a thread's first part; that of thread n + 1 is the end of n's."""
    if kind == CHUNKED or kind == DIST_CHUNKED:
        return number * size
    if kind != BALANCED:
        return first_of_block(trips, number, n_threads)
    block = ((trips + n_threads - 1) // n_threads + size - 1) // size * size
    return min(number * block, trips)


@kernel
def has_last(kind: u64, number: u64, n_threads: u64, trips: u64, size: u64) -> bool:
    """Whether the last iteration is a thread's."""
    if trips == 0:
        return False
    if kind == CHUNKED or kind == DIST_CHUNKED:
        return (trips - 1) // size % n_threads == number
    first = begin_of_part(kind, number, n_threads, trips, size)
    stop = begin_of_part(kind, number + 1, n_threads, trips, size)
    return first < stop and stop == trips


@kernel
def divide(
    ctx: Context, kind: u64, number: u64, n_threads: u64, last: u64, lower_at: u64, upper_at: u64,
    stride_at: u64, step: i64, chunk: i64, n_bytes: u64, is_signed: u64,
) -> None:  # fmt: skip
    """The bounds of a loop become those of one thread's first part."""
    lower = load_counter(lower_at, n_bytes, is_signed)
    trips = trips_of(lower, load_counter(upper_at, n_bytes, is_signed), step, is_signed)
    size = u64(max(chunk, i64(1)))
    store_last(ctx, last, has_last(kind, number, n_threads, trips, size))
    if trips == 0:
        store_counter(ctx, stride_at, u64(step), n_bytes)
        return
    distance = trips
    if kind == CHUNKED or kind == DIST_CHUNKED:
        distance = size * n_threads
    first = begin_of_part(kind, number, n_threads, trips, size)
    stop = begin_of_part(kind, number + 1, n_threads, trips, size)
    store_counter(ctx, stride_at, distance * u64(step), n_bytes)
    store_counter(ctx, lower_at, lower + first * u64(step), n_bytes)
    store_counter(ctx, upper_at, lower + (stop - 1) * u64(step), n_bytes)


@kernel
def static_init(
    ctx: Context, kind: u64, last: u64, lower: u64, upper: u64, stride: u64, step: i64, chunk: i64,
    n_bytes: u64, is_signed: u64,
) -> None:  # fmt: skip
    """Divide a loop among the threads of a team, or among the teams of a league."""
    number, count = league_number(ctx), league_size(ctx)
    kind &= KIND_MASK
    if kind != DIST and kind != DIST_CHUNKED:
        task = task_at(own_implicit(ctx))
        number, count = task.number, team_at(task.team).n_threads
    divide(ctx, kind, number, count, last, lower, upper, stride, step, chunk, n_bytes, is_signed)


@kernel
def i_static_init_32(
    ctx: Context, location: u64, gtid: i32, kind: u32, last: u64, lower: u64, upper: u64,
    stride: u64, step: i32, chunk: i32, n_bytes: u64, is_signed: u64,
) -> None:  # fmt: skip
    """__kmpc_for_static_init_4, 4u."""
    static_init(
        ctx, u64(kind), last, lower, upper, stride, i64(step), i64(chunk), n_bytes, is_signed
    )


@kernel
def i_static_init_64(
    ctx: Context, location: u64, gtid: i32, kind: u32, last: u64, lower: u64, upper: u64,
    stride: u64, step: i64, chunk: i64, n_bytes: u64, is_signed: u64,
) -> None:  # fmt: skip
    """__kmpc_for_static_init_8, 8u."""
    static_init(ctx, u64(kind), last, lower, upper, stride, step, chunk, n_bytes, is_signed)


@kernel
def dist_for_init(
    ctx: Context, kind: u64, last: u64, lower: u64, upper: u64, upper_dist: u64, stride: u64,
    step: i64, chunk: i64, n_bytes: u64, is_signed: u64,
) -> None:  # fmt: skip
    """Divide a loop among teams, and the team's part among its threads."""
    end = load_counter(upper, n_bytes, is_signed)
    teams = league_size(ctx)
    divide(ctx, DIST, league_number(ctx), teams, last, lower, upper, 0, step, 1, n_bytes, is_signed)
    store_counter(ctx, upper_dist, load_counter(upper, n_bytes, is_signed), n_bytes)
    task = task_at(own_implicit(ctx))
    n_threads = team_at(task.team).n_threads
    divide(
        ctx, kind & KIND_MASK, task.number, n_threads, 0, lower, upper, stride, step, chunk,
        n_bytes, is_signed,
    )  # fmt: skip
    store_last(ctx, last, load_counter(upper, n_bytes, is_signed) == end)


@kernel
def i_dist_init_32(
    ctx: Context, location: u64, gtid: i32, kind: u32, last: u64, lower: u64, upper: u64,
    upper_dist: u64, stride: u64, step: i32, chunk: i32, n_bytes: u64, is_signed: u64,
) -> None:  # fmt: skip
    """__kmpc_dist_for_static_init_4, 4u."""
    dist_for_init(
        ctx, u64(kind), last, lower, upper, upper_dist, stride, i64(step), i64(chunk), n_bytes,
        is_signed,
    )  # fmt: skip


@kernel
def i_dist_init_64(
    ctx: Context, location: u64, gtid: i32, kind: u32, last: u64, lower: u64, upper: u64,
    upper_dist: u64, stride: u64, step: i64, chunk: i64, n_bytes: u64, is_signed: u64,
) -> None:  # fmt: skip
    """__kmpc_dist_for_static_init_8, 8u."""
    dist_for_init(
        ctx, u64(kind), last, lower, upper, upper_dist, stride, step, chunk, n_bytes, is_signed
    )


@kernel
def i_loop_over(ctx: Context, location: u64, gtid: i32) -> None:
    """__kmpc_for_static_fini: nothing is kept."""


_STATIC_32, _STATIC_64 = "i_static_init_32", "i_static_init_64"
_DIST_32, _DIST_64 = "i_dist_init_32", "i_dist_init_64"
_WIDTHS = (
    ("4", "i32", _STATIC_32, _DIST_32, 4, 1), ("4u", "i32", _STATIC_32, _DIST_32, 4, 0),
    ("8", "i64", _STATIC_64, _DIST_64, 8, 1), ("8u", "i64", _STATIC_64, _DIST_64, 8, 0),
)  # fmt: skip
EXPORTS = (
    *(
        Export(
            f"void __kmpc_for_static_init_{name}(ptr,i32,u32,ptr,ptr,ptr,ptr,{kind},{kind})",
            kernel=static_kernel, constants=(n_bytes, is_signed),
        )
        for name, kind, static_kernel, _, n_bytes, is_signed in _WIDTHS
    ),
    *(
        Export(
            f"void __kmpc_dist_for_static_init_{name}"
            f"(ptr,i32,u32,ptr,ptr,ptr,ptr,ptr,{kind},{kind})",
            kernel=dist_kernel, constants=(n_bytes, is_signed),
        )
        for name, kind, _, dist_kernel, n_bytes, is_signed in _WIDTHS
    ),
    Export("void __kmpc_for_static_fini(ptr,i32)", kernel="i_loop_over", quick=True),
    Export("void __kmpc_distribute_static_fini(ptr,i32)", kernel="i_loop_over", quick=True),
)  # fmt: skip
