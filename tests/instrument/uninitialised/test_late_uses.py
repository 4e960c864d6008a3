"""Loads that ask at once whether native code has written what they read."""

from __future__ import annotations

import re

import pytest

from tests.support.shadow_runs import instrumented

HEAD = """
declare void @other()
declare i32 @llvm.smax.i32(i32, i32)
define i32 @f(ptr %p, ptr %q, i1 %way) {
entry:
"""


def asks(body: str) -> int:
    """How many loads of the function ask."""
    text = instrumented(HEAD + body + "\n}")
    return len(re.findall(r"call preserve_mostcc void @__irsan_bits_shown", text))


@pytest.mark.parametrize(
    "body",
    [
        "%v = load i32, ptr %p  %c = icmp eq i32 %v, 0  br i1 %c, label %a, label %b\n"
        "a: ret i32 1\nb: ret i32 2",
        "%v = load i32, ptr %p  %w = add i32 %v, 1  store i32 %w, ptr %q  ret i32 0",
        "%v = load i32, ptr %p  call void @other()  ret i32 0",
        "%v = load i32, ptr %p  %w = call i32 @llvm.smax.i32(i32 %v, i32 3)\n"
        "store i32 %w, ptr %q  ret i32 0",
        "store i32 0, ptr %q  %v = load i32, ptr %p  store i32 %v, ptr %q  ret i32 0",
        "%v = load i32, ptr %p  br i1 %way, label %a, label %b\n"
        "a: store i32 %v, ptr %q  ret i32 1\nb: ret i32 2",
        "%v = load i32, ptr %p  br i1 %way, label %a, label %b\n"
        "a: store i32 %v, ptr %q  ret i32 1\nb: store i32 %v, ptr %q  ret i32 2",
    ],
)
def test_what_is_used_at_once_asks_nothing(body: str) -> None:
    assert asks(body.replace("  ", "\n")) == 0


@pytest.mark.parametrize(
    "body",
    [
        "%v = load i32, ptr %p  call void @other()  ret i32 %v",
        "%v = load i32, ptr %p  ret i32 %v",  # its caller uses it
        "%v = load i32, ptr %p  store i32 0, ptr %p  ret i32 %v",
        "%v = load i32, ptr %p  %w = add i32 %v, 1  store i32 %w, ptr %p  ret i32 0",
        "%v = load i32, ptr %p  %w = add i32 %v, 1  call void @other()\n"
        "%x = mul i32 %w, 3  ret i32 %x",
        "%v = load i32, ptr %p  br i1 %way, label %a, label %b\na: ret i32 %v\nb: ret i32 2",
        "%v = load i32, ptr %p  br i1 %way, label %a, label %b\na: br label %b\n"
        "b: %x = phi i32 [ %v, %entry ], [ 0, %a ]  ret i32 %x",
        "%v = load i32, ptr %p  fence seq_cst  store i32 %v, ptr %q  ret i32 0",
        "%v = load i32, ptr %p  fence seq_cst  br i1 %way, label %a, label %b\n"
        "a: store i32 %v, ptr %q  ret i32 1\nb: ret i32 2",
        "%v = load i32, ptr %p  br i1 %way, label %a, label %b\na: br label %b\n"
        "b: store i32 %v, ptr %q  ret i32 1",  # a way to it may have changed what is there
    ],
)
def test_what_is_used_late_asks(body: str) -> None:
    assert asks(body.replace("  ", "\n")) == 1


def test_every_load_of_a_sum_asks_when_the_sum_is_late() -> None:
    loads = "\n".join(f"%v{i} = load i32, ptr %p" for i in range(10))
    sums = "\n".join(f"%s{i + 1} = add i32 %s{i}, %v{i}" for i in range(10))
    start = "%s0 = add i32 0, 0"
    assert asks(f"{loads}\n{start}\n{sums}\ncall void @other()\nret i32 %s10") == 10


def test_a_use_says_that_all_its_loads_have_asked() -> None:
    late = "call void @other()\n%c = icmp ugt i32 %v, 7\nbr i1 %c, label %a, label %b\n"
    body = "%v = load i32, ptr %p\n{between}a:\nret i32 1\nb:\nret i32 2"
    asked = instrumented(HEAD + body.format(between=late) + "\n}")
    at_once = instrumented(HEAD + body.format(between=late.partition("\n")[2]) + "\n}")
    assert f"@__irsan_uninit_use(ptr %p, i64 {4 - (1 << 63)}, i32 0)" in asked
    assert "@__irsan_uninit_use(ptr %p, i64 4, i32 0)" in at_once
