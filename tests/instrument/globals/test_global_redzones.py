"""Padded globals keep their contents and addresses of members; descriptors say what they are."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.runtime.views.registered_globals import DESCRIPTOR_BYTES
from tests.instrument.checked_ir import check, instrumented, native
from tests.oracles.redzone_sizes import naive_padded_size

INITIAL = {
    "i8": ("7", b"\x07"),
    "i32": ("258", b"\x02\x01\0\0"),
    "[3 x i16]": ("[i16 1, i16 2, i16 3]", b"\1\0\2\0\3\0"),
    "{ i8, i32 }": ("{ i8 1, i32 2 }", b"\1\0\0\0\2\0\0\0"),
    "<{ i8, i32 }>": ("<{ i8 1, i32 2 }>", b"\1\2\0\0\0"),
    "[6 x i8]": ('c"hello\\00"', b"hello\0"),
    "[40 x i64]": ("zeroinitializer", bytes(320)),
}
HOOKS = """
define void @__asan_init() { ret void }
define void @__asan_version_mismatch_check_v8() { ret void }
define void @__asan_register_globals(ptr %t, i64 %n) {
  store ptr %t, ptr @seen.table
  store i64 %n, ptr @seen.count
  ret void
}
define void @__asan_unregister_globals(ptr %t, i64 %n) { ret void }
define void @start() { call void @asan.module_ctor() ret void }
@seen.table = global ptr null, no_sanitize_address
@seen.count = global i64 0, no_sanitize_address
"""


def words_at(address: int, count: int) -> list[int]:
    return list((ctypes.c_uint64 * count).from_address(address))


def run_constructor(module: Any) -> list[list[int]]:
    """The descriptors that a module registers when its constructor runs."""
    with native(module) as address_of:
        ctypes.CFUNCTYPE(None)(address_of("start"))()
        (table,), (count,) = (words_at(address_of(f"seen.{w}"), 1) for w in ("table", "count"))
        descriptors = [words_at(table + DESCRIPTOR_BYTES * i, 8) for i in range(count)]
        for row in descriptors:
            row[1:1] = [ctypes.string_at(row[0], row[2])]  # type: ignore[list-item]
            row[4] = ctypes.string_at(row[4])  # type: ignore[call-overload]
            row[5] = ctypes.string_at(row[5])  # type: ignore[call-overload]
        return descriptors


@settings(deadline=None, max_examples=40)
@given(st.lists(st.sampled_from(sorted(INITIAL)), min_size=1, max_size=6))
def test_objects_keep_their_bytes_and_their_descriptors_say_so(types: list[str]) -> None:
    import llvmlite.binding as llvm

    globals_ = "".join(f"@g{i} = global {t} {INITIAL[t][0]}\n" for i, t in enumerate(types))
    text = instrumented(globals_, "address").replace("declare void @__asan", "; @__asan")
    rows = run_constructor(llvm.parse_assembly(text + HOOKS))
    assert len(rows) == len(types)
    for number, (row, kind) in enumerate(zip(rows, types, strict=True)):
        raw = INITIAL[kind][1]
        address, contents, size_bytes, total_bytes, name = row[:5]
        assert (size_bytes, total_bytes) == (len(raw), naive_padded_size(len(raw)))
        assert contents == raw + bytes(total_bytes - size_bytes)  # type: ignore[comparison-overlap]
        assert name == f"g{number}".encode()  # type: ignore[comparison-overlap]
        assert address % 32 == 0


def test_uses_in_constants_and_aliases_stay_as_they_are() -> None:
    text = instrumented(
        "@a = global [4 x i32] zeroinitializer\n"
        "@p = global ptr getelementptr ([4 x i32], ptr @a, i64 0, i64 2)\n"
        "@other = alias [4 x i32], ptr @a\n"
        "define i32 @f() { %v = load i32, ptr @a ret i32 %v }",
        "address",
    )
    check(text, "@a = global { [4 x i32], [16 x i8] } zeroinitializer, no_sanitize_address")
    check(text, "@p = global { ptr, [24 x i8] } { ptr getelementptr (", "ptr @a, i64 ")
    check(text, "@other = alias [4 x i32], ptr @a")
    check(text, "load i32, ptr @a")


def test_an_access_behind_the_object_is_checked_although_the_block_is_longer() -> None:
    source = (
        "@a = global [4 x i32] zeroinitializer\n"
        "define i32 @f() { %v = load i32, ptr getelementptr (i8, ptr @a, i64 16) ret i32 %v }"
    )
    check(instrumented(source, "address"), "call void @__asan_load4(")


def test_a_comdat_keeps_its_descriptor() -> None:
    source = "$x = comdat any\n@x = linkonce_odr global i32 1, comdat\n"
    text = instrumented(source, "address", portable=False)
    check(text, "@__asan_global_x = private global", 'section "asan_globals", comdat($x)')
    check(text, "call void @__asan_register_elf_globals(")
    assert "asan_globals" not in instrumented(source, "address")


def test_the_constructor_registers_and_the_destructor_of_portable_output_takes_it_back() -> None:
    source = '@s = private unnamed_addr constant [3 x i8] c"hi\\00"\n'
    portable = instrumented(source, "address")
    check(portable, "@s = internal constant {")  # a symbol, and never merged
    check(portable, "@asan.module_ctor()", "@__asan_init()", "@__asan_register_globals(")
    check(portable, "@asan.module_dtor()", "@__asan_unregister_globals(")
    own = instrumented(source, "address", portable=False)
    check(own, "@s = private constant {")
    assert "module_dtor" not in own


@pytest.mark.parametrize("sanitizers", ["thread", ""])
def test_without_address_checks_globals_stay_small(sanitizers: str) -> None:
    assert "@x = global i32 5\n" in instrumented("@x = global i32 5\n", sanitizers)


def test_names_and_places_come_from_the_module() -> None:
    source = """
@x = global i32 0, !dbg !0
!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!6}
!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "x", scope: !2, file: !3, line: 12, type: !5, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, emissionKind: FullDebug, globals: !4)
!3 = !DIFile(filename: "a.c", directory: "/src")
!4 = !{!0}
!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!6 = !{i32 2, !"Debug Info Version", i32 3}
"""  # noqa: E501
    text = instrumented(source, "address")
    check(text, 'c"x\\00/src/a.c\\00"')
    check(text, "@___asan_gen_places = private constant [1 x { ptr, i32, i32 }]", "i32 12, i32 0")


