"""irsan cc, c++, cmake-toolchain, meson-file and warm-up, as a shell calls them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from irsan.engine.builds.build_files import wrapper
from irsan.engine.inputs.carried import read_carried
from irsan.errors import UsageError


def irsan(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "irsan", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)


def has_wrappers() -> bool:
    try:
        return wrapper("irsan-cc").is_file() and wrapper("irsan-c++").is_file()
    except UsageError:
        return False


needs_wrappers = pytest.mark.skipif(not has_wrappers(), reason="irsan-cc is not installed")


@pytest.mark.parametrize(("command", "name"), [("cc", "a.c"), ("c++", "a.cpp")])
def test_compilers_by_another_name(tmp_path: Path, command: str, name: str) -> None:
    (tmp_path / name).write_text("int main(void) { return 0; }")
    done = irsan(tmp_path, command, "-Wall", "-c", name, "-o", "a.o")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert [one.path for one in read_carried(tmp_path / "a.o")] == [name]


@needs_wrappers
@pytest.mark.parametrize("command", ["cmake-toolchain", "meson-file"])
def test_files_for_build_systems(tmp_path: Path, command: str) -> None:
    first, again = irsan(tmp_path, command), irsan(tmp_path, command)
    assert first.returncode == 0 and first.stdout == again.stdout
    text = Path(first.stdout.strip()).read_text()
    assert str(wrapper("irsan-cc")) in text and str(wrapper("irsan-c++")) in text


def test_warm_up_says_what_is_ready(tmp_path: Path) -> None:
    done = irsan(tmp_path, "warm-up", "--engine", "jit")
    assert done.returncode == 0
    shown = [line.partition(" (")[0] for line in done.stdout.splitlines()]
    assert shown[:2] == ["runtime: ready", "compiler: ready"]
    wrong = irsan(tmp_path, "warm-up", "--engine", "jitt")
    assert wrong.returncode == 2 and "did you mean jit" in wrong.stderr
