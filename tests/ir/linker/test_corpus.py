"""The corpus linked by irsan and by LLVM: each function and variable reads the same in both."""

from __future__ import annotations

import re
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from irsan.ir.linker.linking import link_modules
from irsan.ir.printing import print_module
from irsan.ir.reading import parse_ir_bitcode
from tests.ir.corpus_files import ASSEMBLY, SOURCES, compile_source, read_corpus

_NUMBERS = re.compile(r"(?<=[!#])\d+|(?<=[\w$])\.\d+\b| *; preds = .*")
# LLVM takes one struct for another of the same members, whatever their names.
_STRUCTS = re.compile(r'%"(?:class|struct|union)\.[^"]*"|%(?:class|struct|union)\.[\w.]+')


def check(raw: bytes) -> None:
    """Links a module both ways and compares the texts of what both have."""
    ours, theirs = linked_by_irsan(raw), linked_by_llvm(raw)
    assert set(ours) <= set(theirs)
    for name, text in ours.items():
        assert text == theirs[name], name


def linked_by_irsan(raw: bytes) -> dict[str, str]:
    linked = link_modules([("a.bc", parse_ir_bitcode(raw))])
    module = llvm.parse_assembly(print_module(linked.module), llvm.create_context())
    module.verify()
    return texts_of(module)


def linked_by_llvm(raw: bytes) -> dict[str, str]:
    context = llvm.create_context()
    module = llvm.parse_assembly("", context)
    module.link_in(llvm.parse_bitcode(raw, context))
    return texts_of(module)


def texts_of(module: llvm.ModuleRef) -> dict[str, str]:
    """The text of each symbol that is defined, without numbers and names of structs."""
    return {
        value.name: _NUMBERS.sub("", _STRUCTS.sub("%struct", str(value)))
        for value in (*module.functions, *module.global_variables)
        if not value.is_declaration and value.name
    }


@pytest.mark.parametrize("name", ASSEMBLY)
def test_hand_written_ir(name: str) -> None:
    module = llvm.parse_assembly(read_corpus(name).decode(), llvm.create_context())
    check(module.as_bitcode())


@pytest.mark.parametrize("name", sorted({name for name, _ in SOURCES}))
def test_compiled_sources(name: str, tmp_path: Path) -> None:
    check(compile_source(name, "debug", tmp_path).read_bytes())
