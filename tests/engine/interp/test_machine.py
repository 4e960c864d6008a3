"""The machine's object: what it exports, that exceptions may pass, its place in the cache."""

from __future__ import annotations

from pathlib import Path

import llvmlite.binding as llvm
import pytest

from irsan.engine.cache import Cache
from irsan.engine.interp import machine
from irsan.engine.interp.dispatch import SYMBOL
from irsan.engine.interp.machine import load_or_build_machine, operation_source
from irsan.engine.interp.opcodes import NUMBERS, OPCODES, Opcode
from irsan.engine.linker.elf import ObjectFile

pytestmark = pytest.mark.xdist_group("interp machine")  # what needs `machine_text`


def test_names_are_numbers() -> None:
    assert len(NUMBERS) == len(OPCODES)
    assert all(OPCODES[number].name == name for name, number in NUMBERS.items())


@pytest.mark.parametrize("opcode", OPCODES, ids=lambda opcode: opcode.name)
def test_an_operation_goes_on_behind_itself_or_leaves(opcode: Opcode) -> None:
    source = operation_source(opcode)
    compile(source, opcode.name, "exec")
    assert source.count("return ") == 1
    assert source.endswith("return pc\n") == (not (opcode.leaves or opcode.enters))


def test_every_operation_ends_with_a_jump_to_the_next(machine_text: str) -> None:
    module = llvm.parse_assembly(machine_text)
    operations = [one for one in module.functions if one.name.startswith("op.")]
    assert len(operations) == len(OPCODES)
    for function, opcode in zip(operations, OPCODES, strict=True):
        assert ("musttail call" in str(function)) == (not opcode.leaves), opcode.name


def test_the_object_exports_the_machine_with_unwind_information(
    machine_text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made = llvm.parse_assembly(machine_text)
    monkeypatch.setattr(machine, "machine_module", lambda _machine, _prologue: made)
    cache = Cache(tmp_path)
    said: list[str] = []
    raw = load_or_build_machine(cache, said.append)
    assert "compiling the interpreter" in said[0]
    module = ObjectFile.parse(raw)
    assert ".eh_frame" in module.section_names
    assert SYMBOL.encode() + b"\0" in raw
    assert load_or_build_machine(cache, said.append) == raw
    assert len(said) == 1
