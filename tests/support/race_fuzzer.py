"""Random traces through the race kernels, compiled: the first race of every variable, per detector.

Each trace has variables and locks of its own, at fresh addresses, and begins with all threads at
one point of time, so one guest serves a hundred thousand of them.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.race.access import race_access_slow
from irsan.runtime.kernels.race.clocks.clock_forms import keeps_trees
from irsan.runtime.kernels.race.clocks.row_clocks import BARE, own_sid
from irsan.runtime.kernels.race.clocks.tree_clock import plant_tree
from irsan.runtime.kernels.race.race_ranges import race_forget
from irsan.runtime.kernels.race.sync_clocks import (
    sync_acquire,
    sync_acquire_all,
    sync_release,
    sync_release_store,
)
from irsan.runtime.kernels.race.sync_objects import find_sync
from irsan.runtime.kernels.threads.switching import switch_threads
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.options import RACE_DETECTOR
from tests.oracles.first_races import (
    ACQUIRE,
    N_LOCKS,
    N_THREADS,
    N_VARIABLES,
    RELEASE,
    WRITE,
    first_races,
    random_trace,
)

N_EVENTS = 40
VARIABLES = np.uint64(memory_map.HEAP_LO + 4096)
LOCKS = np.uint64(memory_map.GLOBALS_LO + 4096)
MEETING = np.uint64(memory_map.GLOBALS_LO)
THREADS = np.uint64(memory_map.THREADS)
STRIDE = np.uint64(memory_map.THREAD_STRIDE)
LOCK_BYTES = np.uint64(8)
VARIABLE_BYTES = np.uint64(4)
TREE_AT = np.uint64(8)  # of the word that is not 0 where an object or a clock has a tree


@numba.njit  # type: ignore[untyped-decorator]
def meet(ctx: Any) -> None:
    """All that any thread did happens before all that any does from here on."""
    for is_arrival in (True, False):
        for thread in range(N_THREADS):
            switch_threads(ctx, THREADS + np.uint64(thread) * STRIDE)
            if is_arrival:
                sync_release(ctx, MEETING)
            else:
                sync_acquire(ctx, MEETING)


@numba.njit  # type: ignore[untyped-decorator]
def plant(ctx: Any) -> None:
    """With tree clocks: every thread begins with a tree, though it has just learned everything."""
    for thread in range(N_THREADS):
        switch_threads(ctx, THREADS + np.uint64(thread) * STRIDE)
        if keeps_trees(ctx):
            plant_tree(ctx.vc, own_sid(ctx), ctx.race.n_sids)
            store_u64(ctx.vc + np.uint64(BARE), 0)


@numba.njit  # type: ignore[untyped-decorator]
def count_trees() -> int:
    """How many locks of a trace have a tree."""
    n_trees = 0
    for lock in range(N_LOCKS):
        obj = find_sync(LOCKS + np.uint64(lock) * LOCK_BYTES)
        if obj != 0 and load_u64(obj + TREE_AT) != 0:
            n_trees += load_u64(load_u64(obj + TREE_AT) + TREE_AT) != 0
    return n_trees


@numba.njit  # type: ignore[untyped-decorator]
def run_trace(ctx: Any, trace: Any, spacing: Any, found: Any) -> int:
    """One trace through the kernels; found[v] := event of the first race of variable v, or -1.

    spacing  bytes between variables of 4 bytes: 4 has two of them in each 8 bytes
    Returns how many locks have a tree clock at its end.
    """
    meet(ctx)
    plant(ctx)
    found[:] = -1
    for number in range(len(trace)):
        thread, operation, target = trace[number]
        switch_threads(ctx, THREADS + np.uint64(thread) * STRIDE)
        lock = LOCKS + np.uint64(target) * LOCK_BYTES
        if operation == ACQUIRE:
            sync_acquire_all(ctx, lock)
        elif operation == RELEASE:
            sync_release_store(ctx, lock)
        else:
            ctx.race.n_found = 0
            addr = VARIABLES + np.uint64(target) * spacing
            race_access_slow(ctx, addr, VARIABLE_BYTES, operation == WRITE)
            if ctx.race.n_found != 0 and found[target] == -1:
                found[target] = number
    n_trees = count_trees()
    race_forget(ctx, VARIABLES, 512)
    race_forget(ctx, LOCKS, 64)
    return n_trees


@numba.njit  # type: ignore[untyped-decorator]
def fuzz(ctx: Any, detectors: Any, first_seed: int, n_traces: int, spacing: Any) -> Any:
    """Row per detector: {first races, agreeing, missed, added, trees} over random traces.

    added: a variable is said to race at an event where it had not raced yet, or never does
    """
    counts = np.zeros((len(detectors), 5), np.int64)
    trace = np.zeros((N_EVENTS, 3), np.int64)
    expected = np.zeros(N_VARIABLES, np.int64)
    found = np.zeros(N_VARIABLES, np.int64)
    for seed in range(first_seed, first_seed + n_traces):
        random_trace(seed, N_EVENTS, trace)
        first_races(trace, expected)
        for row in range(len(detectors)):
            ctx.options[RACE_DETECTOR] = np.uint64(detectors[row])
            counts[row, 4] += run_trace(ctx, trace, spacing, found)
            for variable in range(N_VARIABLES):
                right, got = expected[variable], found[variable]
                counts[row, 0] += right >= 0
                counts[row, 1] += right >= 0 and right == got
                counts[row, 2] += right >= 0 and (got == -1 or got > right)
                counts[row, 3] += got >= 0 and (right == -1 or got < right)
    return counts
