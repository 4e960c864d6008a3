"""Which globals are marked as initialised by code, and when the run-time learns of it."""

from __future__ import annotations

from tests.instrument.checked_ir import body, check, instrumented

DEBUG = """
!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!6}
!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "x", scope: !2, file: !3, line: 4, type: !5, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !3, emissionKind: FullDebug, globals: !4)
!3 = !DIFile(filename: "a.cpp", directory: "/src")
!4 = !{!0, !7}
!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!6 = !{i32 2, !"Debug Info Version", i32 3}
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression())
!8 = distinct !DIGlobalVariable(name: "y", scope: !2, file: !3, line: 3, type: !5, isLocal: false, isDefinition: true)
!9 = distinct !DISubprogram(name: "__cxx_global_var_init", scope: !3, file: !3, type: !10, spFlags: DISPFlagDefinition, unit: !2)
!10 = !DISubroutineType(types: !11)
!11 = !{}
!12 = !DILocation(line: 4, column: 9, scope: !9)
!13 = !DILocation(line: 0, scope: !9)
!14 = distinct !DISubprogram(name: "other", scope: !3, file: !3, line: 4, type: !10, spFlags: DISPFlagDefinition, unit: !2)
!15 = !DILocation(line: 4, column: 1, scope: !14)
"""  # noqa: E501
MODULE = """
@x = global i32 0, !dbg !0
@y = global i32 0, !dbg !7
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @__cxx_global_var_init, ptr null }]
declare i32 @f(ptr)
define internal void @__cxx_global_var_init() !dbg !9 {
  %v = call i32 @f(ptr @y), !dbg !12
  store i32 %v, ptr @x, !dbg !13
  ret void, !dbg !12
}
define i32 @read() { %v = load i32, ptr @x %w = load i32, ptr @y %s = add i32 %v, %w ret i32 %s }
"""  # noqa: E501


def test_what_the_initialiser_stores_to_is_marked_and_what_it_reads_is_not() -> None:
    text = instrumented(MODULE + DEBUG, "address")
    check(text, "@x = global", "sanitize_address_dyninit")
    assert "dyninit" not in text.partition("@y = global")[2].partition("\n")[0]
    assert body(text, "read").count("__asan_load4") == 1  # of @x, although it is surely inside


def test_the_initialisers_run_between_two_calls() -> None:
    text = body(instrumented(MODULE + DEBUG, "address"), "__cxx_global_var_init")
    check(text, "@__asan_before_dynamic_init(ptr @___asan_gen_module)", "@f(",
          "@__asan_after_dynamic_init()", "ret void")  # fmt: skip


def test_a_call_at_the_line_of_a_definition_passes_its_address() -> None:
    source = MODULE.replace("store i32 %v, ptr @x, !dbg !13", "call i32 @f(ptr @x), !dbg !12")
    check(instrumented(source + DEBUG, "address"), "@x = global", "sanitize_address_dyninit")


def test_other_functions_and_constructors_of_c_mark_nothing() -> None:
    source = MODULE.replace("__cxx_global_var_init", "prepare").replace("!dbg !9", "!dbg !14")
    source = source.replace("!dbg !12", "!dbg !15").replace("!dbg !13", "!dbg !15")
    text = instrumented(source + DEBUG, "address")
    assert "dyninit" not in text and "dynamic_init" not in text


def test_early_constructors_are_not_told() -> None:
    early = MODULE.replace("i32 65535", "i32 1")
    assert "dynamic_init" not in instrumented(early + DEBUG, "address")
    assert "dynamic_init" not in instrumented(MODULE + DEBUG, "thread")


def test_marks_of_clang_are_kept() -> None:
    source = (
        "@x = global i32 0, sanitize_address_dyninit\n"
        "define i32 @f() { %v = load i32, ptr @x ret i32 %v }"
    )
    check(body(instrumented(source, "address"), "f"), "call void @__asan_load4(ptr @x)")
