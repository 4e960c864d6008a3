"""Splitting a module: every part is whole LLVM text, and together they are the module."""

from __future__ import annotations

import re
from collections import Counter

import llvmlite.binding as llvm
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.ir.reading import parse_ir_bitcode, parse_ir_text
from irsan.ir.splitting import Split, count_instructions, split_module
from tests.ir.corpus_files import ASSEMBLY, SOURCES_NOW, compile_source, read_corpus
from tests.support.random_ir import random_program

_DEFINED = re.compile(r'^define [^@]*@("[^"]*"|[\w$.-]+)\(', re.MULTILINE)


def split(text: str, n_parts: int = 3) -> Split:
    found = split_module(parse_ir_text(text), n_parts)
    assert found is not None
    return found


def checked_parts(found: Split) -> list[llvm.ModuleRef]:
    """Each part as LLVM reads it, in a context of its own."""
    parts = []
    for text in found.texts():
        module = llvm.parse_assembly(text, llvm.create_context())
        module.verify()
        parts.append(module)
    return parts


def definitions(modules: list[llvm.ModuleRef]) -> Counter[str]:
    return Counter(
        value.name for module in modules for value in (*module.functions, *module.global_variables)
        if not value.is_declaration and not value.name.startswith("llvm.")
    )  # fmt: skip


def check_against_whole(raw: bytes, n_parts: int) -> None:
    """Names and numbers of definitions are those of the module, each defined once."""
    module = parse_ir_bitcode(raw)
    n_functions = sum(not one.is_declaration for one in module.functions)
    found = split_module(module, n_parts)
    if found is None:
        return
    parts = checked_parts(found)
    assert 1 < len(parts) <= n_parts
    defined = definitions(parts)
    assert set(defined.values()) == {1}
    whole = llvm.parse_bitcode(raw, llvm.create_context())
    named = [one for one in definitions([whole]) if one and not one.startswith(".L")]
    assert set(named) <= set(defined)
    assert len(defined) == sum(definitions([whole]).values())
    assert sum(len(_DEFINED.findall(str(part))) for part in parts) == n_functions


@pytest.mark.parametrize("name", ASSEMBLY)
def test_hand_written_ir_is_split_whole(name: str) -> None:
    module = llvm.parse_assembly(read_corpus(name).decode(), llvm.create_context())
    check_against_whole(module.as_bitcode(), 3)


@pytest.mark.parametrize(("name", "level"), SOURCES_NOW)
def test_compiled_sources_are_split_whole(
    name: str, level: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    made = compile_source(name, level, tmp_path_factory.mktemp("split"))
    check_against_whole(made.read_bytes(), 4)


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 10_000), st.integers(2, 6))
def test_shares_are_runs_of_about_one_size(seed: int, n_parts: int) -> None:
    module = parse_ir_text(random_program(seed, n_functions=9))
    names = [one.name for one in module.functions if not one.is_declaration]
    total, most = count_instructions(module), 0
    for function in module.functions:
        most = max(most, sum(len(block.instructions) for block in function.blocks))
    found = split_module(module, n_parts)
    assert found is not None
    assert [one.name for part in found.parts for one in part] == names
    for part in found.parts[1:]:
        n = sum(len(block.instructions) for one in part for block in one.blocks)
        assert n <= total / n_parts + most


def many(*lines: str) -> str:
    """A module with functions to spare."""
    plain = [f"define i32 @plain{n}(i32 %a) {{\n  ret i32 %a\n}}" for n in range(6)]
    return "\n".join([*lines, *plain])


def where(found: Split) -> dict[str, int]:
    return {one.name: number for number, part in enumerate(found.parts) for one in part}


def test_local_symbols_become_hidden_ones() -> None:
    found = split(many(
        '@text = private constant [2 x i8] c"a\\00"', "@0 = private constant i8 1",
        "@state = internal thread_local global i32 0", '@".Lodd" = internal global i8 0',
        "@shared = global i32 0", "declare i32 @elsewhere()",
        "define internal i32 @own() {\n  ret i32 1\n}",
        "@other = internal alias i32 (), ptr @own",
    ))  # fmt: skip
    renamed = {name for name in found.local if name.startswith("irsan.split.")}
    assert found.local == {"text", "state", "own", "other"} | renamed and len(renamed) == 2
    assert found.private == {"text"} | renamed
    first, last = list(found.texts())[0::2]
    assert "@state = hidden thread_local global i32 0" in first
    assert "@state = external hidden thread_local global i32" in last
    assert "@shared = external global i32" in last
    assert "@other = hidden alias" in first and "declare hidden i32 @other()" in last


def test_what_cannot_leave_data_stays_with_it() -> None:
    found = split(many(
        "$both = comdat any", "$alone = comdat any",
        "@table = internal constant [1 x ptr] [ptr blockaddress(@jumps, %there)]",
        "@guard = linkonce_odr global i8 0, comdat($both)",
        "define void @jumps(ptr %p) {\n  indirectbr ptr %p, [label %there]\nthere:\n  ret void\n}",
        "define void @meant() {\n  ret void\n}", "@another = alias void (), ptr @meant",
        "define linkonce_odr void @both() comdat {\n  ret void\n}",
        "define linkonce_odr void @alone() comdat {\n  ret void\n}",
        "define void @target(ptr %p) {\n  indirectbr ptr %p, [label %here]\nhere:\n  ret void\n}",
        "define ptr @asks() {\n  ret ptr blockaddress(@target, %here)\n}",
    ), 6)  # fmt: skip
    parts = checked_parts(found)
    places = where(found)
    assert {places[name] for name in ("jumps", "meant", "both", "target", "asks")} == {0}
    assert definitions(parts)["alone"] == 1


@pytest.mark.parametrize("line", [
    'module asm ".globl x"',
    "@chosen = ifunc i32 (i32), ptr @resolver\ndefine ptr @resolver() {\n  ret ptr @plain0\n}",
    "@beside = global i8 0, section \"x\", !associated !0\n!0 = !{ptr @plain0}",
])  # fmt: skip
def test_some_modules_stay_whole(line: str) -> None:
    assert split_module(parse_ir_text(many(line)), 3) is None


def test_a_module_with_few_functions_stays_whole() -> None:
    module = parse_ir_text("define void @f() {\n  ret void\n}")
    assert split_module(module, 2) is None
    assert split_module(parse_ir_text(many()), 1) is None
