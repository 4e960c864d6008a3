"""What each race detector costs: memory per byte of the program, time per access, races missed.

    python bench/race_detectors.py

Drives the kernels directly: 4 MiB are used in four ways, and random traces are judged.  Accesses
that the quick answers would take are among them only in the sense that FastTrack's own slow way
answers them, so times compare the detectors with each other, not with a whole run.
"""

from __future__ import annotations

import os
import time
from itertools import product
from pathlib import Path
from typing import Any

import numba
import numpy as np

from irsan.runtime.kernels.race import thread_clocks
from irsan.runtime.kernels.race.access import race_access_slow
from irsan.runtime.kernels.race.race_ranges import race_malloc
from irsan.runtime.kernels.threads.switching import switch_threads
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.options import CLOCK, CLOCK_TREES, RACE_DETECTOR, RACE_DETECTORS
from tests.conftest import fresh_guest
from tests.oracles.first_races import N_THREADS
from tests.support.race_fuzzer import STRIDE, THREADS, fuzz, meet

N_BYTES = 4 << 20
LO = memory_map.HEAP_LO + (1 << 20)
WAYS = ("malloc", "write 8", "write 4", "write 4, then read by 3")


@numba.njit  # type: ignore[untyped-decorator]
def sweep(ctx: Any, thread: int, size: Any, kind: Any) -> None:
    """A thread accesses all bytes once, `size` at a time."""
    switch_threads(ctx, THREADS + np.uint64(thread) * STRIDE)
    for addr in range(LO, LO + N_BYTES, size):
        race_access_slow(ctx, np.uint64(addr), np.uint64(size), np.uint64(kind))


def use(ctx: Any, way: str) -> None:
    """Use the memory in one of the WAYS."""
    if way == "malloc":
        for addr in range(LO, LO + N_BYTES, 4096):
            race_malloc(ctx, addr, 4096)
        return
    sweep(ctx, 0, 8 if way == "write 8" else 4, 1)
    if "read" in way:
        meet(ctx)
        for thread in (1, 2, 3):
            sweep(ctx, thread, 4, 0)


def resident_bytes() -> int:
    """Resident memory of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def guest_with_threads(clock: int = 0) -> Any:
    """A guest whose four threads all live; `clock`: the option word."""
    guest = fresh_guest()
    guest.ctx["options"][CLOCK] = clock
    for tid in range(1, N_THREADS):
        guest.new_thread(tid)
        thread_clocks.thread_fork(guest.ctx, memory_map.THREADS + tid * memory_map.THREAD_STRIDE)
    return guest


def measure(detector: int, way: str) -> tuple[float, float]:
    """(bytes of memory per byte of the program, nanoseconds per byte)."""
    ctx = guest_with_threads().ctx
    ctx["options"][RACE_DETECTOR] = detector
    meet(ctx)
    before, start = resident_bytes(), time.process_time_ns()
    use(ctx, way)
    spent = time.process_time_ns() - start
    return (resident_bytes() - before) / N_BYTES, spent / N_BYTES


def main() -> None:
    """Print both tables."""
    use(guest_with_threads().ctx, WAYS[-1])  # compiles
    print("memory per byte of the program, and ns per byte")
    for detector, name in enumerate(RACE_DETECTORS):
        cells = [measure(detector, way) for way in WAYS]
        pairs = zip(WAYS, cells, strict=True)
        print(f"{name:10}", "  ".join(f"{w}: {m:5.1f} B {t:5.1f} ns" for w, (m, t) in pairs))
    numbers = np.arange(4)
    for spacing, (form, clock) in product((4, 8), (("vector", 0), ("tree", CLOCK_TREES))):
        counts = fuzz(guest_with_threads(clock).ctx, numbers, 1, 50_000, np.uint64(spacing))
        for name, (n_races, _, n_missed, n_added, _) in zip(RACE_DETECTORS, counts, strict=False):
            print(f"variables {spacing} bytes apart, {form} clocks, {name}: of {n_races} first "
                  f"races {n_missed} missed, {n_added} added")


if __name__ == "__main__":
    main()
