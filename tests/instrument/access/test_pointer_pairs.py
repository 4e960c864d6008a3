"""Which comparisons and subtractions ask the run-time about their pointers."""

from __future__ import annotations

import pytest

from tests.instrument.checked_ir import body, check, hooks_in, instrumented

PAIRS = "address,pointer-pairs"


def asked(expression: str, sanitizers: str = PAIRS) -> list[str]:
    source = (
        "define i64 @f(ptr %p, ptr %q, i64 %n, <2 x ptr> %v) {\n"
        "%a = ptrtoint ptr %p to i64\n%b = ptrtoint ptr %q to i64\n%s = ptrtoint ptr %q to i32\n"
        f"%r = {expression}\nret i64 %n\n}}"
    )
    text = instrumented(source, sanitizers).replace("__sanitizer_", "__asan_sanitizer_")
    return [name.removeprefix("__asan_") for name in hooks_in(body(text, "f"))]


@pytest.mark.parametrize(
    "expression",
    ["icmp ult ptr %p, %q", "icmp sge ptr %p, %q", "icmp ugt i64 %a, %b", "icmp ule ptr %p, null"],
)
def test_orders_are_asked_about(expression: str) -> None:
    assert asked(expression) == ["sanitizer_ptr_cmp"]


def test_differences_are_asked_about() -> None:
    assert asked("sub i64 %a, %b") == ["sanitizer_ptr_sub"]


@pytest.mark.parametrize(
    "expression",
    ["icmp eq ptr %p, %q", "icmp ne i64 %a, %b", "icmp ult i64 %a, %n", "sub i64 %a, %n",
     "sub i64 %n, %n", "icmp ult <2 x ptr> %v, %v", "add i64 %a, %b"],
)  # fmt: skip
def test_other_operations_are_not(expression: str) -> None:
    assert asked(expression) == []


@pytest.mark.parametrize("sanitizers", ["address", "thread,pointer-pairs", "thread"])
def test_nothing_is_asked_unless_asked_for(sanitizers: str) -> None:
    assert "sanitizer_ptr_cmp" not in asked("icmp ult ptr %p, %q", sanitizers)


def test_both_addresses_are_passed_before_the_operation() -> None:
    source = "define i1 @f(ptr %p, ptr %q) { %r = icmp ult ptr %p, %q ret i1 %r }"
    text = body(instrumented(source, PAIRS), "f")
    check(text, "ptrtoint ptr %p", "ptrtoint ptr %q", "call void @__sanitizer_ptr_cmp(i64",
          "icmp ult ptr %p, %q")  # fmt: skip
