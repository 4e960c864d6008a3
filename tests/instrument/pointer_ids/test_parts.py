"""Ids of the pointers inside of structures, arrays and vectors."""

from __future__ import annotations

import pytest

from irsan.instrument.pointer_ids import calls
from irsan.instrument.pointer_ids.parts import MAX_PARTS, Path, pointer_paths
from irsan.ir.types import TypeContext
from irsan.runtime.records.memory import provenance_records
from tests.instrument.checked_ir import body, check
from tests.instrument.pointer_ids.test_pointer_ids import ids_in, with_ids


def test_paths_of_types() -> None:
    types = TypeContext()
    pointer, word = types.ptr(), types.i64
    pair = types.struct([word, pointer])
    wanted: dict[object, tuple[Path, ...]] = {
        word: (), pointer: (), pair: ((1,),), types.ptr(1): (),
        types.struct([pair, types.array(pointer, 2)]): ((0, 1), (1, 0), (1, 1)),
        types.vector(pointer, 3): ((0,), (1,), (2,)),
        types.vector(pointer, 2, scalable=True): (), types.array(word, MAX_PARTS + 1): (),
        types.array(pair, MAX_PARTS + 1): (),
        types.struct([types.array(word, 1000), pointer, types.array(types.struct([]), 0)]): ((1,),),
        types.struct([pointer, types.array(pointer, 0)]): ((0,),),
        types.struct([pointer, types.array(pointer, MAX_PARTS)]): (),
    }  # fmt: skip
    for kind, paths in wanted.items():
        assert pointer_paths(kind) == paths  # type: ignore[arg-type]


def test_a_result_of_two_pointers_brings_both_ids() -> None:
    text = with_ids("""
define { ptr, ptr } @both(ptr %p, ptr %q) {
  %a = insertvalue { ptr, ptr } poison, ptr %p, 0
  %b = insertvalue { ptr, ptr } %a, ptr %q, 1
  ret { ptr, ptr } %b
}
define i32 @f(ptr %p, ptr %q) {
  %r = call { ptr, ptr } @both(ptr %p, ptr %q)
  %second = extractvalue { ptr, ptr } %r, 1
  %v = load i32, ptr %second
  ret i32 %v
}""")
    check(
        body(text, "both"),
        "extractvalue { ptr, ptr } %b, 0", "@__irsan_prov_pass(i64 4096,",
        "extractvalue { ptr, ptr } %b, 1", "@__irsan_prov_pass(i64 4097,",
        "getelementptr i8, ptr @both, i64 1", "@__irsan_prov_call(", "ret { ptr, ptr }",
    )  # fmt: skip
    check(
        body(text, "f"),
        "call { ptr, ptr } @both", "getelementptr i8, ptr @both, i64 1",
        "@__irsan_prov_take(i64 4096,", "= call i64 @__irsan_prov_take(i64 4097,",
        "@__irsan_prov_taken()", "@__irsan_bounds_of_id(ptr %second,",
    )  # fmt: skip


def test_places_for_pointers_are_enough() -> None:
    assert calls.MAX_PASSED + MAX_PARTS <= provenance_records.N_PASSED


def test_a_structure_that_is_an_argument_brings_the_ids_of_its_pointers() -> None:
    text = with_ids("""
define i32 @f(i32 %n, { ptr, i64, ptr } %s, ptr %p) {
  %second = extractvalue { ptr, i64, ptr } %s, 2
  %v = load i32, ptr %second
  ret i32 %v
}
define i32 @g(ptr %p, ptr %q) {
  %a = insertvalue { ptr, i64, ptr } poison, ptr %p, 0
  %b = insertvalue { ptr, i64, ptr } %a, ptr %q, 2
  %v = call i32 @f(i32 1, { ptr, i64, ptr } %b, ptr %q)
  ret i32 %v
}""")
    check(
        body(text, "f"),
        "extractvalue { ptr, i64, ptr } %s, 0", "@__irsan_prov_take(i64 0,",
        "extractvalue { ptr, i64, ptr } %s, 2", "= call i64 @__irsan_prov_take(i64 1,",
        "@__irsan_prov_take(i64 2, ptr %p", "@__irsan_bounds_of_id(ptr %second,",
    )  # fmt: skip
    check(
        body(text, "g"),
        "extractvalue { ptr, i64, ptr } %b, 0", "@__irsan_prov_pass(i64 0,",
        "extractvalue { ptr, i64, ptr } %b, 2", "@__irsan_prov_pass(i64 1,",
        "@__irsan_prov_pass(i64 2, ptr %q", "@__irsan_prov_call(ptr @f)",
    )  # fmt: skip


def test_an_argument_that_is_a_copy_is_an_object_with_the_pointers_of_the_copied() -> None:
    text = with_ids("""
define i32 @f(ptr byval({ ptr, [4 x i64] }) %s, i64 %n) {
  %at = getelementptr i64, ptr %s, i64 %n
  %v = load i32, ptr %at
  ret i32 %v
}
define i32 @g(ptr %p) {
  %v = call i32 @f(ptr byval({ ptr, [4 x i64] }) %p, i64 1)
  ret i32 %v
}""")
    check(
        body(text, "f"),
        "@__irsan_prov_stack(ptr %s, i64 40,",
        "@__irsan_prov_take_copy(i64 0, ptr %s, ptr @f, i64 40)",
        "@__irsan_prov_taken()", "@__irsan_bounds_of_id(ptr %at", "@__irsan_prov_end(",
    )  # fmt: skip
    check(
        body(text, "g"),
        "@__irsan_bounds_of_id(ptr %p", "@__irsan_prov_pass(i64 0, ptr %p",
        "@__irsan_prov_call(ptr @f)", "call i32 @f(",
    )  # fmt: skip


def test_a_structure_in_memory_keeps_the_slots_of_its_pointers() -> None:
    text = with_ids("""
define void @f(ptr %from, ptr %to) {
  %v = load { i64, ptr }, ptr %from
  store { i64, ptr } %v, ptr %to
  ret void
}""")
    check(
        body(text, "f"),
        "load { i64, ptr }", "getelementptr { i64, ptr }, ptr %from, i32 0, i32 1",
        "@__irsan_prov_load(", "store { i64, ptr }", "@__irsan_prov_wipe_range(ptr %to, i64 16)",
        "getelementptr { i64, ptr }, ptr %to, i32 0, i32 1", "@__irsan_prov_store(",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("made", "checked"),
    [
        ("%e = extractelement <2 x ptr> %v, i32 1", True),
        ("%w = shufflevector <2 x ptr> %v, <2 x ptr> poison, <2 x i32> <i32 1, i32 1>\n"
         "  %e = extractelement <2 x ptr> %w, i64 0", True),
        ("%w = getelementptr i32, <2 x ptr> %v, i64 1\n"
         "  %e = extractelement <2 x ptr> %w, i32 1", True),
        ("%w = insertelement <2 x ptr> %v, ptr null, i32 1\n"
         "  %e = extractelement <2 x ptr> %w, i32 1", False),
        ("%w = insertelement <2 x ptr> %v, ptr null, i32 %n\n"
         "  %e = extractelement <2 x ptr> %w, i32 1", True),
        ("%e = extractelement <2 x ptr> %v, i32 %n", True),
        ("%w = insertelement <2 x ptr> zeroinitializer, ptr null, i32 %n\n"
         "  %e = extractelement <2 x ptr> %w, i32 %n", False),
        ("%w = select <2 x i1> %c, <2 x ptr> %v, <2 x ptr> zeroinitializer\n"
         "  %e = extractelement <2 x ptr> %w, i32 1", True),
    ],
)  # fmt: skip
def test_lanes_of_vectors(made: str, checked: bool) -> None:
    text = with_ids(f"""
define i32 @f(ptr %p, ptr %q, i32 %n, <2 x i1> %c) {{
  %u = insertelement <2 x ptr> poison, ptr %q, i32 0
  %v = insertelement <2 x ptr> %u, ptr %p, i32 1
  {made}
  %r = load i32, ptr %e
  ret i32 %r
}}""")
    assert ("__irsan_bounds_of_id" in ids_in(text, "f")) is checked


def test_a_loop_carries_the_ids_of_a_structure() -> None:
    text = with_ids("""
define i32 @f({ ptr, i64 } %s, i1 %c) {
entry:
  %n = load { ptr, i64 }, ptr null
  br label %loop
loop:
  %at = phi { ptr, i64 } [ %n, %entry ], [ %at, %loop ]
  %p = extractvalue { ptr, i64 } %at, 0
  %v = load i32, ptr %p
  br i1 %c, label %done, label %loop
done:
  ret i32 %v
}""")
    check(body(text, "f"), "loop:", "phi i64", "@__irsan_bounds_of_id(ptr %p, i64")


def test_lanes_that_become_numbers_are_exposed() -> None:
    text = with_ids("""
define <2 x i64> @f(ptr %from) {
  %v = load <2 x ptr>, ptr %from
  %n = ptrtoint <2 x ptr> %v to <2 x i64>
  ret <2 x i64> %n
}""")
    assert ids_in(text, "f").count("__irsan_prov_expose_pointer") == 2


@pytest.mark.parametrize("n_over", [0, 1])
def test_pointers_in_parameters_behind_the_last_place_are_not_followed(n_over: int) -> None:
    last = calls.MAX_PASSED - 1 + n_over
    named = ", ".join(f"ptr %p{number}" for number in range(last + 1))
    given = ", ".join(["ptr %p"] * (last + 1))
    text = with_ids(f"""
define i32 @f({named}) {{
  %v = load i32, ptr %p{last}
  ret i32 %v
}}
define i32 @g(ptr %p) {{
  %v = call i32 @f({given})
  ret i32 %v
}}""")
    assert ids_in(text, "f").count("__irsan_prov_take") == calls.MAX_PASSED
    assert ids_in(text, "f").count("__irsan_bounds_of_id") == 1 - n_over
    assert ids_in(text, "g").count("__irsan_prov_pass") == calls.MAX_PASSED
