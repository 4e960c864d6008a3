"""A compilation cannot tell whether it goes on from a saved process."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from irsan.engine.builds.saved_processes import renew_saved
from irsan.engine.commands.compiler_subject import sample_units
from irsan.engine.snapshot.kept import is_current, why_not
from irsan.saved_start import COMPILER, restorer_of
from tests.engine.snapshot.own_cache import OwnCache

SOURCE = """
#include <stdlib.h>
#ifndef BYTES
#error how many bytes?
#endif
int main(void) {
    char *block = malloc(BYTES);
    int found = block[10];
    free(block);
    return found;
}
"""
#: a compiler that says what has started it
TELLING = """#!/bin/sh
[ "$1" = --version ] || [ ! -d notes ] || readlink /proc/$PPID/exe >> notes/parents
exec {compiler} "$@"
"""
WRAPPER = "from irsan.compiler_wrapper import main_c; raise SystemExit(main_c())"
IRSAN_CC = shlex.join([sys.executable, "-c", WRAPPER])


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> OwnCache:
    """A cache with a saved compiler; skips the tests where none can be saved."""
    folder = tmp_path_factory.mktemp("compiler")
    compiler = os.environ.get("IRSAN_CC") or shutil.which("clang-19") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no clang of the system")
    found = OwnCache(folder)
    (folder / "compiler").write_text(TELLING.format(compiler=compiler))
    (folder / "compiler").chmod(0o700)
    (folder / "notes").mkdir()
    (folder / "bug.c").write_text(SOURCE)
    compile_bug(found, "first.o")
    place = saved(found)
    if not is_current(place):
        pytest.skip(f"no snapshot here: {why_not(place.parent)}")
    return found


def saved(programs: OwnCache) -> Path:
    return Path(restorer_of(programs.environment) or "")


def compile_bug(programs: OwnCache, output: str, words: str = "-DBYTES=10", **more: str) -> str:
    """Who started the compiler, one line each; asserts that it worked."""
    parents = programs.folder / "notes" / "parents"
    parents.unlink(missing_ok=True)
    environment = {"IRSAN_CC": str(programs.folder / "compiler"), **more}
    command = f"{IRSAN_CC} -g -O1 {words} -c bug.c -o {output}"
    status, out, error = programs.start(command, **environment)
    assert (status, out, error) == (0, "", "")
    return parents.read_text()


def test_the_second_compilation_goes_on_from_what_the_first_has_saved(programs: OwnCache) -> None:
    parents = compile_bug(programs, "saved.o").split()
    assert set(parents) == {str(saved(programs))}
    slow = compile_bug(programs, "slow.o", IRSAN_SNAPSHOT="off")
    assert str(saved(programs)) not in slow
    objects = [(programs.folder / name).read_bytes() for name in ("saved.o", "slow.o")]
    assert objects[0] == objects[1]


def test_its_unit_is_the_one_that_a_program_runs(programs: OwnCache) -> None:
    programs.build("first.o", "-o", "first")  # which saves a process, and runs its sample for that
    compile_bug(programs, "unit.o", "-DBYTES=9")
    units = {path.name for path in programs.cache.glob("*/unit/*/*")}
    programs.build("unit.o", "-o", "bug")
    assert {path.name for path in programs.cache.glob("*/unit/*/*")} == units
    status, _, error = programs.start("./bug")
    assert status == 66 and "bug.c:8" in error


def test_errors_and_their_status_are_the_compilers(programs: OwnCache) -> None:
    environment = {"IRSAN_CC": str(programs.folder / "compiler")}
    answers = [
        programs.start(f"{IRSAN_CC} -c bug.c", **environment, IRSAN_SNAPSHOT=switch)
        for switch in ("", "off")
    ]
    assert answers[0] == answers[1]
    assert answers[0][0] == 1 and "how many bytes?" in answers[0][2]


def test_a_source_on_standard_input(programs: OwnCache) -> None:
    environment = {"IRSAN_CC": str(programs.folder / "compiler")}
    command = f"echo 'int f;' | {IRSAN_CC} -x c -c - -o - | head -c 4"
    assert programs.start(command, **environment) == (0, "\x7fELF", "")


def test_an_environment_that_the_saved_process_has_not_read_starts_slowly(
    programs: OwnCache,
) -> None:
    parents = compile_bug(programs, "other.o", LD_BIND_NOW="1")
    assert str(saved(programs)) not in parents


def test_nothing_is_saved_before_the_runtime_is_built(tmp_path: Path) -> None:
    environment = {"IRSAN_CACHE_DIR": str(tmp_path), "PATH": os.environ["PATH"]}
    assert not renew_saved(COMPILER, environment)
    assert not list(tmp_path.rglob("restore"))


def test_the_sample_is_there_and_any_clang_makes_a_unit_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it a saved compiler works, only slower, and nothing would say so."""
    monkeypatch.setenv("IRSAN_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("IRSAN_AHEAD", "off")  # which is put back behind the test
    (unit,) = sample_units(tmp_path / "sample.o")
    assert unit.path.name == "restore.c" and unit.bitcode
