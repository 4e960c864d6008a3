"""ThreadSanitizer's own frames in portable output."""

from __future__ import annotations

from tests.instrument.checked_ir import body, check, instrumented


def portable(text: str) -> str:
    return body(instrumented(text, "thread"), "f")


def test_entry_and_exit() -> None:
    found = portable(
        "define i32 @f(ptr %p) {\n  %own = alloca i32\n  store i32 0, ptr %own\n"
        "  %v = load i32, ptr %p\n  ret i32 %v\n}"
    )
    check(
        found,
        "alloca", "%1 = call ptr @llvm.returnaddress(i32 0)", "@__tsan_func_entry(ptr %1)",
        "@__tsan_read4", "@__tsan_func_exit()", "ret i32",
    )  # fmt: skip


def test_a_leaf_without_hooks_has_none() -> None:
    assert "__tsan" not in portable("define i32 @f(i32 %x) { ret i32 %x }")


def test_address_alone_has_none() -> None:
    text = instrumented(
        "declare void @g()\ndefine void @f() { call void @g() ret void }", "address"
    )
    assert "__tsan" not in text


def test_calls_that_may_throw_leave_through_a_cleanup() -> None:
    found = portable("declare i32 @g(i32)\ndefine i32 @f(i32 %x) {\n"
        "  %r = call i32 @g(i32 %x)\n  ret i32 %r\n}")  # fmt: skip
    check(
        found,
        "personality ptr @__gcc_personality_v0", "@__tsan_func_entry",
        "%r = invoke i32 @g(i32 %x)", "unwind label %tsan_cleanup",
        "@__tsan_func_exit()", "ret i32 %r",
        "tsan_cleanup:", "landingpad", "cleanup", "@__tsan_func_exit()", "resume",
    )  # fmt: skip


def test_calls_that_never_throw_stay_calls() -> None:
    found = portable("declare void @g() nounwind\ndeclare void @h()\ndefine void @f() {\n"
        "  call void @g()\n  call void @h() nounwind\n  ret void\n}")  # fmt: skip
    assert "invoke" not in found
    found = portable("declare void @g()\ndefine void @f() nounwind { call void @g() ret void }")
    assert "invoke" not in found


def test_phis_behind_a_converted_call_name_the_new_block() -> None:
    check(
        portable(
            "declare i32 @g()\ndefine i32 @f(i1 %c) {\nentry:\n  br i1 %c, label %a, label %b\n"
            "a:\n  %r = call i32 @g()\n  br label %b\n"
            "b:\n  %v = phi i32 [ 0, %entry ], [ %r, %a ]\n  ret i32 %v\n}"
        ),
        "a:", "%r = invoke i32 @g()", "phi i32 [ 0, %entry ], [ %r, %",
    )  # fmt: skip


def test_exits_come_before_musttail_calls_and_existing_resumes() -> None:
    found = portable(
        "declare void @g()\ndefine void @f() {\n  musttail call void @g()\n  ret void\n}"
    )
    check(found, "@__tsan_func_exit()", "musttail call void @g()", "ret void")
    found = portable(
        "declare void @g()\ndeclare i32 @__gxx_personality_v0(...)\n"
        "define void @f() personality ptr @__gxx_personality_v0 {\n"
        "  invoke void @g() to label %done unwind label %pad\ndone:\n  ret void\npad:\n"
        "  %e = landingpad { ptr, i32 } cleanup\n  resume { ptr, i32 } %e\n}"
    )
    check(found, "pad:", "landingpad", "@__tsan_func_exit()", "resume")
