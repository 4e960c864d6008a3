"""Processes of irsan's own import nothing from the working folder, which is the user's."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from irsan.own_process import module_command

PROGRAM = """
#include <pthread.h>
static void *nothing(void *argument) { return argument; }
int main(void) {
  pthread_t thread;
  return pthread_create(&thread, 0, nothing, 0) || pthread_join(thread, 0);
}
"""
OF_PYTHON = ("signal", "json", "pickle", "numpy", "socket", "array")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder whose modules have the names of Python's, with a program."""
    for name in OF_PYTHON:
        (tmp_path / f"{name}.py").write_text("raise SystemExit('imported from the user')\n")
    (tmp_path / "program.c").write_text(PROGRAM)
    (tmp_path / "program.ll").write_text("define i32 @main() {\n  ret i32 0\n}\n")
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ["explore", "--schedules", "4", "program.c"],
        ["run", "--seeds", "2", "program.c"],
        ["trace", "record", "-o", "trace.std", "program.c"],
        ["run", "program.ll"],
        ["run", "--engine", "interp", "program.c"],
    ],
    ids=" ".join,
)
def test_a_command_in_a_folder_with_modules(folder: Path, words: list[str]) -> None:
    done = subprocess.run(
        module_command("irsan", *words),
        cwd=folder, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert (done.returncode, "imported from the user" in done.stderr) == (0, False), done.stderr


def test_words_reach_the_module() -> None:
    command = module_command("json.tool", "--compact")
    done = subprocess.run(
        command, input='{"a": 1}', capture_output=True, text=True, check=False, timeout=60
    )
    assert command[0] == sys.executable
    assert (done.stdout.strip(), done.returncode) == ('{"a":1}', 0)
