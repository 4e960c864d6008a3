"""The machine's object: what it exports, that exceptions may pass, its place in the cache."""

from __future__ import annotations

from pathlib import Path

from irsan.engine.cache import Cache
from irsan.engine.interp.machine import load_or_build_machine, loop_source
from irsan.engine.interp.machine_symbol import SYMBOL
from irsan.engine.interp.opcodes import NUMBERS, OPCODES
from irsan.engine.jit.elf import ObjectFile


def test_names_are_numbers() -> None:
    assert len(NUMBERS) == len(OPCODES)
    assert all(OPCODES[number].name == name for name, number in NUMBERS.items())


def test_the_loop_has_one_branch_for_each_operation() -> None:
    source = loop_source()
    assert [f"OP{n}:" in source for n in range(len(OPCODES))] == [True] * len(OPCODES)
    compile(source, "loop", "exec")


def test_the_object_exports_the_loop_with_unwind_information(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    said: list[str] = []
    raw = load_or_build_machine(cache, said.append)
    assert "compiling the interpreter" in said[0]
    module = ObjectFile.parse(raw)
    assert ".eh_frame" in module.section_names
    assert SYMBOL.encode() + b"\0" in raw
    assert load_or_build_machine(cache, said.append) == raw
    assert len(said) == 1
