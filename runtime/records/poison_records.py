"""What the program has poisoned itself, the last calls: plain layout, no numba; the host reads it.

    ENTRIES                 entries of 24 bytes: first address, end, stack id | thread number << 32
    words of ctx.interface  [22] how many entries there may be (track_poison, 0: none are kept)
                            [23] how many were written; entry n lies at n modulo [22]
"""

from __future__ import annotations

import ctypes
from typing import Any, Final, NamedTuple

from irsan.runtime.layout import memory_map

ENTRY_BYTES: Final = 24
MAX_ENTRIES: Final = 1 << 20
ENTRIES: Final = memory_map.table("own poison", MAX_ENTRIES * ENTRY_BYTES)
N_KEPT: Final = 22
N_WRITTEN: Final = 23


class Poisoning(NamedTuple):
    """One call of __asan_poison_memory_region: its range, stack id and thread."""

    lo: int
    hi: int
    stack_id: int
    tid: int


def last_poisoning(ctx: Any, addr: int) -> Poisoning | None:
    """The newest call that poisoned `addr`, if it is among those kept.  O(entries)."""
    n_kept, n_written = int(ctx["interface"][N_KEPT]), int(ctx["interface"][N_WRITTEN])
    for number in range(n_written - 1, max(n_written - n_kept, 0) - 1, -1):
        at = ENTRIES + number % n_kept * ENTRY_BYTES
        lo, hi, who = (ctypes.c_uint64 * 3).from_address(at)
        if lo <= addr < hi:
            return Poisoning(lo, hi, who & 0xFFFF_FFFF, who >> 32)
    return None
