"""What a program is made of: at least one unit of IR."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.engine.test_openmp_runs import irsan


def test_a_program_of_machine_code_alone_is_refused(tmp_path: Path) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    subprocess.run(["gcc", "-c", "a.c"], cwd=tmp_path, check=True)
    done = irsan(tmp_path, "a.o")
    assert done.returncode == 2
    assert "a.o: is machine code without IR; build it with irsan-cc" in done.stderr
    assert "internal error" not in done.stderr and "Traceback" not in done.stderr


def test_machine_code_beside_ir_is_linked(tmp_path: Path) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    (tmp_path / "a.c").write_text("int seven(void);\nint main(void) { return seven(); }\n")
    (tmp_path / "b.c").write_text("int seven(void) { return 7; }\n")
    subprocess.run(["gcc", "-c", "b.c"], cwd=tmp_path, check=True)
    done = irsan(tmp_path, "a.c", "b.o")
    assert (done.returncode, done.stderr) == (7, "")
