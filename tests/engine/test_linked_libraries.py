"""`irsan run` links what a linker would: objects, members of static libraries, -l and -L."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.builds.test_driver import ZIG, Build


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return Build(tmp_path)


def run(build: Build, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "irsan", "run", *words]
    return subprocess.run(command, cwd=build.folder, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("how", ["carried", "native", "bitcode", "thin"])
def test_members_on_demand(build: Build, how: str) -> None:
    build.file("unused.c", "int nowhere(void); int unused(void) { return nowhere(); }\n")
    for name in ("twice", "unused"):
        if how == "native":
            build.tool(*ZIG, "cc", "-fno-sanitize=all", "-c", f"{name}.c", "-o", f"{name}.o")
        elif how == "bitcode":
            build.run("-emit-llvm", "-g", "-c", f"{name}.c", "-o", f"{name}.o")
        else:
            build.run("-c", f"{name}.c")
    build.tool(*ZIG, "ar", "rcsT" if how == "thin" else "rcs", "libt.a", "unused.o", "twice.o")
    for words in (["-L.", "-lt", "main.c"], ["main.c", "libt.a"]):
        done = run(build, *words, "x")
        assert (done.stdout, done.returncode, done.stderr) == ("4 x\n", 0, "")


def test_an_executable_and_its_own_words(build: Build) -> None:
    build.run("main.c", "twice.c", "-o", "prog")
    done = run(build, "prog", "twice.o", "main.c")
    assert (done.stdout, done.returncode, done.stderr) == ("6 main.c\n", 0, "")


def test_native_libraries(build: Build) -> None:
    build.tool(*ZIG, "cc", "-fno-sanitize=all", "-shared", "-fPIC", "twice.c", "-o", "libt.so")
    done = run(build, "-L.", "-lt", "main.c", "x")
    assert (done.stdout, done.returncode, done.stderr) == ("4 x\n", 0, "")


def test_what_is_missing_is_named(build: Build) -> None:
    done = run(build, "-lnot_there", "main.c")
    assert done.returncode == 2 and "libnot_there.so or libnot_there.a" in done.stderr
    build.file("text.a", "no library")
    done = run(build, "main.c", "text.a")
    assert done.returncode == 2 and "text.a: unknown kind of program" in done.stderr
    done = run(build, "main.c")
    assert done.returncode == 69 and "twice (needed by main" in done.stderr
