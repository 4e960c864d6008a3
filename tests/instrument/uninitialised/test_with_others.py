"""Shadow of uninitialised values beside the checks of the other sanitizers, in one function."""

from __future__ import annotations

import llvmlite.binding as llvm
import pytest

from irsan.instrument.pipeline import instrument_module
from irsan.ir.printing import print_module
from irsan.ir.reading import parse_ir_text
from tests.support.shadow_runs import LAYOUT

TEXT = """
%struct = type { i64, i64, [40 x i8] }
define i32 @f(i64 %first, ptr noundef byval(%struct) align 8 %second, i32 noundef %n) {
entry:
  %array = alloca [20 x i32], align 16
  %other = alloca i64, align 8
  store i64 %first, ptr %other
  call void @fill(ptr noundef %array, ptr noundef %other)
  %i = zext i32 %n to i64
  %p = getelementptr [20 x i32], ptr %array, i64 0, i64 %i
  %v = load i32, ptr %p
  %c = icmp ugt i32 %v, 7
  br i1 %c, label %one, label %two
one:
  %w = atomicrmw add ptr %other, i64 1 seq_cst
  br label %two
two:
  ret i32 %v
}
declare void @fill(ptr noundef, ptr noundef)
"""


@pytest.mark.parametrize("others", ["", "address", "thread", "address,thread"])
def test_llvm_accepts_them_together(others: str) -> None:
    module = parse_ir_text(LAYOUT + TEXT)
    instrument_module(module, frozenset(["memory", *others.split(",")]))
    llvm.parse_assembly(print_module(module)).verify()


def test_no_thread_runs_before_arguments_are_taken() -> None:
    module = parse_ir_text(LAYOUT + TEXT)
    instrument_module(module, frozenset(["memory", "address", "thread"]))
    body = print_module(module).partition("define i32 @f")[2].partition("\n}")[0]
    lines = body.splitlines()
    taken = max(i for i, line in enumerate(lines) if "@__irsan_bits_passed_place" in line)
    entered = min(i for i, line in enumerate(lines) if "@__irsan_safepoint" in line)
    assert taken < entered


def test_shadow_is_no_access_of_the_program() -> None:
    module = parse_ir_text(LAYOUT + TEXT)
    instrument_module(module, frozenset(["memory", "address"]))
    text = print_module(module)
    assert text.count("@__irsan_check_read4_address") == 2  # its declaration and one call
