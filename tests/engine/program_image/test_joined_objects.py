"""Objects of a unit's parts become what one object of the whole unit would be."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from irsan.engine.linker.elf import SHT_SYMTAB_SHNDX, STT_SECTION, ObjectFile
from irsan.engine.program_image.joined_objects import joined
from irsan.engine.program_image.line_tables import line_rows
from irsan.engine.target import target_machine
from irsan.ir.module import Module
from irsan.ir.printing import print_module
from irsan.ir.reading import parse_ir_bitcode, parse_ir_text
from irsan.ir.splitting import split_module
from tests.engine.program_image.test_line_tables import LINES, module_text, placed
from tests.ir.corpus_files import SOURCES, compile_source
from tests.support.jit import linked_call
from tests.support.random_ir import random_program

_FILE, _FUNC, _OBJECT = 4, 2, 1


def compile_text(text: str) -> bytes:
    """An object, made with names of its own: parts of several units are read here."""
    import llvmlite.binding as llvm

    machine = target_machine()
    module = llvm.parse_assembly(text, llvm.create_context())
    module.verify()
    return bytes(machine.emit_object(module))


def in_parts(text: str, n_parts: int = 3) -> bytes:
    """The object of a text, made in parts."""
    return joined_parts(parse_ir_text(text), n_parts)


def joined_parts(module: Module, n_parts: int) -> bytes:
    split = split_module(module, n_parts)
    assert split is not None
    return joined([compile_text(text) for text in split.texts()], split.local, split.private)


def symbols(raw: bytes) -> Counter[tuple[object, ...]]:
    """(name, kind and binding, visibility, whether it is defined, size) of what has a type or is
    not local."""
    item = ObjectFile.parse(raw)
    rows = zip(item.symbols.tolist(), item.symbol_sections.tolist(), strict=True)
    return Counter(
        (item.symbol_name(index), info, other, bool(section), size)
        for index, ((_, info, other, _, _, size), section) in enumerate(rows)
        if info & 15 not in (STT_SECTION, _FILE) and (info & 15 or info >> 4)
    )


@pytest.mark.parametrize(
    ("name", "level"), [one for one in SOURCES if one[1] == "plain" and one[0] != "memory.c"]
)
def test_symbols_are_those_of_the_whole_unit(
    name: str, level: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    raw = compile_source(name, level, tmp_path_factory.mktemp("join")).read_bytes()
    whole = compile_text(print_module(parse_ir_bitcode(raw)))
    assert symbols(joined_parts(parse_ir_bitcode(raw), 4)) == symbols(whole)


@pytest.mark.parametrize("seed", range(3))
def test_random_programs_print_the_same(seed: int, tmp_path: Path) -> None:
    text = random_program(seed)
    said = []
    for name, raw in (("whole", compile_text(text)), ("parts", in_parts(text, 5))):
        place = tmp_path / f"{name}.o"
        place.write_bytes(raw)
        command = [sys.executable, "-m", "ziglang", "cc", str(place), "-o", str(tmp_path / name)]
        subprocess.run(command, check=True, capture_output=True)
        said.append(subprocess.run([tmp_path / name], check=False, capture_output=True))
    assert said[0].stdout and said[0].stdout == said[1].stdout
    assert said[0].returncode == said[1].returncode


PARTS = """
@counter = internal global i32 5
@text = private unnamed_addr constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@start = internal global ptr @init, section ".init_array"
define internal void @init() {
  store i32 7, ptr @counter
  ret void
}
define internal i32 @third() noinline {
  %p = getelementptr i32, ptr @text, i64 2
  %v = load i32, ptr %p
  ret i32 %v
}
define internal i32 @label() noinline {
  %v = call i32 asm "jmp 2f\\0Ashared_label: mov $$11, $0\\0A ret\\0A2: call shared_label",
    "={ax}"()
  ret i32 %v
}
define i32 @asks() noinline {
  %v = call i32 asm "call shared_label", "={ax}"()
  ret i32 %v
}
define i32 @main() {
  %a = load i32, ptr @counter
  %b = call i32 @third()
  %c = call i32 @asks()
  %d = add i32 %a, %b
  %e = add i32 %d, %c
  ret i32 %e
}
"""


@pytest.mark.parametrize("n_parts", [2, 3, 5])
def test_parts_call_each_other(n_parts: int) -> None:
    raw = in_parts(PARTS, n_parts)
    assert linked_call(raw) == 5 + 3 + 11
    item = ObjectFile.parse(raw)
    names = {item.symbol_name(at): int(one["info"]) for at, one in enumerate(item.symbols)}
    assert names["third"] == _FUNC and names["counter"] == _OBJECT  # both local
    assert "text" not in names and names["main"] == 0x10 | _FUNC


def test_two_units_may_have_local_symbols_of_one_name() -> None:
    one = in_parts(PARTS)
    two = in_parts(PARTS.replace("@main", "@second").replace("@asks", "@asks2")
                   .replace("shared_label", "other_label").replace("i32 5", "i32 6"))  # fmt: skip
    assert linked_call(one, two) == 19
    assert linked_call(one, two, name="second") == 20


def test_a_group_goes_with_its_function_and_is_kept_once() -> None:
    text = (
        PARTS
        + "\n$twice = comdat any\n"
        + """
define linkonce_odr i32 @twice() noinline comdat {
  ret i32 NUMBER
}
define i32 @NAME() {
  %v = call i32 @twice()
  ret i32 %v
}"""
    )
    one = in_parts(text.replace("NUMBER", "1").replace("NAME", "first"))
    assert [group.signature for group in ObjectFile.parse(one).groups] == ["twice"]
    two = in_parts(text.replace("NUMBER", "2").replace("NAME", "last").replace("@main", "@m2")
                   .replace("@asks", "@asks2").replace("shared_label", "other_label"))  # fmt: skip
    assert linked_call(one, two, name="first") == linked_call(one, two, name="last") == 1


def test_lines_of_all_parts_are_found() -> None:
    text = module_text(LINES)
    whole, parts = (ObjectFile.parse(raw) for raw in (compile_text(text), in_parts(text, 2)))
    found = [line_rows(one, placed(one)) for one in (whole, parts)]
    shown = [Counter((row.line, row.column) for row in rows) for rows in found]
    assert shown[0] == shown[1] and sum(shown[0].values()) > len(LINES)


def test_more_sections_than_a_symbol_can_number() -> None:
    sections = [f'@v{n} = internal global i32 {n}, section "s{n}"' for n in range(65_400)]
    functions = [f"define i32 @f{n}() {{\n  %v = load i32, ptr @v{n}\n  ret i32 %v\n}}"
                 for n in (3, 65_399)]  # fmt: skip
    item = ObjectFile.parse(in_parts("\n".join([*sections, *functions]), 2))
    assert np.any(item.sections["type"] == SHT_SYMTAB_SHNDX)
    names = {item.symbol_name(at): at for at in range(len(item.symbols))}
    for number in (3, 65_200, 65_399):
        section = int(item.symbol_sections[names[f"v{number}"]])
        assert item.section_names[section] == f"s{number}"
        assert int.from_bytes(item.section_bytes(section), "little") == number
