"""Checks that ask for their object: only where nothing else needs the answer, as often as asked."""

from __future__ import annotations

import pytest

from tests.instrument.checked_ir import checks_in, instrumented

ASKED, LO, LENGTH = "__irsan_bounds_asked", "__irsan_object_lo", "__irsan_object_length"


def checked(text: str) -> list[str]:
    return checks_in(instrumented(text, "address,object-bounds", portable=False), "f")


TWO_ROWS = """define i32 @f(ptr %p, i64 %i, i64 %j, i1 %c) {
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a
  SECOND
}"""


@pytest.mark.parametrize(
    "second",
    [
        "%b = getelementptr i32, ptr %p, i64 %j\n  %w = load i32, ptr %b\n  ret i32 %w",
        "%b = getelementptr i8, ptr %p, i64 %j\n  store ptr %b, ptr @kept\n  ret i32 0",
        "call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 %j, i1 false)\n  ret i32 0",
    ],
    ids=["another access", "a pointer that is kept", "a range"],
)
def test_what_several_need_is_asked_for_once(second: str) -> None:
    text = "@kept = global ptr null\n" + TWO_ROWS.replace("SECOND", second)
    text += "\ndeclare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"
    made = checked(text)
    assert made[:3] == [LO, LENGTH, "__irsan_bounds_check"]
    assert ASKED not in made


def test_a_check_in_a_loop_does_not_ask_in_each_turn() -> None:
    text = """define void @f(ptr %p, ptr %at, i1 %c) {
  br label %loop
loop:
  %i = load i64, ptr %at
  %a = getelementptr i32, ptr %p, i64 %i
  store i32 0, ptr %a
  br i1 %c, label %loop, label %end
end:
  ret void
}"""
    made = checked(text)
    assert made[:2] == [LO, LENGTH]
    assert ASKED not in made


def test_a_check_on_one_way_asks_there_alone() -> None:
    text = """define i32 @f(ptr %p, i64 %i, i1 %c) {
  br i1 %c, label %one, label %end
one:
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a
  br label %end
end:
  ret i32 0
}"""
    assert checked(text)[0] == ASKED
    assert LO not in checked(text)


def test_what_a_join_needs_is_asked_for() -> None:
    text = """define i32 @f(ptr %p, ptr %q, i64 %i, i1 %c) {
  %r = select i1 %c, ptr %p, ptr %q
  %a = getelementptr i32, ptr %r, i64 %i
  %v = load i32, ptr %a
  ret i32 %v
}"""
    assert ASKED not in checked(text)
    assert checked(text).count(LO) == 2
