"""What a lock and its record cost: nanoseconds for pthread_mutex_lock with pthread_mutex_unlock.

    python bench/lock_kernels.py

Drives the kernels directly: one thread takes and releases a lock, another lives.  Without race
detection nothing is recorded; `clocks` is what order alone takes; the record of who holds what,
and the check that the lock is alive, come with detection; lock order with detect_deadlocks.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from irsan.interceptors.threads.mutexes import i_mutex_lock, i_mutex_unlock
from irsan.runtime.kernels.race import thread_clocks
from irsan.runtime.kernels.race.sync_clocks import sync_acquire_all, sync_release_store
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.options import DETECT_DEADLOCKS
from tests.conftest import fresh_guest

LOCK = np.uint64(memory_map.GLOBALS_LO + 4096)
OTHERS = np.uint64(memory_map.GLOBALS_LO + 8192)
LOCK_BYTES = np.uint64(64)
HELD = (0, 1, 4, 16)
N_PAIRS = 1_000_000
N_RUNS = 3


@numba.njit  # type: ignore[untyped-decorator]
def hold(ctx: Any, n: int) -> None:
    """Take `n` other locks, and the lock once, so that all of them are known."""
    for number in range(n):
        i_mutex_lock(ctx, OTHERS + np.uint64(number) * LOCK_BYTES)
    use_lock(ctx, 1)


@numba.njit  # type: ignore[untyped-decorator]
def use_lock(ctx: Any, n: int) -> None:
    """Take and release the lock."""
    for _ in range(n):
        i_mutex_lock(ctx, LOCK)
        i_mutex_unlock(ctx, LOCK)


@numba.njit  # type: ignore[untyped-decorator]
def use_clocks(ctx: Any, n: int) -> None:
    """What of that keeps the order."""
    for _ in range(n):
        sync_acquire_all(ctx, LOCK)
        sync_release_store(ctx, LOCK)


def measure(work: Callable[[Any, int], None], n_held: int, races: int, deadlocks: int) -> float:
    """Nanoseconds per pair of operations, the least of some runs."""
    guest = fresh_guest()
    ctx = guest.ctx
    ctx["sanitize_thread"], ctx["options"][DETECT_DEADLOCKS] = races, deadlocks
    guest.new_thread(1)
    thread_clocks.thread_fork(ctx, memory_map.THREADS + memory_map.THREAD_STRIDE)
    hold(ctx, n_held)
    least = float("inf")
    for _ in range(N_RUNS):
        start = time.process_time_ns()
        work(ctx, N_PAIRS)
        least = min(least, (time.process_time_ns() - start) / N_PAIRS)
    return least


def main() -> None:
    """Print the table as Markdown."""
    measure(use_lock, 0, 1, 1)  # compiles
    print("| locks held | no detection | clocks | detect_deadlocks=0 | detect_deadlocks=1 |")
    print("|---:|---:|---:|---:|---:|")
    for n_held in HELD:
        cells = [
            measure(use_lock, n_held, 0, 0),
            measure(use_clocks, n_held, 1, 0),
            measure(use_lock, n_held, 1, 0),
            measure(use_lock, n_held, 1, 1),
        ]
        print(f"| {n_held} | " + " | ".join(f"{cell:.0f}" for cell in cells) + " |")


if __name__ == "__main__":
    main()
