"""Executables made by irsan-cc run themselves under irsan, as any sanitized binary does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from irsan.engine.builds.build_ahead import build_ahead
from irsan.runtime.layout import memory_map
from tests.engine.builds.test_driver import Build

USE_AFTER_FREE = """
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    char *p = malloc(8);
    free(p);
    if (argc > 1) p[1] = 'x';
    puts(argv[0]);
    return 7;
}
"""
LIBRARY = """
#include <stdio.h>
static int secret(void) { return 1; }
__attribute__((visibility("hidden"))) int helper(void) { return secret(); }
int overridden(void) { return 1; }
int asked(void) { return 10 * helper() + overridden(); }
char table[4];
char beyond(int i) { return table[i]; }
__attribute__((constructor)) static void in(void) { puts("library in"); }
__attribute__((destructor)) static void out(void) { puts("library out"); }
"""
USER = """
#include <stdio.h>
#include <stdlib.h>
int asked(void);
char beyond(int);
int helper(void) { return 5; }
int overridden(void) { return 2; }
__attribute__((constructor)) static void in(void) { puts("program in"); }
int main(int argc, char **argv) {
    printf("%d %d\\n", asked(), helper());
    return argc > 1 ? beyond(atoi(argv[1])) : 0;
}
"""


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return Build(tmp_path)


def started(
    build: Build, *words: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, cwd=build.folder, capture_output=True, text=True, timeout=300,
        env={**os.environ, **environment},
    )  # fmt: skip


def wrapped(*words: str) -> list[str]:
    code = "import sys; from irsan.compiler_wrapper import main_c; sys.exit(main_c())"
    return [sys.executable, "-c", code, *words]


@pytest.mark.parametrize("word", [[], ["-c"]], ids=["executable", "object"])
def test_its_name_may_be_that_of_a_static_library(build: Build, word: list[str]) -> None:
    build.file("seven.c", "int main(void) { return 7; }\n")
    build.run(*word, "seven.c", "-o", "seven.a")
    if word:
        build.run("seven.a", "-o", "seven")
    done = started(build, "./seven" if word else "./seven.a")
    assert (done.returncode, done.stderr) == (7, "")


def test_it_is_checked_when_it_is_started(build: Build) -> None:
    build.file("uaf.c", USE_AFTER_FREE)
    build.run("-g0", "uaf.c", "-o", "prog")
    clean = started(build, "./prog")
    assert (clean.returncode, clean.stdout, clean.stderr) == (7, "./prog\n", "")
    found = started(build, "./prog", "x")
    assert found.returncode == 66
    assert "heap-use-after-free" in found.stderr and "uaf.c:7:" in found.stderr
    native = started(build, "./prog", "x", IRSAN_NATIVE="1")
    assert (native.returncode, native.stderr) == (7, "")


def test_a_copy_under_another_name(build: Build) -> None:
    build.file("uaf.c", USE_AFTER_FREE)
    build.run("uaf.c", "-o", "prog")
    (build.folder / "prog").rename(build.folder / "other name")
    assert started(build, "sh", "-c", '"./other name" x').returncode == 66
    called = subprocess.run(
        ["zero"], executable=build.folder / "other name", capture_output=True, text=True
    )
    assert (called.returncode, called.stdout) == (7, "zero\n")


def test_a_file_that_is_gone(build: Build) -> None:
    build.run("main.c", "twice.c", "-o", "prog")
    done = started(build, "sh", "-c", "exec 3<prog; rm prog; exec /proc/self/fd/3 x")
    assert (done.stdout, done.stderr) == ("4 x\n", "")


def test_a_library_is_known_by_its_name_once_it_is_there(build: Build) -> None:
    build.file("deep.c", "int deep(void) { return 5; }\n")
    build.file("flat.c", "int deep(void); int twice(int x) { return deep() * x; }\n")
    build.run("-shared", "-fPIC", "deep.c", "-o", "libdeep.so")
    build.run("-shared", "-fPIC", "flat.c", "-L.", "-ldeep", "-o", "libflat.so")
    build.run("main.c", "-Wl,--no-as-needed", "-L.", "-lflat", "-ldeep", "-Wl,-rpath,$ORIGIN",
              "-o", "prog")  # fmt: skip
    done = started(build, "./prog", "x")
    assert (done.stdout, done.stderr) == ("10 x\n", ""), "libflat.so has no rpath of its own"


NEXT = """
#define _GNU_SOURCE
#include <dlfcn.h>
static int of(void *scope) { int (*f)(void) = dlsym(scope, "who"); return f ? f() : -1; }
int NAME(void) { return 10 * of(RTLD_NEXT) + of(RTLD_DEFAULT); }
"""


def test_the_next_image(build: Build) -> None:
    build.file("last.c", "int who(void) { return 3; }\n")
    build.file("lib.c", NEXT.replace("NAME", "library") + "int who(void) { return 2; }\n")
    build.file("prog.c", NEXT.replace("NAME", "program") + """
#include <stdio.h>
#include <stdlib.h>
int library(void);
int who(void) { return 1; }
void *malloc(size_t n) { return ((void *(*)(size_t))dlsym(RTLD_NEXT, "malloc"))(n + 1); }
int main(void) {
    free(malloc(3));
    printf("%d %d %d\\n", program(), library(), dlsym(RTLD_NEXT, "nowhere") == 0);
    return 0;
}
""")
    link = ["-rdynamic", "prog.c", "-L.", "-Wl,--no-as-needed", "-llib", "-llast",
            "-Wl,-rpath,$ORIGIN", "-o", "prog"]  # fmt: skip
    for native in ("0", "1"):  # libraries with IR, and without
        for name in ("lib", "last"):
            words = ("-shared", "-fPIC", f"{name}.c", "-o", f"lib{name}.so")
            assert started(build, *wrapped(*words), IRSAN_NATIVE=native).returncode == 0
        build.run(*link)
        done = started(build, "./prog")
        assert done.stderr == ""
        if native == "0":
            assert done.stdout == "21 31 1\n"
        else:  # of several native libraries one answers
            assert done.stdout[0] in "23" and done.stdout.endswith(" 1\n")


def test_reports_go_where_the_environment_says(build: Build) -> None:
    build.file("uaf.c", USE_AFTER_FREE)
    build.run("uaf.c", "-o", "prog")
    where = f"report_path={build.folder}/%p.json"
    assert started(build, "./prog", IRSAN_OPTIONS=where).returncode == 7
    assert not list(build.folder.glob("*.json"))
    started(build, "./prog", "x", IRSAN_OPTIONS=where)
    (report,) = build.folder.glob("*.json")
    assert json.loads(report.read_text())["findings"][0]["kind"] == "heap-use-after-free"
    log = f"log_path={build.folder}/log-%p"
    assert started(build, "./prog", "x", ASAN_OPTIONS=log).stderr == ""
    assert len(list(build.folder.glob("log-*"))) == 1


def test_the_build_chooses_the_checks(build: Build) -> None:
    build.file("uaf.c", USE_AFTER_FREE)
    build.run("-fsanitize=undefined", "uaf.c", "-o", "prog")
    assert started(build, "./prog", "x").returncode == 7
    said = started(build, "./prog", "x", IRSAN_OPTIONS="sanitize=address")
    assert said.returncode == 66


def test_signals_and_children(build: Build) -> None:
    build.file("kids.c", """
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "child")) return 3;
    if (argc > 1) raise(SIGTERM);
    int status;
    if (!fork()) execl(argv[0], argv[0], "child", (char *)0);
    wait(&status);
    printf("%d\\n", WEXITSTATUS(status));
    return 0;
}
""")
    build.run("kids.c", "-o", "kids")
    assert started(build, "./kids").stdout == "3\n"
    assert started(build, "./kids", "x").returncode == -signal.SIGTERM


@pytest.mark.parametrize("engine", ["jit", "interp"])
def test_libraries_are_checked_and_keep_their_names(build: Build, engine: str) -> None:
    build.file("lib.c", LIBRARY)
    build.file("user.c", USER)
    build.run("-shared", "-fPIC", "lib.c", "-o", "liblib.so")
    build.run("user.c", "-L.", "-llib", "-Wl,-rpath,$ORIGIN", "-o", "user")
    engine_words = {"IRSAN_OPTIONS": f"engine={engine}"}
    native = started(build, "./user", IRSAN_NATIVE="1")
    checked = started(build, "./user", **engine_words)
    assert native.stdout == "library in\nprogram in\n12 5\nlibrary out\n"
    assert (checked.stdout, checked.returncode, checked.stderr) == (native.stdout, 0, "")
    beyond = started(build, "./user", "4", **engine_words)
    assert "global-buffer-overflow" in beyond.stderr and "lib.c:8:" in beyond.stderr


def test_native_objects_run_beside(build: Build) -> None:
    build.file("fast.s", ".globl twice\ntwice: lea (%rdi,%rdi), %eax\nret\n"
               '.section .note.GNU-stack,"",@progbits\n')  # fmt: skip
    build.run("main.c", "fast.s", "-o", "prog")
    assert started(build, "./prog", "a").stdout == "4 a\n"


def test_irsan_that_is_gone_is_named(build: Build) -> None:
    build.run("main.c", "twice.c", "-o", "prog")
    raw = (build.folder / "prog").read_bytes()
    broken = raw.replace(b"bin/python", b"bin/pithon").replace(b"/restore\0", b"/restart\0")
    assert broken.count(b"pithon") >= 1 and b"/restart\0" in broken
    (build.folder / "prog").write_bytes(broken)
    done = started(build, "./prog")
    assert done.returncode == 69 and "IRSAN_NATIVE=1" in done.stderr


def test_versioned_symbols_of_a_library(build: Build) -> None:
    build.file("v.c", """
int one_old(void) { return 1; }
int one_new(void) { return 2; }
__asm__(".symver one_old,one@V1");
__asm__(".symver one_new,one@@V2");
""")
    build.file("v.map", "V1 { global: one; local: *; };\nV2 { global: one; } V1;\n")
    build.file("uses.c", "int one(void); int main(void) { return one(); }\n")
    build.run("-shared", "-fPIC", "v.c", "-Wl,--version-script=v.map", "-o", "libv.so")
    build.run("uses.c", "-L.", "-lv", "-Wl,-rpath,$ORIGIN", "-o", "uses")
    assert started(build, "./uses").returncode == 2


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["-Wl,--version-script=hide.map"], 0),
        (["-Wl,-Bsymbolic"], 0),
        (["-fvisibility=hidden"], 0),
        ([], 66),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else "",
)
def test_what_a_library_hides_is_defined_once(
    build: Build, words: list[str], status: int
) -> None:
    build.file("hide.map", "{ global: of_library; local: *; };\n")
    build.file("part.c", "int state[8] = {1};\n__attribute__((visibility(\"default\"))) "
               "int of_library(void) { return state[0]; }\n"
               )  # fmt: skip
    build.file("own.c", "int state[8] = {7};\nint of_library(void);\n"
               "int main(void) { return of_library() != 1; }\n")  # fmt: skip
    build.run("-shared", "-fPIC", *words, "part.c", "-o", "libpart.so")
    build.run("own.c", "-L.", "-lpart", "-Wl,-rpath,$ORIGIN", "-o", "own")
    done = started(build, "./own")
    assert (done.returncode, "odr-violation" in done.stderr) == (status, status != 0), done.stderr


def test_code_that_the_linker_left_out_needs_nothing(build: Build) -> None:
    build.file("gc.c", "int nowhere(void);\nint unused(void) { return nowhere(); }\n"
               "int main(void) { return 3; }\n")  # fmt: skip
    build.run("-ffunction-sections", "-Wl,--gc-sections", "gc.c", "-o", "gc")
    assert started(build, "./gc").returncode == 3


def test_its_environment_is_its_own(build: Build) -> None:
    build.file("env.c", "#include <stdio.h>\nextern char **environ;\n"
               "int main(void) { for (char **e = environ; *e; e++) puts(*e); }\n")  # fmt: skip
    build.run("env.c", "-o", "env")
    for given in (["A=1"], ["A=1", "HOME=/nowhere"], ["LC_CTYPE=badlocale", "B=2"]):
        done = started(build, "env", "-i", *given, "./env")
        assert (done.stdout.splitlines(), done.stderr) == (given, "")


@pytest.mark.parametrize("parts", [["use.c", "part.c"], ["whole.c"]])
def test_places_in_reports_lie_in_the_program(build: Build, parts: list[str]) -> None:
    build.file("part.c", "void touch(char *p) { p[1] = 'x'; }\n")
    build.file("use.c", "#include <stdlib.h>\nvoid touch(char *);\n"
               "int main(void) { char *p = malloc(8); free(p); touch(p); }\n")  # fmt: skip
    build.file("whole.c", '#include "use.c"\n#include "part.c"\n')
    build.run(*parts, "-o", "use")
    out = build.folder / "r.json"
    started(build, "./use", IRSAN_OPTIONS=f"report_path={out}")
    (finding,) = json.loads(out.read_text())["findings"]
    frames = [frame for stack in finding["stacks"] for frame in stack["frames"]]
    pcs = [int(frame["pc"], 16) for frame in frames if frame["file"]]
    assert len(pcs) >= 4
    assert all(memory_map.PROGRAM_CODE_LO <= pc < memory_map.PROGRAM_CODE_HI for pc in pcs)


def test_what_stops_building_ahead_does_not_stop_the_build(tmp_path: Path) -> None:
    build_ahead(tmp_path / "gone")
    (tmp_path / "text").write_bytes(b"\x7fELF\x02\x01 and no more")
    build_ahead(tmp_path / "text")
