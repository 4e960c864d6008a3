"""Threads and thread-locals of native libraries work, or are refused by name."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.engine.builds.test_driver import Build
from tests.engine.test_linked_libraries import run

USER = """
#include <stdio.h>
int work(int *x);
int main(void) { int x = 1; int r = work(&x); printf("%d %d\\n", r, x); return 0; }
"""
THREADS = """
#include <pthread.h>
static __thread int own = 5;
static void *add(void *a) { own++; *(int *)a += own; return 0; }
int work(int *x) { pthread_t t; pthread_create(&t, 0, add, x); pthread_join(t, 0); return own; }
"""
FUTURES = """
#include <future>
extern "C" int work(int *x) {
    auto f = std::async(std::launch::async, [=] { return *x + 1; });
    *x = f.get();
    return 6;
}
"""
OPENMP = """
int work(int *x) {
    int s = 0;
#pragma omp parallel for reduction(+:s) num_threads(3)
    for (int i = 0; i < 9; i++) s += i;
    *x = s;
    return 1;
}
"""
QUEUE = """
#include <mqueue.h>
#include <signal.h>
static void told(union sigval v) {}
int work(int *x) {
    struct sigevent e = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = told};
    return mq_notify(-1, *x ? &e : 0);
}
"""
THREAD_BY_CLONE = """
#define _GNU_SOURCE
#include <sched.h>
static char stack[4096];
static int f(void *a) { return 0; }
int work(int *x) {
    return clone(f, stack + 4096, CLONE_VM | CLONE_SIGHAND | CLONE_THREAD, x);
}
"""

pytestmark = pytest.mark.skipif(
    not (shutil.which("gcc") and shutil.which("g++")), reason="gcc is not installed"
)


def library(build: Build, text: str, name: str, *words: str) -> subprocess.CompletedProcess[str]:
    build.file("user.c", USER)
    build.file(name, text)
    compiler = "g++" if name.endswith("cpp") else "gcc"
    build.tool(compiler, *words, "-shared", "-fPIC", name, "-o", "libwork.so")
    return run(build, "-L.", "-lwork", "user.c")


@pytest.mark.parametrize(
    ("text", "name", "output"), [(THREADS, "w.c", "5 7\n"), (FUTURES, "w.cpp", "6 2\n")]
)
def test_threads_of_native_libraries(tmp_path: Path, text: str, name: str, output: str) -> None:
    done = library(Build(tmp_path), text, name)
    assert (done.stdout, done.returncode, done.stderr) == (output, 0, "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (QUEUE, "mq_notify with SIGEV_THREAD"),
        (THREAD_BY_CLONE, "clone with CLONE_THREAD"),
    ],
)
def test_what_cannot_be_scheduled_is_named(tmp_path: Path, text: str, said: str) -> None:
    done = library(Build(tmp_path), text, "w.c")
    assert done.returncode == 69 and said in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("limit", ["1", "8"])
def test_openmp_runs_in_teams(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setenv("OMP_THREAD_LIMIT", limit)
    done = library(Build(tmp_path), OPENMP, "w.c", "-fopenmp")
    assert (done.stdout, done.returncode) == ("1 36\n", 0)
