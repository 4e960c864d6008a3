"""The key of the built runtime covers everything it is built from."""

from __future__ import annotations

import time
from pathlib import Path

import psutil
import pytest

from irsan.engine.runtime_image import source_hash
from tests.meta.house import ROOT, source_files
from tests.meta.test_twins import imports, module_name

# Imported by what is hashed, without a part in what comes out: errors and what explains them, the
# cache, package files.
SHAPES_NOTHING = {
    "irsan", "irsan.cachedir", "irsan.engine", "irsan.engine.cache",
    "irsan.engine.runtime_image.image", "irsan.engine.runtime_image.stored",
    "irsan.engine.runtime_image.kernel_workers", "irsan.engine.runtime_image.runtime_maker",
    "irsan.engine.runtime_image.source_hash", "irsan.engine.program_image.unselectable",
    "irsan.engine.packaged", "irsan.errors", "irsan.installed", "irsan.interceptors",
    "irsan.runtime", "irsan.runtime.views", "irsan.sealed", "irsan.engine.linker.elf",
    "irsan.engine.front_end", "irsan.own_process", "irsan.file_mapping",
    # What irsan.check returns, which `irsan` names for type checkers.
    "irsan.engine.producers.numba.check", "irsan.engine.producers.numba.arguments",
    "irsan.engine.producers.numba.kernel",
}  # fmt: skip
# A unit reaches the passes with a key of its own.
FRONT_END = {
    "irsan.engine.front_end.compile_cache", "irsan.engine.front_end.compilers",
    "irsan.engine.front_end.frontend", "irsan.engine.front_end.front_end_flags",
    "irsan.engine.front_end.ir_input", "irsan.engine.options",
    "irsan.engine.front_end.undefined_flags", "irsan.engine.front_end.checked_words",
    "irsan.engine.front_end.languages", "irsan.engine.front_end.older_text",
    "irsan.engine.front_end.openmp_flags", "irsan.engine.producers.made_parts",
}  # fmt: skip


def covered(places: tuple[str, ...]) -> set[str]:
    """Modules whose bytes are in the hash."""
    paths = [ROOT / place for place in places]
    files = [f for path in paths for f in ([path] if path.is_file() else path.rglob("*.py"))]
    return {module_name(path) for path in files}


def needed(modules: set[str]) -> set[str]:
    """These modules and all that they import, at any depth."""
    imports_of = {module_name(path): imports(path) for path in source_files()}
    waiting, found = set(modules), set()
    while waiting:
        name = waiting.pop()
        if name in imports_of and name not in found:
            found.add(name)
            waiting |= imports_of[name]
    return found


def test_the_runtimes_key_covers_all_its_sources() -> None:
    own = covered(source_hash._RUNTIME)
    assert needed(own) - own - SHAPES_NOTHING == set()


def test_a_programs_key_covers_passes_runtime_and_interpreter() -> None:
    parts = (source_hash._INSTRUMENT, source_hash._RUNTIME, source_hash._INTERP)
    own = set().union(*map(covered, parts))
    assert needed(own) - own - SHAPES_NOTHING - FRONT_END == set()


def test_a_links_key_covers_the_linker() -> None:
    """Where memory lies, and what native libraries there are, is asked at each start."""
    parts = (source_hash._LINKER, source_hash._RUNTIME, source_hash._INSTRUMENT)
    own = set().union(*map(covered, parts))
    found = needed(covered(("engine/linker",))) - own - SHAPES_NOTHING
    assert found == {"irsan.runtime.arena"}


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that stands for the sources, with one file in place of each."""
    for place in (*source_hash._RUNTIME, *source_hash._INSTRUMENT):
        path = tmp_path / place
        if path.suffix != ".py":
            path = path / "part.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(place)
    monkeypatch.setattr(source_hash, "_ROOT", tmp_path)
    monkeypatch.setattr(source_hash, "_LOADED_NS", time.time_ns() + 10**12)  # a later process
    source_hash.forget_hashes()
    return tmp_path


def runtime_hash() -> str:
    source_hash.forget_hashes()
    return source_hash.runtime_sources_hash()


def test_any_edit_and_any_new_file_is_another_key(house: Path) -> None:
    keys = {runtime_hash()}
    assert runtime_hash() in keys
    for place in source_hash._RUNTIME:
        path = house / place
        (path if path.suffix else path / "part.py").write_text("edited")
        keys.add(runtime_hash())
    for name in ("interceptors/another.py", "engine/glue/template.ll"):
        (house / name).write_text("")
        keys.add(runtime_hash())
    (house / "engine" / "glue" / "notes.txt").write_text("no source")
    keys.add(runtime_hash())
    assert len(keys) == len(source_hash._RUNTIME) + 3


def test_templates_are_covered_and_noticed_by_snapshots() -> None:
    template = f"{ROOT}/engine/glue/templates/act.ll"
    assert template in source_hash.all_sources()
    assert f"{ROOT}/engine/glue/templates" in source_hash.all_sources()


def test_another_layout_is_another_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = runtime_hash()
    monkeypatch.setenv("IRSAN_LAYOUT_SHIFT", "3")
    assert runtime_hash() != before


def test_the_passes_have_a_key_of_their_own(house: Path) -> None:
    before = source_hash.instrument_sources_hash(), runtime_hash()
    (house / "ir" / "part.py").write_text("edited")
    source_hash.forget_hashes()
    assert source_hash.instrument_sources_hash() != before[0]
    assert runtime_hash() == before[1]


def test_a_hash_is_remembered_until_a_file_changes(
    house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_hash, "_SETTLED_S", -3600.0)  # as if the files were old
    before = runtime_hash()
    read = []
    monkeypatch.setattr(Path, "read_bytes", lambda path: read.append(path) or b"")
    assert runtime_hash() == before
    assert read == []
    (house / "runtime" / "layout" / "part.py").write_text("edited")
    assert runtime_hash() != before
    assert house / "runtime" / "layout" / "part.py" in read


@pytest.mark.usefixtures("house")
def test_files_that_have_just_changed_are_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    runtime_hash()
    monkeypatch.setattr(Path, "read_bytes", lambda _path: b"another text")
    before = runtime_hash()
    monkeypatch.setattr(Path, "read_bytes", lambda _path: b"and another")
    assert runtime_hash() != before


def test_sources_that_were_exchanged_make_keys_of_ones_own(
    house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_hash, "_LOADED_NS", time.time_ns())
    time.sleep(0.02)  # the clock of files is no finer than a tick
    assert source_hash.are_unchanged()
    before = runtime_hash()
    (house / "runtime" / "layout" / "part.py").write_text("edited")
    assert not source_hash.are_unchanged()
    ours = runtime_hash()
    monkeypatch.setattr(source_hash, "_LOADED_NS", time.time_ns() + 10**9)
    assert source_hash.are_unchanged()
    assert len({before, ours, runtime_hash()}) == 3


@pytest.mark.usefixtures("house")
def test_a_clock_that_was_put_back_is_no_change(monkeypatch: pytest.MonkeyPatch) -> None:
    before = runtime_hash()
    monkeypatch.setattr(source_hash, "_LOADED_NS", 1)
    monkeypatch.setattr(time, "time_ns", lambda: 2)
    assert source_hash.are_unchanged() and runtime_hash() == before


def test_when_this_process_started() -> None:
    started_s = source_hash._process_start_ns() / 1e9
    assert abs(started_s - psutil.Process().create_time()) < 2
