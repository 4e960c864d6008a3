"""What neither engine runs is refused before anything is done to a module."""

from __future__ import annotations

import pytest

from irsan.engine.front_end.module_limits import check_module
from irsan.errors import UnsupportedError
from irsan.ir.reading import parse_ir_text

ESCAPE = """
declare void @llvm.localescape(...)
define void @fine() { ret void }
define void @escapes() {
  %v = alloca i32
  call void (...) @llvm.localescape(ptr %v)
  ret void
}
"""
PAD = """
declare i32 @__CxxFrameHandler3(...)
declare void @g()
define void @catches() personality ptr @__CxxFrameHandler3 {
  invoke void @g() to label %done unwind label %pad
pad:
  %p = cleanuppad within none []
  cleanupret from %p unwind to caller
done:
  ret void
}
"""

MODE = """
declare i32 @llvm.get.fpmode.i32()
define void @asks() {
  %mode = call i32 @llvm.get.fpmode.i32()
  ret void
}
"""
WHAT_BY_TEXT = {
    ESCAPE: "`llvm.localescape` (in escapes)",
    PAD: "`cleanuppad` (in catches)",
    MODE: "`llvm.get.fpmode.i32` (in asks)",
}


@pytest.mark.parametrize(("text", "what"), WHAT_BY_TEXT.items())
def test_it_names_construct_and_function(text: str, what: str) -> None:
    with pytest.raises(UnsupportedError) as caught:
        check_module(parse_ir_text(text))
    assert what in str(caught.value)
    assert caught.value.exit_status == 69


def test_what_is_only_declared_is_no_matter() -> None:
    check_module(parse_ir_text("declare void @llvm.localescape(...)\n"))


def test_a_floating_point_mode_of_the_processors_size_is_fine() -> None:
    check_module(parse_ir_text(MODE.replace("i32", "i64")))
