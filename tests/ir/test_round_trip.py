"""Nothing is lost between LLVM's bitcode and our text: the oracle is LLVM's own printer."""

from __future__ import annotations

from pathlib import Path

import llvmlite.binding as llvm
import pytest

from irsan.ir.bitcode.reader import read_bitcode
from irsan.ir.dump import dump_ir
from irsan.ir.module import Module
from irsan.ir.printing import print_module
from irsan.ir.reading import current_bitcode, parse_ir_text, read_module
from tests.ir.corpus_files import ASSEMBLY, FOLDER, SOURCES_NOW, compile_source


def llvm_text(source: bytes | str) -> str:
    """LLVM's own text of bitcode or text, without the lines that name the file."""
    context = llvm.create_context()
    if isinstance(source, bytes):
        module = llvm.parse_bitcode(source, context)
    else:
        module = llvm.parse_assembly(source, context)
    module.verify()
    named = ("; ModuleID", "source_filename")
    return "\n".join(line for line in str(module).splitlines() if not line.startswith(named))


def check_round_trip(raw: bytes) -> Module:
    """Reads, prints, and compares both LLVM's text and ours after a second trip."""
    bitcode = current_bitcode(raw, "corpus")
    module = read_bitcode(bitcode)
    text = print_module(module)
    assert llvm_text(text) == llvm_text(bitcode)
    assert print_module(parse_ir_text(text)) == text
    assert print_module(module) == text
    return module


@pytest.mark.parametrize("name", ASSEMBLY)
def test_hand_written_ir_survives(name: str) -> None:
    module = check_round_trip((FOLDER / name).read_bytes())
    assert module.functions


@pytest.mark.parametrize(("name", "level"), SOURCES_NOW)
def test_compiled_programs_survive(name: str, level: str, tmp_path: Path) -> None:
    made = compile_source(name, level, tmp_path)
    module = check_round_trip(made.read_bytes())
    assert any(function.blocks for function in module.functions)
    assert print_module(read_module(made)) == print_module(module)


def test_dump_is_the_printed_text_in_lines() -> None:
    module = read_module(FOLDER / "values.ll")
    lines = list(dump_ir(module))
    assert "\n".join(lines) + "\n" == print_module(module)
    assert not any("\n" in line for line in lines)
