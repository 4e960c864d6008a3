"""Loads and stores: which hooks, and which accesses need none."""

from __future__ import annotations

import pytest

from tests.instrument.checked_ir import body, check, checks_in, instrumented

ACCESSES = [
    ("i8", 1, ["__asan_load1", "__tsan_read1"]),
    ("i1", 1, ["__asan_load1", "__tsan_read1"]),
    ("i16", 2, ["__asan_load2", "__tsan_read2"]),
    ("float", 4, ["__asan_load4", "__tsan_read4"]),
    ("ptr", 8, ["__asan_load8", "__tsan_read8"]),
    ("<4 x i32>", 16, ["__asan_load16", "__tsan_read16"]),
    ("i128", 16, ["__asan_load16", "__tsan_read16"]),
    ("i32", 1, ["__asan_loadN", "__tsan_unaligned_read4"]),
    ("i64", 4, ["__asan_loadN", "__tsan_unaligned_read8"]),
    ("i128", 8, ["__asan_load16", "__tsan_read16"]),
    ("i24", 4, ["__asan_loadN", "__tsan_read_range"]),
    ("x86_fp80", 16, ["__asan_loadN", "__tsan_read_range"]),
    ("<8 x i32>", 32, ["__asan_loadN", "__tsan_read_range"]),
    ("{ i32, i64 }", 8, ["__asan_load16", "__tsan_read16"]),
    ("{}", 1, []),
]


@pytest.mark.parametrize(("kind", "alignment", "hooks"), ACCESSES)
def test_hooks_of_a_load_follow_size_and_alignment(
    kind: str, alignment: int, hooks: list[str]
) -> None:
    text = instrumented(
        f"define {kind} @f(ptr %p) {{ %v = load {kind}, ptr %p, align {alignment} ret {kind} %v }}"
    )
    assert checks_in(text, "f") == hooks


@pytest.mark.parametrize(("kind", "alignment", "hooks"), ACCESSES)
def test_hooks_of_a_store_are_those_of_the_load(
    kind: str, alignment: int, hooks: list[str]
) -> None:
    text = instrumented(
        f"define void @f(ptr %p, {kind} %v) {{ "
        f"store {kind} %v, ptr %p, align {alignment} ret void }}"
    )
    expected = [name.replace("load", "store").replace("read", "write") for name in hooks]
    assert checks_in(text, "f") == expected


def test_ranges_say_their_size() -> None:
    text = instrumented("define x86_fp80 @f(ptr %p) { %v = load x86_fp80, ptr %p ret x86_fp80 %v }")
    check(
        body(text, "f"),
        "call void @__asan_loadN(ptr %p, i64 10)",
        "call void @__tsan_read_range(ptr %p, i64 10)",
        "%v = load x86_fp80",
    )


def test_a_scalable_vector_is_a_range_of_run_time_size() -> None:
    text = instrumented(
        "define void @f(ptr %p, <vscale x 4 x i32> %v) { "
        "store <vscale x 4 x i32> %v, ptr %p ret void }"
    )
    check(body(text, "f"), "@llvm.vscale.i64()", "mul i64", ", 16", "@__asan_storeN(ptr %p, i64 %")


def test_other_address_spaces_are_left_alone() -> None:
    text = instrumented(
        "define i32 @f(ptr addrspace(1) %p) { %v = load i32, ptr addrspace(1) %p ret i32 %v }"
    )
    assert checks_in(text, "f") == []


def test_swifterror_values_are_left_alone() -> None:
    text = instrumented(
        "define swiftcc void @f(ptr swifterror %e) {\n"
        "  %own = alloca swifterror ptr\n  store ptr null, ptr %own\n"
        "  store ptr null, ptr %e\n  ret void\n}"
    )
    assert checks_in(text, "f") == []


def test_constants_are_read_without_a_race_check() -> None:
    text = instrumented(
        "@table = constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]\n"
        "define i32 @f(i64 %i) { %p = getelementptr [4 x i32], ptr @table, i64 0, i64 %i "
        "%v = load i32, ptr %p ret i32 %v }"
    )
    assert checks_in(text, "f") == ["__asan_load4"]


@pytest.mark.parametrize(
    ("offset", "hooks"), [(0, []), (12, []), (13, ["__asan_load4"]), (-1, ["__asan_load4"])]
)
def test_constant_places_inside_globals_need_no_memory_check(offset: int, hooks: list[str]) -> None:
    text = instrumented(
        "@g = global [4 x i32] zeroinitializer\ndefine i32 @f() { "
        f"%v = load i32, ptr getelementptr (i8, ptr @g, i64 {offset}), align 4 ret i32 %v }}",
        "address",
    )
    assert checks_in(text, "f") == hooks


@pytest.mark.parametrize(
    "definition",
    [
        "@g = external global [4 x i32]",
        "@g = weak global [4 x i32] zeroinitializer",
        "@g = common global [4 x i32] zeroinitializer",
        "@g = global [4 x i32] zeroinitializer, sanitize_address_dyninit",
    ],
)
def test_objects_that_others_decide_about_are_checked(definition: str) -> None:
    text = instrumented(
        f"{definition}\ndefine i32 @f() {{ %v = load i32, ptr @g ret i32 %v }}", "address"
    )
    assert checks_in(text, "f") == ["__asan_load4"]


def test_private_stack_variables_need_nothing() -> None:
    text = instrumented(
        "define i32 @f(i32 %x) {\n  %a = alloca [4 x i32]\n"
        "  %p = getelementptr [4 x i32], ptr %a, i64 0, i64 3\n"
        "  store i32 %x, ptr %p\n  %v = load i32, ptr %p\n  ret i32 %v\n}"
    )
    assert checks_in(text, "f") == []


def test_a_variable_index_into_a_private_array_is_a_memory_check_only() -> None:
    text = instrumented(
        "define void @f(i64 %i) {\n  %a = alloca [4 x i32]\n"
        "  %p = getelementptr [4 x i32], ptr %a, i64 0, i64 %i\n"
        "  store i32 1, ptr %p\n  ret void\n}"
    )
    assert checks_in(text, "f") == ["__asan_store4"]


def test_a_stack_variable_that_escapes_is_a_race_check() -> None:
    text = instrumented(
        "declare void @g(ptr)\ndefine i32 @f() {\n  %a = alloca i32\n  call void @g(ptr %a)\n"
        "  %v = load i32, ptr %a\n  ret i32 %v\n}",
        "thread",
    )
    assert checks_in(text, "f") == ["__tsan_read4"]


def test_repeated_accesses_are_checked_once() -> None:
    text = instrumented(
        "define void @f(ptr %p) {\n  %a = load i32, ptr %p\n  %b = load i32, ptr %p\n"
        "  %q = getelementptr i8, ptr %p, i64 0\n  %c = load i16, ptr %q\n  ret void\n}"
    )
    assert checks_in(text, "f") == ["__asan_load4", "__tsan_read4"]


def test_a_read_is_dropped_when_a_write_follows() -> None:
    text = instrumented(
        "define void @f(ptr %p) {\n  %a = load i32, ptr %p\n  %b = add i32 %a, 1\n"
        "  store i32 %b, ptr %p\n  ret void\n}",
        "thread",
    )
    check(body(text, "f"), "load i32", "call void @__tsan_write4(ptr %p)", "store i32")
    assert checks_in(text, "f") == ["__tsan_write4"]


def test_a_wider_read_is_not_dropped_for_a_narrow_write() -> None:
    text = instrumented(
        "define void @f(ptr %p) {\n  %a = load i64, ptr %p\n  store i32 1, ptr %p\n  ret void\n}",
        "thread",
    )
    assert checks_in(text, "f") == ["__tsan_read8", "__tsan_write4"]


@pytest.mark.parametrize(
    ("between", "hooks"),
    [
        ("call void @g()", ["__tsan_read4", "__tsan_write4"]),
        ("call void @quiet()", ["__tsan_write4"]),
        ("fence seq_cst", ["__tsan_read4", "__tsan_atomic_thread_fence", "__tsan_write4"]),
        ("%x = call i64 @llvm.ctpop.i64(i64 5)", ["__tsan_write4"]),
    ],
)
def test_calls_and_fences_end_what_is_known(between: str, hooks: list[str]) -> None:
    text = instrumented(
        "declare void @g()\ndeclare void @quiet() nosync nofree\ndeclare i64 @llvm.ctpop.i64(i64)\n"
        f"define void @f(ptr %p) {{\n  %a = load i32, ptr %p\n  {between}\n"
        "  store i32 1, ptr %p\n  ret void\n}",
        "thread",
    )
    assert checks_in(text, "f") == hooks


@pytest.mark.parametrize(("at_entry", "n_checks"), [("load i32, ptr %p", 1), ("add i32 0, 0", 2)])
def test_where_ways_meet_what_all_of_them_have_checked_holds(at_entry: str, n_checks: int) -> None:
    text = instrumented(
        f"define void @f(ptr %p, i1 %c) {{\nentry:\n  %a = {at_entry}\n"
        "  br i1 %c, label %one, label %join\none:\n  %b = load i32, ptr %p\n  br label %join\n"
        "join:\n  %d = load i32, ptr %p\n  ret void\n}",
        "address",
    )
    assert checks_in(text, "f") == ["__asan_load4"] * n_checks


def test_where_a_loop_begins_nothing_holds() -> None:
    text = instrumented(
        "define void @f(ptr %p, i1 %c) {\nentry:\n  %a = load i32, ptr %p\n  br label %loop\n"
        "loop:\n  %b = load i32, ptr %p\n  br i1 %c, label %loop, label %end\nend:\n  ret void\n}",
        "address",
    )
    assert checks_in(text, "f") == ["__asan_load4", "__asan_load4"]


VTABLE = '!0 = !{!1, !1, i64 0}\n!1 = !{!"vtable pointer", !2, i64 0}\n!2 = !{!"root"}\n'


def test_virtual_table_pointers_have_hooks_of_their_own() -> None:
    text = instrumented(
        "define ptr @f(ptr %o, ptr %new) {\n  store ptr %new, ptr %o, !tbaa !0\n"
        "  %v = load ptr, ptr %o, !tbaa !0\n  %m = load ptr, ptr %v\n  ret ptr %m\n}\n" + VTABLE,
        "thread",
    )
    assert checks_in(text, "f") == ["__tsan_vptr_update", "__tsan_vptr_read"]
    check(body(text, "f"), "@__tsan_vptr_update(ptr %o, ptr %new)")


def test_nosanitize_metadata_is_respected() -> None:
    text = instrumented(
        "define i32 @f(ptr %p) { %v = load i32, ptr %p, !nosanitize !0 ret i32 %v }\n!0 = !{}\n"
    )
    assert checks_in(text, "f") == []


def test_debug_records_stay_in_front() -> None:
    text = instrumented(DEBUGGED, "thread")
    check(body(text, "f"), "#dbg_value", "@__tsan_read4", ", !dbg", "load i32")


DEBUGGED = """
define i32 @f(ptr %p) !dbg !4 {
    #dbg_value(ptr %p, !7, !DIExpression(), !8)
  %v = load i32, ptr %p, align 4, !dbg !8
  ret i32 %v, !dbg !8
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !5, unit: !0, \
spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocalVariable(name: "p", arg: 1, scope: !4, file: !1, line: 1)
!8 = !DILocation(line: 3, column: 5, scope: !4)
"""
