"""Variables that are made while a function runs end when the stack shrinks."""

from __future__ import annotations

from tests.instrument.checked_ir import body, check
from tests.instrument.pointer_ids.test_pointer_ids import ids_in, with_ids

LOOP = """
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
declare i32 @use(ptr)
define i32 @f(i32 %n) {
entry:
  br label %loop
loop:
  %saved = call ptr @llvm.stacksave.p0()
  %values = alloca i32, i32 %n
  %v = call i32 @use(ptr %values)
  call void @llvm.stackrestore.p0(ptr %saved)
  %again = icmp eq i32 %v, 0
  br i1 %again, label %loop, label %done
done:
  ret i32 %v
}
"""


def test_they_end_where_the_stack_pointer_is_put_back_and_at_the_return() -> None:
    text = body(with_ids(LOOP), "f")
    check(
        text,
        "entry:", "@llvm.stacksave.p0()", "loop:", "@__irsan_prov_stack(ptr %values",
        "@llvm.stacksave.p0()", "@__irsan_prov_popped(ptr", "ptr %saved)", "@llvm.stackrestore.p0",
        "done:", "@llvm.stacksave.p0()", "@__irsan_prov_popped(ptr", "ret i32 %v",
    )  # fmt: skip
    assert "__irsan_prov_end" not in text and "__irsan_prov_expose" not in ids_in(text, "f")[:1]


def test_variables_of_the_frame_need_no_stack_pointer() -> None:
    text = with_ids("""
declare i32 @use(ptr)
define i32 @f() {
  %x = alloca i32
  %v = call i32 @use(ptr %x)
  %y = alloca [4 x i32]
  %w = call i32 @use(ptr %y)
  ret i32 %w
}""")
    names = ids_in(text, "f")
    assert names.count("__irsan_prov_end") == 2 and "__irsan_prov_popped" not in names


def test_where_control_arrives_the_run_time_is_told() -> None:
    text = with_ids("""
declare void @g()
declare i32 @__gxx_personality_v0(...)
declare void @__cxa_throw(ptr, ptr, ptr)
declare i32 @setjmp(ptr) returns_twice
define void @f() personality ptr @__gxx_personality_v0 {
  %r = call i32 @setjmp(ptr null) returns_twice
  invoke void @g() to label %on unwind label %pad
on:
  call void @__cxa_throw(ptr null, ptr null, ptr null)
  unreachable
pad:
  %p = landingpad { ptr, i32 } cleanup
  ret void
}""")
    check(
        body(text, "f"),
        "__irsan_returned_twice(i64", "__irsan_throwing(i64", "landingpad",
        "__irsan_unwound_to(i64",
    )  # fmt: skip
