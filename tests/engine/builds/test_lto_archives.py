"""Static libraries with objects for LTO: compiled where the linker takes them, and checked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from irsan.engine.builds.ar_writing import archive_bytes
from irsan.engine.builds.toolchain import find_toolchain
from irsan.engine.inputs.ar_file import has_bitcode, read_members
from irsan.engine.linker.archives import Archive
from tests.engine.builds.test_driver import ZIG, Build
from tests.engine.front_end.test_ir_input import relabelled_bitcode, with_unknown_attribute
from tests.support.jit import compile_text

SUM = """
int twice(int);
int sum(int *p, int n) {
    int s = twice(n);
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}
"""
UNUSED = """
#include <stdio.h>
int nowhere(void) { return 1; }
__attribute__((constructor)) static void here(void) { puts("unused is here"); }
"""
MAIN = """
#include <stdio.h>
#include <stdlib.h>
int sum(int *, int);
int main(int argc, char **argv) {
    int *p = calloc(10, sizeof *p);
    printf("%d\\n", sum(p, argc > 1 ? atoi(argv[1]) : 10));
    free(p);
    return 0;
}
"""


@pytest.fixture
def build(tmp_path: Path) -> Build:
    made = Build(tmp_path)
    made.file("sum.c", SUM)
    made.file("unused.c", UNUSED)
    made.file("main.c", MAIN)
    return made


def archive(build: Build, how: str, *names: str) -> None:
    """libt.a with bitcode of -flto=HOW of irsan-cc's compiler, which need not be the newest that
    is installed, or with a plain object of `native:NAME`."""
    clang = find_toolchain(os.environ).c
    for name in names:
        lto = [] if name.startswith("native:") else [f"-flto={how}"]
        source = name.removeprefix("native:")
        build.tool(*clang, "-g", "-O1", *lto, "-c", f"{source}.c", "-o", f"{source}.o")
    objects = [f"{name.removeprefix('native:')}.o" for name in names]
    build.tool(*ZIG, "ar", "rcsT" if how == "thin" else "rcs", "libt.a", *objects)


def started(build: Build, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, cwd=build.folder, capture_output=True, text=True, timeout=300, env=os.environ
    )


@pytest.mark.parametrize("how", ["full", "thin"])
def test_members_are_compiled_as_the_linker_takes_them(build: Build, how: str) -> None:
    archive(build, how, "unused", "sum", "twice")
    assert has_bitcode(build.folder / "libt.a")
    build.run("-c", "main.c")
    build.run("main.o", "libt.a", "-o", "prog")
    assert build.units("prog") == [
        ("ir", "main.c"), ("ir", "libt.a(sum.o)"), ("ir", "libt.a(twice.o)")
    ]  # fmt: skip
    clean = started(build, "./prog")
    assert (clean.stdout, clean.stderr, clean.returncode) == ("20\n", "", 0)
    found = started(build, "./prog", "11")
    assert found.returncode == 66 and "heap-buffer-overflow" in found.stderr
    assert "sum.c:6:" in found.stderr and "main.c:7:" in found.stderr
    assert build.native("prog") == "20\n"


@pytest.mark.parametrize("words", [
    ("-Wl,--whole-archive", "libt.a", "-Wl,--no-whole-archive"),
    ("-Wl,--whole-archive,libt.a,--no-whole-archive",),
    ("-L.", "-Wl,--whole-archive", "-l", "t", "-Wl,--no-whole-archive"),
])  # fmt: skip
def test_whole_archives(build: Build, words: tuple[str, ...]) -> None:
    archive(build, "full", "unused", "sum", "twice")
    build.run("main.c", *words, "-o", "prog")
    assert ("ir", "libt.a(unused.o)") in [(kind, Path(path).name) for kind, path in
                                          build.units("prog")]  # fmt: skip
    assert started(build, "./prog").stdout == "unused is here\n20\n"


def test_libraries_by_name_and_native_members(build: Build) -> None:
    archive(build, "full", "sum", "native:twice")
    build.run("main.c", "-L", ".", "-lt", "-o", "prog")
    kinds = {Path(path).name.strip("()"): kind for kind, path in build.units("prog")}
    assert kinds["main.c"] == kinds["libt.a(sum.o"] == "ir"
    assert [kind for kind, path in build.units("prog") if "twice.o" in path] == ["object"]
    assert not any("irsan-cc-" in path for _, path in build.units("prog"))
    assert started(build, "./prog").stdout == "20\n"
    # A shared library of this name in the same folder is what the linker takes.
    build.tool(*ZIG, "cc", "-fno-sanitize=all", "-shared", "-fPIC", "sum.c", "twice.c",
               "-o", "libt.so")  # fmt: skip
    build.run("main.c", "-L.", "-lt", "-Wl,-rpath,$ORIGIN", "-o", "shared")
    assert [kind for kind, _ in build.units("shared")] == ["ir"]
    build.run("main.c", "-L.", "-Wl,-Bstatic", "-lt", "-Wl,-Bdynamic", "-o", "static")
    assert ("ir", "./libt.a(sum.o)") in build.units("static") or (
        "ir", "libt.a(sum.o)") in build.units("static")  # fmt: skip


def test_a_shared_library_of_such_an_archive(build: Build) -> None:
    archive(build, "full", "sum", "twice")
    build.run("-shared", "-Wl,--whole-archive", "libt.a", "-Wl,--no-whole-archive",
              "-o", "libshared.so")  # fmt: skip
    build.run("main.c", "-L.", "-lshared", "-Wl,-rpath,$ORIGIN", "-o", "prog")
    found = started(build, "./prog", "11")
    assert found.returncode == 66 and "sum.c:6:" in found.stderr


def test_what_is_damaged_or_newer_is_named(build: Build) -> None:
    archive(build, "full", "sum", "twice")
    raw = (build.folder / "sum.o").read_bytes()
    for name, content in (("broken", raw[: len(raw) // 2]),
                          ("newer", with_unknown_attribute(relabelled_bitcode()))):  # fmt: skip
        place = build.folder / f"lib{name}.a"
        place.write_bytes(archive_bytes([("m.o", content)]))
    said = build.run("main.c", "libbroken.a", status=1)
    assert "libbroken.a(m.o): is not compiled" in said
    said = build.run("main.c", "libnewer.a", status=2)
    assert "libnewer.a(m.o): made by LLVM 99; " in said and "Traceback" not in said
    for name, words in (("broken", "libbroken.a(m.o): "), ("newer", "made by LLVM 99; this irsan")):
        done = started(build, sys.executable, "-m", "irsan", "run", "main.c", f"lib{name}.a")
        assert done.returncode == 2 and words in done.stderr and "Traceback" not in done.stderr


def test_a_written_archive_is_read_back() -> None:
    objects = [(f"a rather long name {n}.o", compile_text(f"define void @f{n}() {{ ret void }}"))
               for n in range(3)]  # fmt: skip
    members = [*objects[:2], ("note.txt", b"odd"), objects[2]]
    made = Archive.parse(archive_bytes(members), "made.a")
    assert set(made.index) == {"f0", "f1", "f2"}
    for number, (name, raw) in enumerate(objects):
        pulled = made.pull(f"f{number}")
        assert pulled is not None and (pulled.name, pulled.raw) == (f"made.a({name})", raw)


def test_members_of_a_written_archive(tmp_path: Path) -> None:
    members = [("x.o", b"123"), ("y.o", b""), ("x.o", b"4567")]
    path = tmp_path / "m.a"
    path.write_bytes(archive_bytes(members))
    assert list(read_members(path)) == members
    assert not has_bitcode(path) and not has_bitcode(tmp_path / "nothing.a")
