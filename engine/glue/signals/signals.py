"""Glue for signals: what the guest asks sigaction and signal for, and when its handlers run.

    guest's action   kept in @irsan_guest_actions; what the kernel gets instead:
      a handler      irsan_on_signal, with the guest's mask and flags (but SA_RESETHAND is ours)
      SIG_DFL        irsan_on_crash where the default ends the process, so that reports are written
      SIG_IGN        the same
    none of it is heeded for a signal that irsan handles exclusively (handle_segv=2 and similar)

    a signal that the running thread sends itself, or a fault of its own code     at once
    a signal for another thread (signal_sending.py), a timer of the program   when that runs
    any other (another process)                   noted; the handler runs at the next safepoint

The first kind always finds the guest between two instructions of its own or inside a call of the
C library; the second could hit the runtime's own kernels, whose data must not be seen half changed.

Source: sigaction(2), signal(7); glibc's x86-64 `struct sigaction` and `siginfo_t`.
Deviations: a noted signal gives its handler a null context, and a native call that it interrupts
returns before the handler runs.

Late delivery is in signal_delivery.py.  What a handler may do, and what happens before it:
runtime/kernels/threads/handlers.py.
"""

from __future__ import annotations

from typing import Final

from irsan.engine.glue.crash import ACTION_BYTES, FATAL_SIGNALS
from irsan.engine.glue.text import context_field, thread_field_offset
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout.interface_notes import EXCLUSIVE_SIGNALS

_MASK_OFFSET: Final = libc.offset("struct sigaction.sa_mask")
FLAGS_OFFSET: Final = libc.offset("struct sigaction.sa_flags")
_SA_SIGINFO: Final = libc.constant("SA_SIGINFO")
_SA_ONSTACK: Final = libc.constant("SA_ONSTACK")
SA_RESTART: Final = libc.constant("SA_RESTART")
_SA_NODEFER: Final = libc.constant("SA_NODEFER")
_SA_RESETHAND: Final = libc.constant("SA_RESETHAND")
INFO_BYTES: Final = libc.size("siginfo_t")
SI_CODE: Final = libc.offset("siginfo_t.si_code")
SI_PID: Final = libc.offset("siginfo_t.si_pid")
SI_UID: Final = libc.offset("siginfo_t.si_uid")
SI_VALUE: Final = libc.offset("siginfo_t.si_value")
_FAULT_SIGNALS: Final = (4, 5, 7, 8, 11)
_SENT_CODES: Final = (0, -1, -6)  # kill, sigqueue, tgkill: siginfo names the sender
# The mask that is in force again when the handler returns.
_UCONTEXT_MASK: Final = libc.offset("ucontext_t.uc_sigmask")
_SI_TIMER: Final = -2  # our own: what every thread has blocked, and one unblocks now


def signal_glue() -> str:
    """LLVM text of the signal interceptors and of the handler behind them."""
    return "\n".join([_data(), _sigaction(), _signal(), _on_signal(), _call_handler()])


def _mask(numbers: tuple[int, ...]) -> int:
    return sum(1 << number for number in numbers)


def _as_signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


def _data() -> str:
    return f"""
%irsan.action = type [{ACTION_BYTES} x i8]
@irsan_guest_actions = global [65 x %irsan.action] zeroinitializer, align 16
@irsan_interrupting = global i64 0
@irsan_signal_info = global [65 x [{INFO_BYTES} x i8]] zeroinitializer, align 16
declare i32 @__irsan_real_sigaction(i32, ptr, ptr)
declare i32 @__irsan_real_getpid()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define ptr @irsan_guest_action(i32 %number) alwaysinline {{
  %wide = zext i32 %number to i64
  %place = getelementptr [65 x %irsan.action], ptr @irsan_guest_actions, i64 0, i64 %wide
  ret ptr %place
}}
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
define void @irsan_keep_action(i32 %number, ptr %kept, ptr %new) {{
  call void @llvm.memmove.p0.p0.i64(ptr %kept, ptr %new, i64 {ACTION_BYTES}, i1 false)
  %kept.word = ptrtoint ptr %kept to i64
  %wide = zext i32 %number to i64
  %flags.place = getelementptr i8, ptr %kept, i64 {FLAGS_OFFSET}
  %flags = load i32, ptr %flags.place
  %restart.bit = and i32 %flags, {SA_RESTART}
  %restarts = icmp ne i32 %restart.bit, 0
  %flag = zext i1 %restarts to i8
  call void @k.action_changed(i64 %kept.word, i64 %wide, i8 %flag)
  ret void
}}
define i1 @irsan_is_exclusive(i32 %number) alwaysinline {{
  %wide = zext i32 %number to i64
  %below = and i64 %wide, 63
  %exclusive = load i64, {context_field("interface", EXCLUSIVE_SIGNALS)}
  %shifted = lshr i64 %exclusive, %below
  %bit = and i64 %shifted, 1
  %listed = icmp ne i64 %bit, 0
  ret i1 %listed
}}
define i1 @irsan_is_fatal(i32 %number) alwaysinline {{
  %wide = zext i32 %number to i64
  %below = and i64 %wide, 63
  %shifted = lshr i64 {_as_signed(_mask(tuple(n for n in FATAL_SIGNALS if n < 64)))}, %below
  %bit = and i64 %shifted, 1
  %listed = icmp ne i64 %bit, 0
  %last = icmp eq i32 %number, 64
  %either = or i1 %listed, %last
  ret i1 %either
}}"""


def _sigaction() -> str:
    """Translate the new action for the kernel, and the kernel's old one for the guest."""
    return f"""
define i32 @irsan_set_action(i32 %number, ptr %new, ptr %old) {{
entry:
  %wanted = alloca %irsan.action, align 16
  %before = alloca %irsan.action, align 16
  %below = icmp slt i32 %number, 1
  %above = icmp sgt i32 %number, 64
  %strange = or i1 %below, %above
  br i1 %strange, label %real, label %known
real:
  %refused = call i32 @__irsan_real_sigaction(i32 %number, ptr %new, ptr %old)
  ret i32 %refused
known:
  %kept = call ptr @irsan_guest_action(i32 %number)
  %is.ours = call i1 @irsan_is_exclusive(i32 %number)
  %is.question = icmp eq ptr %new, null
  %asks = or i1 %is.ours, %is.question
  br i1 %asks, label %ask, label %change
ask:
  %asked = call i32 @__irsan_real_sigaction(i32 %number, ptr null, ptr %before)
  br label %answer
change:
  call void @llvm.memcpy.p0.p0.i64(ptr %wanted, ptr %new, i64 {ACTION_BYTES}, i1 false)
  %handler = load i64, ptr %new
  %flags.place = getelementptr i8, ptr %wanted, i64 {FLAGS_OFFSET}
  %flags = load i32, ptr %flags.place
  %is.function = icmp ugt i64 %handler, 1
  br i1 %is.function, label %ours, label %builtin
ours:
  store ptr @irsan_on_signal, ptr %wanted
  %kept.flags = and i32 %flags, {_SA_RESETHAND - 1}  ; the highest bit of all
  %ours.flags = or i32 %kept.flags, {_SA_SIGINFO}
  store i32 %ours.flags, ptr %flags.place
  br label %set
builtin:
  %fatal = call i1 @irsan_is_fatal(i32 %number)
  %is.default = icmp eq i64 %handler, 0
  %watched = and i1 %fatal, %is.default
  br i1 %watched, label %crash, label %set
crash:
  store ptr @irsan_on_crash, ptr %wanted
  store i32 {_SA_SIGINFO | _SA_ONSTACK}, ptr %flags.place
  br label %set
set:
  %done = call i32 @__irsan_real_sigaction(i32 %number, ptr %wanted, ptr %before)
  br label %answer
answer:
  %result = phi i32 [ %asked, %ask ], [ %done, %set ]
  %good = icmp eq i32 %result, 0
  %wants.old = icmp ne ptr %old, null
  %tell = and i1 %good, %wants.old
  br i1 %tell, label %translate, label %store
translate:
  %was = load ptr, ptr %before
  %was.crash = icmp eq ptr %was, @irsan_on_crash
  %was.signal = icmp eq ptr %was, @irsan_on_signal
  %plain = select i1 %was.signal, ptr %kept, ptr %before
  call void @llvm.memcpy.p0.p0.i64(ptr %before, ptr %plain, i64 {ACTION_BYTES}, i1 false)
  br i1 %was.crash, label %default, label %store
default:
  store i64 0, ptr %before
  %old.flags = getelementptr i8, ptr %before, i64 {FLAGS_OFFSET}
  store i32 0, ptr %old.flags
  br label %store
store:
  %changes = xor i1 %asks, true
  %keep = and i1 %good, %changes
  br i1 %keep, label %remember, label %give
remember:
  call void @irsan_keep_action(i32 %number, ptr %kept, ptr %new)
  br label %give
give:
  br i1 %tell, label %copy, label %end
copy:
  call void @llvm.memcpy.p0.p0.i64(ptr %old, ptr %before, i64 {ACTION_BYTES}, i1 false)
  br label %end
end:
  ret i32 %result
}}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"""


def _signal() -> str:
    """signal and similar: sigaction with the flags of each, SIG_ERR for a bad number.

    After siginterrupt (signal_settings.py) what they set does not restart calls.
    """
    kinds = (
        ("signal", SA_RESTART),
        ("bsd_signal", SA_RESTART),
        ("ssignal", SA_RESTART),
        ("sysv_signal", _SA_RESETHAND | _SA_NODEFER),
        ("__sysv_signal", _SA_RESETHAND | _SA_NODEFER),
    )
    return "\n".join(_signal_function(name, flags) for name, flags in kinds)


def _signal_function(name: str, flags: int) -> str:
    return f"""
define ptr @__interceptor_{name}(i32 %number, ptr %handler) {{
  %new = alloca %irsan.action, align 16
  %old = alloca %irsan.action, align 16
  call void @llvm.memset.p0.i64(ptr %new, i8 0, i64 {ACTION_BYTES}, i1 false)
  store ptr %handler, ptr %new
  %flags = getelementptr i8, ptr %new, i64 {FLAGS_OFFSET}
  %wide = zext i32 %number to i64
  %below = and i64 %wide, 63
  %set = load i64, ptr @irsan_interrupting
  %shifted = lshr i64 %set, %below
  %ends = trunc i64 %shifted to i1
  %wanted = select i1 %ends, i32 {flags & ~SA_RESTART}, i32 {flags}
  store i32 %wanted, ptr %flags
  %result = call i32 @irsan_set_action(i32 %number, ptr %new, ptr %old)
  %was = load ptr, ptr %old
  %good = icmp eq i32 %result, 0
  %answer = select i1 %good, ptr %was, ptr inttoptr (i64 -1 to ptr)
  ret ptr %answer
}}"""


def _on_signal() -> str:
    """The kernel's handler for every signal that the guest handles.

    While it runs the kernel blocks the signal, for this thread only: masks count from now on.
    """
    faults = _mask(_FAULT_SIGNALS)
    codes = "\n".join(f"    i32 {code}, label %sent" for code in _SENT_CODES)
    return f"""
define void @irsan_on_signal(i32 %number, ptr %info, ptr %context) noinline {{
  %is.gap = call i1 @irsan_fill_gap(i32 %number, ptr %info)
  br i1 %is.gap, label %filled, label %arrived
filled:
  ret void
arrived:
  %inside = load volatile i64, {context_field("in_guest")}
  %in.guest = icmp ne i64 %inside, 0
  %wide = zext i32 %number to i64
  %code.place = getelementptr i8, ptr %info, i64 {SI_CODE}
  %code = load i32, ptr %code.place
  switch i32 %code, label %raised [
{codes}
    i32 {_SI_TIMER}, label %timed
  ]
timed:
  br i1 %in.guest, label %tell, label %later
tell:
  %info.word = ptrtoint ptr %info to i64
  call void @k.tell_overrun(i64 %info.word)
  br label %now
sent:
  %pid.place = getelementptr i8, ptr %info, i64 {SI_PID}
  %pid = load i32, ptr %pid.place
  %own.pid = call i32 @__irsan_real_getpid()
  %own = icmp eq i32 %pid, %own.pid
  %at.once = and i1 %own, %in.guest
  br i1 %at.once, label %now, label %later
raised:
  %positive = icmp sgt i32 %code, 0
  %below = and i64 %wide, 63
  %shifted = lshr i64 {faults}, %below
  %bit = and i64 %shifted, 1
  %may.fault = icmp ne i64 %bit, 0
  %fault = and i1 %positive, %may.fault
  br i1 %fault, label %faulted, label %later
faulted:
  br i1 %in.guest, label %now, label %broken
broken:
  %default = alloca %irsan.action, align 16
  call void @llvm.memset.p0.i64(ptr %default, i8 0, i64 {ACTION_BYTES}, i1 false)
  %ignored = call i32 @__irsan_real_sigaction(i32 %number, ptr %default, ptr null)
  ret void
now:
  store i64 1, {context_field("signals", 3)}
  %site = load i32, {context_field("site")}
  %routine = load i32, {context_field("routine")}
  %action = load i32, {context_field("action")}
  store i32 0, {context_field("routine")}
  store i32 0, {context_field("action")}
  call void @irsan_call_handler(i32 %number, ptr %info, ptr %context, i64 %wide, i64 0)
  store i32 %site, {context_field("site")}
  store i32 %routine, {context_field("routine")}
  store i32 %action, {context_field("action")}
  %mask.place = getelementptr i8, ptr %context, i64 {_UCONTEXT_MASK}
  %mask.after = load i64, ptr %mask.place
  %thread = load i64, {context_field("thread")}
  %sigmask.addr = add i64 %thread, {thread_field_offset("sigmask")}
  %sigmask.place = inttoptr i64 %sigmask.addr to ptr
  store i64 %mask.after, ptr %sigmask.place
  ret void
later:
  %kept = getelementptr [65 x [{INFO_BYTES} x i8]], ptr @irsan_signal_info, i64 0, i64 %wide
  call void @llvm.memcpy.p0.p0.i64(ptr %kept, ptr %info, i64 {INFO_BYTES}, i1 false)
  %bit.number = sub i64 %wide, 1
  %noted = shl i64 1, %bit.number
  %ignored.old = atomicrmw or {context_field("signals", 0)}, i64 %noted monotonic
  store i64 0, {context_field("fuel")}
  ret void
}}"""


def _call_handler() -> str:
    """Call the guest's handler in the form its flags ask for; forget it first if they say so.

    state: see runtime/records/signal_records.py; mask: signals to block meanwhile beside the
    action's own, 0 when the kernel blocks them
    """
    return f"""
define void @irsan_call_handler(i32 %number, ptr %info, ptr %context, i64 %state, i64 %mask) {{
  %area = alloca [6 x i64], align 16
  %kept = call ptr @irsan_guest_action(i32 %number)
  %handler = load ptr, ptr %kept
  %address = ptrtoint ptr %handler to i64
  %callable = icmp ugt i64 %address, 1
  br i1 %callable, label %check, label %builtin
builtin:
  %raised = call i32 @__irsan_real_raise(i32 %number)
  ret void
check:
  %handled = load i64, {context_field("signals", 4)}
  %one.more = add i64 %handled, 1
  store i64 %one.more, {context_field("signals", 4)}
  %flags.place = getelementptr i8, ptr %kept, i64 {FLAGS_OFFSET}
  %flags = load i32, ptr %flags.place
  %defer.bit = and i32 %flags, {_SA_NODEFER}
  %deferred = icmp eq i32 %defer.bit, 0
  %own.mask = select i1 %deferred, i64 %mask, i64 0
  %more.place = getelementptr i8, ptr %kept, i64 {_MASK_OFFSET}
  %more = load i64, ptr %more.place
  %late = icmp ne i64 %mask, 0
  %more.mask = select i1 %late, i64 %more, i64 0
  %blocked = or i64 %own.mask, %more.mask
  %area.word = ptrtoint ptr %area to i64
  %kept.word = ptrtoint ptr %kept to i64
  call void @k.begin_handler(i64 %area.word, i64 %kept.word, i64 %state, i64 %blocked)
  %once.bit = and i32 %flags, {_SA_RESETHAND}
  %once = icmp ne i32 %once.bit, 0
  br i1 %once, label %forget, label %choose
forget:
  %default = alloca %irsan.action, align 16
  call void @llvm.memset.p0.i64(ptr %default, i8 0, i64 {ACTION_BYTES}, i1 false)
  %ignored = call i32 @irsan_set_action(i32 %number, ptr %default, ptr null)
  br label %choose
choose:
  %info.bit = and i32 %flags, {_SA_SIGINFO}
  %with.info = icmp ne i32 %info.bit, 0
  br i1 %with.info, label %long, label %short
long:
  call void %handler(i32 %number, ptr %info, ptr %context)
  br label %over
short:
  call void %handler(i32 %number)
  br label %over
over:
  call void @k.end_handler(i64 %area.word, i64 %address, i64 %state)
  call void @__irsan_act_if_asked()
  ret void
}}"""
