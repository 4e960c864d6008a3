"""`irsan run --build`: a tree that another compiler was configured for, built again and checked."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from irsan.engine.builds.recorded_commands import read_compile_commands, understood
from irsan.errors import UsageError

PART = '#include "part.h"\nint add(int *a, int n) { return a[n] + PLUS; }\n'
MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include "part.h"
int main(int argc, char **argv) {
    int *a = calloc(4, sizeof(int));
    printf("%d %d %s\\n", add(a, argc > 1 ? atoi(argv[1]) : 0), argc, argv[0]);
    free(a);
    return 0;
}
"""
NINJA = """
rule cc
  command = {cc} -g $flags -c $in -o $out
rule ar
  command = rm -f $out && ar qc $out $in
rule so
  command = : && {cc} -shared $in -o $out -Wl,-soname,libpart.so.1 && :
rule link
  command = : && {cc} $in -o $out -Wl,-rpath,'$$ORIGIN' && :
build obj/main.o: cc {src}/main.c
build obj/part.o: cc {src}/part.c
  flags = -DPLUS=7 -fPIC -Werror
build libpart.a: ar obj/part.o
build libpart.so.1.2: so obj/part.o
build app: link obj/main.o libpart.a
build shared-app: link obj/main.o libpart.so.1.2
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    source, folder = tmp_path / "src", tmp_path / "tree"
    source.mkdir(), folder.mkdir()
    (source / "part.h").write_text("int add(int *a, int n);\n")
    (source / "part.c").write_text(PART)
    (source / "main.c").write_text(MAIN)
    return folder


def record(tree: Path, compiler: str = "gcc") -> None:
    """What CMake would have written of this tree."""
    rows = []
    for name, words in (("main", ""), ("part", "-DPLUS=7 -fPIC -Werror -MD -MF part.d")):
        command = f"{compiler} -g {words} -c ../src/{name}.c -o obj/{name}.o"
        rows.append({"directory": str(tree), "file": f"../src/{name}.c", "command": command})
    (tree / "compile_commands.json").write_text(json.dumps(rows))


def natively(tree: Path, *words: str) -> None:
    code = "import sys; from irsan.compiler_wrapper import main_c; sys.exit(main_c())"
    native = {**os.environ, "IRSAN_NATIVE": "1"}
    subprocess.run([sys.executable, "-c", code, *words], cwd=tree, check=True, env=native)


def run(tree: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "irsan", "run", "--build", str(tree), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


@pytest.mark.skipif(shutil.which("ninja") is None, reason="ninja is not installed")
@pytest.mark.parametrize("target", ["app", "shared-app"])
def test_targets_of_ninja(tree: Path, target: str) -> None:
    record(tree)
    (tree / "build.ninja").write_text(NINJA.format(cc="gcc", src=tree.parent / "src"))
    clean = run(tree, target, "--", "2", "--seed")
    assert (clean.stdout, clean.returncode) == (f"7 3 {tree / target}\n", 0)
    found = run(tree, target, "4")
    assert found.returncode == 66 and "part.c:2:" in found.stderr
    assert sorted(one.name for one in tree.iterdir()) == ["build.ninja", "compile_commands.json"]
    near = run(tree, "shared-ap")
    assert near.returncode == 2 and "did you mean shared-app" in near.stderr


def test_targets_of_cmakes_make(tree: Path) -> None:
    record(tree)
    links = {"app": "gcc obj/main.o -o app libpart.a -lm",
             "part": "ar qc libpart.a obj/part.o\nranlib libpart.a"}  # fmt: skip
    for name, text in links.items():
        place = tree / "CMakeFiles" / f"{name}.dir"
        place.mkdir(parents=True)
        (place / "link.txt").write_text(text + "\n")
    assert run(tree, "app").stdout == f"7 1 {tree / 'app'}\n"
    part = tree.parent / "src/part.c"
    part.write_text(part.read_text().replace("PLUS", "PLUS + 1"))
    again = run(tree, "app", "x")
    assert again.stdout == f"8 2 {tree / 'app'}\n", "a changed source is compiled again"
    part.write_text("#error broken\n")
    broken = run(tree, "app")
    assert broken.returncode == 2 and "part.c:1:2: error: broken" in broken.stderr


@pytest.mark.skipif(shutil.which("readelf") is None, reason="readelf is not installed")
def test_without_a_build_tool_the_executable_tells(tree: Path) -> None:
    record(tree)
    natively(tree, "-DPLUS=7", "-g", "../src/main.c", "../src/part.c", "-o", "app")
    assert run(tree, "app").stdout == f"7 1 {tree / 'app'}\n"
    found = run(tree, str(tree / "app"), "4")
    assert found.returncode == 66 and "part.c:2:" in found.stderr
    assert "no such target" in run(tree, "other").stderr


def test_a_tree_that_says_nothing(tree: Path) -> None:
    done = run(tree, "app")
    assert done.returncode == 2 and "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON" in done.stderr
    for text in ("[{", "{}", '[{"file": "a.c"}]'):
        (tree / "compile_commands.json").write_text(text)
        with pytest.raises(UsageError, match=r"compile_commands\.json: cannot be read"):
            read_compile_commands(tree)


@pytest.mark.parametrize(
    ("line", "made"),
    [
        ("/usr/bin/cc -O2 -o d/a.o -c /s/a.c", [("compile", "/b/d/a.o", False)]),
        ("ccache x86_64-linux-gnu-g++-12 -c a.cc", [("compile", "/b/a.o", True)]),
        ("CC=x env A=1 c++ a.o -o app", [("link", "/b/app", True)]),
        (": && clang a.o -o app -Wl,-rpath,'$ORIGIN' && :", [("link", "/b/app", False)]),
        ("cd /c && rm -f l.a && ar qc l.a a.o && ranlib l.a", [("archive", "/c/l.a", False)]),
        ("python3 gen.py > a.c; cc -E a.c; cc --version; sh -c 'cc -c a.c'", []),
        ("cc 'a b.c' -c -o 'a b.o' & g++ @none x.o", [("compile", "/b/a b.o", False),
                                                      ("link", "/b/a.out", True)]),
    ],
)  # fmt: skip
def test_commands_of_a_shell(line: str, made: list[tuple[str, str, bool]]) -> None:
    found = understood(Path("/b"), line)
    assert [(one.kind, str(one.output), one.is_cxx) for one in found] == made


def test_a_command_that_cannot_be_read() -> None:
    with pytest.raises(UsageError, match="cannot be understood"):
        understood(Path("/b"), "cc -c 'a.c")
