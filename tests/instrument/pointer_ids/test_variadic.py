"""Variable arguments: their places by the rules of x86-64, and the hooks that hand ids over."""

from __future__ import annotations

from irsan.instrument.analysis.calls import argument_places
from irsan.instrument.pointer_ids import variadic
from irsan.runtime.records.memory import provenance_records
from tests.instrument.checked_ir import body, check
from tests.instrument.pointer_ids.test_pointer_ids import ids_in, with_ids


def test_the_run_time_has_the_same_places() -> None:
    assert variadic.MAX_VARIADIC == provenance_records.MAX_VARIADIC
    assert argument_places.N_INTEGERS == provenance_records.N_VARIADIC_REGISTERS


def test_ids_go_with_a_call_to_the_lists_of_the_callee() -> None:
    text = with_ids("""
declare void @llvm.va_start.p0(ptr)
define i64 @callee(i32 %n, ...) {
  %list = alloca [24 x i8], align 16
  call void @llvm.va_start.p0(ptr %list)
  %p = va_arg ptr %list, ptr
  %v = load i64, ptr %p
  ret i64 %v
}
define i64 @caller(ptr %p) {
  %v = call i64 (i32, ...) @callee(i32 1, i64 2, ptr %p)
  ret i64 %v
}
define i64 @with_numbers() {
  %v = call i64 (i32, ...) @callee(i32 1, i64 2, i64 3)
  ret i64 %v
}""")
    check(
        body(text, "callee"),
        "call void @llvm.va_start.p0(",
        "@__irsan_prov_take_variadic(ptr",
        "call void @llvm.va_start.p0(ptr %list)",
        "va_arg ptr %list, ptr",
        "@__irsan_prov_load(ptr",
        "@__irsan_bounds_of_id(ptr %p",
    )
    check(
        body(text, "caller"),
        "@__irsan_prov_pass_variadic(i64 0, i64 4, ptr %p",
        "@__irsan_prov_call_variadic(ptr @callee, i64 1, i64 0)",
    )
    assert ids_in(text, "with_numbers") == []


def test_further_variable_arguments_are_not_followed() -> None:
    given = ", ".join(["ptr %p"] * (variadic.MAX_VARIADIC + 1))
    text = with_ids(f"""
declare void @callee(...)
define void @caller(ptr %p) {{
  call void (...) @callee({given})
  ret void
}}""")
    passed = [name for name in ids_in(text, "caller") if name == "__irsan_prov_pass_variadic"]
    assert len(passed) == variadic.MAX_VARIADIC
    check(
        body(text, "caller"),
        f"@__irsan_prov_call_variadic(ptr @callee, i64 {variadic.MAX_VARIADIC}, ",
    )
