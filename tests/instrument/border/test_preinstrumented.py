"""IR that clang instrumented for AddressSanitizer, in its inline form."""

from __future__ import annotations

import pytest

from irsan.errors import UnsupportedError
from tests.instrument.checked_ir import body, check, instrumented

CHECKED_LOAD = """
declare void @__asan_report_load4(i64)
define i32 @f(ptr %p) sanitize_address {
entry:
  %a = ptrtoint ptr %p to i64
  %s = lshr i64 %a, 3
  %sa = add i64 %s, 2147450880
  %sp = inttoptr i64 %sa to ptr
  %sv = load i8, ptr %sp, align 1
  %bad = icmp ne i8 %sv, 0
  br i1 %bad, label %slow, label %fine
slow:
  %low = and i64 %a, 7
  %end = add i64 %low, 3
  %byte = trunc i64 %end to i8
  %worse = icmp sge i8 %byte, %sv
  br i1 %worse, label %report, label %fine
report:
  call void @__asan_report_load4(i64 %a)
  unreachable
fine:
  %v = load i32, ptr %p, align 4
  ret i32 %v
}
"""


def engine(text: str) -> str:
    return body(instrumented(text, "address", portable=False), "f")


def test_the_inline_test_becomes_a_call() -> None:
    found = engine(CHECKED_LOAD)
    check(found, "@__irsan_check_read4_address(ptr %", "icmp ne i8 0, 0", "%v = load i32, ptr %p")
    assert "load i8" not in found and "__asan_report" not in found
    assert found.count("@__irsan_check_") == 1


def test_portable_output_keeps_the_inline_form() -> None:
    found = body(instrumented(CHECKED_LOAD, "address"), "f")
    check(found, "load i8, ptr %sp", "@__asan_report_load4")


def test_sixteen_bytes_are_tested_without_a_slow_path() -> None:
    text = CHECKED_LOAD.replace("i8 %sv, 0", "i16 %sv, 0").replace("label %slow,", "label %report,")
    text = text.replace("load i8", "load i16").replace("_load4", "_store16")
    start, end = text.index("slow:"), text.index("report:")
    check(engine(text[:start] + text[end:]), "_check_write16_address", "icmp ne i16 0, 0")


ODD = """
declare void @__asan_report_load_n(i64, i64)
define void @f(ptr %p) sanitize_address {
entry:
  %a = ptrtoint ptr %p to i64
  %l = add i64 %a, 9
  %lp = inttoptr i64 %l to ptr
  %s = lshr i64 %a, 3
  %sa = add i64 %s, 2147450880
  %sp = inttoptr i64 %sa to ptr
  %sv = load i8, ptr %sp, align 1
  %bad = icmp ne i8 %sv, 0
  br i1 %bad, label %report, label %second
report:
  call void @__asan_report_load_n(i64 %a, i64 10)
  unreachable
second:
  %la = ptrtoint ptr %lp to i64
  %s2 = lshr i64 %la, 3
  %sa2 = add i64 %s2, 2147450880
  %sp2 = inttoptr i64 %sa2 to ptr
  %sv2 = load i8, ptr %sp2, align 1
  %bad2 = icmp ne i8 %sv2, 0
  br i1 %bad2, label %report2, label %fine
report2:
  call void @__asan_report_load_n(i64 %la, i64 10)
  unreachable
fine:
  ret void
}
"""


def test_both_ends_of_an_odd_access_become_one_range() -> None:
    found = engine(ODD)
    assert found.count("@__asan_loadN") == 1
    check(found, "inttoptr i64 %a to ptr", "@__asan_loadN(ptr %", ", i64 10)", "second:")
    assert "load i8" not in found


POISONING = """
declare void @__asan_init()
define void @f() sanitize_address {{
  %m = alloca i8, i64 96, align 32
  %a = ptrtoint ptr %m to i64
  %s = lshr i64 %a, 3
  %sa = add i64 %s, 2147450880
  %at = add i64 %sa, 4
  %sp = inttoptr i64 %at to ptr
  store {stored}, ptr %sp, align 1
  ret void
}}
"""


def test_shadow_stores_move_to_the_engines_shadow() -> None:
    found = engine(POISONING.format(stored="i32 -217779727"))
    check(
        found,
        "load i64, ptr @__asan_shadow_memory_dynamic_address", "!nosanitize",
        "ptrtoint ptr %sp to i64", ", -2147450880", "inttoptr i64 %",
        "store i32 -217779727, ptr %", "align 1, !nosanitize",
    )  # fmt: skip
    assert "store i32 -217779727, ptr %sp" not in found


def test_without_address_checks_nothing_of_them_is_left() -> None:
    loads = body(instrumented(CHECKED_LOAD, "thread", portable=False), "f")
    assert "@__asan" not in loads
    check(loads, "icmp ne i8 0, 0", "@__irsan_check_read4_thread")
    stores = body(instrumented(POISONING.format(stored="i8 -8"), "thread", portable=False), "f")
    assert "store" not in stores


CALLED = """
declare void @__asan_load4(i64)
declare void @__asan_storeN_noabort(i64, i64)
define i32 @f(ptr %p) sanitize_address {
  %a = ptrtoint ptr %p to i64
  call void @__asan_load4(i64 %a)
  call void @__asan_storeN_noabort(i64 %a, i64 3)
  %v = load i32, ptr %p, align 4
  ret i32 %v
}
"""


def test_called_checks_get_pointers() -> None:
    text = instrumented(CALLED, "address", portable=False)
    read = "@__irsan_check_read4_address(ptr %"
    check(body(text, "f"), read, "@__asan_storeN_noabort(ptr %", ", i64 3)")
    check(text, "declare void @__asan_storeN_noabort(ptr, i64)")


PAD = """
declare void @__asan_init()
declare void @__asan_load4(i64)
declare i32 @__gxx_personality_v0(...)
declare void @g()
define void @f() sanitize_address personality ptr @__gxx_personality_v0 {
  invoke void @g() to label %fine unwind label %pad
fine:
  ret void
pad:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}
"""


def test_landing_pads_clear_the_stack_below() -> None:
    check(engine(PAD), "landingpad", "cleanup", "call void @__irsan_unwound()", "resume")


def test_a_mapping_chosen_at_run_time_is_refused() -> None:
    text = "@__asan_shadow_memory_dynamic_address = external global i64\n" + CHECKED_LOAD
    with pytest.raises(UnsupportedError, match="asan-force-dynamic-shadow"):
        engine(text)


def test_a_shadow_load_that_leads_nowhere_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="call-threshold=0"):
        engine(
            "declare void @__asan_init()\n"
            + CHECKED_LOAD.replace("call void @__asan_report_load4(i64 %a)", "")
        )
