"""Code generation in a child: the same object, and one error where LLVM ends it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest

from irsan.engine.program_image.codegen import text_to_object
from irsan.engine.program_image.codegen_apart import (
    AssemblyError,
    CodegenError,
    _apart,
    code_failure,
    object_apart,
)
from irsan.errors import InternalError

PLAIN = "define i32 @f(i32 %x) {\n  ret i32 %x\n}\n"
NO_SUCH_PROCESSOR = """
declare <4 x i32> @llvm.x86.avx2.psrav.d(<4 x i32>, <4 x i32>)
define <4 x i32> @shifts(<4 x i32> %a) {
  %x = call <4 x i32> @llvm.x86.avx2.psrav.d(<4 x i32> %a, <4 x i32> %a)
  ret <4 x i32> %x
}
"""
ONLY_USUAL = """
declare i1 @llvm.experimental.widenable.condition()
define i1 @f() {
  %x = call i1 @llvm.experimental.widenable.condition()
  ret i1 %x
}
"""
UNKNOWN_WORD = 'define void @f() {\n  call void asm sideeffect "frobnicate", ""()\n  ret void\n}\n'
UNKNOWN_REGISTER = """
define i32 @f() {
  %x = call i32 asm sideeffect "nop", "={zzz}"()
  ret i32 %x
}
"""


def test_the_object_is_that_of_this_process() -> None:
    assert object_apart(PLAIN, "") == text_to_object(PLAIN, "")


def test_what_fastisel_does_not_know_is_generated_otherwise() -> None:
    text = ONLY_USUAL + ";\n" * 50_000
    with pytest.raises(CodegenError, match="promote"):
        _apart(lambda: text_to_object(text, ""))
    assert object_apart(text, "") == object_apart(ONLY_USUAL, "")


def test_an_instruction_without_code_is_refused_by_function() -> None:
    with pytest.raises(CodegenError, match=r"Cannot select: .*VSRAV") as caught:
        object_apart(NO_SUCH_PROCESSOR, "")
    assert caught.value.exit_status == 69
    assert caught.value.function == "shifts"


@pytest.mark.parametrize(
    ("text", "said"), [(UNKNOWN_WORD, "frobnicate"), (UNKNOWN_REGISTER, "zzz")]
)
def test_assembly_that_the_assembler_refuses_is_the_users(text: str, said: str) -> None:
    with pytest.raises(AssemblyError, match=said) as caught:
        object_apart(text, "")
    assert caught.value.exit_status == 2


def test_text_that_does_not_parse_is_a_fault_of_ours() -> None:
    with pytest.raises(InternalError, match="status 1"):
        object_apart("this is no LLVM text", "")


def test_no_child_and_no_file_is_left() -> None:
    files, task = Path("/proc/self/fd"), Path(f"/proc/self/task/{os.getpid()}/children")
    before, children = len([*files.iterdir()]), task.read_text()
    for text in (PLAIN, NO_SUCH_PROCESSOR):
        with suppress(CodegenError):
            object_apart(text, "")
    assert len([*files.iterdir()]) == before
    assert task.read_text() == children


@pytest.mark.parametrize(
    ("status", "said", "kind", "words"),
    [
        (-6, "LLVM ERROR: Cannot select: t1\nIn function: f\n", CodegenError, "Cannot select: t1"),
        (-6, "x.cpp:150: g(): Assertion `Label' failed.\n", CodegenError, "Assertion `Label' fai"),
        (1, "error: <inline asm>:1:2: unknown\n", AssemblyError, "<inline asm>:1:2: unknown"),
        (1, "error: no libcall available for f\n", CodegenError, "no libcall available for f"),
        (-6, "no such type\nUNREACHABLE executed at x.cpp:1!\n", CodegenError, "no such type"),
        (-11, "", CodegenError, "SIGSEGV"),
        (1, "Traceback (most recent call last):\nKeyError: 1\n", InternalError, "KeyError"),
    ],
)
def test_how_an_end_is_read(status: int, said: str, kind: type, words: str) -> None:
    failure = code_failure(status, said)
    assert type(failure) is kind
    assert words in str(failure)
