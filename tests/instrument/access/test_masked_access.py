"""Masked vector accesses: the enabled lanes are checked, no others."""

from __future__ import annotations

import ctypes

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.instrument.checked_ir import body, check, checks_in, instrumented, native

LOAD = """
declare <4 x float> @llvm.masked.load.v4f32.p0(ptr, <4 x i1>, <4 x float>)
define <4 x float> @f(ptr %p, <4 x i1> %m) {{
  %v = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 16 %p, <4 x i1> {mask}, \
<4 x float> poison)
  ret <4 x float> %v
}}
"""


def test_a_constant_mask_is_unrolled() -> None:
    text = instrumented(LOAD.format(mask="<i1 1, i1 0, i1 0, i1 1>"))
    assert checks_in(text, "f") == ["__asan_load4", "__tsan_read4"] * 2
    check(body(text, "f"), "i64 0", "@__asan_load4", "i64 3", "@__asan_load4", "masked.load")


@pytest.mark.parametrize(
    ("mask", "lanes"), [("splat (i1 true)", 4), ("zeroinitializer", 0), ("splat (i1 false)", 0)]
)
def test_uniform_masks(mask: str, lanes: int) -> None:
    text = instrumented(LOAD.format(mask=mask), "address")
    assert checks_in(text, "f") == ["__asan_load4"] * lanes


def test_an_unknown_mask_is_a_loop_over_its_bits() -> None:
    text = instrumented(LOAD.format(mask="%m"), "thread")
    assert checks_in(text, "f") == ["__tsan_read4"]
    check(body(text, "f"), "bitcast <4 x i1>", "cttz.i4", "@__tsan_read4", "br i1", "masked.load")


def test_rows_are_one_range() -> None:
    text = instrumented(
        "declare void @llvm.masked.compressstore.v8i64(<8 x i64>, ptr, <8 x i1>)\n"
        "define void @f(ptr %p, <8 x i1> %m, <8 x i64> %v) {\n"
        "  call void @llvm.masked.compressstore.v8i64(<8 x i64> %v, ptr %p, <8 x i1> %m)\n"
        "  ret void\n}"
    )
    check(body(text, "f"), "ctpop.i8", "mul i64", ", 8", "@__asan_storeN", "@__tsan_write_range")


def test_gathers_take_each_lane_from_the_vector() -> None:
    text = instrumented(
        "declare <2 x i64> @llvm.masked.gather.v2i64.v2p0(<2 x ptr>, <2 x i1>, <2 x i64>)\n"
        "define <2 x i64> @f(<2 x ptr> %p) {\n"
        "  %v = call <2 x i64> @llvm.masked.gather.v2i64.v2p0(<2 x ptr> align 8 %p, "
        "<2 x i1> splat (i1 true), <2 x i64> poison)\n  ret <2 x i64> %v\n}",
        "address",
    )
    check(
        body(text, "f"),
        "extractelement <2 x ptr> %p, i64 0", "@__asan_load8",
        "extractelement <2 x ptr> %p, i64 1", "@__asan_load8", "masked.gather",
    )  # fmt: skip


LOGGED = """
declare void @llvm.masked.store.v8i16.p0(<8 x i16>, ptr, <8 x i1>)
define void @f(ptr %p, ptr %bits) {
  %b = load i8, ptr %bits
  %m = bitcast i8 %b to <8 x i1>
  call void @llvm.masked.store.v8i16.p0(<8 x i16> splat (i16 7), ptr align 2 %p, <8 x i1> %m)
  ret void
}
"""
LOG = """
@log = global [32 x i64] zeroinitializer
@used = global i64 0
define void @__asan_load1(ptr %p) { ret void }
define void @__asan_init() { ret void }
define void @__asan_version_mismatch_check_v8() { ret void }
define void @__asan_store2(ptr %p) {
  %n = load i64, ptr @used
  %slot = getelementptr [32 x i64], ptr @log, i64 0, i64 %n
  store ptr %p, ptr %slot
  %more = add i64 %n, 1
  store i64 %more, ptr @used
  ret void
}
"""


@settings(max_examples=3, deadline=None)
@given(st.lists(st.integers(0, 255), min_size=1, max_size=256))
def test_the_loop_visits_exactly_the_enabled_lanes(masks: list[int]) -> None:
    import llvmlite.binding as llvm

    module = llvm.parse_assembly(instrumented(LOGGED, "address"))
    module.link_in(llvm.parse_assembly(LOG))
    with native(module) as address_of:
        store = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(address_of("f"))
        log = (ctypes.c_uint64 * 32).from_address(address_of("log"))
        used = ctypes.c_uint64.from_address(address_of("used"))
        for mask in masks:
            used.value = 0
            cells, bits = (ctypes.c_uint16 * 8)(), ctypes.c_uint8(mask)
            store(ctypes.addressof(cells), ctypes.addressof(bits))
            start = ctypes.addressof(cells)
            lanes = [lane for lane in range(8) if mask >> lane & 1]
            assert list(log[: used.value]) == [start + 2 * lane for lane in lanes]
            assert list(cells) == [7 if lane in lanes else 0 for lane in range(8)]
