"""Glue for siginterrupt: SA_RESTART of the action now, and of those that `signal` sets later.

Source: siginterrupt(3).
"""

from __future__ import annotations

from irsan.engine.glue.signals.signals import FLAGS_OFFSET, SA_RESTART


def signal_settings_glue() -> str:
    """LLVM text of the function."""
    return f"""
define i32 @__interceptor_siginterrupt(i32 %number, i32 %interrupts) {{
  %action = alloca %irsan.action, align 16
  %asked = call i32 @irsan_set_action(i32 %number, ptr null, ptr %action)
  %known = icmp eq i32 %asked, 0
  br i1 %known, label %change, label %refused
refused:
  ret i32 -1
change:
  %ends = icmp ne i32 %interrupts, 0
  %wide = zext i32 %number to i64
  %below = and i64 %wide, 63
  %bit = shl i64 1, %below
  %others = xor i64 %bit, -1
  %set = load i64, ptr @irsan_interrupting
  %kept = and i64 %set, %others
  %added = select i1 %ends, i64 %bit, i64 0
  %next = or i64 %kept, %added
  store i64 %next, ptr @irsan_interrupting
  %place = getelementptr i8, ptr %action, i64 {FLAGS_OFFSET}
  %flags = load i32, ptr %place
  %with = or i32 %flags, {SA_RESTART}
  %without = and i32 %flags, {~SA_RESTART}
  %wanted = select i1 %ends, i32 %without, i32 %with
  store i32 %wanted, ptr %place
  %done = call i32 @irsan_set_action(i32 %number, ptr %action, ptr null)
  ret i32 %done
}}"""
