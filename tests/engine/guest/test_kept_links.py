"""Programs whose link is kept: further starts say the same, and what is damaged is made again."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from irsan.cachedir import kept_root
from irsan.engine.cache import Cache
from irsan.engine.guest.kept_links import KeptLinks
from irsan.engine.linker.link_plan import LinkPlan, Names, NativeObject
from irsan.engine.program_image.program import ProgramImage
from tests.engine.builds.test_driver import Build

FAULTS = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int compare(const void *a, const void *b) { return strcmp(a, b); }
static char names[3][2] = {"c", "a", "b"};
static int (*const held[])(const char *, const char *) = {strcmp, strcoll};
__attribute__((constructor)) static void begin(void) { puts("begin"); }
int main(int argc, char **argv) {
    qsort(names, 3, 2, compare);
    printf("%s %s %d\\n", names[0], names[2], held[argc > 1]("x", "x"));
    char *p = malloc(8);
    free(p);
    return argc > 1 ? p[argc] : UNIQUE;
}
"""
THROWS = """
#include <cstdio>
#include <stdexcept>
#include <vector>
int main(int argc, char **) {
    try {
        std::vector<int> v(argc);
        return v.at(7 + UNIQUE);
    } catch (const std::exception &) {
        std::puts("caught");
    }
    int *p = new int[2];
    delete[] p;
    return argc > 1 ? p[1] : 3;
}
"""
IMAGE = ProgramImage((b"code",), (), b"{}", "key", is_cxx=False, opens=False, digest="digest")


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return Build(tmp_path)


def started(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["./prog", *words], cwd=folder, capture_output=True, text=True, timeout=300
    )


def said(done: subprocess.CompletedProcess[str]) -> tuple[int, str, str]:
    """Status and output, without the process and the second it began in, which a replay names."""
    return done.returncode, done.stdout, re.sub(r"==\d+==|pid=\d+|-c\d+-", "", done.stderr)


def entries() -> dict[Path, int]:
    """Links that the cache keeps, and when each was used last."""
    return {head.parent: head.stat().st_mtime_ns for head in kept_root().glob("link/*/*/head")}


@pytest.mark.parametrize(("name", "text"), [("faults.c", FAULTS), ("throws.cpp", THROWS)])
def test_a_start_that_takes_a_link_is_one_that_makes_it(
    build: Build, name: str, text: str
) -> None:
    build.file(name, text.replace("UNIQUE", str(os.getpid() % 100 + 1)))
    is_cxx = name.endswith(".cpp")
    build.run(name, "-o", "prog", cxx=is_cxx)
    if is_cxx and b"libstdc++.so.6" not in (build.folder / "prog").read_bytes():
        pytest.skip("the machine has no libstdc++: links with the bundled C++ library are not kept")
    folder, before = build.folder, entries()
    first = started(folder)
    made = entries().keys() - before.keys()
    assert len(made) == 1
    (entry,) = made
    used_ns = entries()[entry]
    assert said(started(folder)) == said(first)
    assert entries()[entry] > used_ns
    found = started(folder, "x")
    assert found.returncode == 66 and "heap-use-after-free" in found.stderr
    body = entry / "body"
    inode = body.stat().st_ino
    body.write_bytes(bytes(body.stat().st_size))  # of the same length
    assert said(started(folder, "x")) == said(found), "linked anew"
    assert body.stat().st_ino != inode and any(body.read_bytes())
    assert said(started(folder, "x")) == said(found), "and taken"


@pytest.mark.parametrize(
    "other",
    [
        {"image": replace(IMAGE, digest="other")},
        {"image": replace(IMAGE, plan=LinkPlan(libraries=("libz.so.1",)))},
        {"image": replace(IMAGE, plan=LinkPlan(names=(Names(frozenset(["a"])),)))},
        {"image": replace(IMAGE, plan=LinkPlan(names=(Names(imports=frozenset(["a"])),)))},
        {"image": replace(IMAGE, plan=LinkPlan(natives=(NativeObject("a.o", b"raw"),)))},
        {"image": replace(IMAGE, plan=LinkPlan(starts=(1, 0)))},
        {"words": "True 16384"},
    ],
)  # fmt: skip
def test_what_shapes_a_link_is_in_its_key(other: dict[str, Any]) -> None:
    base = KeptLinks(Cache(None), IMAGE, "False 0", lambda _: None, lambda _: False)
    assert replace(base, **other).key() != base.key()
    assert replace(base).key() == base.key()
