"""Portable output in words that clang 19 reads, and that mean the same to newer ones."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from irsan.instrument.border.older_readers import OlderReaders
from irsan.ir.printing import print_module
from irsan.ir.reading import parse_ir_text, read_module
from tests.instrument import native_link
from tests.instrument.checked_ir import LAYOUT, check

CORPUS = Path(__file__).resolve().parents[2] / "ir" / "corpus"


def rewritten(text: str) -> str:
    """`text` in older words; LLVM still accepts it."""
    import llvmlite.binding as llvm

    module = parse_ir_text(LAYOUT + text)
    OlderReaders().apply(module)
    output = print_module(module)
    llvm.parse_assembly(output).verify()
    return output


def test_captures_become_nocapture_or_go() -> None:
    found = rewritten(
        "declare void @f(ptr captures(none), ptr captures(address) align 4)\n"
        "define void @g(ptr %p) {\n"
        "  call void @f(ptr captures(none) %p, ptr %p)\n  ret void\n}\n"
    )
    check(found, "@f(ptr nocapture %p, ptr %p)")
    check(found, "declare void @f(ptr nocapture, ptr align 4)")


def test_lifetimes_get_a_size_that_says_nothing() -> None:
    found = rewritten(
        "declare void @llvm.lifetime.start.p0(ptr captures(none))\n"
        "define void @f() {\n  %x = alloca i32\n"
        "  call void @llvm.lifetime.start.p0(ptr %x)\n  ret void\n}\n"
    )
    check(found, "call void @llvm.lifetime.start.p0(i64 -1, ptr %x)")
    check(found, "declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture)")


def test_flags_and_casts() -> None:
    found = rewritten(
        "define i1 @f(i32 %a, i32 %b, ptr %p) {\n  %c = icmp samesign ult i32 %a, %b\n"
        "  %i = ptrtoaddr ptr %p to i64\n  ret i1 %c\n}\n"
    )
    check(found, "icmp ult i32 %a, %b", "ptrtoint ptr %p to i64")


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("memory(errnomem: write)", "memory(write, argmem: none, inaccessiblemem: none)"),
        ("memory(argmem: read, errnomem: write)", "memory(write, argmem: read, "),
        ("memory(argmem: readwrite)", "memory(argmem: readwrite)"),
        ("memory(none)", "memory(none)"),
    ],
)
def test_effects_on_errno_are_effects_on_anything(newer: str, older: str) -> None:
    assert older in rewritten(f"declare void @f(ptr) {newer}\n")


def test_features_that_are_absent_anyway_are_not_named() -> None:
    words = '"target-cpu"="x86-64" "target-features"="+sse2,-avx10.1,+x87"'
    assert '"target-features"="+sse2,+x87"' in rewritten(f"declare void @f() {words}\n")
    other = words.replace("x86-64", "skylake")
    assert "-avx10.1" in rewritten(f"declare void @f() {other}\n")


def test_debug_info_keeps_its_lines() -> None:
    found = rewritten(
        "define void @f() !dbg !4 {\n  ret void, !dbg !5\n}\n!llvm.dbg.cu = !{!0}\n"
        "!llvm.module.flags = !{!1}\n"
        "!0 = distinct !DICompileUnit(sourceLanguageName: DW_LNAME_C,"
        " sourceLanguageVersion: 202311, file: !2, emissionKind: FullDebug)\n"
        '!1 = !{i32 2, !"Debug Info Version", i32 3}\n'
        '!2 = !DIFile(filename: "a.c", directory: "/")\n'
        "!3 = !DISubroutineType(types: !{})\n"
        '!4 = distinct !DISubprogram(name: "f", file: !2, line: 3, type: !3, unit: !0,'
        " spFlags: DISPFlagDefinition, keyInstructions: true)\n"
        "!5 = !DILocation(line: 7, column: 2, scope: !4, atomGroup: 1, atomRank: 1)\n"
    )
    check(found, "language: DW_LANG_C11")
    check(found, "!DILocation(line: 7, column: 2, scope: ")
    for word in ("LNAME", "atomGroup", "keyInstructions", "sourceLanguageVersion"):
        assert word not in found


@pytest.mark.skipif(native_link.CLANG is None, reason="no clang-19 on PATH")
@pytest.mark.parametrize("name", ["scopes.ll", "symbols.ll", "exceptions.ll"])
def test_an_older_clang_reads_the_corpus(name: str) -> None:
    module = read_module(CORPUS / name)
    OlderReaders().apply(module)
    done = subprocess.run(
        [str(native_link.CLANG), "-x", "ir", "-", "-S", "-emit-llvm", "-o", "-",
         "-Wno-override-module"],
        input=print_module(module), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
