"""Where frames end without returning: hooks before they are left and where control arrives."""

from __future__ import annotations

from tests.instrument.checked_ir import body, check, instrumented

THROWING = """
declare i32 @__gxx_personality_v0(...)
declare void @__cxa_throw(ptr, ptr, ptr) noreturn
declare void @g()
define void @f() personality ptr @__gxx_personality_v0 {
  invoke void @g() to label %on unwind label %pad
on:
  call void @__cxa_throw(ptr null, ptr null, ptr null)
  unreachable
pad:
  %p = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %p
}
"""


def test_the_engine_is_told_both_stack_pointers() -> None:
    f = body(instrumented(THROWING, "address", portable=False), "f")
    check(f, "on:", "@llvm.stacksave", "__irsan_throwing(i64", "@__cxa_throw")
    check(f, "landingpad", "@llvm.stacksave", "__irsan_unwound_to(i64")
    check(f, "__irsan_unwound_to(i64", "__irsan_throwing", "resume")


def test_compiler_rt_is_told_before_what_does_not_return() -> None:
    text = instrumented(THROWING, "address")
    check(body(text, "f"), "on:", "call void @__asan_handle_no_return()", "@__cxa_throw")
    assert text.count("call void @__asan_handle_no_return()") == 1 and "__irsan" not in text


def test_race_checks_alone_need_none_of_it() -> None:
    text = instrumented(THROWING, "thread", portable=False)
    assert "unwound" not in text and "throwing" not in text
