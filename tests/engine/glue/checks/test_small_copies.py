"""Small copies: which ones LLVM makes by itself, and which are left to the hook that is called."""

from __future__ import annotations

import pytest

from irsan.engine.glue.checks.small_copies import small_copies
from irsan.engine.glue.text import PROFILE_METADATA
from irsan.instrument.hooks import SHADOW_OFFSET
from tests.support.jit import compile_text, linked_call

SMALL = "__irsan_small_memcpy_address"
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

POISON = f"""
  %bad = getelementptr i8, ptr @area, i64 BAD
  %number = ptrtoint ptr %bad to i64
  %granule = lshr i64 %number, 3
  %at = add i64 %granule, {SHADOW_OFFSET}
  %shadow = inttoptr i64 %at to ptr
  store volatile i8 -8, ptr %shadow
"""
CLEAR = "  store volatile i8 0, ptr %shadow\n"


def _definition(name: str = SMALL) -> str:
    texts = small_copies().split("define ")
    [wanted] = [text for text in texts if text.startswith(f"ptr @{name}(")]
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


@pytest.mark.parametrize(
    ("side", "poisoned", "is_called"),
    [
        ("", "to", True),
        ("", "from", True),
        ("_to", "to", True),
        ("_to", "from", False),
        ("_from", "to", False),
        ("_from", "from", True),
    ],
)
def test_one_side_may_be_looked_at_alone(side: str, poisoned: str, is_called: bool) -> None:
    name = f"__irsan_small_memcpy_address{side}"
    text = MAIN.replace("TO", "0").replace("FROM", "64").replace(SMALL, name) + _definition(name)
    bad = "0" if poisoned == "to" else "64"
    first, last = "define i32 @main() {", "  %n = load"
    text = text.replace(first, first + POISON.replace("BAD", bad)).replace(last, CLEAR + last)
    assert linked_call(compile_text(text)) == is_called
