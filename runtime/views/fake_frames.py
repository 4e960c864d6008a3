"""Fake stacks: where frames live that must not be reused as soon as their function returns.

    fake stack of a thread    memory_map.FAKE_STACKS_LO + 16 MiB * slot
      | class 0: 16384 frames of 64 B | class 1: 8192 of 128 B | ... | class 14: 1 of 1 MiB |
      each class has 1 MiB; frames are taken round robin, so a returned frame rests a while
    frame                     | magic, description, function, real sp | objects ... | flag address |
    table of a thread         | owner | collect | next of class 0 .. 14 | flags, one per frame |

The kernels that take and release frames are in interceptors/memory/fake_stack.py.  Here is the
geometry, and a reader for whoever wants to know which frames hold live variables.

Source: asan_fake_stack.h of LLVM's compiler-rt (classes, flag word, real stack pointer).
Deviations: a fake stack has the same size for every thread; the flags lie outside the arena, where
no wild store of the program reaches them; classes 11 to 14 do not exist there.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any, Final

from irsan.runtime.layout import memory_map
from irsan.runtime.views.context_stacks import fiber_bounds

N_CLASSES: Final = 15
CLASS_BYTES: Final = 1 << 20
SMALLEST_FRAME_BITS: Final = 6
OWNER: Final = 0  # words of a table, as byte offsets
COLLECT: Final = 8
NEXT: Final = 16
FLAGS: Final = 4096
CLASS_FLAGS: Final = CLASS_BYTES >> SMALLEST_FRAME_BITS
REAL_SP: Final = 24  # of a frame


def live_fake_frames(thread: Any) -> Iterator[tuple[int, int]]:
    """[lo, hi) of every fake frame whose function is still running.

    thread: a thread record (runtime/records/context.py) whose `sp` is up to date, so not the
    running one. A frame left by longjmp or an exception lies below the stack pointer and is not
    live.  Frames on any other stack than the one that runs count as live.  O(frames of all
    classes).
    """
    slot, sp = int(thread["slot"]), int(thread["sp"])
    stack_lo, stack_hi = fiber_bounds(thread)
    if not stack_hi:
        stack_lo, stack_hi = int(thread["stack"]["lo"]), int(thread["stack"]["hi"])
    table = memory_map.FAKE_STACK_TABLES + slot * memory_map.FAKE_STACK_TABLE_BYTES
    if _word(table + OWNER) != int(thread["tid"]) + 1:
        return
    stack = memory_map.FAKE_STACKS_LO + slot * memory_map.STACK_SLOT_BYTES
    for size_class in range(N_CLASSES):
        frame_bytes = 1 << (SMALLEST_FRAME_BITS + size_class)
        for index in _taken(table + FLAGS + size_class * CLASS_FLAGS, CLASS_BYTES // frame_bytes):
            lo = stack + size_class * CLASS_BYTES + index * frame_bytes
            real_sp = _word(lo + REAL_SP)
            if not stack_lo <= real_sp < min(sp, stack_hi):
                yield lo, lo + frame_bytes


def _taken(flags: int, n_frames: int) -> Iterator[int]:
    raw = ctypes.string_at(flags, n_frames)
    at = raw.find(b"\x01")
    while at >= 0:
        yield at
        at = raw.find(b"\x01", at + 1)


def _word(addr: int) -> int:
    return ctypes.c_uint64.from_address(addr).value
