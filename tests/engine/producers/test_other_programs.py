"""Programs in Fortran, D and Objective-C: each as it says. Skipped where a compiler is absent."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from irsan.engine.front_end.languages import PRODUCED_SUFFIXES, produced_language
from irsan.engine.native_libraries.library_search import find_library
from irsan.engine.producers.dlang import find_ldc
from irsan.engine.producers.fortran import find_flang
from irsan.engine.producers.objective_c import gcc_headers
from tests.support.irsan_runs import is_in_part
from tests.support.produced_programs import problems_of, read_produced, why_missing

FOLDER = Path(__file__).parents[2] / "produced"
_PARTS = 4


def _objective_c() -> bool:
    libraries = (find_library(name) for name in ("libobjc.so.4", "libBlocksRuntime.so.0"))
    return bool(gcc_headers()) and all(libraries)


def _params() -> Iterator[object]:
    finders: dict[str, Callable[[], object]] = {
        "fortran": lambda: find_flang(Path("x.f90"), os.environ),
        "d": lambda: find_ldc(Path("x.d"), os.environ),
        "objective_c": _objective_c,
    }
    for number, (folder, find) in enumerate(finders.items()):
        why_not = why_missing(find)
        mark = pytest.mark.skipif(bool(why_not), reason=why_not)
        for at, path in enumerate(sorted((FOLDER / folder).iterdir())):
            if is_in_part(number + at, _PARTS):
                yield pytest.param(path, id=f"{folder}-{path.stem}", marks=mark)


@pytest.mark.parametrize("path", list(_params()))
def test_a_program_is_judged_as_it_says(path: Path) -> None:
    assert problems_of(read_produced(path), os.environ) == []


_FLANG = why_missing(lambda: find_flang(Path("x.f90"), os.environ))
_MODULE = """module shared
  implicit none
  integer, allocatable :: kept(:)
end module
"""
_MAIN = """program main
  use shared
  implicit none
  allocate(kept(5))
  kept = 1
  print *, kept(7)
  deallocate(kept)
end program
"""


@pytest.mark.skipif(bool(_FLANG), reason=_FLANG)
def test_a_module_of_fortran_in_a_file_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "shared.f90").write_text(_MODULE)
    (tmp_path / "main.f90").write_text(_MAIN)
    command = [sys.executable, "-m", "irsan", "run", "shared.f90", "main.f90"]
    answer = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "heap-buffer-overflow" in answer.stderr
    assert "main.f90:6:" in answer.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["main.f90", "shared.f90"]


def test_each_language_has_an_error_and_a_clean_program() -> None:
    shown: dict[str, set[bool]] = {}
    for path in FOLDER.glob("*/*"):
        shown.setdefault(produced_language(path), set()).add(bool(read_produced(path).expected))
    assert shown == {language: {True, False} for language in PRODUCED_SUFFIXES.values()}
