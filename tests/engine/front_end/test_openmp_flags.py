"""-fopenmp brings a header that every compiler takes."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from irsan.engine.front_end.openmp_flags import has_openmp, with_openmp
from tests.support.irsan_runs import bundled_compiler

SOURCE = """
#include <omp.h>
omp_lock_t lock; omp_nest_lock_t nest; omp_event_handle_t event; omp_sched_t kind;
_Static_assert(sizeof lock == 8 && sizeof nest == 8 && sizeof event == 8, "LLVM's sizes");
int f(void) { omp_set_lock(&lock); return omp_get_max_threads() + (omp_get_wtime() > 0); }
void *g(void) { return omp_alloc(8, omp_default_mem_alloc); }
"""


def test_the_last_word_counts() -> None:
    assert has_openmp(["-O1", "-fopenmp"]) and has_openmp(["-fno-openmp", "-fopenmp=libomp"])
    assert not has_openmp(["-fopenmp", "-fno-openmp"]) and not has_openmp(["-fopenmp-simd"])
    assert with_openmp(["-Wall"]) == ("-Wall",)
    assert with_openmp(["-fopenmp"])[:2] == ("-fopenmp", "-idirafter")


@pytest.mark.parametrize("name", ["use.c", "use.cpp"])
def test_the_header_compiles(tmp_path: Path, name: str) -> None:
    text = SOURCE if name == "use.c" else SOURCE.replace("_Static_assert", "static_assert")
    (tmp_path / name).write_text(text)
    words = [*shlex.split(bundled_compiler()), "c++" if name.endswith("pp") else "cc"]
    done = subprocess.run(
        [*words, *with_openmp(("-fopenmp", "-Wall", "-Wextra", "-pedantic")),
         "-c", "-emit-llvm", name, "-o", "use.bc"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0 and "warning: " not in done.stderr.replace("zig: warning", "")
