"""Dynamic allocas: redzones around them, gone when the stack pointer goes back."""

from __future__ import annotations

import pytest

from tests.instrument.checked_ir import body, check, instrumented

G = "declare void @g(ptr)\n"
RESTORING = (
    "declare ptr @llvm.stacksave.p0()\ndeclare void @llvm.stackrestore.p0(ptr)\n"
    f"{G}define void @f(i64 %n) {{\n  %s = call ptr @llvm.stacksave.p0()\n"
    "  %a = alloca i32, i64 %n\n  call void @g(ptr %a)\n"
    "  call void @llvm.stackrestore.p0(ptr %s)\n  ret void\n}"
)


@pytest.mark.parametrize("is_portable", [True, False])
def test_redzones_around_a_variable_length_array(is_portable: bool) -> None:
    f = body(instrumented(RESTORING, "address", portable=is_portable), "f")
    check(
        f, "store i64 0, ptr", "mul i64 %n, 4", "alloca i8, i64", "align 32",
        "@__asan_alloca_poison(i64", "call void @g(",
        "@__asan_allocas_unpoison(i64", "@llvm.stackrestore", "@__asan_allocas_unpoison(i64", "ret",
    )  # fmt: skip


def test_an_alloca_in_a_loop_is_dynamic() -> None:
    text = instrumented(
        f"{G}define void @f(i1 %c) {{\n  br label %l\nl:\n  %a = alloca i64, align 64\n"
        "  call void @g(ptr %a)\n  br i1 %c, label %l, label %e\ne:\n  ret void\n}",
        "address",
    )
    check(body(text, "f"), "l:", "align 64", "@__asan_alloca_poison(i64", "e:", "unpoison", "ret")


def test_functions_that_call_setjmp_are_left_alone() -> None:
    text = instrumented(
        "declare i32 @setjmp(ptr) returns_twice\n"
        + RESTORING.replace("  call void @g(ptr %a)\n", "  %r = call i32 @setjmp(ptr %a)\n"),
        "address",
    )
    assert "alloca_poison" not in text


def test_without_address_checks_nothing_changes() -> None:
    assert "asan" not in instrumented(RESTORING, "thread")
