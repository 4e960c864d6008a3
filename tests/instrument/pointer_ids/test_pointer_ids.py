"""Ids of pointers in IR: where they come from, what keeps them, where they are asked."""

from __future__ import annotations

from irsan.instrument.sites.sites import SiteTable
from tests.instrument.checked_ir import body, check, hooks_in, instrumented


def with_ids(text: str) -> str:
    return instrumented(text, "provenance", portable=False, sites=SiteTable())


def ids_in(text: str, function: str) -> list[str]:
    names = [name for name in hooks_in(body(text, function)) if "_frame_" not in name]
    return [name for name in names if name != "__irsan_safepoint"]


def test_gep_select_and_phi_keep_the_id() -> None:
    text = with_ids("""
define i32 @f(ptr %p, ptr %q, i1 %c, i64 %n) {
entry:
  %a = getelementptr i32, ptr %p, i64 %n
  %s = select i1 %c, ptr %a, ptr %q
  br label %loop
loop:
  %at = phi ptr [ %s, %entry ], [ %next, %loop ]
  %v = load i32, ptr %at
  %next = getelementptr i32, ptr %at, i64 %n
  %stop = icmp eq i32 %v, 0
  br i1 %stop, label %done, label %loop
done:
  ret i32 %v
}""")
    check(
        body(text, "f"),
        "@__irsan_prov_take(i64 0, ptr %p, ptr @f)",
        "@__irsan_prov_take(i64 1, ptr %q, ptr @f)",
        "@__irsan_prov_taken()",
        "select i1 %c, i64",
        "phi i64",
        "@__irsan_bounds_of_id(ptr %at, i64",
        "load i32",
    )


def test_accesses_that_surely_stay_in_a_variable_need_nothing() -> None:
    text = with_ids("""
define i32 @f() {
  %x = alloca [4 x i32]
  %second = getelementptr [4 x i32], ptr %x, i64 0, i64 1
  store i32 1, ptr %second
  %v = load i32, ptr %second
  ret i32 %v
}""")
    assert ids_in(text, "f") == ["__irsan_prov_wipe_part", "__irsan_prov_show"]


def test_a_variable_that_escapes_lives_until_the_return() -> None:
    text = with_ids("""
declare void @use(ptr)
define void @f() {
  %x = alloca i32
  call void @use(ptr %x)
  ret void
}""")
    assert ids_in(text, "f") == [
        "__irsan_prov_stack", "__irsan_prov_called", "__irsan_prov_pass",
        "__irsan_prov_call", "__irsan_prov_end",
    ]  # fmt: skip


def test_pointer_variables_have_their_id_beside_them() -> None:
    text = with_ids("""
define i32 @f(ptr %p) {
  %slot = alloca ptr
  store ptr %p, ptr %slot
  %again = load ptr, ptr %slot
  %v = load i32, ptr %again
  ret i32 %v
}""")
    assert "__irsan_prov_store" not in body(text, "f")
    assert "__irsan_prov_load" not in body(text, "f")
    check(body(text, "f"), "alloca i64", "__irsan_bounds_of_id(ptr %again")


def test_results_of_calls_and_returns() -> None:
    text = with_ids("""
declare ptr @malloc(i64)
define ptr @f() {
  %p = call ptr @malloc(i64 8)
  store ptr %p, ptr %p
  ret ptr %p
}""")
    assert ids_in(text, "f") == [
        "__irsan_prov_result", "__irsan_bounds_of_id", "__irsan_prov_store", "__irsan_prov_return",
    ]  # fmt: skip


def test_numbers_expose_unless_they_are_only_compared() -> None:
    text = with_ids("""
define i1 @compared(ptr %p, ptr %q) {
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %q to i64
  %c = icmp ult i64 %a, %b
  ret i1 %c
}
define i32 @shown(ptr %p) {
  %a = ptrtoint ptr %p to i64
  %b = add i64 %a, 8
  %q = inttoptr i64 %b to ptr
  %v = load i32, ptr %q
  ret i32 %v
}""")
    assert "__irsan_prov_expose_pointer" not in ids_in(text, "compared")
    assert ids_in(text, "shown")[2:] == [
        "__irsan_prov_expose_pointer", "__irsan_prov_from_int", "__irsan_bounds_of_id",
        "__irsan_prov_show",
    ]  # fmt: skip


def test_a_pointer_copied_as_a_number_keeps_its_id() -> None:
    text = with_ids("""
define void @f(ptr %p, ptr %q) {
  %n = load i64, ptr %p
  store i64 %n, ptr %q
  ret void
}
define i64 @g(ptr %p) {
  %n = load i64, ptr %p
  ret i64 %n
}""")
    assert ids_in(text, "f")[-2:] == ["__irsan_bounds_of_id", "__irsan_prov_store"]
    assert ids_in(text, "g")[-1] == "__irsan_prov_show"


def test_copies_are_checked_and_bring_slots_along() -> None:
    text = with_ids("""
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @strlen(ptr)
define void @f(ptr %p, ptr %q, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
  %l = call i64 @strlen(ptr %p)
  ret void
}""")
    assert ids_in(text, "f")[3:] == [
        "__irsan_bounds_of_range", "__irsan_bounds_of_range", "__irsan_prov_copy",
        "__irsan_bounds_of_range",
    ]  # fmt: skip


def test_globals_are_told_before_other_constructors() -> None:
    text = with_ids("""
@table = global [10 x i32] zeroinitializer
@elsewhere = external global i32
@section = global i32 0, section "linked"
define i32 @f(i64 %n) {
  %p = getelementptr [10 x i32], ptr @table, i64 0, i64 %n
  %v = load i32, ptr %p
  ret i32 %v
}""")
    check(text, "ptr @provenance.module_ctor, section \".init_array.0\"")
    made = body(text, "provenance.module_ctor")
    assert "ptr @table, i64 40" in made
    assert "@elsewhere" not in made and "@section" not in made
    assert ids_in(text, "f") == [
        "__irsan_prov_of_global", "__irsan_bounds_of_id", "__irsan_prov_show",
    ]  # fmt: skip


def test_each_object_begins_a_group_of_eight_bytes() -> None:
    text = with_ids("""
@small = global i8 1, align 1
@large = global [4 x i64] zeroinitializer, align 32
@listed = global i8 1, section "listed", align 1
""")
    check(text, "@small = global i8 1, align 8", "@large =", "align 32", "@listed =", "align 1")


def test_inline_variables_are_objects_and_other_names_lead_to_them() -> None:
    text = with_ids("""
$inline = comdat any
@inline = linkonce_odr global [4 x i32] zeroinitializer, comdat
@dropped = internal global i32 0, comdat($inline)
@same = alias [4 x i32], ptr @inline
define i32 @f(i64 %n) {
  %p = getelementptr [4 x i32], ptr @same, i64 0, i64 %n
  %v = load i32, ptr %p
  ret i32 %v
}""")
    made = body(text, "provenance.module_ctor")
    assert "ptr @inline, i64 16" in made and "@dropped" not in made
    check(body(text, "f"), "@__irsan_prov_of_global(ptr @same)", "@__irsan_bounds_of_id(ptr %p")
