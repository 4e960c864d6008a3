"""The plain layout of the leak search's words and tables: no numba, so that the host reads them.

    SEEN       one bit per 16 bytes of the C library's heap: looked into
    DEPTHS     {tid + 1, depth} per thread slot: scopes of __lsan_disable
    REGIONS    {lo, hi}: root regions of the program
    BARRED     {lo, hi}: pages of the arena that may not be read
    AT_EXIT_CALLER, ON_DEMAND_CALLER, KEPT_EXIT_CALLER: see below
    FRONTIER   u64 each: blocks that are reached and not scanned yet

A caller's block holds what its frames and registers are when it asks for the end or for a search:
the stack pointer at the call, then rbx, rbp, r12 .. r15.
"""

from __future__ import annotations

from typing import Final

from irsan.runtime.layout import memory_map

# chunk.mark; only IGNORED outlives a search
UNREACHED: Final = 0
REACHED: Final = 1
INDIRECT: Final = 2  # unreached, but another unreached chunk points to it
IGNORED: Final = 3

# bits of ctx.leaks.options
USE_UNALIGNED: Final = 1
USE_POISONED: Final = 2
STARTS_ONLY: Final = 4  # a pointer into the middle counts only where C++ makes such ones
PASSES_C_HEAP: Final = 8  # blocks of the C library's heap that the range points to are looked into

ROW_BYTES: Final = 16
MAX_ROWS: Final = 1 << 20

SEEN_BYTES: Final = memory_map.GIB
SEEN: Final = memory_map.table("leak search", 2 * SEEN_BYTES)
DEPTHS: Final = SEEN + SEEN_BYTES
REGIONS: Final = DEPTHS + memory_map.GIB // 4
BARRED: Final = REGIONS + memory_map.GIB // 4
AT_EXIT_CALLER: Final = BARRED + memory_map.GIB // 4
CALLER_BYTES: Final = 64
ON_DEMAND_CALLER: Final = AT_EXIT_CALLER + CALLER_BYTES
KEPT_EXIT_CALLER: Final = ON_DEMAND_CALLER + CALLER_BYTES  # while other threads go on
FRONTIER: Final = memory_map.table("leak frontier", 8 * memory_map.GIB)
CALLER_REGISTERS: Final = ("rbx", "rbp", "r12", "r13", "r14", "r15")
FRAMES_ARE_GONE: Final = 1  # as a caller's stack pointer: main has returned
