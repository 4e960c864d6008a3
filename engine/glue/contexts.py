"""Glue for fibers: swapcontext and setcontext, around the C library's own functions.

What the stack that is left must find again lies in a room on that very stack:
interceptors/threads/ucontext.py.
"""

from __future__ import annotations

from typing import Final

# Where a fiber without a uc_link returns to: exit(0), as the C library has it.
_ENDING: Final = (
    ".text", ".p2align 4", ".globl irsan_fiber_ended", ".type irsan_fiber_ended, @function",
    "irsan_fiber_ended:",
    ".cfi_startproc", ".cfi_undefined rip", "xorl %edi, %edi", "callq __interceptor_exit", "ud2",
    ".cfi_endproc", ".size irsan_fiber_ended, .-irsan_fiber_ended",
)  # fmt: skip


def context_glue() -> str:
    """LLVM text of `__interceptor_swapcontext` and `__interceptor_setcontext`."""
    ending = "\n".join(f'module asm "{line}"' for line in _ENDING)
    return ending + """
declare void @irsan_fiber_ended()
declare i32 @__irsan_real_swapcontext(ptr, ptr) returns_twice
declare i32 @__irsan_real_setcontext(ptr)
define i32 @__interceptor_swapcontext(ptr %from, ptr %to) noinline {
  %source = ptrtoint ptr %from to i64
  %target = ptrtoint ptr %to to i64
  %bytes = call i64 @k.context_room_bytes()
  %place = alloca i8, i64 %bytes, align 16
  %room = ptrtoint ptr %place to i64
  call void @k.leave_context(i64 %room, i64 %source, i64 %target,
    i64 ptrtoint (ptr @irsan_fiber_ended to i64))
  %result = call i32 @__irsan_real_swapcontext(ptr %from, ptr %to) returns_twice
  call void @k.enter_context(i64 %room)
  ret i32 %result
}
define i32 @__interceptor_setcontext(ptr %to) noinline {
  %target = ptrtoint ptr %to to i64
  call void @k.replace_context(
    i64 %target, i64 ptrtoint (ptr @irsan_fiber_ended to i64))
  %result = call i32 @__irsan_real_setcontext(ptr %to)
  ret i32 %result
}
"""
