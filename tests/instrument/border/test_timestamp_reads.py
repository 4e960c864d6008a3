"""Reads of the processor's counter go to the virtual clock; others keep what they say."""

from __future__ import annotations

import pytest

from tests.instrument.checked_ir import body, check, instrumented

READ = "call i64 @irsan_timestamp()"
FLAGS = "~{dirflag},~{fpsr},~{flags}"


def read_by(call: str, result: str, portable: bool = False) -> str:
    source = (
        "declare i64 @llvm.readcyclecounter()\ndeclare i64 @llvm.x86.rdtsc()\n"
        "declare { i64, i32 } @llvm.x86.rdtscp()\n"
        f"define {result} @f(i64 %n) {{\n  %r = {call}\n  ret {result} %r\n}}"
    )
    return body(instrumented(source, "address", portable=portable), "f")


@pytest.mark.parametrize("name", ["llvm.readcyclecounter", "llvm.x86.rdtsc"])
def test_an_intrinsic_becomes_a_call(name: str) -> None:
    text = read_by(f"call i64 @{name}()", "i64")
    check(text, READ, "ret i64")
    assert name not in text


def test_rdtscp_says_that_it_ran_on_the_first_processor() -> None:
    text = read_by("call { i64, i32 } @llvm.x86.rdtscp()", "{ i64, i32 }")
    check(text, READ, "insertvalue { i64, i32 } poison, i64", "i32 0, 1")


@pytest.mark.parametrize(
    ("assembly", "constraints", "result", "found"),
    [
        ("rdtsc", "={ax},={dx}", "{ i64, i64 }", ["4294967295", "lshr i64", ", 1"]),
        ("rdtsc", "={dx},={ax}", "{ i32, i32 }", ["lshr i64", "trunc", "4294967295", "trunc"]),
        (r"lfence\0A\09rdtsc", "={ax},={dx},~{memory}", "{ i32, i32 }", ["trunc", "trunc"]),
        ("rdtscp; lfence", "={ax},={dx},={cx}", "{ i32, i32, i32 }", ["i32 0, 2"]),
        ("RDTSC", "={ax},~{dx}", "i32", ["trunc"]),
        ("rdtsc; shl $$32, %rdx; or %rdx, $0", "={ax},~{rdx}", "i64", []),
        (r"rdtsc\0Ashlq $$32, %rdx\0Aorq %rdx, %rax", "={ax},~{rdx}", "i64", []),
    ],
)
def test_assembly_gives_its_registers(
    assembly: str, constraints: str, result: str, found: list[str]
) -> None:
    text = read_by(f'call {result} asm sideeffect "{assembly}", "{constraints},{FLAGS}"()', result)
    check(text, READ, *found)
    assert "asm" not in text


@pytest.mark.parametrize(
    ("assembly", "constraints", "arguments"),
    [
        ("rdtsc; xorl %eax, %eax", "={ax}", ""),
        ("rdtsc", "=r", ""),
        ("rdtsc; shl $$16, %rdx; or %rdx, %rax", "={ax}", ""),
        ("rdtsc", "={ax},{cx}", "i64 %n"),
        ("rdpmc", "={ax}", ""),
    ],
)
def test_other_assembly_stays(assembly: str, constraints: str, arguments: str) -> None:
    text = read_by(f'call i64 asm sideeffect "{assembly}", "{constraints}"({arguments})', "i64")
    check(text, "asm sideeffect")
    assert READ not in text


def test_portable_ir_reads_the_real_counter() -> None:
    check(read_by("call i64 @llvm.x86.rdtsc()", "i64", portable=True), "@llvm.x86.rdtsc()")


def test_what_chooses_a_function_at_load_time_reads_the_real_counter() -> None:
    source = (
        "declare i64 @llvm.x86.rdtsc()\n@f = ifunc void (), ptr @choose\n"
        "define ptr @choose() {\n  %r = call i64 @llvm.x86.rdtsc()\n"
        "  %p = inttoptr i64 %r to ptr\n  ret ptr %p\n}"
    )
    check(body(instrumented(source, "address", portable=False), "choose"), "@llvm.x86.rdtsc()")
