"""Glue for interceptors that call guest code: once routines, a refused new, the ways to leave.

These cannot be kernels, because a kernel never calls back into the guest.
"""

from __future__ import annotations

from typing import Final

from irsan.engine.glue.text import context_field, thread_field_offset
from irsan.engine.glue.weak_hooks import WAIT_BEGIN, WAIT_END

# void std::__1::__call_once(unsigned long volatile&, void*, void (*)(void*))
CXX_CALL_ONCE: Final = "_ZNSt3__111__call_onceERVmPvPFvS2_E"


def call_glue() -> str:
    """LLVM text of `__interceptor_pthread_once` and similar."""
    return "\n".join(
        [
            _SINGLE_THREADED,
            _once("pthread_once", "i32"),
            _once("call_once", "void"),
            _cxx_once(),
            _refused_new("__irsan_refused_new", "void", "ret void", _THROW_BAD_ALLOC),
            _refused_new("__irsan_refused_nothrow_new", "i1", "ret i1 true", "ret i1 false"),
            _leaving(),
        ]
    )


# The C library's flag of this name lets libstdc++ count references without atomics. It knows the
# host's threads, not the guest's, so the guest reads one of ours that never promises anything.
_SINGLE_THREADED = "@__interceptor___libc_single_threaded = global i8 0"

_THROW_BAD_ALLOC = f"""%thrower = load ptr, {context_field("cxx", 0)}
  call void %thrower()
  unreachable"""


def _once(name: str, result: str) -> str:
    """pthread_once and C11's call_once: the flag is a word of 32 bits, done with 2."""
    end = "ret i32 0" if result == "i32" else "ret void"
    return _once_glue(name, f"{result} (ptr %once, ptr %routine)", "", "2", end)


def _cxx_once() -> str:
    """libc++'s flag has 64 bits and is done with all of them set, which its headers look at."""
    high = "%high = getelementptr i8, ptr %once, i64 4\n  store i32 -1, ptr %high"
    parameters = "void (ptr %once, ptr %argument, ptr %routine)"
    return _once_glue(CXX_CALL_ONCE, parameters, "ptr %argument", "-1", "ret void", high)


def _once_glue(
    name: str, prototype: str, passed: str, done: str, end: str, before_done: str = ""
) -> str:
    result, _, parameters = prototype.partition(" ")
    return f"""
define {result} @__interceptor_{name}{parameters}
    personality ptr @__gcc_personality_v0 {{
entry:
  %a = ptrtoint ptr %once to i64
  {WAIT_BEGIN}
  br label %begin
begin:
  %state = call i32 @k.once_begin(i64 %a)
  %action = load i32, {context_field("action")}
  %quiet = icmp eq i32 %action, 0
  br i1 %quiet, label %decide, label %wait
wait:
  %again = call i32 @__irsan_act()
  br label %begin
decide:
  {WAIT_END}
  %mine = icmp eq i32 %state, 1
  br i1 %mine, label %call, label %done
call:
  invoke void %routine({passed}) to label %called unwind label %thrown
called:
  {before_done}
  call void @k.once_end(i64 %a, i32 {done})
  br label %done
thrown:
  %pad = landingpad {{ ptr, i32 }} cleanup
  call void @k.once_end(i64 %a, i32 0)
  resume {{ ptr, i32 }} %pad
done:
  {end}
}}"""


def _refused_new(name: str, result: str, again: str, given_up: str) -> str:
    """The loop of operator new: its handler may free memory; without one the form gives up."""
    return f"""
define {result} @{name}() noinline cold {{
  %get.handler = load ptr, {context_field("cxx", 1)}
  %unknown = icmp eq ptr %get.handler, null
  br i1 %unknown, label %give.up, label %ask
ask:
  %handler = call ptr %get.handler()
  %none = icmp eq ptr %handler, null
  br i1 %none, label %give.up, label %handle
handle:
  call void %handler()
  {again}
give.up:
  {given_up}
}}"""


def _leaving() -> str:
    return f"""
declare i32 @__gcc_personality_v0(...)
define void @__interceptor_quick_exit(i32 %status) noreturn {{
  br label %next
next:
  %routine = call i64 @k.next_quick_exit_handler()
  %none = icmp eq i64 %routine, 0
  br i1 %none, label %leave, label %run
run:
  %argument = load i64, {context_field("event_args", 0)}
  %function = inttoptr i64 %routine to ptr
  %passed = inttoptr i64 %argument to ptr
  call void %function(ptr %passed)
  br label %next
leave:
  call void @__irsan_leave(i32 %status)
  unreachable
}}
define void @__interceptor__exit(i32 %status) noreturn {{
  call void @__irsan_leave(i32 %status)
  unreachable
}}
define void @__interceptor__Exit(i32 %status) noreturn {{
  call void @__irsan_leave(i32 %status)
  unreachable
}}
define void @__interceptor___pthread_unwind_next(ptr %buffer) noreturn {{
  call void @__irsan_unwind_thread()
  unreachable
}}
define void @__interceptor_pthread_exit(ptr %result) noreturn {{
  %thread = load i64, {context_field("thread")}
  %result.addr = add i64 %thread, {thread_field_offset("result")}
  %result.slot = inttoptr i64 %result.addr to ptr
  store ptr %result, ptr %result.slot
  call void @__irsan_unwind_thread()
  unreachable
}}
define void @__interceptor_thrd_exit(i32 %result) noreturn {{
  %wide = sext i32 %result to i64
  %word = inttoptr i64 %wide to ptr
  call void @__interceptor_pthread_exit(ptr %word)
  unreachable
}}"""
