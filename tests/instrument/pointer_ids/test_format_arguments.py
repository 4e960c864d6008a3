"""Which arguments of printf are surely used: compared with what Python's own % takes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.instrument.pointer_ids.format_arguments import _touched_by, constant_text
from irsan.ir.reading import parse_ir_text
from tests.instrument.checked_ir import LAYOUT, body, hooks_in
from tests.instrument.pointer_ids.test_pointer_ids import with_ids

PIECES = {
    "%d": 1, "%5.2f": 1, "%*d": 2, "%-*.*f": 3, "%%": 0, "%m": 0, "%llx": 1, "text": 0, "%c": 1,
    "%p": 1, "%Lf": 1, "%.*s": 2, "%.0s": 1,
}  # fmt: skip
USED = {"%s": (1, False), "%.3s": (1, False), "%ls": (4, False), "%n": (4, True), "%hhn": (1, True)}


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([*PIECES, *USED]), max_size=9))
def test_arguments_are_counted(pieces: list[str]) -> None:
    expected, index = [], 0
    for piece in pieces:
        if piece in USED:
            expected.append((index, *USED[piece]))
            index += 1
        else:
            index += PIECES[piece]
    assert [tuple(one) for one in _touched_by(" ".join(pieces))] == expected


@pytest.mark.parametrize("form", ["%1$s %s", "%y %s", "%"])
def test_what_is_not_known_ends_it(form: str) -> None:
    assert list(_touched_by(form)) == []


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (r'[4 x i8] c"%s\0A\00"', "%s\n"),
        ("[3 x i32] [i32 37, i32 115, i32 0]", "%s"),
        ("[2 x i8] zeroinitializer", ""),
        ("i32 5", None),
    ],
)
def test_constant_texts(value: str, text: str | None) -> None:
    module = parse_ir_text(LAYOUT + f"@g = private constant {value}\n")
    assert constant_text(module.globals[0]) == text


def test_the_text_of_printf_is_asked_for() -> None:
    text = with_ids(r"""
@.str = private constant [6 x i8] c"%d %s\00"
declare i32 @printf(ptr, ...)
define void @f(ptr %p) {
  %r = call i32 (ptr, ...) @printf(ptr @.str, i32 1, ptr %p)
  ret void
}""")
    assert "__irsan_bounds_of_range" in hooks_in(body(text, "f"))
