"""Functions of omp.h beside regions: device memory on the host, affinity as text, pauses, other
names; what they print is compared with LLVM's library where clang 19 has it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.engine.test_openmp_runs import irsan

ENGINES = ("jit", "interp")
_PROGRESS = re.compile(r"^irsan: (?:building|compiling|done in) .*\n", re.MULTILINE)
DEVICES = """
#include <omp.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    int h = omp_get_initial_device(), a[10], q[10] = {0};
    int *p = omp_target_alloc(sizeof a, h);
    for (int i = 0; i < 10; i++) p[i] = 2 * i;
    printf("%d", omp_target_memcpy(q, p, 20, 4, 8, h, h));
    for (int i = 0; i < 10; i++) printf(" %d", q[i]);
    size_t volume[2] = {2, 3}, to[2] = {1, 1}, from[2] = {0, 1};
    size_t wide[2] = {4, 5}, narrow[2] = {2, 5};
    char A[] = "....................", B[] = "abcdefghij";
    int r = omp_target_memcpy_rect(A, B, 1, 2, volume, to, from, wide, narrow, h, h);
    printf("\\n%d %s\\n", r, A);
    printf("%d\\n", omp_target_memcpy_rect(0, 0, 1, 2, volume, to, from, wide, narrow, h, h) > 2);
    omp_depend_t o;
#pragma omp depobj(o) depend(inout : q)
    omp_target_memset(p, 1, sizeof a, h);
    r = omp_target_memcpy_async(q, p, sizeof q, 0, 0, h, h, 1, &o);
#pragma omp task depend(inout : q) shared(q)
    q[0]++;
#pragma omp taskwait
#pragma omp depobj(o) destroy
    printf("%d %x %x\\n", r, q[0], q[9]);
    omp_target_memset_async(p, 6, 4, h, 0, NULL);
    omp_target_memcpy_rect_async(A, B, 1, 2, volume, from, from, wide, narrow, h, h, 0, NULL);
#pragma omp taskwait
    printf("%x %s\\n", p[0], A);
    printf("%d%d%d%d\\n", omp_target_is_present(p, h), omp_target_is_present(NULL, h),
           omp_target_is_accessible(p, 4, h), omp_get_mapped_ptr(p, h) == p);
    printf("%d%d\\n", omp_target_associate_ptr(p, p, 4, 0, h) != 0,
           omp_target_disassociate_ptr(p, h) != 0);
    printf("%d %p\\n", omp_target_memcpy(q, p, 4, 0, 0, 99, h) != 0, omp_target_alloc(0, h));
    omp_target_free(p, h);
    omp_target_free(NULL, h);
    int x = 1;
#pragma omp target map(tofrom : x) nowait
    x += 2;
#pragma omp taskwait
#pragma omp target enter data map(to : a)
#pragma omp target teams distribute parallel for map(from : a)
    for (int i = 0; i < 10; i++) a[i] = i;
#pragma omp target exit data map(from : a)
    printf("%d %d\\n", x, a[9]);
}
"""
DEVICES_PRINT = """0 0 4 6 8 10 12 0 0 0 0
0 ......bcd..ghi......
1
0 1010102 1010101
6060606 .bcd..ghi..ghi......
1011
11
1 (nil)
3 9
"""
AFTER_FREE = """
#include <omp.h>
int main(void) {
    char *p = omp_target_alloc(10, 0), q[20];
    omp_target_free(p, 0);
    CALL;
    return 0;
}
"""
ASYNC = """
#include <omp.h>
#include <stdio.h>
int main(void) {
    int a[8] = {1, 2, 3}, b[8] = {0};
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        omp_target_memcpy_async(b, a, sizeof a, 0, 0, 0, 0, 0, NULL);
        WAIT
        printf("%d\\n", b[1] >= 0);
#pragma omp taskwait
    }
}
"""
AFFINITY = """
#include <omp.h>
#include <stdio.h>
int main(void) {
    char b[200];
    size_t n = omp_get_affinity_format(b, 200);
    printf("%zu %s\\n", n, b);
    omp_set_affinity_format("%0.8n|%4L|%.5T|%-3n|%{thread_num}|%%|%N|%t|%a|%0.4a|%.10{nesting_level}|"
                            "%08n|%z|%{nope}|%");
    omp_display_affinity(NULL);
    n = omp_capture_affinity(b, 8, "%n of %N");
    printf("%zu '%s'\\n", n, b);
    n = omp_capture_affinity(b, 5, "%n of %N");
    printf("%zu '%s'\\n", n, b);
    printf("%zu\\n", omp_capture_affinity(NULL, 0, "%{num_threads}%{ancestor_tnum}%{team_num}"));
    n = omp_get_affinity_format(b, 4);
    printf("%zu '%s'\\n", n, b);
#pragma omp parallel num_threads(3)
#pragma omp for ordered
    for (int i = 0; i < 3; i++)
#pragma omp ordered
        omp_display_affinity("%n/%N level %L anc %a of %{num_teams}");
    printf("%d", omp_pause_resource(omp_pause_soft, omp_get_initial_device()));
    printf("%d", omp_pause_resource_all(omp_pause_hard));
    printf("%d\\n", omp_control_tool(omp_control_tool_start, 0, NULL));
    printf("%d %ld %d\\n", omp_get_num_interop_properties(omp_interop_none),
           (long)omp_get_interop_int(omp_interop_none, omp_ipr_fr_id, NULL),
           omp_get_interop_name(omp_interop_none, omp_ipr_fr_id) == NULL);
}
"""
NAMES = """
#include <omp.h>
#include <stdio.h>
extern int omp_get_max_threads_(void), omp_test_lock_(void *), omp_get_team_size_(int *);
extern void omp_set_num_threads_(int *), omp_init_lock_(void *), omp_unset_lock_(void *);
extern void omp_destroy_lock_(void *), omp_set_schedule_(int *, int *);
extern void omp_get_schedule_(int *, int *);
extern int ompc_get_team_size(int), __kmpc_bound_thread_num(void *), __kmpc_in_parallel(void *);
extern void ompc_set_num_threads(int), __kmpc_set_lock(void *, int, void *);
extern void __kmpc_unset_lock(void *, int, void *), __kmpc_init_lock(void *, int, void *);
extern void __kmpc_destroy_lock(void *, int, void *), __kmpc_free(int, void *, void *);
extern void *__kmpc_calloc(int, size_t, size_t, void *);
extern void *__kmpc_realloc(int, void *, size_t, void *, void *);
extern int __kmpc_global_thread_num(void *);
static struct { int unused[4]; const char *where; } at = {{0, 2}, ";unknown;unknown;0;0;;"};
int main(void) {
    int two = 2, one = 1, four = 4, kind, chunk, sum = 0;
    omp_set_num_threads_(&two);
    omp_set_schedule_(&two, &four);
    omp_get_schedule_(&kind, &chunk);
    printf("%d %d %d\\n", omp_get_max_threads_(), kind, chunk);
    omp_lock_t l, m;
    omp_init_lock_(&l);
    printf("%d", omp_test_lock_(&l));
    printf("%d\\n", omp_test_lock_(&l));
    omp_unset_lock_(&l);
    omp_destroy_lock_(&l);
    __kmpc_init_lock(&at, __kmpc_global_thread_num(&at), &m);
#pragma omp parallel
    {
        int number = __kmpc_global_thread_num(&at);
        __kmpc_set_lock(&at, number, &m);
        sum += omp_get_team_size_(&one) + ompc_get_team_size(1) + __kmpc_in_parallel(&at);
        sum += 10 * __kmpc_bound_thread_num(&at);
        __kmpc_unset_lock(&at, number, &m);
    }
    __kmpc_destroy_lock(&at, 0, &m);
    ompc_set_num_threads(3);
    printf("%d %d\\n", sum, omp_get_max_threads());
    int *p = __kmpc_calloc(0, 4, 4, 0);
    p = __kmpc_realloc(0, p, 64, 0, 0);
    printf("%d\\n", p[3]);
    __kmpc_free(0, p, 0);
    char *z = omp_aligned_calloc(256, 3, 100, omp_default_mem_alloc);
    printf("%d %d\\n", (int)((size_t)z % 256), z[299]);
    omp_free(z, omp_default_mem_alloc);
#pragma omp target parallel thread_limit(2) num_threads(4)
#pragma omp single
    printf("%d %d\\n", omp_get_num_threads(), omp_get_thread_limit());
#pragma omp parallel num_threads(3)
#pragma omp single
    printf("%d\\n", omp_get_num_threads());
}
"""
THREADPRIVATE = """
#include <cstdio>
#include <omp.h>
struct Counter {
    int value;
    explicit Counter(int start) : value(start) { std::printf("made %d\\n", value); }
    Counter(const Counter &other) : value(other.value) { std::printf("copied\\n"); }
    ~Counter() { std::printf("ended %d\\n", value); }
};
static Counter a(7), b(3);
static int plain = 5;
#pragma omp threadprivate(a, b, plain)
int main() {
#pragma omp parallel num_threads(2)
#pragma omp critical
    {
        a.value += omp_get_thread_num() + 10;
        b.value += 100 * (omp_get_thread_num() + 1);
        plain += omp_get_thread_num();
    }
#pragma omp parallel for ordered num_threads(2)
    for (int i = 0; i < 2; i++)
#pragma omp ordered
        std::printf("%d: %d %d %d\\n", i, a.value, b.value, plain);
}
"""


def run(folder: Path, engine: str, text: str, *words: str, **environment: str) -> tuple[str, str]:
    name = "a.cpp" if "<cstdio>" in text else "a.c"
    (folder / name).write_text(text)
    done = irsan(folder, "--engine", engine, "-fopenmp", *words, name, **environment)
    return done.stdout, _PROGRESS.sub("", done.stderr)


def natively(folder: Path, text: str, *words: str) -> str:
    """What the program prints with LLVM's library."""
    driver = "clang++-19" if "<cstdio>" in text else "clang-19"
    if not shutil.which(driver):
        pytest.skip(f"{driver} is not installed: nothing to compare with")
    source = folder / ("native.cpp" if "<cstdio>" in text else "native.c")
    source.write_text(text)
    command = [driver, "-fopenmp", "-w", *words, str(source), "-o", str(folder / "native")]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        pytest.skip(f"{driver} has no OpenMP library here: {made.stderr.strip()[:200]}")
    done = subprocess.run([str(folder / "native")], capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.parametrize("engine", ENGINES)
def test_memory_of_devices_is_the_hosts(tmp_path: Path, engine: str) -> None:
    assert run(tmp_path, engine, DEVICES) == (DEVICES_PRINT, "")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "call", ["omp_target_memcpy(q, p, 5, 0, 5, 0, 0)", "omp_target_memset(p, 1, 10, 0)",
             "omp_capture_affinity(p, 9, \"%n\")", "omp_target_free(p, 0)"],
)  # fmt: skip
def test_what_they_touch_is_checked(tmp_path: Path, engine: str, call: str) -> None:
    _, said = run(tmp_path, engine, AFTER_FREE.replace("CALL", call))
    routine = call.partition("(")[0]
    assert re.search(rf"#0 0x\w+ in {routine}\b", said)
    assert "double-free" in said if routine == "omp_target_free" else "use-after-free" in said


@pytest.mark.parametrize("engine", ENGINES)
def test_a_copy_that_may_be_late_races_with_who_does_not_wait(tmp_path: Path, engine: str) -> None:
    _, said = run(tmp_path, engine, ASYNC.replace("WAIT", ""))
    assert "data race" in said and "'task of main'" in said and "omp_target_memcpy" in said
    clean = run(tmp_path, engine, ASYNC.replace("WAIT", '_Pragma("omp taskwait")'))
    assert clean == ("1\n", "")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("text", [AFFINITY, NAMES], ids=["affinity", "names"])
def test_the_output_is_that_of_llvms_library(tmp_path: Path, engine: str, text: str) -> None:
    words = ("--cflag=-w",)
    assert run(tmp_path, engine, text, *words) == (natively(tmp_path, text), "")


@pytest.mark.parametrize("engine", ENGINES)
def test_threadprivate_objects_are_made_and_ended(tmp_path: Path, engine: str) -> None:
    flag = "-fnoopenmp-use-tls"
    printed, said = run(tmp_path, engine, THREADPRIVATE, f"--cflag={flag}")
    assert said == ""
    native = natively(tmp_path, THREADPRIVATE, flag)
    assert printed.splitlines()[:6] == native.splitlines()[:6]
    assert sorted(printed.splitlines()) == sorted(native.splitlines())


def test_settings_are_shown_as_the_specification_has_them(tmp_path: Path) -> None:
    text = "#include <omp.h>\nint main(void) { omp_set_num_threads(5); omp_display_env(0); }\n"
    environment = {"OMP_DISPLAY_ENV": "TRUE", "OMP_SCHEDULE": "guided,7", "OMP_NUM_THREADS": "3,2"}
    _, said = run(tmp_path, "jit", text, **environment)
    assert said.count("OPENMP DISPLAY ENVIRONMENT BEGIN\n   _OPENMP='") == 2
    assert said.count("OPENMP DISPLAY ENVIRONMENT END\n") == 2
    shown = dict(re.findall(r"^  \[host\] (OMP_\w+)='(.*)'$", said, re.MULTILINE))
    assert shown["OMP_SCHEDULE"] == "guided,7" and shown["OMP_NUM_THREADS"] == "3,2"
    assert shown["OMP_DISPLAY_ENV"] == "TRUE" and "OMP_AFFINITY_FORMAT" in shown


def test_threads_show_their_affinity_when_their_team_changes(tmp_path: Path) -> None:
    text = "int main(void) {\n" + 2 * "#pragma omp parallel num_threads(2)\n;\n"
    text += "#pragma omp parallel num_threads(3)\n;\n}\n"
    environment = {"OMP_DISPLAY_AFFINITY": "true", "OMP_AFFINITY_FORMAT": "%{thread_num} of %N"}
    printed, _ = run(tmp_path, "jit", text, **environment)
    lines = printed.splitlines()
    assert sorted(lines[:2]) == ["0 of 2", "1 of 2"]
    assert sorted(lines[2:]) == ["0 of 3", "1 of 3", "2 of 3"]


def test_an_error_directive_is_said_and_ends_the_program(tmp_path: Path) -> None:
    text = """
int main(void) {
#pragma omp error at(execution) severity(warning) message("careful")
#pragma omp error at(execution) message("no further")
}
"""
    _, said = run(tmp_path, "jit", text)
    assert "a.c:3:1: warning of the program (omp error): careful" in said
    assert "a.c:4:1: error of the program (omp error): no further" in said
    assert "The program has called abort" in said
