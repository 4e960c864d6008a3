"""dlopen of libraries with IR: checked, named, started and ended as the system's loader does."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from irsan.engine.builds.zig_clang import has_system
from tests.engine.builds.test_driver import Build

ENGINES = ("jit", "interp")
# zig's own C library calls what a closed plugin gave to atexit; its C++ library is one per image.
needs_system = pytest.mark.skipif(not has_system(), reason="links with the system's libraries")
PLUGIN = """
#include <stdio.h>
#include <stdlib.h>
extern int host_value(int);
static __thread int calls = 5;
static int table[4];
__attribute__((visibility("hidden"))) int helper(void) { return 7; }
__attribute__((constructor)) static void in(int c, char **v) { printf("in %d %s\\n", c, v[c - 1]); }
__attribute__((destructor)) static void out(void) { puts("out"); }
static void at(void) { puts("atexit"); }
int run(int i) { atexit(at); return host_value(helper()) * 100 + ++calls * 10 + table[i]; }
int count(void) { return ++calls; }
"""
HOST = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int host_value(int x) { return x + 1; }
static __thread int mine = 3;
static int (*count)(void);
static void *thread(void *a) { printf("thread %d %d\\n", count(), ++mine); return a; }
int main(int argc, char **argv) {
    for (int round = 0; round < 2; round++) {
        void *h = dlopen("./libplug.so", RTLD_NOW);
        if (!h) { puts(dlerror()); return 1; }
        int (*run)(int) = (int (*)(int))dlsym(h, "run");
        count = (int (*)(void))dlsym(h, "count");
        printf("%d hidden %d", run(atoi(argv[1])), dlsym(h, "helper") != 0);
        printf(" %d\\n", strstr(dlerror(), "helper") != 0);
        pthread_t t;
        pthread_create(&t, 0, thread, 0);
        pthread_join(t, 0);
        Dl_info info;
        dladdr((void *)run, &info);
        int again = dlopen("./libplug.so", RTLD_NOLOAD | RTLD_LAZY) == h;
        printf("%d %d %d %s\\n", count(), again, mine, info.dli_sname);
        if (argc > 2) return 0;
        dlclose(h);
        printf("closed %d\\n", dlclose(h));
        printf("gone %d\\n", dlopen("./libplug.so", RTLD_NOLOAD | RTLD_LAZY) == 0);
    }
    return 0;
}
"""


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return Build(tmp_path)


def start(build: Build, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, cwd=build.folder, capture_output=True, text=True, timeout=300,
        env={**os.environ, **environment},
    )  # fmt: skip


def made(build: Build) -> Build:
    build.file("plug.c", PLUGIN)
    build.file("host.c", HOST)
    build.run("-shared", "-fPIC", "-g", "plug.c", "-o", "libplug.so")
    build.run("-g", "-rdynamic", "host.c", "-ldl", "-o", "host")
    return build


@needs_system
@pytest.mark.parametrize("engine", ENGINES)
def test_it_behaves_as_natively(build: Build, engine: str) -> None:
    made(build)
    for words in (["0"], ["0", "stay"]):
        native = start(build, "./host", *words, IRSAN_NATIVE="1")
        checked = start(build, "./host", *words, IRSAN_OPTIONS=f"engine={engine}")
        assert native.returncode == 0 and "860 hidden 0 1" in native.stdout
        assert (checked.stdout, checked.returncode, checked.stderr) == (native.stdout, 0, "")


@pytest.mark.parametrize("engine", ENGINES)
def test_it_is_checked(build: Build, engine: str) -> None:
    made(build)
    found = start(build, "./host", "4", IRSAN_OPTIONS=f"engine={engine}")
    assert found.returncode == 66
    assert "global-buffer-overflow" in found.stderr and "plug.c:11:" in found.stderr
    assert "global variable 'table'" in found.stderr


def test_names_are_found_as_by_the_loader(build: Build) -> None:
    build.file("b.c", "int n;\nint same(void) { return 2; }\n"
               "int only_b(void) { return ++n + 100 * same(); }\n")  # fmt: skip
    build.file("a.c", "int only_b(void);\nint same(void) { return 1; }\n"
               "int a(void) { return only_b() * 10 + same(); }\n")  # fmt: skip
    build.file("m.c", """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
    printf("%d\\n", dlopen("liba.so", RTLD_NOLOAD | RTLD_NOW) != 0);
    void *a = dlopen("liba.so", RTLD_NOW | (argc > 1 ? RTLD_GLOBAL : 0));
    printf("%d %d\\n", ((int (*)(void))dlsym(a, "a"))(), dlsym(RTLD_DEFAULT, "a") != 0);
    void *b = dlopen("libb.so", RTLD_NOW);
    printf("%d\\n", ((int (*)(void))dlsym(b, "only_b"))());
    return dlopen("./nothing.so", RTLD_NOW) != 0;
}
""")
    build.run("-shared", "-fPIC", "b.c", "-Wl,-soname,libb.so", "-o", "libb.so")
    build.run("-shared", "-fPIC", "a.c", "-L.", "-lb", "-Wl,-rpath,$ORIGIN", "-o", "liba.so")
    build.run("m.c", "-Wl,-rpath,$ORIGIN", "-o", "m")
    for words in (["./m"], ["./m", "x"]):
        native = start(build, *words, IRSAN_NATIVE="1")
        checked = start(build, *words)
        assert native.returncode == 0
        assert (checked.stdout, checked.returncode, checked.stderr) == (native.stdout, 0, "")


def test_leaks_and_what_keeps_them(build: Build) -> None:
    build.file("keep.c", "#include <stdlib.h>\nchar *slot;\n"
               "void lose(void) { char *volatile p = malloc(77); p = 0; }\n"
               "void keep(void) { slot = malloc(40); }\n")  # fmt: skip
    build.file("m.c", """
#include <dlfcn.h>
int main(void) {
    void *h = dlopen("./libkeep.so", RTLD_NOW);
    ((void (*)(void))dlsym(h, "keep"))();
    ((void (*)(void))dlsym(h, "lose"))();
    return 0;
}
""")
    build.run("-shared", "-fPIC", "-g", "keep.c", "-o", "libkeep.so")
    build.run("-g", "m.c", "-o", "m")
    found = start(build, "./m")
    assert "Direct leak of 77 byte(s)" in found.stderr and "keep.c:3:" in found.stderr
    assert "40 byte" not in found.stderr


def test_memory_of_a_closed_library_is_nobodys(build: Build) -> None:
    made(build)
    build.file("late.c", """
#include <dlfcn.h>
int host_value(int x) { return x; }
int main(void) {
    void *h = dlopen("./libplug.so", RTLD_NOW);
    int (*count)(void) = (int (*)(void))dlsym(h, "count");
    dlclose(h);
    return count();
}
""")
    build.run("-g", "-rdynamic", "late.c", "-o", "late")
    found = start(build, "./late")
    assert found.returncode == 66 and "SEGV" in found.stderr and "late.c:8:" in found.stderr


def test_a_missing_symbol_is_what_dlerror_says(build: Build) -> None:
    build.file("plug.c", PLUGIN)
    build.file("m.c", """
#include <dlfcn.h>
#include <stdio.h>
int main(void) { return dlopen("./libplug.so", RTLD_NOW) ? 1 : (puts(dlerror()), 0); }
""")
    build.run("-shared", "-fPIC", "plug.c", "-o", "libplug.so")
    build.run("m.c", "-o", "m")
    done = start(build, "./m")
    assert done.returncode == 0 and "host_value" in done.stdout


@needs_system
def test_objects_and_exceptions_cross_the_border(build: Build) -> None:
    base = "struct Base { virtual ~Base() {} virtual int f() = 0; };\n" \
           "inline int &counter() { static int n = 10; return n; }\n"  # fmt: skip
    build.file("p.cpp", f"""
#include <cstdio>
#include <stdexcept>
#include <string>
{base}
struct Loud {{
    std::string s;
    ~Loud() {{ std::printf("drop %s\\n", s.c_str()); }}
}};
static Loud loud{{"plugin"}};
struct P : Base {{ int f() override {{ counter()++; throw std::runtime_error("thrown"); }} }};
extern "C" Base *make() {{ return new P; }}
""")
    build.file("h.cpp", f"""
#include <dlfcn.h>
#include <cstdio>
#include <stdexcept>
{base}
int main() {{
    void *h = dlopen("./libp.so", RTLD_NOW);
    Base *b = ((Base *(*)())dlsym(h, "make"))();
    try {{ b->f(); }}
    catch (const std::exception &e) {{ std::printf("%s %d\\n", e.what(), counter()); }}
    delete b;
    dlclose(h);
    std::puts("end");
}}
""")
    build.run("-shared", "-fPIC", "p.cpp", "-o", "libp.so", cxx=True)
    build.run("-rdynamic", "h.cpp", "-o", "h", cxx=True)
    done = start(build, "./h")
    assert (done.stdout, done.stderr) == ("thrown 11\ndrop plugin\nend\n", "")
