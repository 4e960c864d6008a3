"""Small copies: which calls are inlined, and that nothing else of them changes."""

from __future__ import annotations

import pytest

from irsan.instrument.hooks import MAX_SMALL_BYTES
from tests.instrument.checked_ir import body, instrumented

COPIES = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @f(ptr %p, ptr %q, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 SIZE, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 SIZE, i1 false)
  call void @llvm.memset.p0.i64(ptr %p, i8 3, i64 SIZE, i1 false)
  ret void
}
"""


@pytest.mark.parametrize(
    ("sanitizers", "checks"),
    [("address", "address"), ("thread", "thread"), ("address,thread", "both")],
)
def test_few_bytes_are_checked_inline(sanitizers: str, checks: str) -> None:
    made = instrumented(COPIES.replace("SIZE", "24"), sanitizers, portable=False)
    text = body(made, "f")
    for word, second in (("memcpy", "ptr %q"), ("memmove", "ptr %q"), ("memset", "i32 ")):
        assert f"@__irsan_small_{word}_{checks}(ptr %p, {second}" in text
    assert text.count("i64 24)") == 3


@pytest.mark.parametrize("size", ["0", str(MAX_SMALL_BYTES + 1), "%n"])
def test_other_sizes_are_left_to_the_run_time(size: str) -> None:
    made = instrumented(COPIES.replace("SIZE", size), "address", portable=False)
    assert "__irsan_small" not in made


@pytest.mark.parametrize("sanitizers", ["address,memory", "address,provenance"])
def test_what_else_is_copied_is_not_left_out(sanitizers: str) -> None:
    made = instrumented(COPIES.replace("SIZE", "24"), sanitizers, portable=False)
    assert "__irsan_small" not in made
    assert "__asan_memcpy" in made


def test_portable_output_has_no_hooks_of_ours() -> None:
    made = instrumented(COPIES.replace("SIZE", "24"), "address", portable=True)
    assert "__irsan_small" not in made


ONE_SIDE = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @use(ptr)
define void @f(ptr %p) {
  %x = alloca [24 x i8], align 8
  call void @use(ptr %x)
  call void @llvm.memcpy.p0.p0.i64(ptr TO, ptr FROM, i64 24, i1 false)
  ret void
}
"""


@pytest.mark.parametrize(
    ("to", "source", "side"), [("%x", "%p", "from"), ("%p", "%x", "to"), ("%p", "%p", "")]
)
@pytest.mark.parametrize(
    ("sanitizers", "checks"), [("address", "address"), ("address,thread", "both")]
)
def test_a_variable_that_lives_is_not_looked_at(
    to: str, source: str, side: str, sanitizers: str, checks: str
) -> None:
    text = ONE_SIDE.replace("TO", to).replace("FROM", source)
    found = body(instrumented(text, sanitizers, portable=False), "f")
    name = f"@__irsan_small_memcpy_{checks}" + (f"_{side}" if side else "")
    assert name + "(" in found


def test_a_variable_whose_size_is_passed_is_looked_at() -> None:
    text = ONE_SIDE.replace("TO", "%x").replace("FROM", "%p").replace("i64 24", "i64 25")
    found = body(instrumented(text, "address", portable=False), "f")
    assert "@__irsan_small_memcpy_address(" in found


def test_races_have_no_sides() -> None:
    text = ONE_SIDE.replace("TO", "%x").replace("FROM", "%p")
    found = body(instrumented(text, "thread", portable=False), "f")
    assert "@__irsan_small_memcpy_thread(" in found
