"""Reads of the thread pointer are the guest thread's; others keep what they say."""

from __future__ import annotations

import pytest

from tests.instrument.checked_ir import body, check, instrumented

READ = "call i64 @irsan_thread_pointer()"
FLAGS = "~{dirflag},~{fpsr},~{flags}"
AT = 'asm "movq %fs:$1, $0", "=r,*m'


def read_by(instruction: str, result: str, portable: bool = False) -> str:
    source = (
        "declare ptr @llvm.thread.pointer()\n"
        f"define {result} @f(ptr %at) {{\n  %r = {instruction}\n  ret {result} %r\n}}"
    )
    return body(instrumented(source, "address", portable=portable), "f")


@pytest.mark.parametrize(
    ("instruction", "result"),
    [
        ("call ptr @llvm.thread.pointer()", "ptr"),
        (f'call ptr {AT},{FLAGS}"(ptr elementtype(ptr) null)', "ptr"),
        (f'call i64 {AT}"(ptr elementtype(ptr) null)', "i64"),
        (f'call ptr asm sideeffect "mov %fs:0, $0", "=r,{FLAGS}"()', "ptr"),
        (r'call i64 asm "\09movq %fs:0x0, $0\0A", "=&r"()', "i64"),
        ("load i64, ptr addrspace(257) null, align 8", "i64"),
    ],
)
def test_a_read_becomes_a_call(instruction: str, result: str) -> None:
    text = read_by(instruction, result)
    check(text, READ, *(["inttoptr i64"] if result == "ptr" else []), "ret")
    assert "asm" not in text
    assert "load i64" not in text


def test_a_place_that_is_not_known_is_asked_about() -> None:
    text = read_by(f'call ptr {AT}"(ptr elementtype(ptr) %at)', "ptr")
    check(text, AT, READ, "inttoptr i64", "icmp eq ptr %at, null", "select i1", "ptr %r", "ret ptr")
    assert "ret ptr %r\n" not in text


@pytest.mark.parametrize(
    ("instruction", "result"),
    [
        ('call ptr asm "movq %fs:8, $0", "=r"()', "ptr"),
        ('call ptr asm "movq %gs:0, $0", "=r"()', "ptr"),
        ('call i32 asm "mov %fs:0, $0", "=r"()', "i32"),
        ('call ptr asm "movq %fs:0, $0", "={ax}"()', "ptr"),
        ("load i64, ptr addrspace(256) null, align 8", "i64"),
        ("load i32, ptr addrspace(257) null, align 4", "i32"),
    ],
)
def test_other_instructions_stay(instruction: str, result: str) -> None:
    assert READ not in read_by(instruction, result)


def test_portable_code_keeps_the_register() -> None:
    assert READ not in read_by("call ptr @llvm.thread.pointer()", "ptr", portable=True)
