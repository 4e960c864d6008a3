"""Checks of undefined behaviour as text: where they stand, what they leave of flags and code."""

from __future__ import annotations

import pytest

from irsan.instrument.passes import find_pass
from irsan.instrument.undefined.undefined_checks import UndefinedChecks
from tests.instrument.checked_ir import instrumented


def checked(text: str, marked: str = "") -> str:
    return instrumented(text, "undefined", marked=marked)


def test_the_pass_has_a_name() -> None:
    assert find_pass("undefined_checks") is UndefinedChecks


def test_poison_is_told_in_front_and_wraps_afterwards() -> None:
    text = checked("define i32 @f(i32 %a) {\n  %b = add nsw i32 %a, 1\n  ret i32 %b\n}")
    lines = [line.strip() for line in text.splitlines()]
    assert any(line.startswith("br i1 ") and "!prof" in line for line in lines)
    assert any("call void @__ubsan_handle_add_overflow(ptr @" in line for line in lines)
    assert not any(" nsw " in line for line in lines)


def test_unused_poison_keeps_its_flags() -> None:
    text = checked("define void @f(i32 %a) {\n  %b = add nsw i32 %a, 1\n  ret void\n}")
    assert " nsw " in text
    assert "__ubsan" not in text


def test_variables_stay_in_front_of_checks() -> None:
    text = checked(
        "define i32 @f(ptr %p) {\n  %v = load i32, ptr %p, align 4\n  %a = alloca i32\n"
        "  store i32 %v, ptr %a\n  ret i32 %v\n}"
    )
    assert text.index("alloca i32") < text.index("br i1")


@pytest.mark.parametrize(
    "text",
    [
        # there are checks already
        "declare void @__ubsan_handle_missing_return(ptr)\n"
        "define i32 @f(i32 %a) {\n  %b = add nsw i32 %a, 1\n  ret i32 %b\n}",
        # nobody may
        "define i32 @f(i32 %a) disable_sanitizer_instrumentation {\n"
        "  %b = add nsw i32 %a, 1\n  ret i32 %b\n}",
        # this is a sanitizer's own
        "define i32 @f(ptr %p) {\n  %b = load i32, ptr %p, align 4, !nosanitize !0\n"
        "  ret i32 %b\n}\n!0 = !{}",
        # a call that never returns says so itself
        "declare void @exit(i32) noreturn\ndefine void @f() {\n  call void @exit(i32 0)\n"
        "  unreachable\n}",
    ],
)
def test_what_is_left_alone(text: str) -> None:
    assert "call void @__ubsan" not in checked(text)


def test_a_call_that_must_stay_in_front_of_its_return() -> None:
    text = checked(
        "declare noundef nonnull ptr @g()\ndefine noundef nonnull ptr @f() {\n"
        "  %p = musttail call noundef nonnull ptr @g()\n  ret ptr %p\n}"
    )
    assert "__ubsan" not in text


def test_what_the_compiler_has_checked_is_not_checked_again() -> None:
    text = "define i32 @f(i32 %a) {\n  %b = add nsw i32 %a, 1\n  ret i32 %b\n}"
    assert "__ubsan" not in checked(text, marked="undefined")
