"""Loop nests whose iterations wait for each other: `ordered(n)` with `doacross(sink: ...)`.

An iteration that is posted has its flag set and its clock released; who waits for it acquires that.
One outside the bounds is waited for by nobody.

Source: OpenMP 5.2, section 15.9.7; the calls that clang makes.
"""

from __future__ import annotations

from irsan.interceptors.openmp.loops.static_loops import trips_of
from irsan.interceptors.openmp.members import own_implicit
from irsan.interceptors.openmp.omp_memory import omp_give, omp_take
from irsan.interceptors.openmp.openmp_types import OmpDoacross, doacross_at, task_at, team_at
from irsan.interceptors.openmp.waits import W_TEAM, wake_team
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, load_u64, real_memcpy, store_u8
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release
from irsan.runtime.kernels.race.sync_objects import sync_forget
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of
from irsan.runtime.kernels.scalars import i32, i64, u64
from irsan.runtime.kernels.threads.event_points import wants_switch
from irsan.runtime.kernels.threads.scheduler import (
    block_current,
    release_point,
    sync_point,
    take_resuming,
)
from irsan.runtime.records.threads import openmp_records as om

DOACROSS_BYTES = om.DOACROSS_DTYPE.itemsize
BOUND_BYTES = 24
NOWHERE = 0xFFFF_FFFF_FFFF_FFFF


@kernel
def trips_of_dimension(bound: u64) -> u64:
    """Iterations of one loop of a nest."""
    return trips_of(load_u64(bound), load_u64(bound + 8), i64(load_u64(bound + 16)), 1)


@kernel
def new_doacross(sequence: u64, n_threads: u64, n_dimensions: u64, bounds: u64) -> u64:
    """The record of a nest; 0 when it has more iterations than there is room for."""
    trips = u64(1)
    for dimension in range(n_dimensions):
        trips *= trips_of_dimension(bounds + u64(dimension) * BOUND_BYTES)
    flags = omp_take(max(trips, u64(1)))
    if flags == 0:
        return 0
    nest = doacross_at(omp_take(DOACROSS_BYTES))
    nest.sequence, nest.n_left, nest.n_dimensions = sequence, n_threads, n_dimensions
    nest.trips, nest.flags = trips, flags
    nest.bounds = omp_take(n_dimensions * BOUND_BYTES)
    real_memcpy(nest.bounds, bounds, n_dimensions * BOUND_BYTES)
    return addr_of(nest)


@kernel
def omp_begin_doacross(ctx: Context, n_dimensions: i32, bounds: u64) -> u64:
    """A thread comes to a nest; 0 when there is no room for it."""
    task = task_at(own_implicit(ctx))
    team = team_at(task.team)
    task.n_doacrosses += 1
    found = team.doacrosses
    while found != 0 and doacross_at(found).sequence != task.n_doacrosses:
        found = doacross_at(found).next
    if found == 0:
        found = new_doacross(task.n_doacrosses, team.n_threads, u64(n_dimensions), bounds)
        if found == 0:
            return 0
        doacross_at(found).next = team.doacrosses
        team.doacrosses = found
    task.doacross = found
    return found


@kernel
def place_of(nest: OmpDoacross, counters: u64) -> u64:
    """Address of the flag of an iteration; NOWHERE for one that does not exist."""
    index = u64(0)
    for dimension in range(nest.n_dimensions):
        bound = nest.bounds + u64(dimension) * BOUND_BYTES
        step = i64(load_u64(bound + 16))
        counter = load_u64(counters + u64(dimension) * 8)
        distance = i64(counter - load_u64(bound))
        trips = trips_of_dimension(bound)
        if step < 0:
            distance, step = -distance, -step
        if distance < 0 or u64(distance) // u64(step) >= trips:
            return NOWHERE
        index = index * trips + u64(distance) // u64(step)
    return nest.flags + index


@kernel
def i_doacross_wait(ctx: Context, location: u64, gtid: i32, counters: u64) -> None:
    """__kmpc_doacross_wait: until an iteration is posted."""
    ended = take_resuming(ctx)
    task = task_at(own_implicit(ctx))
    place = place_of(doacross_at(task.doacross), counters)
    if place == NOWHERE:
        return
    if ended == 0 and wants_switch(ctx, place, 0):
        return
    sync_point(ctx)
    if load_u8(place) == 0:
        block_current(ctx, W_TEAM, task.team, 0)
    else:
        sync_acquire(ctx, place)


@kernel
def i_doacross_post(ctx: Context, location: u64, gtid: i32, counters: u64) -> None:
    """__kmpc_doacross_post: the running thread's iteration may be waited for no longer."""
    task = task_at(own_implicit(ctx))
    place = place_of(doacross_at(task.doacross), counters)
    if place == NOWHERE:
        return
    sync_release(ctx, place)
    store_u8(place, 1)
    wake_team(ctx, team_at(task.team))
    release_point(ctx)


@kernel
def forget_nest(ctx: Context, addr: u64) -> None:
    """All threads have left a nest."""
    nest = doacross_at(addr)
    for index in range(nest.trips):
        place = nest.flags + u64(index)
        if load_u8(place) != 0:
            sync_forget(ctx, place)
    omp_give(nest.flags, max(nest.trips, u64(1)))
    omp_give(nest.bounds, nest.n_dimensions * BOUND_BYTES)
    omp_give(addr, DOACROSS_BYTES)


@kernel
def i_doacross_fini(ctx: Context, location: u64, gtid: i32) -> None:
    """__kmpc_doacross_fini."""
    task = task_at(own_implicit(ctx))
    team = team_at(task.team)
    addr = task.doacross
    task.doacross = 0
    if addr == 0:
        return
    nest = doacross_at(addr)
    nest.n_left -= 1
    if nest.n_left != 0:
        return
    if team.doacrosses == addr:
        team.doacrosses = nest.next
    else:
        before = team.doacrosses
        while doacross_at(before).next != addr:
            before = doacross_at(before).next
        doacross_at(before).next = nest.next
    forget_nest(ctx, addr)


EXPORTS = (
    Export("void __kmpc_doacross_wait(ptr,i32,ptr)", kernel="i_doacross_wait"),
    Export("void __kmpc_doacross_post(ptr,i32,ptr)", kernel="i_doacross_post"),
    Export("void __kmpc_doacross_fini(ptr,i32)", kernel="i_doacross_fini"),
)
