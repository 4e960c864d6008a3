"""Bitcode that is newer than the compiler: irsan's own LLVM makes the object where it can."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from llvmlite import binding as llvm

from irsan.engine.builds.newer_objects import needs_own_llvm, own_object
from irsan.engine.builds.toolchain import Toolchain
from irsan.engine.inputs.elf_file import is_elf, sections

OURS = llvm.llvm_version_info[0]
TOOLCHAIN = Toolchain((), (), "", OURS, "", (), (), ())
TEXT = "@x = global i32 1\ndefine i32 @f() { ret i32 3 }"


@pytest.mark.parametrize(("version", "needs"), [(OURS, False), (OURS - 1, True)])
def test_only_what_the_compiler_cannot_read(tmp_path: Path, version: int, *, needs: bool) -> None:
    path = tmp_path / "a.o"
    path.write_bytes(llvm.parse_assembly(TEXT).as_bitcode())
    assert needs_own_llvm(path, replace(TOOLCHAIN, version=version)) == needs


def test_files_that_are_no_bitcode(tmp_path: Path) -> None:
    path = tmp_path / "a.ll"
    path.write_text(TEXT)
    assert not needs_own_llvm(path, replace(TOOLCHAIN, version=1))
    assert not needs_own_llvm(tmp_path / "none", TOOLCHAIN)


def test_the_object_has_the_code() -> None:
    bitcode, made = own_object(llvm.parse_assembly(TEXT).as_bitcode(), Path("a.o"))
    assert {one.name for one in llvm.parse_bitcode(bitcode).functions} == {"f"}
    assert is_elf(made)
    assert ".text" in {name for name, _, _ in sections(made)}
