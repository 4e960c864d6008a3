"""`musttail` calls hand variable arguments on: what is known of them reaches the last callee.

The thunk makes another call with dots before, and knows its callee only when it runs.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.shadow_runs import LAYOUT

UNINITIALISED = """
declare ptr @malloc(i64)
declare void @free(ptr)
declare void @llvm.va_start.p0(ptr)

define i64 @impl(i32 %n, ...) noinline sanitize_memory {
  %list = alloca [24 x i8], align 16
  call void @llvm.va_start.p0(ptr %list)
  %regs.at = getelementptr i8, ptr %list, i64 16
  %regs = load ptr, ptr %regs.at
  %one.at = getelementptr i8, ptr %regs, i64 8
  %over.at = getelementptr i8, ptr %list, i64 8
  %over = load ptr, ptr %over.at
  %far.at = getelementptr i8, ptr %over, i64 16
  %which = icmp eq i32 %n, 0
  %v.at = select i1 %which, ptr %one.at, ptr %far.at
  %v = load i64, ptr %v.at
  %c = icmp eq i64 %v, 7
  br i1 %c, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}
define i64 @other(i32 %n, ...) noinline sanitize_memory {
  %list = alloca [24 x i8], align 16
  call void @llvm.va_start.p0(ptr %list)
  ret i64 3
}
@table = global ptr @impl
define i64 @thunk(i32 %n, ...) noinline sanitize_memory {
  %p = call ptr @malloc(i64 64)
  %u = load i64, ptr %p
  %x = call i64 (i32, ...) @other(i32 1, i64 1, i64 %u, i64 2, i64 2, i64 2, i64 3, i64 7,
    i64 %u)
  call void @free(ptr %p)
  %f = load ptr, ptr @table
  %r = musttail call i64 (i32, ...) %f(i32 %n, ...)
  ret i64 %r
}
define i32 @main(i32 %argc, ptr %argv) sanitize_memory {
  %p = call ptr @malloc(i64 64)
  %u = load i64, ptr %p
  %a = call i64 (i32, ...) @thunk(i32 NUMBER, i64 1, i64 %u, i64 2, i64 2, i64 2, i64 3, i64 7,
    i64 %u)
  %d = trunc i64 %a to i32
  ret i32 %d
}
"""
PROVENANCE = """
declare ptr @malloc(i64)
declare void @free(ptr)
declare void @llvm.va_start.p0(ptr)

define i64 @impl(i32 %n, ...) noinline {
  %list = alloca [24 x i8], align 16
  call void @llvm.va_start.p0(ptr %list)
  %one = va_arg ptr %list, ptr
  %b1 = va_arg ptr %list, ptr
  %b2 = va_arg ptr %list, ptr
  %b3 = va_arg ptr %list, ptr
  %b4 = va_arg ptr %list, ptr
  %b5 = va_arg ptr %list, ptr
  %at = sext i32 %n to i64
  %q = getelementptr i8, ptr %b5, i64 %at
  %v = load i64, ptr %q
  %w = load i64, ptr %one
  %s = add i64 %v, %w
  ret i64 %s
}
define i64 @other(i32 %n, ...) noinline {
  %list = alloca [24 x i8], align 16
  call void @llvm.va_start.p0(ptr %list)
  ret i64 3
}
@table = global ptr @impl
@small = global [2 x i64] zeroinitializer
define i64 @thunk(i32 %n, ...) noinline {
  %x = call i64 (i32, ...) @other(i32 1, ptr @small, ptr @small, ptr @small)
  %f = load ptr, ptr @table
  %r = musttail call i64 (i32, ...) %f(i32 %n, ...)
  ret i64 %r
}
define i32 @main(i32 %argc, ptr %argv) {
  %p = call ptr @malloc(i64 4096)
  store i64 0, ptr %p
  %q = getelementptr i8, ptr %p, i64 2000
  store i64 0, ptr %q
  %r = call ptr @malloc(i64 8)
  store i64 0, ptr %r
  %a = call i64 (i32, ...) @thunk(i32 2000, ptr %r, ptr %p, ptr %p, ptr %p, ptr %p, ptr %p)
  %ri = ptrtoint ptr %r to i64
  %pi = ptrtoint ptr %p to i64
  %away = sub i64 %pi, %ri
  %near = trunc i64 %away to i32
  %far = add i32 %near, 2000
  %isbad = icmp eq i32 1, NUMBER
  br i1 %isbad, label %bad, label %fine
bad:
  %b = call i64 (i32, ...) @thunk(i32 %far, ptr %r, ptr %p, ptr %p, ptr %p, ptr %p, ptr %r)
  br label %fine
fine:
  %d = trunc i64 %a to i32
  ret i32 %d
}
"""
CASES = [
    ("memory", UNINITIALISED, 1, "use-of-uninitialized-value"),
    ("memory", UNINITIALISED, 0, ""),
    ("provenance", PROVENANCE, 1, "access-outside-provenance"),
    ("provenance", PROVENANCE, 0, ""),
]


@pytest.mark.parametrize("engine", ["jit", "interp"])
@pytest.mark.parametrize(("sanitize", "text", "number", "kind"), CASES)
def test_forwarded_arguments(
    tmp_path: Path, engine: str, sanitize: str, text: str, number: int, kind: str
) -> None:
    program = tmp_path / "forward.ll"
    program.write_text(LAYOUT + text.replace("NUMBER", str(number)))
    words = ["run", "--engine", engine, "--sanitize", sanitize, str(program)]
    run = subprocess.run(
        [sys.executable, "-m", "irsan", *words],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert run.returncode == (66 if kind else 0), run.stderr
    assert kind in run.stderr
