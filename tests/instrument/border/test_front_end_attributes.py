"""What clang leaves behind when it only marks: taken back, and nothing else touched."""

from __future__ import annotations

import pytest

from irsan.instrument.border.front_end_attributes import FrontEndMarks
from irsan.instrument.frames.stack_names import stack_names
from irsan.ir.reading import parse_ir_text
from tests.instrument.checked_ir import LAYOUT, body, check, checks_in, instrumented

HEAD = """
declare ptr @__asan_memset(ptr, i32, i64)
declare ptr @__asan_memcpy(ptr, ptr, i64)
declare void @__asan_handle_no_return()
declare void @__asan_load4(i64)
declare void @__asan_report_load4(i64)
declare void @abort() noreturn
declare void @work()
"""


def test_copies_and_fills_are_intrinsics_again() -> None:
    text = HEAD + (
        "define void @f(ptr %p, ptr %q, i8 %b) sanitize_address {\n"
        "%v = zext i8 %b to i32\n"
        "%1 = call ptr @__asan_memset(ptr %p, i32 %v, i64 8)\n"
        "%2 = call ptr @__asan_memset(ptr %p, i32 255, i64 8)\n"
        "%3 = call ptr @__asan_memcpy(ptr %p, ptr %q, i64 8)\nret void\n}"
    )
    found = body(instrumented(text, "nothing"), "f")
    check(found, "@llvm.memset.p0.i64(ptr %p, i8 %b, i64 8, i1 false)", "i8 -1, i64 8")
    check(found, "@llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 8, i1 false)")


def test_what_is_known_of_variables_stays() -> None:
    module = parse_ir_text(
        LAYOUT + HEAD + "define void @f(ptr %p) sanitize_address !dbg !4 {\n"
        "#dbg_declare(ptr %p, !7, !DIExpression(), !8)\n"
        "%1 = call ptr @__asan_memset(ptr %p, i32 0, i64 8), !dbg !8\nret void, !dbg !8\n}\n"
        "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!2}\n"
        '!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)\n'
        '!1 = !DIFile(filename: "a.c", directory: "/")\n'
        '!2 = !{i32 2, !"Debug Info Version", i32 3}\n'
        '!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !5, unit: !0,'
        " spFlags: DISPFlagDefinition)\n!5 = !DISubroutineType(types: !6)\n!6 = !{null}\n"
        '!7 = !DILocalVariable(name: "set", scope: !4, file: !1, line: 4)\n'
        "!8 = !DILocation(line: 4, column: 1, scope: !4)\n"
    )
    FrontEndMarks(frozenset()).apply(module)
    function = module.function_by_name("f")
    assert function is not None
    names = stack_names(function, function.arguments)
    assert [(one.text, one.line) for one in names.values()] == [("set", 4)]


def test_they_get_hooks_for_races_too() -> None:
    text = HEAD + (
        "define void @f(ptr %p, i64 %n) sanitize_address {\n"
        "%1 = call ptr @__asan_memset(ptr %p, i32 0, i64 %n)\nret void\n}"
    )
    assert checks_in(instrumented(text, "thread"), "f") == ["__tsan_memset"]


def test_only_the_notice_of_a_call_that_ends_is_dropped() -> None:
    text = HEAD + (
        "define void @f() sanitize_address {\n"
        "call void @__asan_handle_no_return()\ncall void @work()\n"
        "call void @__asan_handle_no_return()\ncall void @abort()\nunreachable\n}"
    )
    found = body(instrumented(text, "nothing"), "f")
    assert found.count("@__asan_handle_no_return") == 1
    check(found, "@__asan_handle_no_return()", "@work()", "@abort()")


def test_declarations_that_nobody_calls_do_not_make_a_module_instrumented() -> None:
    text = HEAD + "define i32 @f(ptr %p) sanitize_address {\n%v = load i32, ptr %p\nret i32 %v\n}"
    found = instrumented(text, "address")
    assert checks_in(found, "f") == ["__asan_load4"]
    assert "__asan_report" not in found


@pytest.mark.parametrize("mark", ["", "sanitize_address"])
def test_functions_without_the_mark_are_not_checked(mark: str) -> None:
    text = HEAD + (
        "define i32 @g(ptr %p) sanitize_address {\n%v = load i32, ptr %p\nret i32 %v\n}\n"
        f"define i32 @f(ptr %p) {mark} {{\n%v = load i32, ptr %p\nret i32 %v\n}}"
    )
    assert checks_in(instrumented(text, "address"), "f") == (["__asan_load4"] if mark else [])


def test_what_clang_has_instrumented_in_earnest_stays() -> None:
    text = HEAD + (
        "declare void @__asan_init()\ndefine internal void @asan.module_ctor() {\n"
        "call void @__asan_init()\nret void\n}\n"
        "define void @f(ptr %p) {\n"
        "%1 = call ptr @__asan_memset(ptr %p, i32 0, i64 9)\nret void\n}"
    )
    check(body(instrumented(text, "address"), "f"), "@__asan_memset(ptr %p")


STARTED = """
@llvm.used = appending global [2 x ptr] [ptr @tsan.module_ctor, ptr @kept], section "llvm.metadata"
@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [
  { i32, ptr, ptr } { i32 0, ptr @tsan.module_ctor, ptr null },
  { i32, ptr, ptr } { i32 9, ptr @kept, ptr null }]
declare void @__tsan_init()
define internal void @tsan.module_ctor() { call void @__tsan_init() ret void }
define internal void @kept() { ret void }
"""
ONLY_STARTED = """
@llvm.used = appending global [1 x ptr] [ptr @tsan.module_ctor], section "llvm.metadata"
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [
  { i32, ptr, ptr } { i32 0, ptr @tsan.module_ctor, ptr null }]
declare void @__tsan_init()
define internal void @tsan.module_ctor() { call void @__tsan_init() ret void }
"""
MARKED = "define void @f(ptr %p) sanitize_thread { store i32 1, ptr %p ret void }"


def test_the_start_of_the_race_detector_that_clang_put_in_goes() -> None:
    found = instrumented(STARTED + MARKED, "nothing", marked="thread")
    assert "tsan.module_ctor" not in found
    check(found, "@llvm.used = appending global [1 x ptr] [ptr @kept]")
    check(found, "@llvm.global_ctors", "[1 x { i32, ptr, ptr }]", "i32 9, ptr @kept")
    alone = instrumented(ONLY_STARTED + MARKED, "nothing", marked="thread")
    assert "llvm.used" not in alone and "llvm.global_ctors" not in alone


def test_marked_functions_get_our_checks_and_one_start() -> None:
    found = instrumented(STARTED + MARKED, "thread", marked="thread")
    assert checks_in(found, "f") == ["__tsan_write4"]
    assert found.count("call void @__tsan_init()") == 1


def test_a_start_in_ir_of_others_stays() -> None:
    found = instrumented(STARTED + MARKED, "thread")
    assert checks_in(found, "f") == []
    check(found, "[2 x ptr] [ptr @tsan.module_ctor, ptr @kept]")
