"""What lies on a stack that is not running, and first stacks made in Python.

A stack that is not running is one number, its stack pointer, above which lies

    sp + 0   mxcsr u32, x87 control word u16     + 8   r15    + 16  r14    + 24  r13
    sp + 32  r12        + 40  rbx                + 48  rbp    + 56  return address

A fresh stack returns into `irsan_first_frame`, which calls `rbx(r12)`; its unwind information says
that there is no caller, so that an uncaught exception ends in `std::terminate`.
The machine code is templates/threads/switch.ll.

Source: the System V ABI for x86-64, section 3.2 (registers a callee saves, stack alignment).
"""

from __future__ import annotations

import ctypes
from typing import Final

SAVED_BYTES: Final = 64
SAVED_BP_OFFSET: Final = 48
DEFAULT_MXCSR: Final = 0x1F80
DEFAULT_X87_CONTROL: Final = 0x037F
FIRST_FLAGS: Final = DEFAULT_X87_CONTROL << 32 | DEFAULT_MXCSR



def prepare_stack(first_frame: int, hi: int, entry: int, argument: int = 0) -> int:
    """The same as `irsan_prepare_stack`, from Python; `first_frame` = address of that symbol."""
    if hi % 16:
        raise ValueError(f"the end of a stack must be 16-aligned, not {hi:#x}")
    sp = hi - 16 - SAVED_BYTES
    words = (ctypes.c_uint64 * 10).from_address(sp)
    words[:] = [FIRST_FLAGS, 0, 0, 0, argument, entry, 0, first_frame, 0, 0]
    return sp
