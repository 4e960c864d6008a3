"""Frames, safepoints and sites: what only our engine gets."""

from __future__ import annotations

from irsan.instrument.sites.sites import SiteTable
from tests.instrument.access.test_memory_access import DEBUGGED
from tests.instrument.checked_ir import body, check, hooks_in, instrumented

BARE = 1 << 31


def engine(text: str, sites: SiteTable | None = None, tools: str = "thread") -> str:
    return instrumented(text, tools, portable=False, sites=sites)


def interpreted(text: str, tools: str = "thread") -> str:
    return instrumented(text, tools, portable=False, keep_debug=True)


def test_portable_output_has_none_of_ours() -> None:
    text = instrumented("define void @f(ptr %p) { store i32 1, ptr %p ret void }")
    assert "__irsan_" not in text


def test_a_leaf_with_checks_alone_has_no_frame_and_its_sites_say_so() -> None:
    text = engine("define void @f(ptr %p) { store i32 1, ptr %p ret void }")
    assert hooks_in(body(text, "f")) == ["__irsan_check_write4_thread"]
    assert f"(ptr %p, i32 {1 - BARE})" in body(text, "f")


def test_checks_in_a_loop_have_a_frame() -> None:
    text = body(engine(LOOP), "f")
    check(text, "@__irsan_frame_entry", "@__irsan_check_read4_thread(ptr %p, i32 1)", "frame_exit")


def test_exact_bounds_make_the_frame_of_a_leaf() -> None:
    text = engine(
        "define i8 @f(i64 %i) {\n  %a = alloca [4 x i8]\n"
        "  %p = getelementptr i8, ptr %a, i64 %i\n  %v = load i8, ptr %p\n  ret i8 %v\n}",
        tools="address,object-bounds",
    )
    assert "frame_entry" not in body(text, "f")
    check(body(text, "f"), "@__irsan_bounds_check(", f", i32 {1 - BARE})")
    assert "!dbg" not in text


UNSET = """
define i32 @f(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %v = load i32, ptr %p
  %more = icmp sgt i32 %v, 3
  br i1 %more, label %loop, label %end
end:
  ret i32 1
}
"""


def test_uses_of_values_make_the_frame_of_a_leaf_with_loops_too() -> None:
    found = body(engine(UNSET, tools="memory"), "f")
    assert "frame_entry" not in found
    check(found, "@__irsan_uninit_use(", f", i32 {1 - BARE})")
    assert "frame_entry" in body(interpreted(UNSET, "memory"), "f")


def test_a_leaf_that_stores_the_site_of_a_division_has_a_frame() -> None:
    text = UNSET.replace("ret i32 1", "%q = udiv i32 7, %n\n  ret i32 %q")
    assert "frame_entry" in body(engine(text, tools="memory"), "f")


def test_under_the_interpreter_a_leaf_with_checks_has_a_frame() -> None:
    text = interpreted("define void @f(ptr %p) { store i32 1, ptr %p ret void }")
    assert hooks_in(body(text, "f")) == [
        "__irsan_frame_entry", "__irsan_check_write4_thread", "__irsan_frame_exit",
    ]  # fmt: skip


def test_a_leaf_without_hooks_has_nothing() -> None:
    text = engine("define i32 @f(i32 %x) { %y = add i32 %x, 1 ret i32 %y }")
    assert hooks_in(body(text, "f")) == []


def test_a_caller_has_frame_and_safepoint() -> None:
    text = engine("declare void @g()\ndefine void @f() { call void @g() ret void }")
    check(
        body(text, "f"),
        "@__irsan_frame_entry", "@__irsan_safepoint", "@__irsan_site(i32 1)", "call void @g()",
        "@__irsan_frame_exit", "ret void",
    )  # fmt: skip


def test_every_return_and_resume_leaves_the_frame() -> None:
    text = engine(
        "declare void @g()\ndeclare i32 @__gxx_personality_v0(...)\n"
        "define void @f(i1 %c) personality ptr @__gxx_personality_v0 {\n"
        "  br i1 %c, label %call, label %out\nout:\n  ret void\ncall:\n"
        "  invoke void @g() to label %done unwind label %pad\ndone:\n  ret void\npad:\n"
        "  %e = landingpad { ptr, i32 } cleanup\n  call void @g()\n  resume { ptr, i32 } %e\n}"
    )
    found = body(text, "f")
    assert found.count("@__irsan_frame_exit") == 3
    check(
        found,
        "%2 = call i64 @__irsan_frame_depth()", "pad:", "landingpad",
        "@__irsan_frame_restore(i64 %2)", "@__irsan_site", "call void @g()",
        "@__irsan_frame_exit", "resume",
    )  # fmt: skip


def test_no_depth_is_kept_where_nothing_arrives() -> None:
    text = engine("declare void @g()\ndefine void @f() { call void @g() ret void }")
    assert "__irsan_frame_depth" not in body(text, "f")


def test_functions_that_return_twice_are_repaired() -> None:
    text = engine(
        "declare i32 @setjmp(ptr) returns_twice\ndefine i32 @f(ptr %b) {\n"
        "  %r = call i32 @setjmp(ptr %b)\n  ret i32 %r\n}"
    )
    check(body(text, "f"), "frame_depth", "@setjmp", "@__irsan_frame_restore", "frame_exit")


def test_a_musttail_call_comes_behind_the_exit_and_keeps_the_site() -> None:
    text = engine(
        "declare i32 @g(i32)\ndefine i32 @f(i32 %x) {\n"
        "  %r = musttail call i32 @g(i32 %x)\n  ret i32 %r\n}"
    )
    check(body(text, "f"), "@__irsan_frame_exit(i64 %1)", "musttail call", "ret i32")
    assert "__irsan_site" not in body(text, "f")


def test_the_frame_of_threadsanitizer_is_kept() -> None:
    text = engine(
        "declare void @__tsan_func_entry(ptr)\ndeclare void @__tsan_func_exit()\n"
        "declare void @g()\ndefine void @f() {\n  call void @__tsan_func_entry(ptr null)\n"
        "  call void @g()\n  call void @__tsan_func_exit()\n  ret void\n}"
    )
    assert "__irsan_frame_entry" not in body(text, "f")
    check(body(text, "f"), "@__irsan_site(i32 1)", "@g()")


LOOP = """
define void @f(ptr %p) {
entry:
  br label %loop
loop:
  %v = load volatile i32, ptr %p
  %c = icmp eq i32 %v, 0
  br i1 %c, label %loop, label %end
end:
  ret void
}
"""


def test_a_loop_has_a_safepoint_at_its_end() -> None:
    found = body(engine(LOOP), "f")
    check(found, "loop:", "icmp", "@__irsan_safepoint", "br i1 %c")
    assert found.count("@__irsan_safepoint") == 1


def test_hooks_of_one_place_are_told_once() -> None:
    text = interpreted(DEBUGGED)
    assert body(text, "f").count("__irsan_site") == 1
    check(body(text, "f"), "@__irsan_site(i32 1)", "@__irsan_check_read4_thread", "load")


def test_an_access_that_may_trap_has_the_site_of_its_check_as_its_line() -> None:
    text = engine(DEBUGGED)
    check(text, f"@__irsan_check_read4_thread(ptr %p, i32 {1 - BARE})", "load i32, ptr %p", "!dbg")
    check(text, "!DILocation(line: 1, column: 2")


def test_a_checked_access_takes_its_site_along() -> None:
    text = instrumented(DEBUGGED, portable=False)
    check(body(text, "f"), f"@__irsan_check_read4_both(ptr %p, i32 {1 - BARE})", "load")
    assert "__irsan_site" not in body(text, "f") and "!dbg" not in body(text, "f")


WRITE = "define void @f(ptr %p) { store i8 1, ptr %p ret void }"


def test_a_write_has_a_line_as_memory_may_be_constant() -> None:
    text = engine(WRITE, tools="address,thread")
    check(body(text, "f"), "@__irsan_check_write1_both(ptr %p,", "store i8 1, ptr %p, align 1, !d")
    text = interpreted(WRITE, "address,thread")
    check(body(text, "f"), "@__irsan_site(i32 1)", "@__irsan_check_write1_both(ptr %p, i32 1)")


TRAPS = """
declare void @llvm.trap()
define i32 @f(i32 %x, i32 %y) {
  %a = udiv i32 %x, 7
  %b = sdiv i32 %a, %y
  ret i32 %b
}
define void @g() {
  call void @llvm.trap()
  unreachable
}
"""


def test_what_may_trap_has_a_line_and_no_frame() -> None:
    text = engine(TRAPS)
    check(text, "udiv i32 %x, 7\n", "sdiv i32 %a, %y, !dbg", "@llvm.trap(), !dbg")
    check(text, "!DILocation(line: 1, column: 2", "!DILocation(line: 2, column: 2")
    assert "frame_entry" not in text and "__irsan_site" not in text


def test_calls_of_functions_with_lines_have_a_line() -> None:
    caller = "define void @g(ptr %p) { call void @f(ptr %p) store i8 1, ptr %p ret void }"
    text = engine(WRITE + caller)
    check(body(text, "g"), "@__irsan_site(i32", "call void @f(ptr %p), !dbg", "store i8 1", "!dbg")
    check(text, "column: 1")


def test_under_the_interpreter_what_may_trap_tells_its_site_and_has_a_frame() -> None:
    text = interpreted(TRAPS)
    check(
        body(text, "f"),
        "frame_entry", "udiv", "@__irsan_site(i32 1)", 'asm sideeffect "", "=r,0"(i32 %y)', "sdiv",
        'asm sideeffect "", "r"(i32 %b)', "frame_exit",
    )  # fmt: skip
    check(body(text, "g"), "@__irsan_site(i32 2)", "@llvm.trap()")
    assert body(text, "f").count("__irsan_site") == 1


def test_a_hook_behind_a_call_is_told_again() -> None:
    text = interpreted(
        "declare void @g()\ndefine void @f(ptr %p) {\n  store i32 1, ptr %p\n  call void @g()\n"
        "  store i32 1, ptr %p\n  ret void\n}"
    )
    write = "@__irsan_check_write4_thread"
    check(body(text, "f"), "@__irsan_site", write, "@g()", "@__irsan_site", write)
    assert body(text, "f").count("@__irsan_site(i32 1)") == 2


def test_intrinsics_and_barriers_need_no_site() -> None:
    text = engine(
        "declare i64 @llvm.ctpop.i64(i64)\ndefine i64 @f(i64 %x) {\n"
        '  call void asm sideeffect "", "~{memory}"()\n  %y = call i64 @llvm.ctpop.i64(i64 %x)\n'
        "  ret i64 %y\n}"
    )
    assert "__irsan" not in body(text, "f")


def test_untouched_functions_stay_untouched() -> None:
    for attribute in ("naked", "disable_sanitizer_instrumentation"):
        text = engine(
            f"declare void @g()\ndefine void @f() {attribute} {{ call void @g() unreachable }}"
        )
        assert "__irsan" not in body(text, "f") and "__tsan" not in body(text, "f")


INLINED = """
declare void @g()
define void @f() !dbg !4 {
  call void @g(), !dbg !9
  ret void, !dbg !8
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "./a.c", directory: "/src/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", linkageName: "_Z1fv", scope: !1, file: !1, line: 1, \
type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = distinct !DISubprogram(name: "inner", scope: !1, file: !10, line: 7, type: !5, unit: !0, \
spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 3, column: 5, scope: !4)
!9 = distinct !DILocation(line: 9, column: 2, scope: !11, inlinedAt: !8)
!10 = !DIFile(filename: "/include/b.h", directory: "/src")
!11 = distinct !DILexicalBlock(scope: !7, file: !10, line: 8, column: 1)
"""


def test_a_site_knows_the_chain_of_inlined_calls() -> None:
    sites = SiteTable()
    engine(INLINED, sites)
    assert sites.site_to_frames(1) == (("inner", "/include/b.h", 9, 2), ("_Z1fv", "/src/a.c", 3, 5))


def test_a_site_without_debug_info_names_the_function() -> None:
    sites = SiteTable()
    engine("define void @f(ptr %p) { store i32 1, ptr %p ret void }", sites)
    assert sites.site_to_frames(1) == (("f", "", 0, 0),)


def test_debug_info_is_gone_from_what_the_engine_compiles() -> None:
    text = instrumented(INLINED, portable=False)
    assert "!dbg" not in text and "DISubprogram" not in text and "Debug Info" not in text
    assert "!dbg" in instrumented(INLINED, portable=False, keep_debug=True)


def test_modules_of_one_program_share_a_table() -> None:
    sites = SiteTable()
    source = "declare void @g() define void @f() { call void @g() ret void }"
    engine(source, sites)
    check(engine(source, sites), "@__irsan_site(i32 2)")
    assert len(sites) == 2
