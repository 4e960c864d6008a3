"""The functions of omp.h that ask and set: threads, levels, schedules, teams, time.

Source: OpenMP 5.2, section 18 (runtime library routines).
Deviations: the number of processors is fixed, and time is virtual, so that a run is the same on
every machine.  There are no devices and no places.
"""

from __future__ import annotations

from irsan.interceptors.openmp.members import (
    league_number,
    league_size,
    omp_self,
    own_implicit,
    own_task,
    own_team,
)
from irsan.interceptors.openmp.openmp_types import member_at, settings_at, task_at, team_at
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import store_u32
from irsan.runtime.kernels.race.sync_clocks import sync_acquire
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import f64, i32, u32, u64
from irsan.runtime.kernels.threads.virtual_clock import clock_now_ns
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.records.threads import openmp_records as om
from irsan.runtime.records.threads.openmp_records import TABLE

NS_PER_S = 1e9
CLOCK_MONOTONIC = libc.constant("CLOCK_MONOTONIC")
MAX_ACTIVE_LEVELS = 255
STATIC, STATIC_CHUNKED, AUTO = om.STATIC, om.STATIC_CHUNKED, om.AUTO


@kernel
def i_omp_get_thread_num(ctx: Context) -> i32:
    """omp_get_thread_num: an explicit task uses what belongs to the number."""
    member = omp_self(ctx)
    current = task_at(member_at(member).task)
    current.uses_thread = u64(1)
    if current.is_explicit != 0:
        sync_acquire(ctx, member)
    task = task_at(own_implicit(ctx))
    return i32(0) if team_at(task.team).is_league != 0 else i32(task.number)


@kernel
def i_omp_get_num_threads(ctx: Context) -> i32:
    """omp_get_num_threads: a team of a teams region has one."""
    team = team_at(own_team(ctx))
    return i32(1) if team.is_league != 0 else i32(team.n_threads)


@kernel
def i_omp_get_max_threads(ctx: Context) -> i32:
    """omp_get_max_threads."""
    return i32(task_at(own_task(ctx)).n_threads)


@kernel
def i_omp_set_num_threads(ctx: Context, n_threads: i32) -> None:
    """omp_set_num_threads; numbers below 1 are ignored."""
    if n_threads > 0:
        task_at(own_task(ctx)).n_threads = u64(n_threads)


@kernel
def i_omp_get_num_procs(ctx: Context) -> i32:
    """omp_get_num_procs: a fixed number, so that a run is the same on every machine."""
    return i32(settings_at(TABLE).n_procs)


@kernel
def i_omp_in_parallel(ctx: Context) -> i32:
    """omp_in_parallel: whether some region around has several threads."""
    return i32(team_at(own_team(ctx)).active != 0)


@kernel
def i_omp_get_level(ctx: Context) -> i32:
    """omp_get_level."""
    return i32(team_at(own_team(ctx)).level)


@kernel
def i_omp_get_active_level(ctx: Context) -> i32:
    """omp_get_active_level."""
    return i32(team_at(own_team(ctx)).active)


@kernel
def implicit_at_level(ctx: Context, level: i32) -> u64:
    """The task by which the running thread, or who made its team, is in a level; 0: none such."""
    implicit = own_implicit(ctx)
    if level < 0 or u64(level) > team_at(task_at(implicit).team).level:
        return 0
    while team_at(task_at(implicit).team).level > u64(level):
        team = team_at(task_at(implicit).team)
        implicit = task_at(team.first).outer_implicit
    return implicit


@kernel
def i_omp_get_ancestor_thread_num(ctx: Context, level: i32) -> i32:
    """omp_get_ancestor_thread_num."""
    found = implicit_at_level(ctx, level)
    return i32(-1) if found == 0 else i32(task_at(found).number)


@kernel
def i_omp_get_team_size(ctx: Context, level: i32) -> i32:
    """omp_get_team_size."""
    found = implicit_at_level(ctx, level)
    return i32(-1) if found == 0 else i32(team_at(task_at(found).team).n_threads)


@kernel
def i_omp_get_dynamic(ctx: Context) -> i32:
    """omp_get_dynamic."""
    return i32(task_at(own_task(ctx)).dynamic != 0)


@kernel
def i_omp_set_dynamic(ctx: Context, is_on: i32) -> None:
    """omp_set_dynamic; regions get what they ask for anyway."""
    task_at(own_task(ctx)).dynamic = u64(is_on != 0)


@kernel
def i_omp_get_nested(ctx: Context) -> i32:
    """omp_get_nested."""
    return i32(task_at(own_task(ctx)).max_levels > 1)


@kernel
def i_omp_set_nested(ctx: Context, is_on: i32) -> None:
    """omp_set_nested: as omp_set_max_active_levels."""
    task_at(own_task(ctx)).max_levels = u64(MAX_ACTIVE_LEVELS) if is_on != 0 else u64(1)


@kernel
def i_omp_get_max_active_levels(ctx: Context) -> i32:
    """omp_get_max_active_levels."""
    return i32(task_at(own_task(ctx)).max_levels)


@kernel
def i_omp_set_max_active_levels(ctx: Context, n_levels: i32) -> None:
    """omp_set_max_active_levels; a negative number is ignored."""
    if n_levels >= 0:
        task_at(own_task(ctx)).max_levels = min(u64(n_levels), u64(MAX_ACTIVE_LEVELS))


@kernel
def i_omp_get_schedule(ctx: Context, kind: u64, chunk: u64) -> None:
    """omp_get_schedule: kinds 1 static, 2 dynamic, 3 guided, 4 auto."""
    task = task_at(own_task(ctx))
    schedule = task.schedule
    number = u32(4) if schedule == AUTO else u32(schedule - STATIC_CHUNKED)
    if schedule == STATIC_CHUNKED or schedule == STATIC:
        number = u32(1)
    store_u32(kind, number)
    store_u32(chunk, u32(task.chunk))


@kernel
def i_omp_set_schedule(ctx: Context, kind: u32, chunk: i32) -> None:
    """omp_set_schedule; bit 31 says monotonic, which all of these are."""
    task = task_at(own_task(ctx))
    number = u64(kind) & 0x7FFF_FFFF
    task.chunk = u64(chunk) if chunk > 0 else u64(0)
    if number == 1:
        task.schedule = u64(STATIC_CHUNKED) if chunk > 0 else u64(STATIC)
    elif number == 4:
        task.schedule = u64(AUTO)
    elif number == 2 or number == 3:
        task.schedule = number + STATIC_CHUNKED


@kernel
def i_omp_get_thread_limit(ctx: Context) -> i32:
    """omp_get_thread_limit: that of a target region, or the program's."""
    own = task_at(own_task(ctx)).thread_limit
    return i32(own if own != 0 else settings_at(TABLE).thread_limit)


@kernel
def i_omp_get_cancellation(ctx: Context) -> i32:
    """omp_get_cancellation."""
    return i32(settings_at(TABLE).cancels != 0)


@kernel
def i_omp_get_num_teams(ctx: Context) -> i32:
    """omp_get_num_teams."""
    return i32(league_size(ctx))


@kernel
def i_omp_get_team_num(ctx: Context) -> i32:
    """omp_get_team_num."""
    return i32(league_number(ctx))


@kernel
def i_omp_get_supported_levels(ctx: Context) -> i32:
    """omp_get_supported_active_levels."""
    return MAX_ACTIVE_LEVELS


@kernel
def i_omp_get_max_teams(ctx: Context) -> i32:
    """omp_get_max_teams."""
    return i32(settings_at(TABLE).n_teams)


@kernel
def i_omp_set_num_teams(ctx: Context, n_teams: i32) -> None:
    """omp_set_num_teams."""
    if n_teams > 0:
        settings_at(TABLE).n_teams = u64(n_teams)


@kernel
def i_omp_get_teams_thread_limit(ctx: Context) -> i32:
    """omp_get_teams_thread_limit."""
    return i32(settings_at(TABLE).teams_limit)


@kernel
def i_omp_set_teams_thread_limit(ctx: Context, n_threads: i32) -> None:
    """omp_set_teams_thread_limit."""
    if n_threads > 0:
        settings_at(TABLE).teams_limit = u64(n_threads)


@kernel
def i_omp_in_explicit_task(ctx: Context) -> i32:
    """omp_in_explicit_task."""
    return i32(task_at(own_task(ctx)).is_explicit)


@kernel
def i_omp_in_final(ctx: Context) -> i32:
    """omp_in_final."""
    task = task_at(own_task(ctx))
    return i32(task.is_explicit != 0 and task.flags & 2 != 0)


@kernel
def i_omp_get_wtime(ctx: Context) -> f64:
    """omp_get_wtime: the virtual clock."""
    return f64(clock_now_ns(ctx, CLOCK_MONOTONIC)) / NS_PER_S


@kernel
def i_omp_get_wtick(ctx: Context) -> f64:
    """omp_get_wtick."""
    return f64(1.0) / NS_PER_S


@kernel
def i_kmpc_global_thread_num(ctx: Context, location: u64) -> i32:
    """__kmpc_global_thread_num: the slot of the thread."""
    return i32(thread_at(ctx.thread).slot)


@kernel
def omp_zero(ctx: Context) -> i32:
    """What asks for a device, a place or an affinity that there is not."""
    return 0


@kernel
def omp_minus_one(ctx: Context) -> i32:
    """omp_get_place_num."""
    return -1


@kernel
def omp_zero_of(ctx: Context, number: i32) -> i32:
    """The same with an argument."""
    return 0


@kernel
def omp_ignored(ctx: Context, number: i32) -> None:
    """A wish that changes nothing."""


@kernel
def omp_true(ctx: Context) -> i32:
    """omp_is_initial_device."""
    return 1


EXPORTS = (
    Export("i32 omp_get_thread_num()", kernel="i_omp_get_thread_num", quick=True),
    Export("i32 omp_get_num_threads()", kernel="i_omp_get_num_threads", quick=True),
    Export("i32 omp_get_max_threads()", kernel="i_omp_get_max_threads", quick=True),
    Export("void omp_set_num_threads(i32)", kernel="i_omp_set_num_threads", quick=True),
    Export("i32 omp_get_num_procs()", kernel="i_omp_get_num_procs", quick=True),
    Export("i32 omp_in_parallel()", kernel="i_omp_in_parallel", quick=True),
    Export("i32 omp_get_level()", kernel="i_omp_get_level", quick=True),
    Export("i32 omp_get_active_level()", kernel="i_omp_get_active_level", quick=True),
    Export(
        "i32 omp_get_ancestor_thread_num(i32)", kernel="i_omp_get_ancestor_thread_num", quick=True
    ),
    Export("i32 omp_get_team_size(i32)", kernel="i_omp_get_team_size", quick=True),
    Export("i32 omp_get_dynamic()", kernel="i_omp_get_dynamic", quick=True),
    Export("void omp_set_dynamic(i32)", kernel="i_omp_set_dynamic", quick=True),
    Export("i32 omp_get_nested()", kernel="i_omp_get_nested", quick=True),
    Export("void omp_set_nested(i32)", kernel="i_omp_set_nested", quick=True),
    Export("i32 omp_get_max_active_levels()", kernel="i_omp_get_max_active_levels", quick=True),
    Export("void omp_set_max_active_levels(i32)", kernel="i_omp_set_max_active_levels", quick=True),
    Export(
        "i32 omp_get_supported_active_levels()", kernel="i_omp_get_supported_levels", quick=True
    ),
    Export("void omp_get_schedule(ptr,ptr)", kernel="i_omp_get_schedule"),
    Export("void omp_set_schedule(u32,i32)", kernel="i_omp_set_schedule", quick=True),
    Export("i32 omp_get_thread_limit()", kernel="i_omp_get_thread_limit", quick=True),
    Export("i32 omp_get_cancellation()", kernel="i_omp_get_cancellation", quick=True),
    Export("i32 omp_get_num_teams()", kernel="i_omp_get_num_teams", quick=True),
    Export("i32 omp_get_team_num()", kernel="i_omp_get_team_num", quick=True),
    Export("i32 omp_get_max_teams()", kernel="i_omp_get_max_teams", quick=True),
    Export("void omp_set_num_teams(i32)", kernel="i_omp_set_num_teams", quick=True),
    Export("i32 omp_get_teams_thread_limit()", kernel="i_omp_get_teams_thread_limit", quick=True),
    Export(
        "void omp_set_teams_thread_limit(i32)", kernel="i_omp_set_teams_thread_limit", quick=True
    ),
    Export("i32 omp_in_final()", kernel="i_omp_in_final", quick=True),
    Export("i32 omp_in_explicit_task()", kernel="i_omp_in_explicit_task", quick=True),
    Export("f64 omp_get_wtime()", kernel="i_omp_get_wtime", quick=True),
    Export("f64 omp_get_wtick()", kernel="i_omp_get_wtick", quick=True),
    Export("i32 omp_get_proc_bind()", kernel="omp_zero", quick=True),
    Export("i32 omp_get_num_places()", kernel="omp_zero", quick=True),
    Export("i32 omp_get_place_num_procs(i32)", kernel="omp_zero_of", quick=True),
    Export("i32 omp_get_place_num()", kernel="omp_minus_one", quick=True),
    Export("i32 omp_get_partition_num_places()", kernel="omp_zero", quick=True),
    Export("i32 omp_get_num_devices()", kernel="omp_zero", quick=True),
    Export("i32 omp_get_default_device()", kernel="omp_zero", quick=True),
    Export("void omp_set_default_device(i32)", kernel="omp_ignored", quick=True),
    Export("i32 omp_get_initial_device()", kernel="omp_zero", quick=True),
    Export("i32 omp_get_device_num()", kernel="omp_zero", quick=True),
    Export("i32 omp_is_initial_device()", kernel="omp_true", quick=True),
    Export("i32 omp_get_max_task_priority()", kernel="omp_zero", quick=True),
    Export("i32 __kmpc_global_thread_num(ptr)", kernel="i_kmpc_global_thread_num", quick=True),
)
