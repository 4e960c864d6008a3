"""Tables by thread slot that detectors of misuse own; numbers only, the host reads some."""

from __future__ import annotations

from typing import Final

from irsan.runtime.layout import memory_map

# u32 per thread slot: stacks that began to ignore accesses, MAX_IGNORES; the same for sync
MAX_IGNORES: Final = 16
IGNORE_BYTES: Final = 4 * MAX_IGNORES
IGNORES: Final = memory_map.table(
    "ignored accesses", memory_map.MAX_LIVE_THREADS * 2 * IGNORE_BYTES
)

# u32 per thread slot and sid: the newest epoch of that sid when the slot's thread last woke up
SLEEP_BYTES: Final = 4 * memory_map.MAX_SIDS
SLEEPS: Final = memory_map.table("sleeps", memory_map.MAX_LIVE_THREADS * SLEEP_BYTES)

# u64 each: mutexes that were made robust, ctx.locks.n_robust of them
MAX_ROBUST: Final = 1 << 20
ROBUST: Final = memory_map.table("robust mutexes", 8 * MAX_ROBUST)
