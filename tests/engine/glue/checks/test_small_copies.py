"""Small copies: which ones LLVM makes by itself, and which are left to the hook that is called."""

from __future__ import annotations

import pytest

from irsan.engine.glue.checks.small_copies import small_copies
from irsan.engine.glue.text import PROFILE_METADATA
from tests.support.jit import compile_text, linked_call

MAIN = """
@area = internal global [96 x i8] zeroinitializer, align 16
@n_called = internal global i32 0
define ptr @__asan_memcpy(ptr %to, ptr %from, i64 %n) {
  %before = load i32, ptr @n_called
  %now = add i32 %before, 1
  store i32 %now, ptr @n_called
  ret ptr %to
}
declare i64 @llvm.umin.i64(i64, i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define i32 @main() {
  %to = getelementptr i8, ptr @area, i64 TO
  %from = getelementptr i8, ptr @area, i64 FROM
  %copied = call ptr @__irsan_small_memcpy_address(ptr %to, ptr %from, i64 16)
  %n = load i32, ptr @n_called
  ret i32 %n
}
"""


def _definition() -> str:
    texts = small_copies().split("define ")
    [wanted] = [text for text in texts if text.startswith("ptr @__irsan_small_memcpy_address(")]
    return PROFILE_METADATA + "define " + wanted


@pytest.mark.parametrize(
    ("to", "source", "is_called"),
    [
        (0, 16, False),
        (16, 0, False),
        (32, 32, False),  # a structure that is assigned to itself
        (0, 15, True),
        (15, 0, True),
        (33, 32, True),
    ],
)
def test_the_hook_is_called_where_ranges_overlap(to: int, source: int, is_called: bool) -> None:
    text = MAIN.replace("TO", str(to)).replace("FROM", str(source)) + _definition()
    assert linked_call(compile_text(text)) == is_called
