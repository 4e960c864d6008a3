"""Glue for what the program is to the system's loader: dl_iterate_phdr shows it first.

The description is at ctx.outside[PROGRAM_INFO] (engine/jit/program_symbols.py).  Native unwinders
call the C library's function, which does not know of the program.
"""

from __future__ import annotations

from irsan.engine.jit.glue_text import context_field
from irsan.runtime.outside_words import PROGRAM_INFO

_INFO_BYTES = 64  # sizeof(struct dl_phdr_info)


def program_glue() -> str:
    """LLVM text of it."""
    return f"""
declare i32 @__irsan_real_dl_iterate_phdr(ptr, ptr)
define i32 @__interceptor_dl_iterate_phdr(ptr %callback, ptr %data) {{
  %info = load ptr, {context_field("outside", PROGRAM_INFO)}
  %unknown = icmp eq ptr %info, null
  br i1 %unknown, label %native, label %ask
ask:
  %answer = call i32 %callback(ptr %info, i64 {_INFO_BYTES}, ptr %data)
  %goes.on = icmp eq i32 %answer, 0
  br i1 %goes.on, label %native, label %done
native:
  %found = call i32 @__irsan_real_dl_iterate_phdr(ptr %callback, ptr %data)
  ret i32 %found
done:
  ret i32 %answer
}}"""
