"""The first race of every variable of short traces, by comparing every access with all before it.

A trace is an array of events (thread, operation, target), for at most 4 threads, 8 variables, 4
locks; compiled, so that a hundred thousand traces are soon judged.  No epochs, no forgetting: each
access keeps the whole clock of its thread.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

READ, WRITE, ACQUIRE, RELEASE = 0, 1, 2, 3
N_THREADS, N_VARIABLES, N_LOCKS = 4, 8, 4


@numba.njit(cache=False)  # type: ignore[untyped-decorator]
def random_trace(seed: int, n_events: int, trace: Any) -> None:
    """Fill `trace` with a well-formed random trace: only who holds a lock releases it."""
    np.random.seed(seed)
    owner = np.full(N_LOCKS, -1, np.int64)
    n_threads = np.random.randint(2, N_THREADS + 1)
    n_variables = np.random.randint(1, N_VARIABLES + 1)
    share = np.random.random() * 0.8
    for number in range(n_events):
        thread = np.random.randint(n_threads)
        trace[number, 0] = thread
        lock = np.random.randint(N_LOCKS)
        if np.random.random() < share and owner[lock] in (-1, thread):
            trace[number, 1] = ACQUIRE if owner[lock] == -1 else RELEASE
            trace[number, 2] = lock
            owner[lock] = thread if owner[lock] == -1 else -1
        else:
            trace[number, 1] = np.random.randint(2)
            trace[number, 2] = np.random.randint(n_variables)


@numba.njit(cache=False)  # type: ignore[untyped-decorator]
def first_races(trace: Any, found: Any) -> None:
    """found[v] := number of the event at which variable v first races, -1 for never.  O(n^2)."""
    n_events = len(trace)
    clocks = np.zeros((N_THREADS, N_THREADS), np.int64)
    locks = np.zeros((N_LOCKS, N_THREADS), np.int64)
    at = np.zeros((n_events, N_THREADS), np.int64)
    found[:] = -1
    for number in range(n_events):
        thread, operation, target = trace[number]
        clocks[thread, thread] += 1
        if operation == ACQUIRE:
            clocks[thread] = np.maximum(clocks[thread], locks[target])
        elif operation == RELEASE:
            locks[target] = clocks[thread]
        elif found[target] == -1:
            for old in range(number):
                if trace[old, 2] != target or trace[old, 1] > WRITE:
                    continue
                writes = operation == WRITE or trace[old, 1] == WRITE
                other = trace[old, 0]
                if writes and at[old, other] > clocks[thread, other]:
                    found[target] = number
        at[number] = clocks[thread]
