"""Regions and constructs as GCC and Polly call them: GOMP_parallel, critical, single, cancel.

A region's function takes one pointer.  Thread 0 calls it between GOMP_parallel_start and
GOMP_parallel_end, the others in engine/glue/templates/openmp/gomp_regions.ll; what they need is
kept until the region ends:

    words    function, its argument, and the loop that the region begins with: schedule or 0, lower,
             stop, step, chunk; the variables that its tasks reduce, or 0

Source: GCC's libgomp_g.h for the calls.
"""

from __future__ import annotations

from irsan.interceptors.openmp.constructs import (
    TASKGROUP,
    i_cancel,
    i_cancellation_point,
    i_single,
)
from irsan.interceptors.openmp.gomp.gomp_loops import gomp_begin_loop
from irsan.interceptors.openmp.gomp.gomp_reductions import gomp_begin_reduced, gomp_register
from irsan.interceptors.openmp.locks import set_lock, unset_lock
from irsan.interceptors.openmp.members import omp_self, own_team
from irsan.interceptors.openmp.omp_memory import omp_give, omp_take
from irsan.interceptors.openmp.openmp_types import member_at, team_at
from irsan.interceptors.openmp.tasks.steps import i_taskgroup
from irsan.interceptors.openmp.teams import omp_fork
from irsan.interceptors.openmp.waits import PARALLEL, arrive
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, real_memcpy
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of
from irsan.runtime.kernels.scalars import i32, i64, u32, u64
from irsan.runtime.kernels.threads.event_points import wants_switch
from irsan.runtime.kernels.threads.scheduler import sync_point
from irsan.runtime.records.threads.openmp_records import CRITICAL_LOCK

N_WORDS = 8
WORD_BYTES = N_WORDS * 8
REDUCED_AT = 56
NEVER = 0xFFFF_FFFF_FFFF_FFFF
GOMP_SECTIONS, GOMP_TASKGROUP = 4, 8  # the numbers of a parallel region and of a loop are clang's
SECTIONS = 3


@kernel
def gomp_fork(ctx: Context, routine: u64, n_threads: u32, words: u64) -> u64:
    """Begin a region of so many threads, 0: as many as there are without a word; its team."""
    if n_threads != 0:
        member_at(omp_self(ctx)).asked_threads = u64(n_threads)
    kept = omp_take(WORD_BYTES)
    real_memcpy(kept, words, WORD_BYTES)
    team = omp_fork(ctx, 0, routine, i32(N_WORDS), kept)
    if load_u64(words + REDUCED_AT) != 0:
        gomp_register(ctx, load_u64(words + REDUCED_AT), team_at(team).n_threads)
    return team


@kernel
def gomp_begin_part(
    ctx: Context, kind: u64, lower: u64, stop: u64, step: i64, chunk: i64, reduced: u64
) -> None:
    """A thread begins its part of a region: with a loop, or as one that reduces."""
    if kind != 0:
        gomp_begin_loop(ctx, kind, lower, stop, step, chunk, 1)
    if reduced != 0:
        gomp_begin_reduced(ctx, reduced)


@kernel
def gomp_words(team: u64) -> u64:
    """What is kept of a region until it ends."""
    return team_at(team).arguments


@kernel
def gomp_drop_words(words: u64) -> None:
    """The region has ended."""
    omp_give(words, WORD_BYTES)


@kernel
def gomp_ask_teams(ctx: Context, n_teams: u32, thread_limit: u32) -> None:
    """What a league asks for; 0: nothing."""
    member = member_at(omp_self(ctx))
    member.asked_teams, member.asked_limit = u64(n_teams), u64(thread_limit)


@kernel
def gomp_single(ctx: Context) -> i32:
    """GOMP_single_start."""
    return i_single(ctx, 0, 0)


@kernel
def gomp_taskgroup(ctx: Context) -> None:
    """GOMP_taskgroup_start."""
    i_taskgroup(ctx, 0, 0)


@kernel
def gomp_critical(ctx: Context) -> None:
    """GOMP_critical_start: the section without a name."""
    set_lock(ctx, CRITICAL_LOCK, False)


@kernel
def gomp_end_critical(ctx: Context) -> None:
    """GOMP_critical_end."""
    unset_lock(ctx, CRITICAL_LOCK)


@kernel
def gomp_critical_name(ctx: Context, name: u64) -> None:
    """GOMP_critical_name_start: a pointer of the program stands for the name."""
    set_lock(ctx, name, False)


@kernel
def gomp_end_critical_name(ctx: Context, name: u64) -> None:
    """GOMP_critical_name_end."""
    unset_lock(ctx, name)


@kernel
def gomp_to_cancelled(which: i32) -> i32:
    """GCC's number of what is cancelled as clang's."""
    if which == GOMP_SECTIONS:
        return SECTIONS
    return i32(TASKGROUP) if which == GOMP_TASKGROUP else which


@kernel
def gomp_cancellation_point(ctx: Context, which: i32) -> i32:
    """GOMP_cancellation_point."""
    return i_cancellation_point(ctx, 0, 0, gomp_to_cancelled(which))


@kernel
def gomp_cancel(ctx: Context, which: i32, does_cancel: i32) -> i32:
    """GOMP_cancel: with a condition that does not hold it is a cancellation point."""
    if does_cancel & 0xFF == 0:
        return gomp_cancellation_point(ctx, which)
    is_left = i_cancel(ctx, 0, 0, gomp_to_cancelled(which))
    if is_left != 0 and which == PARALLEL:
        team = team_at(own_team(ctx))
        team.n_arrived -= team.n_cancellable
        team.n_cancellable = 0
    return is_left


@kernel
def gomp_arrive(ctx: Context) -> u64:
    """A thread comes to a barrier that it does not wait at once the region is cancelled.

    The barrier's generation, or NEVER: it is cancelled already.
    """
    team = team_at(own_team(ctx))
    if team.cancelled == PARALLEL:
        return NEVER
    if wants_switch(ctx, addr_of(team), 0):
        return 0
    sync_point(ctx)
    team.n_cancellable += 1
    return arrive(ctx, team)


@kernel
def gomp_left_early(ctx: Context, generation: u64) -> i32:
    """Whether the running thread has left a barrier that is not over."""
    return i32(generation == NEVER or team_at(own_team(ctx)).generation == generation)


EXPORTS = (
    Export("i32 GOMP_single_start()", kernel="gomp_single"),
    Export("void GOMP_taskgroup_start()", kernel="gomp_taskgroup"),
    Export("void GOMP_critical_start()", kernel="gomp_critical"),
    Export("void GOMP_critical_end()", kernel="gomp_end_critical"),
    Export("void GOMP_critical_name_start(ptr)", kernel="gomp_critical_name"),
    Export("void GOMP_critical_name_end(ptr)", kernel="gomp_end_critical_name"),
    Export("void GOMP_atomic_start()", kernel="i_atomic_start"),
    Export("void GOMP_atomic_end()", kernel="i_atomic_end"),
    Export("i32 GOMP_cancel(i32,i32)", kernel="gomp_cancel"),
    Export("i32 GOMP_cancellation_point(i32)", kernel="gomp_cancellation_point"),
    Export("ptr GOMP_alloc(u64,u64,u64)", kernel="i_omp_aligned_alloc"),
    Export("void GOMP_free(ptr,u64)", kernel="i_omp_free"),
)
