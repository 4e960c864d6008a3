"""Glue for control: acting on what kernels ask, switching threads, thread and program life.

__irsan_to_host          leave the guest; the host puts its answer in ctx.event_result; errno stays
__irsan_reschedule       the scheduler's question and the switch
__irsan_act              0 return the kernel's value, 1 call it again, 2 return the host's value
__irsan_thread_main      first frame of every guest thread but the main one
__irsan_program_main     first frame of the main thread: constructors, main, exit
__irsan_callback         first frame of what the host calls in the guest
__irsan_call_words       a function with the N_CALL_WORDS arguments that lie at an address
__irsan_exit             exit() after its entry has kept the caller's registers (leaks.py)
"""

from __future__ import annotations

from irsan.engine.glue.text import LIKELY, context_field, thread_field_offset
from irsan.runtime.layout import events
from irsan.runtime.layout.interface_words import CALL_FIRST, CALL_FUNCTION, CALL_RESULT, CALL_SECOND
from irsan.runtime.records import leak_records as lr
from irsan.runtime.records.signal_records import RINGS_AT

N_CALL_WORDS = 7


def control_glue() -> str:
    """LLVM text of all control functions."""
    return "\n".join(
        [
            _to_host(),
            _act(),
            _reschedule(),
            _thread_main(),
            _thread_exit(),
            _program_main(),
            _exit(),
            _tls(),
            _callback(),
            _call_words(),
        ]
    )


def _to_host() -> str:
    return f"""
declare void @irsan_switch(ptr, i64)
define void @__irsan_to_host() noinline {{
  %errno.addr = load i64, {context_field("errno_addr")}
  %errno = inttoptr i64 %errno.addr to ptr
  %known = icmp ne ptr %errno, null
  br i1 %known, label %save, label %go
save:
  %saved = load i32, ptr %errno
  br label %go
go:
  %kept = phi i32 [ 0, %0 ], [ %saved, %save ]
  %thread = load i64, {context_field("thread")}
  %slot.addr = add i64 %thread, {thread_field_offset("sp")}
  %slot = inttoptr i64 %slot.addr to ptr
  %sp = load i64, {context_field("host_sp")}
  store i64 0, {context_field("in_guest")}
  call void @irsan_switch(ptr %slot, i64 %sp)
  br i1 %known, label %restore, label %done
restore:
  store i32 %kept, ptr %errno
  br label %done
done:
  ret void
}}
define void @__irsan_resume(i64 %sp) noinline {{
  store i64 1, {context_field("in_guest")}
  call void @irsan_switch({context_field("host_sp")}, i64 %sp)
  store i64 0, {context_field("in_guest")}
  ret void
}}"""


def _act() -> str:
    return f"""
define i32 @__irsan_act() noinline cold {{
  %action = load i32, {context_field("action")}
  store i32 0, {context_field("action")}
  switch i32 %action, label %none [
    i32 1, label %report
    i32 2, label %retry
    i32 3, label %yield
    i32 4, label %host
    i32 5, label %cancel
    i32 6, label %observe
    i32 7, label %announce
  ]
none:
  ret i32 0
report:
  store i64 {events.REPORT}, {context_field("event")}
  store i64 0, {context_field("event_result")}
  call void @__irsan_to_host()
  %answer.to.report = load i64, {context_field("event_result")}
  %handled.bit = and i64 %answer.to.report, {events.HANDLE_SIGNALS}
  %unhandled = icmp eq i64 %handled.bit, 0
  br i1 %unhandled, label %told, label %handle
handle:
  store i32 0, {context_field("routine")}
  call void @irsan_deliver_signals()
  br label %told
told:
  %once.more = trunc i64 %answer.to.report to i32
  %again.bit = and i32 %once.more, 1
  ret i32 %again.bit
retry:
  store i32 0, {context_field("routine")}
  call void @__irsan_reschedule()
  ret i32 1
yield:
  store i32 0, {context_field("routine")}
  call void @__irsan_reschedule()
  ret i32 0
host:
  call void @__irsan_to_host()
  ret i32 2
observe:
  call void @__irsan_to_host()
  ret i32 0
announce:
  call void @__irsan_to_host()
  %answer = load i64, {context_field("event_result")}
  %go.on = trunc i64 %answer to i32
  ret i32 %go.on
cancel:
  store i32 0, {context_field("routine")}
  call void @__interceptor_pthread_exit(ptr inttoptr (i64 -1 to ptr))
  unreachable
}}
define void @__irsan_act_if_asked() alwaysinline {{
  %action = load i32, {context_field("action")}
  %quiet = icmp eq i32 %action, 0
  br i1 %quiet, label %done, label %acting, !prof {LIKELY}
acting:
  %again = call i32 @__irsan_act()
  br label %done
done:
  ret void
}}"""


def _reschedule() -> str:
    return f"""
define void @__irsan_reschedule() noinline {{
  br label %ask
ask:
  %next = call i64 @k.schedule_next()
  %rings.at = load i64, {context_field("signals", RINGS_AT)}
  %unarmed = icmp eq i64 %rings.at, 0
  br i1 %unarmed, label %judge, label %armed, !prof {LIKELY}
armed:
  call void @irsan_refresh_mask()
  %rang = call i8 @k.ring_timers()
  %was.due = icmp ne i8 %rang, 0
  br i1 %was.due, label %ask, label %judge
judge:
  %none = icmp eq i64 %next, 0
  br i1 %none, label %idle, label %found
idle:
  store i64 {events.IDLE}, {context_field("event")}
  call void @__irsan_to_host()
  br label %ask
found:
  %current = load i64, {context_field("thread")}
  %same = icmp eq i64 %next, %current
  br i1 %same, label %done, label %switch
switch:
  %previous = call i64 @k.switch_threads(i64 %next)
  %masks = load i64, {context_field("signals", 3)}
  %no.masks = icmp eq i64 %masks, 0
  br i1 %no.masks, label %go, label %exchange, !prof {LIKELY}
exchange:
  call void @irsan_exchange_masks(i64 %previous, i64 %next)
  br label %go
go:
  %slot.addr = add i64 %previous, {thread_field_offset("sp")}
  %slot = inttoptr i64 %slot.addr to ptr
  %sp.addr = add i64 %next, {thread_field_offset("sp")}
  %sp.slot = inttoptr i64 %sp.addr to ptr
  %sp = load i64, ptr %sp.slot
  call void @irsan_switch(ptr %slot, i64 %sp)
  call void @irsan_enter_stack()
  br label %done
done:
  call void @irsan_deliver_if_due()
  ret void
}}"""


def _thread_word(name: str, register: str) -> str:
    return f"""
  {register}.addr = add i64 %thread, {thread_field_offset(name)}
  {register}.slot = inttoptr i64 {register}.addr to ptr
  {register} = load i64, ptr {register}.slot"""


def _thread_main() -> str:
    return f"""
define void @__irsan_thread_main(ptr %unused) {{
  call void @irsan_enter_stack()
  %thread = load i64, {context_field("thread")}{_thread_word("start_routine", "%routine")}\
{_thread_word("argument", "%argument")}
  %function = inttoptr i64 %routine to ptr
  %passed = inttoptr i64 %argument to ptr
  %result = call ptr %function(ptr %passed)
  call void @__irsan_thread_exit(ptr %result)
  unreachable
}}"""


def _thread_exit() -> str:
    return f"""
define void @__irsan_thread_exit(ptr %result) noreturn {{
  %thread = load i64, {context_field("thread")}
  %word = ptrtoint ptr %result to i64
  %result.addr = add i64 %thread, {thread_field_offset("result")}
  %result.slot = inttoptr i64 %result.addr to ptr
  store i64 %word, ptr %result.slot
  br label %next
next:
  %routine = call i64 @k.next_thread_destructor()
  %none = icmp eq i64 %routine, 0
  br i1 %none, label %settle, label %destroy
settle:
  call void @k.settle_held_locks()
  %told = load i32, {context_field("action")}
  %is.quiet = icmp eq i32 %told, 0
  br i1 %is.quiet, label %finish, label %tell
tell:
  %again = call i32 @__irsan_act()
  br label %settle
destroy:
  %argument = load i64, {context_field("event_args", 0)}
  %function = inttoptr i64 %routine to ptr
  %passed = inttoptr i64 %argument to ptr
  call void %function(ptr %passed)
  br label %next
finish:
  %last = call i8 @k.end_thread()
  %was.last = icmp ne i8 %last, 0
  br i1 %was.last, label %leave, label %others
leave:{_frames_are_gone()}
  call void @__irsan_exit(i32 0)
  unreachable
others:
  call void @__irsan_reschedule()
  unreachable
}}"""


def _program_main() -> str:
    return f"""
define void @__irsan_program_main(ptr %unused) {{
entry:
  %argc.word = load i64, {context_field("program", 0)}
  %argc = trunc i64 %argc.word to i32
  %argv = load ptr, {context_field("program", 1)}
  %envp = load ptr, {context_field("program", 2)}
  %main = load ptr, {context_field("program", 3)}
  %constructors = load ptr, {context_field("program", 4)}
  %count = load i64, {context_field("program", 5)}
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %construct ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %construct, label %run
construct:
  %place = getelementptr ptr, ptr %constructors, i64 %i
  %constructor = load ptr, ptr %place
  call void %constructor(i32 %argc, ptr %argv, ptr %envp)
  %i.next = add i64 %i, 1
  br label %loop
run:
  %status = call i32 %main(i32 %argc, ptr %argv, ptr %envp){_frames_are_gone()}
  call void @__irsan_exit(i32 %status)
  unreachable
}}"""


def _frames_are_gone() -> str:
    """The program ends after its function has returned: nothing on this stack is alive."""
    return f"""
  store i64 {lr.FRAMES_ARE_GONE}, ptr inttoptr (i64 {lr.AT_EXIT_CALLER} to ptr)"""


def _exit() -> str:
    return f"""
declare void @__interceptor_exit(i32)
define void @__irsan_exit(i32 %status) noreturn {{
  %top = load i64, {context_field("frame_top")}
  %site = load i32, {context_field("site")}
  br label %claim
claim:
  %claimed = call i8 @k.begin_exit()
  %is.ours = icmp ne i8 %claimed, 0
  br i1 %is.ours, label %begin, label %late
late:
  call void @__irsan_reschedule()
  br label %claim
begin:
  call void @k.stop_init_order()
  br label %next
next:
  %routine = call i64 @k.next_exit_handler()
  %none = icmp eq i64 %routine, 0
  br i1 %none, label %wait, label %run
run:
  %argument = load i64, {context_field("event_args", 0)}
  %wants.status = load i64, {context_field("event_args", 1)}
  %function = inttoptr i64 %routine to ptr
  %passed = inttoptr i64 %argument to ptr
  %plain = icmp eq i64 %wants.status, 0
  br i1 %plain, label %call, label %tell
call:
  call void %function(ptr %passed)
  br label %called
tell:
  call void %function(i32 %status, ptr %passed)
  br label %called
called:
  store i64 %top, {context_field("frame_top")}
  store i32 %site, {context_field("site")}
  br label %next
wait:
  %waits = call i8 @k.others_go_on()
  %others = icmp ne i8 %waits, 0
  br i1 %others, label %let, label %leave
let:
  call void @__irsan_reschedule()
  br label %wait
leave:
  %flushed = call i32 @__irsan_real_fflush(ptr null)
  call void @__irsan_search_at_exit()
  call void @__irsan_leave(i32 %status)
  unreachable
}}
define void @__irsan_leave(i32 %status) noreturn {{
  %wide = sext i32 %status to i64
  store i64 %wide, {context_field("event_args", 0)}
  store i64 {events.EXIT}, {context_field("event")}
  call void @__irsan_to_host()
  unreachable
}}"""


def _callback() -> str:
    """First frame of a function that the host calls; the host goes on elsewhere."""
    return f"""
define void @__irsan_callback(ptr %unused) noreturn {{
  %function = load ptr, {context_field("interface", CALL_FUNCTION)}
  %first = load i64, {context_field("interface", CALL_FIRST)}
  %second = load i64, {context_field("interface", CALL_SECOND)}
  %result = call i64 %function(i64 %first, i64 %second)
  store i64 %result, {context_field("interface", CALL_RESULT)}
  store i64 {events.CALLED}, {context_field("event")}
  call void @__irsan_to_host()
  unreachable
}}"""


def _call_words() -> str:
    """Call a function with more arguments than `__irsan_callback` has; too many do no harm."""
    places = [f"%p{i} = getelementptr i64, ptr %words, i64 {i}" for i in range(N_CALL_WORDS)]
    loads = [f"%w{i} = load i64, ptr %p{i}" for i in range(N_CALL_WORDS)]
    operands = ", ".join(f"i64 %w{i}" for i in range(N_CALL_WORDS))
    return "\n".join(
        [
            "define i64 @__irsan_call_words(ptr %function, ptr %words) {",
            *places,
            *loads,
            f"%result = call i64 %function({operands})",
            "ret i64 %result\n}",
        ]
    )


def _tls() -> str:
    """`__tls_get_addr` of archives: pair {1 = the guest's block, offset} or {0, address}."""
    return f"""
define i64 @__irsan_tls_get_addr(ptr %pair) {{
  %module = load i64, ptr %pair
  %place = getelementptr i64, ptr %pair, i64 1
  %offset = load i64, ptr %place
  %native = icmp eq i64 %module, 0
  br i1 %native, label %address, label %block
address:
  ret i64 %offset
block:
  %own = load i64, {context_field("tls")}
  %start = load i64, {context_field("program", 6)}
  %archives = add i64 %own, %start
  %found = add i64 %archives, %offset
  ret i64 %found
}}"""
