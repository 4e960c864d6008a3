"""`llvm.objectsize` is answered while objects are as large as the program made them."""

from __future__ import annotations

import ctypes

import llvmlite.binding as llvm
import pytest

from irsan.instrument.analysis.objects.object_sizes import ObjectSizes
from irsan.ir.printing import print_module
from irsan.ir.reading import parse_ir_text
from tests.instrument.checked_ir import body, instrumented, native

DECLARED = """
@eleven = global [11 x i8] zeroinitializer
@weak = weak global [11 x i8] zeroinitializer
declare i64 @llvm.objectsize.i64.p0(ptr, i1 immarg, i1 immarg, i1 immarg)
declare i32 @llvm.objectsize.i32.p0(ptr, i1 immarg, i1 immarg, i1 immarg)
declare ptr @make(i32, i32) allocsize(0, 1)
"""
MOST, LEAST, ANY = "i1 false, i1 true, i1 false", "i1 true, i1 true, i1 false", "i1 0, i1 1, i1 1"
UNKNOWN = (1 << 64) - 1


def answer(lines: str, pointer: str, how: str, arguments: str = "") -> str:
    """The body of a function that asks for the size behind a pointer."""
    text = f"""{DECLARED}
define i64 @f({arguments}) {{
entry:
  {lines}
  %size = call i64 @llvm.objectsize.i64.p0(ptr {pointer}, {how})
  ret i64 %size
}}"""
    found = instrumented(text, "address", portable=False)
    assert "objectsize" not in body(found, "f")
    return body(found, "f")


TWO = "%a = alloca [5 x i8]\n%b = alloca i64\n"
CHOICE = f"{TWO} %p = select i1 %c, ptr %a, ptr %b"
INSIDE = "getelementptr (i8, ptr @eleven, i64 {})"


@pytest.mark.parametrize(
    ("lines", "pointer", "how", "size"),
    [
        (TWO, "%a", MOST, 5),
        (f"{TWO} %p = getelementptr i8, ptr %b, i64 3", "%p", MOST, 5),
        (f"{TWO} %p = getelementptr i8, ptr %b, i64 -1", "%p", MOST, 0),
        (CHOICE, "%p", MOST, 8),
        (CHOICE, "%p", LEAST, 5),
        ("", "@eleven", ANY, 11),
        ("", INSIDE.format(4), MOST, 7),
        ("", INSIDE.format(12), MOST, 0),
        ("", "@weak", MOST, UNKNOWN),
        ("", "%q", MOST, UNKNOWN),
        ("", "%q", LEAST, 0),
        ("", "%q", ANY, UNKNOWN),
        ("", "null", MOST, UNKNOWN),
        ("", "null", "i1 false, i1 false, i1 false", 0),
        ("%m = call ptr @make(i32 3, i32 4)", "%m", MOST, 12),
        ("%m = call ptr @make(i32 3, i32 %n)", "%m", MOST, UNKNOWN),
        ("%v = alloca i16, i32 %n", "%v", MOST, UNKNOWN),
    ],
)
def test_a_number_where_no_arithmetic_is_needed(
    lines: str, pointer: str, how: str, size: int
) -> None:
    found = answer(lines, pointer, how, "ptr %q, i1 %c, i32 %n")
    shown = size if size != UNKNOWN else -1
    assert f"ret i64 {shown}\n" in found


def test_a_shorter_result_is_cut() -> None:
    text = DECLARED + (
        "define i32 @f(ptr %p) {\n"
        f"  %n = call i32 @llvm.objectsize.i32.p0(ptr %p, {MOST})\n  ret i32 %n\n}}\n"
    )
    assert "ret i32 -1" in body(instrumented(text, "address"), "f")


ARITHMETIC = f"""
@eleven = global [11 x i8] zeroinitializer
declare i64 @llvm.objectsize.i64.p0(ptr, i1 immarg, i1 immarg, i1 immarg)
define i64 @variable(i32 %n, i64 %offset) {{
  %v = alloca i16, i32 %n
  %p = getelementptr i8, ptr %v, i64 %offset
  %size = call i64 @llvm.objectsize.i64.p0(ptr %p, {ANY})
  ret i64 %size
}}
define i64 @joined(i32 %n, i64 %offset) {{
entry:
  %v = alloca i16, i32 %n
  switch i64 %offset, label %other [ i64 1, label %join
                                     i64 2, label %join
                                     i64 3, label %long ]
other:
  br label %join
long:
  br label %join
join:
  %p = phi ptr [ @eleven, %entry ], [ @eleven, %entry ], [ %v, %other ], [ %late, %long ]
  %size = call i64 @llvm.objectsize.i64.p0(ptr %p, {ANY})
  ret i64 %size
}}
define i64 @looped(i32 %n, i64 %offset) {{
entry:
  %v = alloca i16, i32 %n
  br label %loop
loop:
  %p = phi ptr [ %v, %entry ], [ %next, %loop ]
  %i = phi i64 [ 0, %entry ], [ %more, %loop ]
  %next = getelementptr i8, ptr %p, i64 1
  %more = add i64 %i, 1
  %ends = icmp eq i64 %i, %offset
  br i1 %ends, label %done, label %loop
done:
  %size = call i64 @llvm.objectsize.i64.p0(ptr %p, {ANY})
  ret i64 %size
}}
""".replace("%late", "getelementptr (i8, ptr @eleven, i64 6)")


@pytest.mark.parametrize(
    ("name", "count", "offset", "size"),
    [
        ("variable", 5, 0, 10),
        ("variable", 5, 4, 6),
        ("variable", 5, 10, 0),
        ("variable", 5, 11, 0),
        ("variable", 5, -1, 0),
        ("joined", 7, 1, 11),
        ("joined", 7, 2, 11),
        ("joined", 7, 3, 5),
        ("joined", 7, 4, 14),
        ("looped", 6, 0, 12),
        ("looped", 6, 5, 7),
    ],
)
def test_arithmetic_where_it_is_allowed(name: str, count: int, offset: int, size: int) -> None:
    text = instrumented(ARITHMETIC, "none", portable=False)
    assert "objectsize" not in body(text, name)
    changed = parse_ir_text(ARITHMETIC)
    ObjectSizes().apply(changed)
    answers = [run(each, name, count, offset) for each in (print_module(changed), ARITHMETIC)]
    assert answers == [size, size]  # of ours, and of LLVM's code generator


def run(text: str, name: str, count: int, offset: int) -> int:
    """What a function of an IR text returns."""
    with native(llvm.parse_assembly(text)) as address_of:
        asked = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int32, ctypes.c_int64)
        return int(asked(address_of(name))(count, offset))
