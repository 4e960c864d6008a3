"""Which variables move into a frame, what the frame does, and what is left alone."""

from __future__ import annotations

import pytest

from tests.instrument.checked_ir import body, check, instrumented

G = "declare void @g(ptr)\ndeclare void @keeps(ptr captures(none))\n"
ONE = f"{G}define void @f() {{\n  %a = alloca i64\n  call void @g(ptr %a)\n  ret void\n}}"
SHADOW_1 = ", 2147450880"


def engine(text: str) -> str:
    return instrumented(text, "address", portable=False)


def portable(text: str) -> str:
    return instrumented(text, "address")


def test_a_variable_that_cannot_be_misused_stays_an_alloca() -> None:
    text = engine(
        "define i32 @f(i32 %n) {\n  %a = alloca [4 x i32]\n"
        "  %p = getelementptr [4 x i32], ptr %a, i64 0, i64 3\n  store i32 %n, ptr %p\n"
        "  %v = load i32, ptr %p\n  ret i32 %v\n}"
    )
    assert "__asan_stack" not in text and SHADOW_1 not in text


def test_a_variable_index_takes_redzones_and_no_fake_frame() -> None:
    text = engine(
        "define i8 @f(i64 %n) {\n  %a = alloca [10 x i8]\n"
        "  %p = getelementptr i8, ptr %a, i64 %n\n  %v = load i8, ptr %p\n  ret i8 %v\n}"
    )
    assert "__asan_stack_malloc" not in text
    check(
        body(text, "f"),
        "alloca [64 x i8], align 16", "store i64 1102416563", SHADOW_1,
        "__irsan_check_read1_address", "store i64 0", "ret i8",
    )  # fmt: skip
    assert 'c"1 32 10 1 a\\00"' in text


@pytest.mark.parametrize(("callee", "is_fake"), [("g", True), ("keeps", False)])
def test_only_what_may_outlive_the_call_takes_a_fake_frame(callee: str, is_fake: bool) -> None:
    text = portable(
        f"{G}define void @f() {{\n  %a = alloca i64\n  call void @{callee}(ptr %a)\n  ret void\n}}"
    )
    assert ("call i64 @__asan_stack_malloc_0(i64 64)" in text) is is_fake
    assert "f1f1" not in text and "store i64" in body(text, "f")


def test_clangs_mapping_and_no_hook_of_ours_in_portable_output() -> None:
    text = portable(ONE)
    check(body(text, "f"), "lshr i64", "add i64", "2147450880", "store i64 1172321806")
    assert "__irsan_" not in text


def test_frames_of_many_variables_that_are_alike_copy_one_shadow() -> None:
    slots = "".join(f"  %a{i} = alloca [{5 + i % 3} x i8]\n" for i in range(80))
    calls = "".join(f"  call void @g(ptr %a{i})\n" for i in range(80))
    both = G + "".join(f"define void @{f}() {{\n{slots}{calls}  ret void\n}}\n" for f in "fh")
    text = engine(both)
    for name in "fh":
        check(body(text, name), "@__irsan_copy_shadow(i64 %", "ptr @__irsan_frame_shadow.0, i64")
    assert "__irsan_frame_shadow.1" not in text
    assert "__irsan_" not in portable(both)


def test_large_frames_are_released_by_a_call() -> None:
    source = ONE.replace("i64", "[COUNT x i8]")
    medium = source.replace("COUNT", "5000")
    assert "call void @__asan_stack_free_7(" in portable(medium)
    large = source.replace("COUNT", "100000")
    assert "__asan_stack_malloc" not in portable(large)
    assert "call i64 @__asan_stack_malloc_11(" in engine(large)


def test_a_function_that_calls_setjmp_has_no_fake_frame() -> None:
    text = engine(
        f"{G}declare i32 @setjmp(ptr) returns_twice\n"
        "define void @f() {\n  %a = alloca [200 x i8]\n  %r = call i32 @setjmp(ptr %a)\n"
        "  call void @g(ptr %a)\n  ret void\n}"
    )
    assert "__asan_stack_malloc" not in text and SHADOW_1 in text
    check(body(text, "f"), "@setjmp", "@llvm.stacksave", "__irsan_returned_twice(i64")


def test_every_exit_restores_the_shadow() -> None:
    text = engine(
        f"{G}define void @f(i1 %c) {{\n  %a = alloca i64\n  call void @g(ptr %a)\n"
        "  br i1 %c, label %x, label %y\nx:\n  ret void\ny:\n  musttail call void @f(i1 %c)\n"
        "  ret void\n}"
    )
    f = body(text, "f")
    assert f.count("store i64 -723401728380766731") == f.count("ret void") == 2
    assert f.index("musttail") > f.rindex("store i64 -7234017")


SCOPES = (
    "declare void @llvm.lifetime.start.p0(ptr)\ndeclare void @llvm.lifetime.end.p0(ptr)\n"
    f"{G}define void @f() {{\n  %a = alloca [16 x i8]\n  call void @g(ptr null)\n"
    "  call void @llvm.lifetime.start.p0(ptr %a)\n  call void @g(ptr %a)\n"
    "  call void @llvm.lifetime.end.p0(ptr %a)\n  call void @g(ptr null)\n  ret void\n}"
)


def test_lifetimes_poison_and_unpoison() -> None:
    f = body(engine(SCOPES), "f")
    # entry with f8, start: 2 bytes of 0, end: 2 bytes of f8
    check(f, "@g(ptr null)", "store i16 0", "@g(ptr", "store i16 -1800", "@g(ptr null)")
    assert "lifetime" not in f


def test_a_life_as_long_as_the_function_writes_nothing() -> None:
    short = SCOPES.replace("  call void @g(ptr null)\n", "")
    f = body(engine(short), "f")
    assert "store i16" not in f and "lifetime" not in f


def test_an_access_of_a_dead_variable_is_checked() -> None:
    text = engine(
        SCOPES.replace("  ret void\n}", "  store i8 1, ptr %a\n  ret void\n}")
    )
    check(body(text, "f"), "store i16 -1800", "__irsan_check_write1_address", "store i8 1")


def test_arguments_by_value_are_copied_when_they_can_be_misused() -> None:
    source = (
        "%t = type { [10 x i32] }\ndefine i32 @f(ptr byval(%t) align 8 %p, i64 %i) {\n"
        "  %e = getelementptr i32, ptr %p, i64 INDEX\n  %v = load i32, ptr %e\n  ret i32 %v\n}"
    )
    copied = body(engine(source.replace("INDEX", "%i")), "f")
    check(copied, "@llvm.memcpy.p0.p0.i64(", "ptr %p, i64 40", "__irsan_check_read4_address")
    plain = body(engine(source.replace("INDEX", "9")), "f")
    assert "memcpy" not in plain and "check_read4" not in plain


@pytest.mark.parametrize(
    "source",
    [
        "define void @f() {\n  %a = alloca inalloca i32\n  call void @g(ptr %a)\n  ret void\n}",
        ONE.removeprefix(G).replace("@f()", "@f() presplitcoroutine"),
        ONE.removeprefix(G).replace("@f()", "@f() naked"),
    ],
)
def test_what_cannot_be_moved_stays(source: str) -> None:
    assert "__asan_stack_malloc" not in engine(G + source)


def test_names_and_lines_come_from_debug_info() -> None:
    text = engine(
        f"{G}define void @f() !dbg !4 {{\n  %a = alloca i64\n"
        "    #dbg_declare(ptr %a, !7, !DIExpression(), !8)\n"
        "  call void @g(ptr %a), !dbg !8\n  ret void, !dbg !8\n}\n"
        "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!9}\n"
        "!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)\n"
        '!1 = !DIFile(filename: "a.c", directory: "/")\n'
        '!4 = distinct !DISubprogram(name: "f", file: !1, line: 3, type: !5, unit: !0)\n'
        "!5 = !DISubroutineType(types: !6)\n!6 = !{null}\n"
        '!7 = !DILocalVariable(name: "number", scope: !4, file: !1, line: 5)\n'
        "!8 = !DILocation(line: 6, column: 3, scope: !4)\n"
        '!9 = !{i32 2, !"Debug Info Version", i32 3}\n'
    )
    assert 'c"1 32 8 8 number:5\\00"' in text
