"""`llvm.fmuladd` rounds once where native code does, in functions for processors with FMA."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.text_runs import TextRuns

TEXT = """
declare i32 @printf(ptr, ...)
declare double @llvm.fmuladd.f64(double, double, double)
@format = private constant [4 x i8] c"%a\\0A\\00"
@third = global double 0x3FD5555555555555

define double @plain(double %x, double %y, double %z) noinline {
  %v = call double @llvm.fmuladd.f64(double %x, double %y, double %z)
  ret double %v
}

define double @fused(double %x, double %y, double %z) noinline "target-features"="+avx,+fma" {
  %v = call double @llvm.fmuladd.f64(double %x, double %y, double %z)
  ret double %v
}

define i32 @main() {
  %x = load volatile double, ptr @third
  %product = fmul double %x, %x
  %z = fneg double %product
  %plain = call double @plain(double %x, double %x, double %z)
  %fused = call double @fused(double %x, double %x, double %z)
  call i32 (ptr, ...) @printf(ptr @format, double %plain)
  call i32 (ptr, ...) @printf(ptr @format, double %fused)
  ret i32 0
}
"""
HAS_FMA = " fma " in Path("/proc/cpuinfo").read_text()


@pytest.mark.skipif(not HAS_FMA, reason="the processor cannot multiply and add at once")
@pytest.mark.parametrize("engine", ["jit", "interp"])
def test_rounds_as_often_as_native_code(text_runs: TextRuns, engine: str) -> None:
    result = text_runs(TEXT, suffix=".ll", engine=engine)
    assert result.stdout == b"0x0p+0\n-0x1.c71c71c71c71cp-58\n", result.stderr
