"""Variable arguments: their places by the rules of x86-64, and the hooks that hand ids over."""

from __future__ import annotations

from irsan.instrument.pointer_ids import variadic
from irsan.instrument.pointer_ids.variadic import argument_places
from irsan.instrument.type_sizes import TypeSizes
from irsan.ir.attributes import Attribute, AttributeList
from irsan.ir.module import Module
from irsan.runtime import provenance_records
from tests.instrument.checked_ir import body, check
from tests.instrument.pointer_ids.test_pointer_ids import ids_in, with_ids


def test_places_of_arguments() -> None:
    module = Module()
    types = module.types
    pointer, word, real = types.ptr(), types.i64, types.double
    pair = types.struct([types.i8, pointer, types.i32])
    kinds = [
        pointer, real, types.i32, word, word, word, pointer, pointer, pair, types.x86_fp80,
        *[real] * 8, pointer, types.vector(word, 2), pointer, types.i128, pointer,
    ]  # fmt: skip
    attributes = AttributeList().with_parameter(8, [Attribute("byval", pair)])
    found = list(argument_places(kinds, attributes, TypeSizes(module)))
    assert [one.place for one in found] == [
        0, None, 1, 2, 3, 4, 5, 6, 7, None, *[None] * 8, 13, None, 16,
    ]  # fmt: skip
    assert [one.copied_bytes for one in found if one.copied_bytes] == [24]
    assert [one.stack_bytes for one in found][6:11] == [0, 8, 32, 48, 48]
    assert found[-1].stack_bytes == 88


def test_the_run_time_has_the_same_places() -> None:
    for name in ("FIRST_VARIADIC", "N_VARIADIC", "N_VARIADIC_REGISTERS"):
        assert getattr(variadic, name) == getattr(provenance_records, name)


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
        "@__irsan_prov_pass(i64 194, ptr %p",
        "@__irsan_prov_call_variadic(ptr @callee, i64 4, i64 0, i64 0)",
    )
    assert ids_in(text, "with_numbers") == []
