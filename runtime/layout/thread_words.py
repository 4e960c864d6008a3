"""Words of thread.spare that are owned by detectors of misuse; numbers only, the host reads some.

Others: signal_records.py (12 to 14), fiber_records.py (16 to 18), thread_clocks.py (22, 30, 31),
context_stacks.py (23 to 28), provenance_records.py (11).
"""

from __future__ import annotations

from typing import Final

from irsan.runtime.layout import memory_map

USE_CHECKED: Final = 8  # 1 = the use that the call in progress makes was checked already
SLEEP_STACK: Final = 9  # stack id of the newest sleep that is over, 0 = none
WAITS_WITH: Final = 10  # the mutex with which the thread waits on a condition variable
N_IGNORES: Final = 19  # places noted in IGNORES for ignored accesses; the next word: for sync

# u32 per thread slot: stacks that began to ignore accesses, MAX_IGNORES; the same for sync
MAX_IGNORES: Final = 16
IGNORE_BYTES: Final = 4 * MAX_IGNORES
IGNORES: Final = memory_map.table(
    "ignored accesses", memory_map.MAX_LIVE_THREADS * 2 * IGNORE_BYTES
)

# u32 per thread slot and sid: the newest epoch of that sid when the slot's thread last woke up
SLEEP_BYTES: Final = 4 * memory_map.MAX_SIDS
SLEEPS: Final = memory_map.table("sleeps", memory_map.MAX_LIVE_THREADS * SLEEP_BYTES)

# u64 each: mutexes that were made robust, ctx.sync[N_ROBUST] of them
MAX_ROBUST: Final = 1 << 20
ROBUST: Final = memory_map.table("robust mutexes", 8 * MAX_ROBUST)
N_ROBUST: Final = 40
