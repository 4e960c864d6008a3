"""Glue for signals between green threads: masks, and waiting for a signal.

A signal that its thread blocks is kept for that thread: the kernel would give it to whichever
thread runs when it is unblocked.

The kernel's mask is that of the running thread: it is exchanged at every switch once the guest has
used masks at all.  A thread that waits for a signal lets others run and looks again after a
millisecond of virtual time; when no other thread can run, the host's own function waits.

Source: sigwaitinfo(2), sigsuspend(2), pause(2).
Deviations: see irsan.runtime.kernels.threads.signals.
"""

from __future__ import annotations

from typing import Final

from irsan.engine.glue.signals.signals import INFO_BYTES
from irsan.engine.glue.text import context_field, thread_field_offset

_SIG_BLOCK: Final = 0
_SIG_SETMASK: Final = 2
_EINTR: Final = 4
_EAGAIN: Final = 11


def signal_wait_glue() -> str:
    """LLVM text of the mask functions, sigwait and similar, pause and sigsuspend."""
    return "\n".join(
        [_DECLARED, _pending(), _exchange_masks(), _mask("pthread_sigmask"), _mask("sigprocmask"),
         _await(), _sigwait(), _sigtimedwait(), _pauses()]
    )  # fmt: skip


_DECLARED = """
%irsan.set = type [16 x i64]
declare i32 @__irsan_real_pthread_sigmask(i32, ptr, ptr)
declare i32 @__irsan_real_sigprocmask(i32, ptr, ptr)
declare i32 @__irsan_real_sigtimedwait(ptr, ptr, ptr)
declare i32 @__irsan_real_sigsuspend(ptr)
declare i32 @__irsan_real_pause()
declare i32 @__irsan_real_sigpending(ptr)
@irsan_no_time = constant [2 x i64] zeroinitializer"""


def _pending() -> str:
    return """
define i32 @irsan_sigpending(ptr %set) {
  %status = call i32 @__irsan_real_sigpending(ptr %set)
  %good = icmp eq i32 %status, 0
  br i1 %good, label %add, label %done
add:
  %native = load i64, ptr %set
  %own = call i64 @k.pending_signals()
  %both = or i64 %native, %own
  store i64 %both, ptr %set
  br label %done
done:
  ret i32 %status
}"""


def _exchange_masks() -> str:
    """What the new mask lets through is noted: the stack is still that of the thread before."""
    return f"""
define void @irsan_exchange_masks(i64 %previous, i64 %next) noinline {{
  %new = alloca %irsan.set
  %old = alloca %irsan.set
  call void @llvm.memset.p0.i64(ptr %new, i8 0, i64 128, i1 false)
  %next.addr = add i64 %next, {thread_field_offset("sigmask")}
  %next.place = inttoptr i64 %next.addr to ptr
  %wanted = load i64, ptr %next.place
  store i64 %wanted, ptr %new
  store volatile i64 0, {context_field("in_guest")}
  %ignored = call i32 @__irsan_real_pthread_sigmask(i32 {_SIG_SETMASK}, ptr %new, ptr %old)
  store volatile i64 1, {context_field("in_guest")}
  %was = load i64, ptr %old
  %previous.addr = add i64 %previous, {thread_field_offset("sigmask")}
  %previous.place = inttoptr i64 %previous.addr to ptr
  store i64 %was, ptr %previous.place
  ret void
}}
define void @irsan_refresh_mask() noinline cold {{
  %used = load i64, {context_field("signals", 3)}
  %never = icmp eq i64 %used, 0
  br i1 %never, label %done, label %note
note:
  call void @irsan_note_mask()
  br label %done
done:
  ret void
}}
define void @irsan_note_mask() noinline {{
  %now = alloca %irsan.set
  store i64 1, {context_field("signals", 3)}
  %ignored = call i32 @__irsan_real_pthread_sigmask(i32 {_SIG_BLOCK}, ptr null, ptr %now)
  %mask = load i64, ptr %now
  %thread = load i64, {context_field("thread")}
  %addr = add i64 %thread, {thread_field_offset("sigmask")}
  %place = inttoptr i64 %addr to ptr
  store i64 %mask, ptr %place
  ret void
}}"""


def _mask(name: str) -> str:
    return f"""
define i32 @irsan_{name}(i32 %how, ptr %new, ptr %old) {{
  %result = call i32 @__irsan_real_{name}(i32 %how, ptr %new, ptr %old)
  %asks = icmp eq ptr %new, null
  br i1 %asks, label %done, label %changed
changed:
  %wide.how = zext i32 %how to i64
  %signals = load i64, ptr %new
  call void @k.mask_changed(i64 %wide.how, i64 %signals)
  call void @irsan_note_mask()
  call void @irsan_deliver_if_due()
  br label %done
done:
  ret i32 %result
}}"""


def _await() -> str:
    """`irsan_await_signal(set, info, deadline)`: the signal's number, or -1 at the deadline."""
    return f"""
define i32 @irsan_await_signal(ptr %set, ptr %info, i64 %deadline) {{
entry:
  %spare = alloca [{INFO_BYTES} x i8], align 16
  %no.info = icmp eq ptr %info, null
  %target = select i1 %no.info, ptr %spare, ptr %info
  br label %look
look:
  %wanted = load i64, ptr %set
  %sent = call i64 @k.take_signal(i64 %wanted)
  %is.sent = icmp ne i64 %sent, 0
  br i1 %is.sent, label %own, label %poll
own:
  call void @irsan_take_info(ptr %target, i64 %sent)
  %number = trunc i64 %sent to i32
  ret i32 %number
poll:
  %found = call i32 @__irsan_real_sigtimedwait(ptr %set, ptr %target, ptr @irsan_no_time)
  %is.found = icmp sgt i32 %found, 0
  br i1 %is.found, label %taken, label %pause
taken:
  %taken.word = ptrtoint ptr %target to i64
  call void @k.tell_overrun(i64 %taken.word)
  ret i32 %found
pause:
  %how = call i8 @k.pause_for_signal(i64 %deadline)
  switch i8 %how, label %late [
    i8 0, label %others
    i8 1, label %alone
  ]
others:
  %again = call i32 @__irsan_act()
  br label %look
alone:
  %waited = call i32 @__irsan_real_sigtimedwait(ptr %set, ptr %target, ptr null)
  call void @irsan_deliver_if_due()
  %is.good = icmp sgt i32 %waited, 0
  br i1 %is.good, label %awaited, label %look
awaited:
  ret i32 %waited
late:
  ret i32 -1
}}
define void @irsan_set_errno(i32 %number) alwaysinline {{
  %place = load ptr, {context_field("errno_addr")}
  store i32 %number, ptr %place
  ret void
}}"""


def _sigwait() -> str:
    return """
define i32 @__interceptor_sigwait(ptr %set, ptr %target) {
  %number = call i32 @irsan_await_signal(ptr %set, ptr null, i64 0)
  store i32 %number, ptr %target
  ret i32 0
}
define i32 @__interceptor_sigwaitinfo(ptr %set, ptr %info) {
  %number = call i32 @irsan_await_signal(ptr %set, ptr %info, i64 0)
  ret i32 %number
}"""


def _sigtimedwait() -> str:
    return f"""
define i32 @__interceptor_sigtimedwait(ptr %set, ptr %info, ptr %timeout) {{
  %for.ever = icmp eq ptr %timeout, null
  br i1 %for.ever, label %wait, label %timed
timed:
  %seconds = load i64, ptr %timeout
  %ns.place = getelementptr i64, ptr %timeout, i64 1
  %ns = load i64, ptr %ns.place
  %whole = mul i64 %seconds, 1000000000
  %span = add i64 %whole, %ns
  %now = load i64, {context_field("clock_ns")}
  %end = add i64 %now, %span
  br label %wait
wait:
  %deadline = phi i64 [ 0, %0 ], [ %end, %timed ]
  %number = call i32 @irsan_await_signal(ptr %set, ptr %info, i64 %deadline)
  %late = icmp slt i32 %number, 0
  br i1 %late, label %fail, label %done
fail:
  call void @irsan_set_errno(i32 {_EAGAIN})
  br label %done
done:
  ret i32 %number
}}"""


def _pauses() -> str:
    """pause and sigsuspend: they end with -1 and EINTR once a handler has run."""
    return f"""
define i32 @irsan_pause(ptr %mask, i64 %before) {{
entry:
  br label %look
look:
  call void @irsan_deliver_if_due()
  %now = load i64, {context_field("signals", 4)}
  %none = icmp eq i64 %now, %before
  br i1 %none, label %pause, label %done
pause:
  %how = call i8 @k.pause_for_signal(i64 0)
  %alone = icmp eq i8 %how, 1
  br i1 %alone, label %native, label %others
others:
  %again = call i32 @__irsan_act()
  br label %look
native:
  %plain = icmp eq ptr %mask, null
  br i1 %plain, label %sleep, label %suspend
sleep:
  %slept = call i32 @__irsan_real_pause()
  br label %look
suspend:
  %suspended = call i32 @__irsan_real_sigsuspend(ptr %mask)
  br label %look
done:
  call void @irsan_set_errno(i32 {_EINTR})
  ret i32 -1
}}
define i32 @__interceptor_pause() {{
  %before = load i64, {context_field("signals", 4)}
  %result = call i32 @irsan_pause(ptr null, i64 %before)
  ret i32 %result
}}
define i32 @__interceptor_sigsuspend(ptr %mask) {{
  %old = alloca %irsan.set
  %before = load i64, {context_field("signals", 4)}
  %set = call i32 @__irsan_real_pthread_sigmask(i32 {_SIG_SETMASK}, ptr %mask, ptr %old)
  call void @irsan_note_mask()
  %result = call i32 @irsan_pause(ptr %mask, i64 %before)
  %reset = call i32 @__irsan_real_pthread_sigmask(i32 {_SIG_SETMASK}, ptr %old, ptr null)
  call void @irsan_note_mask()
  ret i32 %result
}}"""
