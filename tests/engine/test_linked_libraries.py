"""`irsan run` links what a linker would: objects, members of static libraries, -l and -L."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.builds.test_driver import ZIG, Build

MANY = """
#include <pthread.h>
#include <stdio.h>
int next_value(void);
static void *show(void *a) { printf("%d ", next_value()); return a; }
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) {
        show(0);
        pthread_create(&t, 0, show, 0);
        pthread_join(t, 0);
    }
    return 0;
}
"""


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return Build(tmp_path)


def run(build: Build, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "irsan", "run", *words]
    return subprocess.run(command, cwd=build.folder, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("how", ["carried", "native", "bitcode", "thin", "lto", "thin lto"])
def test_members_on_demand(build: Build, how: str) -> None:
    build.file("unused.c", "int nowhere(void); int unused(void) { return nowhere(); }\n")
    for name in ("twice", "unused"):
        if how == "native":
            build.tool(*ZIG, "cc", "-fno-sanitize=all", "-c", f"{name}.c", "-o", f"{name}.o")
        elif "lto" in how:
            lto = "-flto=thin" if how == "thin lto" else "-flto"
            build.tool(*ZIG, "cc", "-g", "-fno-sanitize=all", lto, "-c", f"{name}.c",
                       "-o", f"{name}.o")  # fmt: skip
        elif how == "bitcode":
            build.run("-emit-llvm", "-g", "-c", f"{name}.c", "-o", f"{name}.o")
        else:
            build.run("-c", f"{name}.c")
    build.tool(*ZIG, "ar", "rcsT" if "thin" in how else "rcs", "libt.a", "unused.o", "twice.o")
    for words in (["-L.", "-lt", "main.c"], ["main.c", "libt.a"]):
        done = run(build, *words, "x")
        assert (done.stdout, done.returncode, done.stderr) == ("4 x\n", 0, "")


def test_a_member_may_define_an_alias(build: Build) -> None:
    build.file("twice.c", "int real(int x) { return 2 * x; }\n"
               'int twice(int) __attribute__((alias("real")));\n')  # fmt: skip
    build.tool(*ZIG, "cc", "-g", "-fno-sanitize=all", "-flto", "-c", "twice.c", "-o", "twice.o")
    build.tool(*ZIG, "ar", "rcs", "libt.a", "twice.o")
    done = run(build, "main.c", "libt.a", "x")
    assert (done.stdout, done.returncode, done.stderr) == ("4 x\n", 0, "")


def test_an_executable_and_its_own_words(build: Build) -> None:
    build.run("main.c", "twice.c", "-o", "prog")
    done = run(build, "prog", "twice.o", "main.c")
    assert (done.stdout, done.returncode, done.stderr) == ("6 main.c\n", 0, "")


def test_native_libraries(build: Build) -> None:
    build.tool(*ZIG, "cc", "-fno-sanitize=all", "-shared", "-fPIC", "twice.c", "-o", "libt.so")
    done = run(build, "-L.", "-lt", "main.c", "x")
    assert (done.stdout, done.returncode, done.stderr) == ("4 x\n", 0, "")


def test_a_native_library_finds_what_it_needs_and_that_begins_once(build: Build) -> None:
    """The folder is the library's own run path; its need's constructor prints."""
    build.file("inner.c", """
#include <stdio.h>
__attribute__((constructor)) static void begin(void) { puts("begun"); fflush(stdout); }
int half(int n) { return n / 2; }
""")
    build.file("outer.c", "int half(int); int quarter(int n) { return half(half(n)); }")
    build.file("quarters.c", """
#include <stdio.h>
int quarter(int);
int main(void) { printf("%d\\n", quarter(40)); return 0; }
""")
    shared = ("-fno-sanitize=all", "-shared", "-fPIC")
    build.tool(*ZIG, "cc", *shared, "-Wl,-soname,libinner.so", "inner.c", "-o", "libinner.so")
    build.tool(*ZIG, "cc", *shared, "-Wl,-soname,libouter.so", "-Wl,-rpath,$ORIGIN", "outer.c",
               "-L.", "-linner", "-o", "libouter.so")  # fmt: skip
    done = run(build, "-L.", "-louter", "quarters.c")
    assert (done.stdout, done.returncode, done.stderr) == ("begun\n10\n", 0, "")


def test_a_tree_of_a_native_library_keeps_its_keys_alive(build: Build) -> None:
    """Its nodes lie in the C library's heap; so terminfo keeps what it knows of a terminal."""
    build.file("keeper.c", """
#include <search.h>
#include <stdlib.h>
#include <string.h>
static void *root;
static int compare(const void *a, const void *b) { return strcmp(a, b); }
void keep(const char *text) { tsearch(strdup(text), &root, compare); }
void lose(const char *text) { strdup(text); }
""")
    build.file("keeps.c", """
void keep(const char *), lose(const char *);
int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) keep(argv[i]);
    if (argc == 2) lose("a text of 21 letters");
    return 0;
}
""")
    build.tool(*ZIG, "cc", "-fno-sanitize=all", "-shared", "-fPIC", "keeper.c", "-o", "libk.so")
    done = run(build, "-L.", "-lk", "keeps.c", "one", "two", "three")
    assert (done.returncode, done.stderr) == (0, "")
    done = run(build, "-L.", "-lk", "keeps.c", "one")
    assert done.returncode == 66 and "21 byte(s) leaked in 1 allocation(s)" in done.stderr


def test_what_is_missing_is_named(build: Build) -> None:
    done = run(build, "-lnot_there", "main.c")
    assert done.returncode == 2 and "libnot_there.so or libnot_there.a" in done.stderr
    build.file("text.a", "no library")
    done = run(build, "main.c", "text.a")
    assert done.returncode == 2 and "text.a: unknown kind of program" in done.stderr
    done = run(build, "main.c")
    assert done.returncode == 69 and "twice (needed by main" in done.stderr


def test_thread_locals_that_others_name_begin_as_the_library_says(build: Build) -> None:
    """They stay where they are and are copied at every switch."""
    build.file("own.c", """
__thread int big[300] = {7};
extern __thread int n;
__thread int n = 5;
int next_value(void) { big[299] += big[0]; return ++n * 100 + big[299]; }
""")
    build.file("many.c", MANY)
    build.tool(*ZIG, "cc", "-fno-sanitize=all", "-shared", "-fPIC", "own.c", "-o", "libown.so")
    done = run(build, "-L.", "-lown", "many.c")
    assert (done.stdout, done.returncode, done.stderr) == ("607 607 714 607 ", 0, "")


def test_each_thread_has_the_thread_locals_of_a_native_library(build: Build) -> None:
    build.file("own.c", """
static __thread int big[300] = {7};
static __thread int n = 5;
int next_value(void) { big[299] += big[0]; return ++n * 100 + big[299]; }
""")
    build.file("many.c", MANY)
    build.tool(*ZIG, "cc", "-fno-sanitize=all", "-shared", "-fPIC", "own.c", "-o", "libown.so")
    done = run(build, "-L.", "-lown", "many.c")
    assert (done.stdout, done.returncode, done.stderr) == ("607 607 714 607 ", 0, "")


def test_thread_locals_that_cannot_be_kept_apart_are_named(build: Build) -> None:
    build.file("own.c", "__thread char shown[2100];\n"
               "int twice(int n) { return shown[n] + 2 * n; }\n")  # fmt: skip
    build.tool(*ZIG, "cc", "-fno-sanitize=all", "-shared", "-fPIC", "own.c", "-o", "libown.so")
    done = run(build, "-L.", "-lown", "main.c")
    assert done.returncode == 69
    assert "libown.so (2100 bytes)" in done.stderr and "irsan-cc" in done.stderr
