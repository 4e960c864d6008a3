"""Where fibers run: words of a thread record, and the table of stacks that fibers have begun on.

    thread.fiber.lo, hi            stack of the fiber that the thread runs; 0, 0: its own
    thread.fiber.next_lo, next_hi  what __sanitizer_start_switch_fiber has announced
    thread.fiber.last_lo, last_hi  what was announced last and has begun; 0, 0: the own stack
    STACKS    | n u64 | {lo, hi} | {lo, hi} | ...    stacks outside the arena, the last MAX_STACKS

A fiber that sleeps holds pointers on its stack.  Memory from mmap is no root of a leak search, so
its stack must be one.

Here is the plain layout for kernels and host alike, without numba.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any, Final

from irsan.runtime.layout import memory_map

MAX_STACKS: Final = 4096
STACKS: Final = memory_map.table("fiber stacks", 16 + 16 * MAX_STACKS)
ROWS: Final = STACKS + 16


def fiber_bounds(thread: Any) -> tuple[int, int]:
    """[lo, hi) of the stack of the fiber that a thread runs; (0, 0) on its own stack."""
    return int(thread["fiber"]["lo"]), int(thread["fiber"]["hi"])


def fiber_stacks() -> Iterator[tuple[int, int]]:
    """[lo, hi) of each stack outside the arena that a fiber has begun on."""
    n_stacks = min(ctypes.c_uint64.from_address(STACKS).value, MAX_STACKS)
    words = (ctypes.c_uint64 * (2 * n_stacks)).from_address(ROWS)
    yield from zip(words[::2], words[1::2], strict=True)
