"""Which pointers are asked whether they are outside of their object when they are kept."""

from __future__ import annotations

import pytest

from tests.instrument.checked_ir import body, checks_in, instrumented

KEPT = "__irsan_pointer_kept"


def made(function: str) -> str:
    return instrumented(function, "address,object-bounds", portable=False)


@pytest.mark.parametrize(
    ("moved", "is_asked"),
    [
        ("getelementptr i8, ptr %a, i64 %i", True),
        ("getelementptr i8, ptr %a, i64 -64", True),
        ("getelementptr i8, ptr %a, i64 -63", False),
        ("freeze ptr %a", False),
    ],
)
def test_a_pointer_moved_far_is_asked_where_it_is_stored(moved: str, is_asked: bool) -> None:
    text = f"""define void @f(ptr %a, i64 %i, ptr %place) {{
  %p = {moved}
  store ptr %p, ptr %place
  ret void
}}
"""
    assert checks_in(made(text), "f").count(KEPT) == is_asked


def test_one_that_is_returned_is_asked() -> None:
    text = """define ptr @f(ptr %a, i64 %i) {
  %p = getelementptr i8, ptr %a, i64 %i
  ret ptr %p
}
"""
    assert checks_in(made(text), "f").count(KEPT) == 1


def test_what_was_moved_from_object_to_object_is_asked_of_where_it_began() -> None:
    text = """define void @f(ptr %w, ptr %src) {
  %next = load ptr, ptr %w
  %at = getelementptr i8, ptr %w, i64 8
  %base = load ptr, ptr %at
  %end = ptrtoint ptr %next to i64
  %begin = ptrtoint ptr %base to i64
  %size = sub i64 %end, %begin
  %minus = sub i64 0, %size
  %p = getelementptr i8, ptr %src, i64 %minus
  store ptr %p, ptr %at
  ret void
}
"""
    lines = body(made(text), "f").splitlines()
    asked = next(line for line in lines if "__irsan_object_lo" in line)
    assert "(ptr %src," in asked or "(ptr %1," in asked
    assert sum(KEPT in line for line in lines) == 1


def test_a_walk_in_short_steps_and_what_was_accessed_nearby_are_not_asked() -> None:
    text = """define ptr @walk(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %p = phi ptr [ %a, %entry ], [ %q, %loop ]
  %q = getelementptr i8, ptr %p, i64 8
  %i = ptrtoint ptr %q to i64
  %more = icmp ult i64 %i, %n
  br i1 %more, label %loop, label %out
out:
  ret ptr %q
}
define ptr @touched(ptr %a, i64 %i) {
  %p = getelementptr i8, ptr %a, i64 %i
  store i8 0, ptr %p
  %q = getelementptr i8, ptr %p, i64 8
  ret ptr %q
}
"""
    assert not [name for name in ("walk", "touched") if KEPT in checks_in(made(text), name)]


def test_other_address_spaces_are_left_alone() -> None:
    text = """define void @f(ptr addrspace(1) %a, i64 %i, ptr %place) {
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %i
  store ptr addrspace(1) %p, ptr %place
  ret void
}
"""
    assert KEPT not in checks_in(made(text), "f")


def test_a_local_variable_keeps_the_object_beside_the_pointer() -> None:
    text = """define void @f(ptr %a, i64 %i) {
  %slot = alloca ptr
  %p = getelementptr i8, ptr %a, i64 %i
  store ptr %p, ptr %slot
  ret void
}
"""
    assert KEPT not in checks_in(made(text), "f")
