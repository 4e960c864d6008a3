"""Which instruction LLVM has no code for: function, instruction and line, under both engines."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from irsan.engine.front_end.ir_input import text_to_bitcode
from irsan.engine.program_image.codegen_apart import AssemblyError, CodegenError
from irsan.engine.program_image.unselectable import explained
from irsan.errors import IrsanError
from tests.support.debug_text import debug_text

DEBUG = debug_text("shifts")
SHIFTS = f"""
@shift = alias void (), ptr @other
@three = thread_local global i32 3
%pair = type {{ i32, ptr }}
declare <4 x i32> @llvm.x86.avx2.psrav.d(<4 x i32>, <4 x i32>)
define void @other() {{
  call void asm sideeffect "nop", ""()
  ret void
}}
define i32 @shifts(<4 x i32> %a, ptr %p) !dbg !4 {{
  %sum = add <4 x i32> %a, splat (i32 3), !dbg !7
  %pair = load %pair, ptr %p, !dbg !7
  store %pair %pair, ptr @three, !dbg !7
  %x = call <4 x i32> @llvm.x86.avx2.psrav.d(<4 x i32> %sum, <4 x i32> %a), !dbg !8
  %e = extractelement <4 x i32> %x, i32 0, !dbg !8
  ret i32 %e, !dbg !8
}}
define i32 @main() {{
  %p = alloca %pair
  %n = call i32 @shifts(<4 x i32> zeroinitializer, ptr %p)
  ret i32 %n
}}
{DEBUG}"""
ASSEMBLY = f"""
define void @odd() !dbg !4 {{
  call void asm sideeffect "nop", ""(), !dbg !7
  call void asm sideeffect "frobnicate", ""(), !dbg !8
  ret void, !dbg !8
}}
define i32 @main() {{
  ret i32 0
}}
{DEBUG}"""
COROUTINE = f"""
define void @odd() !dbg !4 {{
  %id = call token @llvm.coro.id(i32 0, ptr null, ptr null, ptr null), !dbg !7
  %saved = call token @llvm.coro.save(ptr null), !dbg !8
  ret void, !dbg !8
}}
{DEBUG}"""


def bitcode(text: str) -> bytes:
    return text_to_bitcode(text.encode(), Path("program.ll"))


@pytest.mark.parametrize("function", ["shifts", "", "irsan.helper.3"])
def test_the_instruction_is_named(function: str) -> None:
    found = explained(CodegenError("Cannot select: t3", function), bitcode(SHIFTS))
    assert isinstance(found, CodegenError)
    assert "`llvm.x86.avx2.psrav.d` (in shifts, line 42)" in str(found)


def test_assembly_is_named_by_its_place() -> None:
    found = explained(AssemblyError("invalid instruction"), bitcode(ASSEMBLY))
    assert isinstance(found, AssemblyError)
    assert "inline assembly (in odd, line 42)" in str(found)


def test_a_token_that_llvm_names_is_named() -> None:
    refusal = CodegenError("Cannot select: intrinsic %llvm.coro.save")
    found = explained(refusal, bitcode(COROUTINE))
    assert "`llvm.coro.save` (in odd, line 42)" in str(found)


def test_what_can_be_compiled_alone_is_told_in_llvms_words() -> None:
    refusal = CodegenError("Cannot select: t3")
    found: IrsanError = explained(refusal, bitcode("define i32 @main() { ret i32 0 }"))
    assert found is refusal


@pytest.mark.parametrize("engine", ["jit", "interp"])
@pytest.mark.parametrize(
    ("text", "status", "said"),
    [(SHIFTS, 69, "`llvm.x86.avx2.psrav.d` (in shifts, line 42)"),
     (ASSEMBLY, 2, "inline assembly (in odd, line 42)")],
)  # fmt: skip
def test_a_run_ends_with_one_line(
    tmp_path: Path, text: str, status: int, said: str, engine: str
) -> None:
    path = tmp_path / "program.ll"
    path.write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "irsan", "run", "--engine", engine, str(path)],
        capture_output=True, text=True, check=False, env=dict(os.environ),
    )  # fmt: skip
    assert done.returncode == status, done.stderr
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
