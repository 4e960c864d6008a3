"""Numbers that are pointers all the time, and those that expose; atomic operations."""

from __future__ import annotations

from tests.instrument.checked_ir import body, check
from tests.instrument.pointer_ids.test_pointer_ids import ids_in, with_ids


def test_a_number_that_is_handed_on_keeps_its_id() -> None:
    text = with_ids("""
define i64 @f(ptr %place, i64 %new) {
entry:
  %first = load atomic i64, ptr %place acquire, align 8
  br label %loop
loop:
  %old = phi i64 [ %first, %entry ], [ %seen, %loop ]
  %is.null = icmp eq i64 %old, 0
  %pair = cmpxchg ptr %place, i64 %old, i64 %new seq_cst monotonic
  %seen = extractvalue { i64, i1 } %pair, 0
  %done = extractvalue { i64, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  %p = inttoptr i64 %old to ptr
  %v = load i64, ptr %p
  ret i64 %v
}""")
    check(body(text, "f"), "phi i64", "phi i64", "@__irsan_bounds_of_id(ptr %p, i64")
    assert "__irsan_prov_from_int" not in ids_in(text, "f")
    assert ids_in(text, "f").count("__irsan_prov_expose") == 1  # %v is a number


def test_a_number_that_is_calculated_with_exposes() -> None:
    text = with_ids("""
define i64 @f(ptr %place, i64 %new) {
entry:
  %first = load atomic i64, ptr %place acquire, align 8
  br label %loop
loop:
  %old = phi i64 [ %first, %entry ], [ %tag, %loop ]
  %tag = or i64 %old, 1
  %pair = cmpxchg ptr %place, i64 %old, i64 %new seq_cst monotonic
  %done = extractvalue { i64, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  %p = inttoptr i64 %old to ptr
  %v = load i64, ptr %p
  ret i64 %v
}""")
    assert ids_in(text, "f").count("__irsan_prov_expose") == 2
    assert "__irsan_prov_from_int" in ids_in(text, "f")


def test_an_atomic_store_has_its_slot_written_before_it() -> None:
    text = with_ids("""
define void @f(ptr %place, ptr %p) {
  store atomic ptr %p, ptr %place release, align 8
  store ptr %p, ptr %place
  ret void
}""")
    check(
        body(text, "f"),
        "@__irsan_prov_store(", "store atomic ptr %p", "store ptr %p", "@__irsan_prov_store(",
    )  # fmt: skip


def test_exchanges_hand_ids_over() -> None:
    text = with_ids("""
define ptr @f(ptr %place, ptr %p) {
  %old = atomicrmw xchg ptr %place, ptr %p seq_cst
  %sum = atomicrmw add ptr %place, i64 1 seq_cst
  %wide = atomicrmw xchg ptr %place, i128 1 seq_cst
  ret ptr %old
}""")
    names = [name for name in ids_in(text, "f") if "bounds" not in name]
    assert names[3:] == [
        "__irsan_prov_load", "__irsan_prov_store", "__irsan_prov_load", "__irsan_prov_store",
        "__irsan_prov_load", "__irsan_prov_expose", "__irsan_prov_load", "__irsan_prov_expose",
        "__irsan_prov_wipe_range", "__irsan_prov_return",
    ]  # fmt: skip
