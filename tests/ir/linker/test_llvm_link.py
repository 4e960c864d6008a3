"""Programs of several files, linked by irsan and by llvm-link: the same symbols, or both refuse."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from irsan.ir.linker.linking import LinkError, link_modules
from irsan.ir.linker.symbols import symbols_of
from irsan.ir.module import Module
from irsan.ir.reading import read_module
from tests.support.annotations import ProgramCase, discover_cases
from tests.support.irsan_runs import in_part
from tests.support.linked_modules import is_shared

PROGRAMS = Path(__file__).resolve().parents[2] / "programs"
CASES = [case for case in discover_cases(PROGRAMS) if len(case.sources) > 1]


def tool(name: str) -> str:
    """A program of LLVM 19, of which irsan reads everything."""
    found = shutil.which(f"{name}-19")
    if found is None:
        pytest.skip(f"{name}-19 is not on this machine")
    return found


def compiled(case: ProgramCase, folder: Path) -> list[Path]:
    made = []
    for number, source in enumerate(case.sources):
        clang = tool("clang++" if source.suffix == ".cpp" else "clang")
        made.append(folder / f"{number}.bc")
        words = [clang, "-O1", "-g", "-w", "-D_GNU_SOURCE", *case.cflags, "-emit-llvm", "-c"]
        subprocess.run([*words, str(source), "-o", str(made[-1])], check=True)
    return made


def defined(module: Module | None) -> dict[str, tuple[str, str, str]] | None:
    """What a module defines for others; None for no module."""
    if module is None:
        return None
    return {
        one.name: (type(one).__name__, one.linkage, one.visibility)
        for one in symbols_of(module)
        if not one.is_declaration and is_shared(one)
    }


@pytest.mark.parametrize("case", in_part(CASES, 4), ids=lambda case: case.name)
def test_the_same_symbols_or_both_refuse(case: ProgramCase, tmp_path: Path) -> None:
    files, out = compiled(case, tmp_path), tmp_path / "out.bc"
    done = subprocess.run(
        [tool("llvm-link"), *map(str, files), "-o", str(out)], capture_output=True, check=False
    )
    ours: Module | None = None
    try:
        ours = link_modules([(str(path), read_module(path)) for path in files]).module
    except LinkError as error:
        assert all(str(path) in str(error) for path in files)
    assert defined(ours) == defined(read_module(out) if done.returncode == 0 else None)
