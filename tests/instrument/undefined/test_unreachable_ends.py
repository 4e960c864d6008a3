"""Where a handler's call stands in front of `unreachable`, and where none is needed."""

from __future__ import annotations

import pytest

from irsan.instrument.passes import find_pass
from irsan.instrument.undefined.unreachable_ends import UnreachableEnds
from tests.instrument.checked_ir import instrumented

CALL = "call void @__ubsan_handle_builtin_unreachable(ptr @"
PRELUDE = "declare void @g()\ndeclare void @h(ptr)\n"


def ended(text: str, sanitizers: str = "address,thread", *, portable: bool = False) -> str:
    return instrumented(PRELUDE + text, sanitizers, portable=portable, keep_debug=True)


def test_the_pass_has_a_name() -> None:
    assert find_pass("unreachable_ends") is UnreachableEnds


@pytest.mark.parametrize("sanitizers", ["address", "thread", "memory", "undefined"])
@pytest.mark.parametrize(
    "text",
    [
        "define void @f() {\n  call void @g()\n  unreachable\n}",
        "define void @f(ptr %p) {\n  store i32 1, ptr %p\n  unreachable\n}",
        "define void @f() {\n  unreachable\n}",
    ],
)
def test_control_that_would_run_on_is_reported(text: str, sanitizers: str) -> None:
    assert ended(text, sanitizers).count(CALL) == 1


@pytest.mark.parametrize(
    "text",
    [
        # the call never returns
        "define void @f() {\n  call void @g() noreturn\n  unreachable\n}",
        "declare void @e() noreturn\ndefine void @f() {\n  call void @e()\n  unreachable\n}",
        # a case that there is not
        "define i32 @f(i32 %n) {\n  switch i32 %n, label %no [ i32 0, label %a ]\n"
        "a:\n  ret i32 0\nno:\n  unreachable\n}",
        # nobody may
        "define void @f() naked {\n  call void @g()\n  unreachable\n}",
    ],
)
def test_what_is_left_alone(text: str) -> None:
    assert CALL not in ended(text)


def test_native_run_times_need_no_handler() -> None:
    text = "define void @f() {\n  call void @g()\n  unreachable\n}"
    assert CALL not in ended(text, portable=True)


def test_a_check_of_the_compiler_is_enough() -> None:
    text = (
        "declare void @__ubsan_handle_missing_return(ptr)\n"
        "define void @f(ptr %p) {\n  call void @__ubsan_handle_missing_return(ptr %p)\n"
        "  unreachable\n}"
    )
    assert CALL not in ended(text)


@pytest.mark.parametrize(
    "own",
    [
        "define void @__ubsan_handle_builtin_unreachable(ptr %p) {\n  ret void\n}\n",
        "define void @own(ptr %p) {\n  ret void\n}\n"
        "@__ubsan_handle_builtin_unreachable = alias void (ptr), ptr @own\n",
    ],
)
@pytest.mark.parametrize("sanitizers", ["address", "undefined"])
def test_handlers_of_ones_own_stay(own: str, sanitizers: str) -> None:
    text = own + "define void @f() {\n  call void @g()\n  unreachable\n}"
    assert CALL not in ended(text, sanitizers)
