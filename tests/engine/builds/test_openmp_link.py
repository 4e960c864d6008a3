"""irsan-cc -fopenmp with a compiler that has no OpenMP library."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from irsan.engine.builds.openmp_link import lacks_openmp, without_openmp
from irsan.engine.builds.toolchain import find_toolchain
from irsan.engine.glue.gomp import gomp_glue
from irsan.engine.glue.openmp import refused_calls
from irsan.engine.glue.openmp_names import other_names
from irsan.engine.glue.templates import names, source
from irsan.interceptors.registry import host_exports, kernel_exports
from tests.engine.builds.test_driver import ZIG, Build

LISTED = Path(__file__).parents[3] / "engine" / "builds" / "openmp_names.txt"
SUM = """
#include <omp.h>
#include <stdio.h>
int main(void) {
    int sum = 0;
#pragma omp parallel for SAFE
    for (int i = 0; i < 10; i++) sum += i;
    printf("%d %d\\n", sum > 0, omp_get_max_threads());
}
"""


@pytest.fixture
def bundled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRSAN_CC", " ".join(ZIG))


def test_the_list_names_all_that_irsan_has() -> None:
    exports = [*kernel_exports(), *host_exports()]
    found = {export.name for export in exports} | {name for name, _ in refused_calls()}
    found |= set(other_names(exports))
    for name in names():
        found |= set(re.findall(r"@__interceptor_(\w+)\(", source(name)))
    found |= set(re.findall(r"define \S+ @__interceptor_(\w+)\(", gomp_glue()))
    starts = ("__kmpc_", "omp_", "ompc_", "GOMP_")
    wanted = sorted(name for name in found if name.startswith(starts))
    assert LISTED.read_text(encoding="ascii").split() == wanted


@pytest.mark.usefixtures("bundled")
def test_only_a_link_that_needs_a_library_lacks_one(tmp_path: Path) -> None:
    toolchain = find_toolchain(os.environ)
    assert not lacks_openmp(["-O1", "a.o"], toolchain)
    assert lacks_openmp(["-fopenmp", "a.o"], toolchain)
    assert not lacks_openmp(["-fopenmp", "a.o", "-lomp"], toolchain)
    (tmp_path / "libomp.so").write_bytes(b"")
    assert not lacks_openmp(["-fopenmp", f"-L{tmp_path}", "a.o"], toolchain)
    assert [*without_openmp(["-fopenmp", "-O2", "-fopenmp=libomp"])] == ["-O2"]


@pytest.mark.usefixtures("bundled")
def test_a_program_runs_under_irsan_and_says_what_it_lacks_natively(tmp_path: Path) -> None:
    build = Build(tmp_path)
    build.file("race.c", SUM.replace("SAFE", ""))
    build.file("sum.c", SUM.replace("SAFE", "reduction(+ : sum)"))
    build.run("-fopenmp", "sum.c", "-o", "sum")
    build.run("-fopenmp", "-c", "race.c")
    build.run("-fopenmp", "race.o", "-o", "race")
    clean, race = (started(tmp_path, name) for name in ("sum", "race"))
    assert (clean.stdout, clean.stderr, clean.returncode) == ("1 3\n", "", 0)
    assert race.returncode == 66 and "parallel region of main" in race.stderr
    native = started(tmp_path, "sum", IRSAN_NATIVE="1")
    assert native.returncode == 69
    assert "__kmpc_fork_call: the program was linked without an OpenMP library" in native.stderr


def started(folder: Path, name: str, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "OMP_NUM_THREADS": "3", **more}
    return subprocess.run(
        [f"./{name}"], cwd=folder, capture_output=True, text=True, check=False, env=environment
    )
