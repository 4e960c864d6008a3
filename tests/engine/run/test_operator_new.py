"""A new that fails throws the bad_alloc of whichever C++ library the program is linked with."""

from __future__ import annotations

from pathlib import Path

import pytest

from irsan.engine.native_libraries.library_search import find_library
from tests.support.irsan_runs import bundled_compiler
from tests.support.jit import run_snippet

PROGRAM = """
#include <cstdio>
#include <new>
int main() {
  void *volatile kept;
  try { kept = ::operator new(std::size_t{1} << 45); }
  catch (const std::bad_alloc &error) { std::printf("%s\\n", error.what()); }
  kept = ::operator new(std::size_t{1} << 45, std::nothrow);
  std::printf("%d\\n", kept == nullptr);
}
"""

#: argv: the program, the compiler, and a name that no library has from now on
RUNNER = """
import sys
from irsan.__main__ import main
from irsan.engine.native_libraries import guest_libraries
program, compiler, hidden = sys.argv[1:]
find = guest_libraries.find_library
guest_libraries.find_library = lambda name, folders=(): None if name == hidden else find(name)
sys.exit(main(["run", "--cc", compiler, program]))
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ASAN_OPTIONS", "allocator_may_return_null=1")
    path = tmp_path / "refused.cpp"
    path.write_text(PROGRAM)
    return path


@pytest.mark.parametrize("hidden", ["", "libstdc++.so.6"], ids=["libstdc++", "libc++"])
def test_both_libraries_throw(program: Path, hidden: str) -> None:
    if not hidden and find_library("libstdc++.so.6") is None:
        pytest.skip("needs libstdc++")
    answer = run_snippet(RUNNER, str(program), bundled_compiler(), hidden)
    assert answer.stdout == "std::bad_alloc\n1\n"
    warnings = [line.partition("==WARNING: ")[2] for line in answer.stderr.splitlines()]
    assert warnings == ["AddressSanitizer failed to allocate 0x200000000000 bytes"] * 2


def test_a_run_that_goes_on_after_the_finding_throws(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASAN_OPTIONS", "halt_on_error=0")
    answer = run_snippet(RUNNER, str(program), bundled_compiler(), "")
    assert answer.stdout == "std::bad_alloc\n1\n"
    assert answer.stderr.count("SUMMARY: AddressSanitizer: allocation-size-too-big") == 2
    assert answer.returncode == 66
