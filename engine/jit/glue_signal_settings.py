"""Glue for what is set once for signals: siginterrupt, and the program's alternate stack.

    siginterrupt   SA_RESTART of the action now, and of those that `signal` sets afterwards
    sigaltstack    ours stands in while the program has none, for the reports of stack overflows:
                   the program is told that there is none; switching its own off brings ours back

Source: siginterrupt(3), sigaltstack(2).
Deviation: the program's alternate stack is that of all its threads.
"""

from __future__ import annotations

from typing import Final

from irsan.engine.jit.glue_signals import FLAGS_OFFSET, SA_RESTART

_SS_DISABLE: Final = 2


def signal_settings_glue() -> str:
    """LLVM text of the two."""
    return "\n".join([_siginterrupt(), _sigaltstack()])


def _siginterrupt() -> str:
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


def _sigaltstack() -> str:
    return f"""
%irsan.stack = type {{ ptr, i32, i64 }}
@irsan_own_stack = global %irsan.stack zeroinitializer
@irsan_has_stack = global i8 0
@irsan_no_stack = constant %irsan.stack {{ ptr null, i32 {_SS_DISABLE}, i64 0 }}
declare i32 @__irsan_real_sigaltstack(ptr, ptr)
define i32 @irsan_sigaltstack(ptr %new, ptr %old) {{
  %had = load i8, ptr @irsan_has_stack
  %has.none = icmp eq i8 %had, 0
  br i1 %has.none, label %note, label %look
note:
  %noted = call i32 @__irsan_real_sigaltstack(ptr null, ptr @irsan_own_stack)
  br label %look
look:
  %changes = icmp ne ptr %new, null
  br i1 %changes, label %read, label %set
read:
  %flags.place = getelementptr %irsan.stack, ptr %new, i64 0, i32 1
  %flags = load i32, ptr %flags.place
  %bit = and i32 %flags, {_SS_DISABLE}
  %off = icmp ne i32 %bit, 0
  %chosen = select i1 %off, ptr @irsan_own_stack, ptr %new
  br label %set
set:
  %wanted = phi ptr [ null, %look ], [ %chosen, %read ]
  %ends = phi i1 [ false, %look ], [ %off, %read ]
  %result = call i32 @__irsan_real_sigaltstack(ptr %wanted, ptr %old)
  %good = icmp eq i32 %result, 0
  br i1 %good, label %changed, label %end
changed:
  br i1 %changes, label %keep, label %tell
keep:
  %starts = xor i1 %ends, true
  %has = zext i1 %starts to i8
  store i8 %has, ptr @irsan_has_stack
  br label %tell
tell:
  %asks = icmp ne ptr %old, null
  %hides = and i1 %asks, %has.none
  br i1 %hides, label %hide, label %end
hide:
  call void @llvm.memcpy.p0.p0.i64(ptr %old, ptr @irsan_no_stack, i64 24, i1 false)
  br label %end
end:
  ret i32 %result
}}"""
