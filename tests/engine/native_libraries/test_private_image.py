"""Copies of libraries that need each other: each is loaded once, whatever versions it asks for."""

from __future__ import annotations

import mmap
import subprocess
from pathlib import Path

import pytest

from irsan.engine.native_libraries.private_image import can_set_apart, private_image
from irsan.engine.native_libraries.shared_object import SharedObject
from tests.engine.native_libraries.test_native_libraries import compiler
from tests.support.jit import run_snippet

INNER = """
#include <stdio.h>
__attribute__((constructor)) static void construct(void) { puts("constructed"); fflush(stdout); }
int own(void) { return 21; }
"""
OUTER = "int own(void); int twice(void) { return 2 * own(); }"
VERSIONS = "V1 { global: own; local: *; };"
LOAD = """
import ctypes, sys
from pathlib import Path
from irsan.engine.native_libraries.guest_libraries import GuestLibraries
guest = GuestLibraries(lambda name: None)
library = guest.load(sys.argv[1])
print(list(guest.libraries), ctypes.CFUNCTYPE(ctypes.c_int)(library.symbol("twice"))())
print(sum("libinner.so" in line for line in Path("/proc/self/maps").read_text().splitlines()))
"""


def built(folder: Path, name: str, source: str, *words: str) -> Path:
    """A shared library of that name."""
    (folder / f"{name}.c").write_text(source)
    argv = [compiler(), "-shared", "-fPIC", "-O1", f"{name}.c", "-o", name, *words]
    subprocess.run(argv, cwd=folder, check=True)
    return folder / name


def parsed(path: Path) -> tuple[bytes, SharedObject]:
    raw = path.read_bytes()
    return raw, SharedObject.parse(raw, str(path))


@pytest.fixture(params=["plain", "versions"])
def outer(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A library that finds what it needs beside itself, and nowhere else."""
    (tmp_path / "versions").write_text(VERSIONS)
    words = ["-Wl,--version-script=versions"] if request.param == "versions" else []
    built(tmp_path, "libinner.so", INNER, "-Wl,-soname,libinner.so", *words)
    return built(tmp_path, "libouter.so", OUTER, "-L.", "-linner", "-Wl,-rpath,$ORIGIN")


def test_what_a_copy_needs_is_a_copy_and_not_loaded_beside_it(outer: Path) -> None:
    shown = run_snippet(LOAD, str(outer)).stdout.splitlines()
    assert shown == ["['libinner.so', 'libouter.so'] 42", "0"]


def test_a_name_is_set_apart_wherever_it_stands(outer: Path) -> None:
    raw, before = parsed(outer)
    image = private_image(raw, before, ("libinner.so",))
    after = SharedObject.parse(image, "copy")
    assert after.needed[0] == "=ibinner.so" and after.needed[1:] == before.needed[1:]
    assert b"\0libinner.so\0" not in image
    assert len(image) == len(raw)
    inner = SharedObject.parse(private_image(*parsed(outer.with_name("libinner.so"))), "copy")
    assert inner.soname == "=ibinner.so"


def test_a_name_that_ends_another_is_left(tmp_path: Path) -> None:
    built(tmp_path, "libinner.so", INNER, "-Wl,-soname,libinner.so")
    built(tmp_path, "otherlibinner.so", "int z;", "-Wl,-soname,otherlibinner.so")
    raw, before = parsed(
        built(tmp_path, "libouter.so", OUTER, "-L.", "-linner", "-Wl,--no-as-needed",
              "./otherlibinner.so")
    )  # fmt: skip
    assert {"libinner.so", "otherlibinner.so"} <= set(before.needed)
    merged = b"\0libinner.so\0" not in raw
    assert can_set_apart(raw, before, "libinner.so") is not merged
    image = private_image(raw, before, ("libinner.so",))
    assert "otherlibinner.so" in SharedObject.parse(image, "copy").needed


def test_a_library_without_a_soname_has_none_to_answer_to(tmp_path: Path) -> None:
    path = built(tmp_path, "libplain.so", INNER)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as raw:
        found = SharedObject.parse(raw, str(path))
        assert not can_set_apart(raw, found, found.soname)
        assert SharedObject.parse(private_image(raw, found), "copy").soname == ""
