"""irsan-cc as a compiler: what it makes links, runs natively, and carries the right IR."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from irsan.engine.inputs.carried import carried_checks, carries, read_carried

ZIG = (sys.executable, "-m", "ziglang")
MAIN = """
#include <stdio.h>
int twice(int);
int main(int argc, char **argv) { printf("%d %s\\n", twice(argc), argv[argc - 1]); return 0; }
"""
TWICE = "int twice(int x) { return 2 * x; }\n"
ASM = ".globl twice\\ntwice: lea (%rdi,%rdi), %eax\\nret\\n.section .note.GNU-stack\\n"
ALONE = """
static long call(long number, long a, long b, long c) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return result;
}
struct text { char bytes[64]; };
void _start(void) {
    struct text said = {"alone"}, copy = said;
    call(1, 1, (long)copy.bytes, 5);
    call(60, 3, 0, 0);
}
"""


class Build:
    """A folder with sources, and the wrapper in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file("main.c", MAIN)
        self.file("twice.c", TWICE)

    def file(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text)
        return path

    def run(self, *words: str, cxx: bool = False, status: int = 0) -> str:
        name = "main_cxx" if cxx else "main_c"
        code = f"import sys; from irsan.compiler_wrapper import {name}; sys.exit({name}())"
        done = subprocess.run(
            [sys.executable, "-c", code, *words], cwd=self.folder, capture_output=True, text=True
        )
        assert done.returncode == status, done.stderr
        return done.stdout + done.stderr

    def tool(self, *words: str) -> None:
        subprocess.run(words, cwd=self.folder, check=True)

    def native(self, name: str = "a.out", *words: str) -> str:
        environment = {**os.environ, "IRSAN_NATIVE": "1", "LD_LIBRARY_PATH": str(self.folder)}
        done = subprocess.run(
            [f"./{name}", *words], cwd=self.folder, capture_output=True, text=True, env=environment
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def units(self, name: str = "a.out") -> list[tuple[str, str]]:
        return [(one.kind, one.path) for one in read_carried(self.folder / name)]


@pytest.fixture
def build(tmp_path: Path) -> Iterator[Build]:
    yield Build(tmp_path)


def test_one_command_for_sources(build: Build) -> None:
    assert build.run("-O2", "main.c", "twice.c") == ""
    assert build.native("a.out", "x") == "4 x\n"
    assert build.units() == [("ir", "main.c"), ("ir", "twice.c")]
    assert sorted(one.name for one in build.folder.iterdir()) == ["a.out", "main.c", "twice.c"]


def test_the_linker_says_whose_ir_is_carried(build: Build) -> None:
    build.file("unused.c", "int unused(void) { return 1; }\n")
    for name in ("main", "twice", "unused"):
        build.run("-c", f"{name}.c")
    build.tool(*ZIG, "ar", "rcs", "libt.a", "twice.o", "unused.o")
    build.run("main.o", "-L.", "-lt", "-o", "prog")
    assert build.units("prog") == [("ir", "main.c"), ("ir", "twice.c")]


def test_native_code_is_kept_beside(build: Build) -> None:
    build.tool(*ZIG, "cc", "-fno-sanitize=all", "-c", "twice.c", "-o", "native.o")
    build.tool(*ZIG, "ar", "rcs", "libnative.a", "native.o")
    build.run("main.c", "libnative.a", "-o", "prog")
    assert build.native("prog") == "2 ./prog\n"
    kinds = [kind for kind, _ in build.units("prog")]
    assert kinds == ["ir", "object"] and "native.o" in build.units("prog")[1][1]


def test_assembler_sources_carry_themselves(build: Build) -> None:
    build.file("fast.s", ASM.replace("\\n", "\n"))
    build.run("main.c", "fast.s", "-o", "prog")
    assert build.native("prog", "a", "b") == "6 b\n"
    assert build.units("prog") == [("ir", "main.c"), ("object", "fast.s")]


def test_a_shared_library_carries_its_own(build: Build) -> None:
    assert build.run("-shared", "-fPIC", "-Werror", "twice.c", "-lm", "-o", "libtwice.so") == ""
    build.run("main.c", "-L.", "-ltwice", "-o", "prog")
    assert build.units("libtwice.so") == [("ir", "twice.c")]
    assert build.units("prog") == [("ir", "main.c")]
    assert build.native("prog") == "2 ./prog\n"


def test_a_program_without_the_c_library_is_native(build: Build) -> None:
    build.file("alone.c", ALONE)
    assert build.run("-c", "alone.c") == ""
    said = build.run("-nostdlib", "-static", "alone.o", "-o", "prog")
    assert said == "irsan-cc: notice: prog: without the C library it runs natively\n"
    done = subprocess.run([build.folder / "prog"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (3, "alone")
    assert build.run("-nostdlib", "-fPIC", "-shared", "alone.c", "-o", "libalone.so") == ""


def test_checks_of_the_build(build: Build) -> None:
    build.run("-fsanitize=address,undefined", "main.c", "twice.c", "-o", "prog")
    assert carried_checks(build.folder / "prog") == {"address", "undefined"}
    assert "no such sanitizer" in build.run("-fsanitize=adress", "main.c", status=2)


def test_objects_link_without_the_wrapper(build: Build) -> None:
    build.file("hook.c", "#include <string.h>\nvoid __asan_poison_memory_region(void *, long);\n"
               "void __sanitizer_syscall_pre_impl_close(long);\n"
               "int twice(int x) { char b[9]; memset(b, x, 9); __asan_poison_memory_region(b, 9);"
               " __sanitizer_syscall_pre_impl_close(9); return 2 * b[3]; }\n")  # fmt: skip
    build.run("-fsanitize=address", "-c", "main.c", "hook.c")
    build.tool(*ZIG, "cc", "main.o", "hook.o", "-o", "plain")
    assert build.native("plain") == "2 ./plain\n"


@pytest.mark.skipif(shutil.which("ccache") is None, reason="ccache is not installed")
def test_cached_objects_carry_their_ir(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CCACHE_DIR", str(build.folder / "cache"))
    code = "import sys; from irsan.compiler_wrapper import main_c; sys.exit(main_c())"
    script = build.file("irsan-cc", f"#!/bin/sh\nexec {sys.executable} -c '{code}' \"$@\"\n")
    script.chmod(0o755)
    for _ in range(2):
        build.tool("ccache", str(script), "-MMD", "-c", "twice.c", "-o", "t.o")
        assert build.units("t.o") == [("ir", "twice.c")]
        (build.folder / "t.o").unlink()
        assert (build.folder / "t.d").read_text() == "t.o: twice.c\n"
        (build.folder / "t.d").unlink()
    told = subprocess.run(["ccache", "--print-stats"], capture_output=True, text=True, check=True)
    assert "direct_cache_hit\t1\n" in told.stdout


def test_dependency_files(build: Build) -> None:
    build.file("twice.h", "int twice(int);\n")
    build.file("uses.c", '#include "twice.h"\nint f(void) { return twice(1); }\n')
    (build.folder / "sub").mkdir()
    build.run("-MMD", "-c", "uses.c", "-o", "sub/uses.o")
    assert (build.folder / "sub/uses.d").read_text().split() == [
        "sub/uses.o:", "uses.c", "twice.h"
    ]  # fmt: skip


def test_an_object_does_not_say_where_it_was_compiled(build: Build) -> None:
    """Bazel compiles in a new folder each time, and takes other bytes for another object."""
    for name in ("here", "there"):
        folder = build.folder / name
        folder.mkdir()
        Build(folder).run(f"-ffile-prefix-map={folder}=.", "-g", "-c", "twice.c")
    here, there = (build.folder / name / "twice.o" for name in ("here", "there"))
    assert here.read_bytes() == there.read_bytes()


def test_the_compilers_own_business(build: Build) -> None:
    assert "twice(int x)" in build.run("-E", "twice.c")
    assert "clang" in build.run("--version")
    assert build.run("-dumpmachine").startswith("x86_64")
    build.run("-S", "twice.c", "-o", "t.s")
    assert "twice:" in (build.folder / "t.s").read_text()


def test_probes_are_native(build: Build) -> None:
    build.file("conftest.c", "int main(void) { int x[2]; return x[1] == 7 ? 0 : 0; }\n")
    build.run("-fsanitize=address", "conftest.c", "-o", "conftest")
    assert not carries(build.folder / "conftest")
    subprocess.run([build.folder / "conftest"], check=True)


def test_errors_are_the_compilers(build: Build) -> None:
    build.file("wrong.c", "int f(void) { return y; }\n")
    assert "wrong.c:1:" in build.run("-c", "wrong.c", status=1)
    assert not (build.folder / "wrong.o").exists()
    assert "twice" in build.run("main.c", status=1)


def test_programs_of_cxx(build: Build) -> None:
    build.file("a.cpp", '#include <iostream>\nint main() { std::cout << "c++\\n"; }\n')
    build.run("a.cpp", "-o", "prog", cxx=True)
    assert build.native("prog") == "c++\n"
    assert [one.language for one in read_carried(build.folder / "prog")] == ["c++"]
