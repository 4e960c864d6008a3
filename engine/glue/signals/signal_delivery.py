"""Glue that runs the handlers of signals that wait for the running thread, at a point where it may.

    irsan_deliver_if_due    behind every question to the scheduler, and behind a changed mask
    irsan_take_info         siginfo_t of a signal: its own in the queue, or what was noted for its
                            number (a signal from outside, pthread_kill)
"""

from __future__ import annotations

from irsan.engine.glue.signals.signals import INFO_BYTES
from irsan.engine.glue.text import LIKELY, context_field, thread_field_offset


def delivery_glue() -> str:
    """LLVM text of the late delivery."""
    return "\n".join([_take_info(), _deliver_if_due(), _deliver()])


def _take_info() -> str:
    return f"""
define void @irsan_take_info(ptr %target, i64 %wide) noinline cold {{
  %target.word = ptrtoint ptr %target to i64
  %flag = call i8 @k.take_queued(i64 %wide, i64 %target.word)
  %queued = icmp ne i8 %flag, 0
  br i1 %queued, label %tell, label %kept
kept:
  %info = getelementptr [65 x [{INFO_BYTES} x i8]], ptr @irsan_signal_info, i64 0, i64 %wide
  call void @llvm.memcpy.p0.p0.i64(ptr %target, ptr %info, i64 {INFO_BYTES}, i1 false)
  %number = trunc i64 %wide to i32
  store i32 %number, ptr %target
  call void @llvm.memset.p0.i64(ptr %info, i8 0, i64 {INFO_BYTES}, i1 false)
  br label %tell
tell:
  call void @k.tell_overrun(i64 %target.word)
  ret void
}}"""


def _deliver_if_due() -> str:
    return f"""
declare i32 @__irsan_real_raise(i32)
define void @irsan_deliver_if_due() alwaysinline {{
  %thread = load i64, {context_field("thread")}
  %own.addr = add i64 %thread, {thread_field_offset("signals")}
  %own.place = inttoptr i64 %own.addr to ptr
  %own = load i64, ptr %own.place
  %noted = load i64, {context_field("signals", 0)}
  %any = or i64 %own, %noted
  %none = icmp eq i64 %any, 0
  br i1 %none, label %done, label %deliver, !prof {LIKELY}
deliver:
  call void @irsan_deliver_signals()
  br label %done
done:
  ret void
}}"""


def _deliver() -> str:
    """Run the handlers that are due on the running thread's stack, lowest number first.

    The thread may be about to look at how a wait ended: its handlers see none, then those words are
    put back.
    """
    kept = ("resuming", "retry_word", "retry_count", "wait_status")
    places = "\n".join(
        f"  %{name}.addr = add i64 %thread, {thread_field_offset(name)}\n"
        f"  %{name}.place = inttoptr i64 %{name}.addr to ptr\n"
        f"  %{name} = load i64, ptr %{name}.place"
        for name in kept
    )
    restored = "\n".join(f"  store i64 %{name}, ptr %{name}.place" for name in kept)
    return f"""
define void @irsan_deliver_signals() noinline cold {{
  %thread = load i64, {context_field("thread")}
  %site = load i32, {context_field("site")}
{places}
  store i64 0, ptr %resuming.place
  call void @irsan_refresh_mask()
  %info = alloca [{INFO_BYTES} x i8], align 16
  br label %next
next:
  %wide = call i64 @k.take_due_signal()
  %none = icmp eq i64 %wide, 0
  br i1 %none, label %done, label %call
call:
  %number = trunc i64 %wide to i32
  call void @irsan_take_info(ptr %info, i64 %wide)
  %state = call i64 @k.late_state(i64 %wide)
  %bit.number = sub i64 %wide, 1
  %mask = shl i64 1, %bit.number
  call void @irsan_call_handler(i32 %number, ptr %info, ptr null, i64 %state, i64 %mask)
  br label %next
done:
  store i32 %site, {context_field("site")}
{restored}
  ret void
}}"""
