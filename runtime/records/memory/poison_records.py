"""What the program has poisoned itself, the last calls: plain layout, no numba; the host reads it.

    ENTRIES   entries of 24 bytes: first address, end, stack id | thread number << 32; entry n of
              ctx.interface.n_poisonings lies at n modulo n_poisonings_kept
"""

from __future__ import annotations

import ctypes
from typing import Any, Final, NamedTuple

from irsan.runtime.layout import memory_map

ENTRY_BYTES: Final = 24
MAX_ENTRIES: Final = 1 << 20
ENTRIES: Final = memory_map.table("own poison", MAX_ENTRIES * ENTRY_BYTES)


class Poisoning(NamedTuple):
    """One call of __asan_poison_memory_region: its range, stack id and thread."""

    lo: int
    hi: int
    stack_id: int
    tid: int


def last_poisoning(ctx: Any, addr: int) -> Poisoning | None:
    """The newest call that poisoned `addr`, if it is among those kept.  O(entries)."""
    words = ctx["interface"]
    n_kept, n_written = int(words["n_poisonings_kept"]), int(words["n_poisonings"])
    for number in range(n_written - 1, max(n_written - n_kept, 0) - 1, -1):
        at = ENTRIES + number % n_kept * ENTRY_BYTES
        lo, hi, who = (ctypes.c_uint64 * 3).from_address(at)
        if lo <= addr < hi:
            return Poisoning(lo, hi, who & 0xFFFF_FFFF, who >> 32)
    return None
