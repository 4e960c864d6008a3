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
    assert ids_in(text, "f").count("__irsan_prov_show") == 1  # %v is a number


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
    assert ids_in(text, "f").count("__irsan_prov_show") == 2
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
  %wide = atomicrmw add ptr %place, i128 1 seq_cst
  %more = add i128 %wide, 1
  ret ptr %old
}""")
    names = [name for name in ids_in(text, "f") if "bounds" not in name]
    assert names[3:] == [
        "__irsan_prov_load", "__irsan_prov_store", "__irsan_prov_load", "__irsan_prov_store",
        "__irsan_prov_load", "__irsan_prov_load", "__irsan_prov_expose", "__irsan_prov_expose",
        "__irsan_prov_wipe_range", "__irsan_prov_store", "__irsan_prov_store",
        "__irsan_prov_return",
    ]  # fmt: skip


def test_words_of_a_number_keep_their_ids_while_they_are_whole() -> None:
    text = with_ids("""
define ptr @f(ptr %place, ptr %p, i64 %count) {
  %seen = load atomic i128, ptr %place seq_cst, align 16
  %first = trunc i128 %seen to i64
  %top = inttoptr i64 %first to ptr
  %upper = lshr i128 %seen, 64
  %number = trunc i128 %upper to i64
  %next = add i64 %number, 1
  %begin = ptrtoint ptr %p to i64
  %low = zext i64 %begin to i128
  %wide = zext i64 %next to i128
  %high = shl nuw i128 %wide, 64
  %new = or disjoint i128 %high, %low
  %pair = cmpxchg ptr %place, i128 %seen, i128 %new seq_cst monotonic, align 16
  %done = extractvalue { i128, i1 } %pair, 1
  ret ptr %top
}""")
    names = [name.removeprefix("__irsan_prov_") for name in ids_in(text, "f")]
    assert [name for name in names if "bounds" not in name] == [
        "take", "take", "taken",
        "load", "load",      # both words of %seen
        "expose",            # %number, which is calculated with
        "expose_pointer",    # %begin, a cast
        "load", "load", "wipe_range", "store", "store", "return",
    ]  # fmt: skip


def test_words_that_are_split_expose() -> None:
    for line in ("lshr i128 %n, 8", "and i128 %n, 1", "add i128 %n, 1"):
        text = with_ids(f"""
define i128 @f(ptr %place) {{
  %n = load i128, ptr %place
  %m = {line}
  ret i128 %m
}}""")
        assert ids_in(text, "f")[-1] == "__irsan_prov_show_range"
    text = with_ids("""
define void @f(ptr %place) {
  %n = load <4 x i64>, ptr %place
  store <4 x i64> %n, ptr %place
  %m = load <4 x i64>, ptr %place
  %sum = add <4 x i64> %m, %m
  store <4 x i64> %sum, ptr %place
  ret void
}""")
    assert ids_in(text, "f").count("__irsan_prov_store") == 4
    assert ids_in(text, "f").count("__irsan_prov_show_range") == 1


def test_a_wide_number_is_cast_with_the_id_of_its_lowest_word() -> None:
    text = with_ids("""
define ptr @f(ptr %place) {
  %n = load i128, ptr %place
  %p = inttoptr i128 %n to ptr
  %sum = add i128 %n, %n
  %m = load i128, ptr %place
  %q = inttoptr i128 %m to ptr
  %r = select i1 true, ptr %p, ptr %q
  ret ptr %r
}""")
    names = [name.removeprefix("__irsan_prov_") for name in ids_in(text, "f")]
    assert [name for name in names if "bounds" not in name] == [
        "take", "taken", "show_range", "from_int", "load", "load", "return",
    ]  # fmt: skip
