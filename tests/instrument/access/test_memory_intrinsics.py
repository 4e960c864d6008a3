"""Copies, fills and by-value arguments."""

from __future__ import annotations

import pytest

from tests.instrument.checked_ir import body, check, checks_in, instrumented

DECLARED = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i32(ptr, ptr, i32, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memset.inline.p0.i64(ptr, i8, i64 immarg, i1)
declare void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr, ptr, i64, i32)
declare void @llvm.memcpy.p1.p0.i64(ptr addrspace(1), ptr, i64, i1)
@constant = constant [16 x i8] zeroinitializer
define void @f(ptr %d, ptr %s, i64 %n, i8 %b, ptr addrspace(1) %one) {{
  %own = alloca [16 x i8]
  call void @llvm.{call}
  ret void
}}
"""


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("memcpy.p0.p0.i64(ptr %d, ptr %s, i64 %n, i1 false)",
         ["@__{}_memcpy(ptr %d, ptr %s, i64 %n)"]),
        ("memmove.p0.p0.i32(ptr %d, ptr %s, i32 5, i1 true)",
         ["@__{}_memmove(ptr %d, ptr %s, i64 5)"]),
        ("memset.p0.i64(ptr %d, i8 %b, i64 %n, i1 false)",
         ["zext i8 %b to i32", "@__{}_memset(ptr %d, i32 %"]),
        ("memcpy.element.unordered.atomic.p0.p0.i64(ptr align 4 %d, ptr align 4 %s, i64 8, i32 4)",
         ["@__{}_memcpy(ptr %d, ptr %s, i64 8)"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    ("sanitizers", "stem"), [("address,thread", "asan"), ("address", "asan"), ("thread", "tsan")]
)
def test_hooks_do_the_work(call: str, expected: list[str], sanitizers: str, stem: str) -> None:
    found = body(instrumented(DECLARED.format(call=call), sanitizers), "f")
    check(found, *[words.format(stem) for words in expected])
    assert "@llvm.mem" not in found


def test_a_small_inline_fill_is_checked_and_kept() -> None:
    call = "memset.inline.p0.i64(ptr %d, i8 0, i64 16, i1 false)"
    text = instrumented(DECLARED.format(call=call))
    assert checks_in(text, "f") == ["__asan_storeN", "__tsan_write16"] or checks_in(text, "f") == [
        "__asan_storeN",
        "__tsan_unaligned_write16",
    ]
    check(body(text, "f"), "@llvm.memset.inline")


@pytest.mark.parametrize(
    "call",
    [
        "memcpy.p0.p0.i64(ptr %own, ptr @constant, i64 16, i1 false)",
        "memset.p0.i64(ptr %own, i8 0, i64 16, i1 false)",
        "memcpy.p1.p0.i64(ptr addrspace(1) %one, ptr %s, i64 8, i1 false)",
    ],
)
def test_copies_that_need_no_check_stay(call: str) -> None:
    text = instrumented(DECLARED.format(call=call))
    assert checks_in(text, "f") == []
    assert "@llvm.mem" in body(text, "f")


def test_a_copy_past_the_end_of_a_variable_is_checked() -> None:
    call = "memset.p0.i64(ptr %own, i8 0, i64 17, i1 false)"
    assert checks_in(instrumented(DECLARED.format(call=call)), "f") == ["__asan_memset"]


def test_by_value_arguments_are_reads() -> None:
    text = instrumented(
        "%big = type { [5 x i64] }\ndeclare void @g(ptr byval(%big)) nounwind\n"
        "define void @f(ptr %p) { call void @g(ptr byval(%big) align 8 %p) ret void }"
    )
    check(
        body(text, "f"),
        "@__asan_loadN(ptr %p, i64 40)", "@__tsan_read_range(ptr %p, i64 40)", "call void @g",
    )  # fmt: skip


def test_by_value_arguments_of_invokes_too() -> None:
    text = instrumented(
        "declare void @g(ptr)\ndeclare i32 @__gxx_personality_v0(...)\n"
        "define void @f(ptr %p) personality ptr @__gxx_personality_v0 {\n"
        "  invoke void @g(ptr byval(i64) align 8 %p) to label %a unwind label %b\na:\n  ret void\n"
        "b:\n  %e = landingpad { ptr, i32 } cleanup\n  resume { ptr, i32 } %e\n}",
        "address",
    )
    check(body(text, "f"), "@__asan_load8(ptr %p)", "invoke void @g")
