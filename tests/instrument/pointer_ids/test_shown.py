"""What reads as other types than pointers show."""

from __future__ import annotations

import re

import pytest

from tests.instrument.checked_ir import body, check
from tests.instrument.pointer_ids.test_pointer_ids import ids_in, with_ids


@pytest.mark.parametrize(
    ("kind", "alignment", "hook"),
    [
        ("i8", 1, "show(ptr %p, i64 1)"),
        ("double", 8, "show(ptr %p, i64 8)"),
        ("i32", 2, "show_range(ptr %p, i64 4)"),
        ("i48", 8, "show(ptr %p, i64 6)"),
        ("i64", 8, "show(ptr %p, i64 8)"),
        ("i128", 16, "show_range(ptr %p, i64 16)"),
        ("<16 x i8>", 16, "show_range(ptr %p, i64 16)"),
        ("[3 x i64]", 8, "show_range(ptr %p, i64 24)"),
        ("{ ptr, i64 }", 8, "show_range(ptr %0, i64 8)"),
        ("{ ptr, [2 x ptr] }", 8, ""),
        ("<2 x ptr>", 16, ""),
    ],
)
def test_loads(kind: str, alignment: int, hook: str) -> None:
    text = with_ids(f"""
define {kind} @f(ptr %p) {{
  %v = load {kind}, ptr %p, align {alignment}
  ret {kind} %v
}}""")
    found = [re.sub(r"%\d+", "%0", line) for line in body(text, "f").splitlines()]
    shown = [line.split("@__irsan_prov_")[1] for line in found if "prov_show" in line]
    assert [line.split(")")[0] + ")" for line in shown] == ([hook] if hook else [])


def test_functions_and_assembly_that_are_not_seen_expose_what_they_are_told() -> None:
    text = with_ids("""
declare void @elsewhere(i64, ptr, { i64, ptr })
define void @left(ptr %p) disable_sanitizer_instrumentation {
  ret void
}
define void @seen(ptr %p) {
  ret void
}
@known = global i32 0
@fixed = constant i32 0
define void @f(ptr %p, { i64, ptr } %pair) {
  call void @seen(ptr %p)
  call void @left(ptr %p)
  call void @elsewhere(i64 1, ptr @known, { i64, ptr } %pair)
  call void %p(ptr @fixed)
  %n = call i64 asm "mov $1, $0", "=r,*m"(ptr elementtype(i64) %p)
  ret void
}""")
    check(
        body(text, "f"),
        "call void @seen(", "@__irsan_prov_called(ptr @left, ptr %p", "call void @left(",
        "@__irsan_prov_called(ptr @elsewhere, ptr @known", "@__irsan_prov_called(ptr @elsewhere",
        "call void @elsewhere(", "call void %p(ptr @fixed",
        "@__irsan_prov_expose_pointer(ptr %p", "@__irsan_prov_show_range(ptr %p, i64 8)", "asm",
    )  # fmt: skip
    assert ids_in(text, "f").count("__irsan_prov_called") == 3
    assert ids_in(text, "f").count("__irsan_prov_expose_pointer") == 1


def test_what_is_sent_shows_the_pointers_in_it() -> None:
    text = with_ids("""
declare i64 @writev(i32, ptr, i32)
declare i64 @sendmsg(i32, ptr, i32)
declare i32 @sendmmsg(i32, ptr, i32, i32)
declare void @bcopy(ptr, ptr, i64)
declare ptr @wmemcpy(ptr, ptr, i64)
declare i32 @pthread_mutex_lock(ptr)
define void @f(ptr %p, ptr %q, i32 %n, i64 %m) {
  call i64 @writev(i32 1, ptr %p, i32 %n)
  call i64 @sendmsg(i32 1, ptr %p, i32 0)
  call i32 @sendmmsg(i32 1, ptr %p, i32 2, i32 0)
  call void @bcopy(ptr %p, ptr %q, i64 %m)
  call ptr @wmemcpy(ptr %p, ptr %q, i64 %m)
  call i32 @pthread_mutex_lock(ptr %p)
  ret void
}""")
    check(
        body(text, "f"),
        "@__irsan_prov_vectors(ptr %p, i64", "@__irsan_prov_called(ptr @writev", "@writev(i32",
        "@__irsan_prov_messages(ptr %p, i64 1, i64 56)", "@sendmsg(i32",
        "@__irsan_prov_messages(ptr %p, i64 2, i64 64)", "@sendmmsg(i32",
        "@__irsan_prov_copy(ptr %q, ptr %p, i64 %m)", "@bcopy(", "mul i64 %m, 4",
        "@__irsan_prov_copy(ptr %p, ptr %q, i64", "@wmemcpy(",
    )  # fmt: skip
    assert ids_in(text, "f").count("__irsan_prov_called") == 3


def test_sorting_keeps_the_ids_of_an_array() -> None:
    text = with_ids("""
declare void @qsort(ptr, i64, i64, ptr)
declare i32 @__gxx_personality_v0(...)
define void @f(ptr %p, i64 %n, ptr %order) personality ptr @__gxx_personality_v0 {
  invoke void @qsort(ptr %p, i64 %n, i64 8, ptr %order) to label %done unwind label %thrown
done:
  ret void
thrown:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}""")
    check(
        body(text, "f"),
        "mul i64 %n, 8", "@__irsan_bounds_of_range(ptr %p", "call i64 @__irsan_prov_sorting(ptr %p",
        "invoke void @qsort(", "done:", "@__irsan_prov_sorted(i64", "ret void",
    )  # fmt: skip


def test_atomic_operations_show_what_was_there_before_it_goes() -> None:
    text = with_ids("""
define i32 @f(ptr %place) {
  %old = atomicrmw add ptr %place, i32 1 seq_cst
  ret i32 %old
}
define void @whole(ptr %place, ptr %p) {
  %old = atomicrmw xchg ptr %place, ptr %p seq_cst
  ret void
}""")
    check(body(text, "f"), "@__irsan_prov_show", "atomicrmw add", "@__irsan_prov_wipe_range(")
    assert not [name for name in ids_in(text, "whole") if "show" in name]


def test_lanes_that_are_read_show_and_what_leaves_the_program() -> None:
    text = with_ids("""
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
declare i64 @write(i32, ptr, i64)
define void @f(ptr %p, i64 %n) {
  %v = call <4 x i32> @llvm.masked.load.v4i32.p0(
      ptr %p, i32 4, <4 x i1> <i1 1, i1 0, i1 0, i1 1>, <4 x i32> zeroinitializer)
  %done = call i64 @write(i32 1, ptr %p, i64 %n)
  ret void
}""".replace("(\n      ", "("))
    check(
        body(text, "f"),
        "@__irsan_prov_show_range(", "i64 4)", "@__irsan_prov_show_range(", "i64 4)",
        "@__irsan_prov_show_range(ptr %p, i64 %n)", "@write(",
    )  # fmt: skip
