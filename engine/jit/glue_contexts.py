"""Glue for fibers: swapcontext and setcontext, around the C library's own functions.

What the stack that is left must find again lies in a room on that very stack:
interceptors/contexts.py.
"""

from __future__ import annotations


def context_glue() -> str:
    """LLVM text of `__interceptor_swapcontext` and `__interceptor_setcontext`."""
    return """
declare i32 @__irsan_real_swapcontext(ptr, ptr) returns_twice
declare i32 @__irsan_real_setcontext(ptr)
define i32 @__interceptor_swapcontext(ptr %from, ptr %to) noinline {
  %source = ptrtoint ptr %from to i64
  %target = ptrtoint ptr %to to i64
  %bytes = call i64 @k.context_room_bytes()
  %place = alloca i8, i64 %bytes, align 16
  %room = ptrtoint ptr %place to i64
  call void @k.leave_context(i64 %room, i64 %source, i64 %target)
  %result = call i32 @__irsan_real_swapcontext(ptr %from, ptr %to) returns_twice
  call void @k.enter_context(i64 %room)
  ret i32 %result
}
define i32 @__interceptor_setcontext(ptr %to) noinline {
  %target = ptrtoint ptr %to to i64
  call void @k.replace_context(i64 %target)
  %result = call i32 @__irsan_real_setcontext(ptr %to)
  ret i32 %result
}
"""
