"""The compilation cache against its naive twin: a stored result is used only when it is true."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.engine.cache import Cache
from irsan.engine.front_end.compile_cache import Compilation, lookup, read_files, store
from tests.oracles.preprocessor import preprocess

LONG_AGO_NS = 10**9
NAMES = ("a.h", "sub/a.h", "b.h")
FOLDERS = ("src", "inc1", "inc2")
LINES = ('include "a.h"', 'include "sub/a.h"', 'include "b.h"', "one", "two")

edits = st.lists(
    st.tuples(
        st.sampled_from(FOLDERS),
        st.sampled_from(NAMES),
        st.one_of(st.none(), st.lists(st.sampled_from(LINES), max_size=3)),
    ),
    min_size=1,
    max_size=4,
)


def apply_edit(root: Path, edit: tuple[str, str, list[str] | None]) -> None:
    folder, name, lines = edit
    path = root / folder / name
    if lines is None:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines))


def remember(cache: Cache, source: Path, search: list[Path], started_ns: int) -> None:
    """What the front end does after a compilation, with the twin as the compiler."""
    text, files = preprocess(source, search)
    names = [str(path) for path in files]
    store(cache, key_of(source), Compilation(text.encode(), ""), names, search, started_ns)


def key_of(source: Path) -> str:
    return hashlib.sha256(source.read_bytes()).hexdigest()


@settings(max_examples=150, deadline=None)
@given(before=st.lists(edits, max_size=3), steps=st.lists(edits, min_size=1, max_size=5))
def test_a_hit_is_what_compiling_again_would_give(
    tmp_path_factory: pytest.TempPathFactory, before: list[list], steps: list[list]
) -> None:
    root = tmp_path_factory.mktemp("project")
    search = [root / "inc1", root / "inc2"]
    source = root / "src" / "main.c"
    source.parent.mkdir()
    source.write_text("\n".join(LINES[:3]))
    cache = Cache(root / "cache")
    for edit in (edit for group in before for edit in group):
        apply_edit(root, edit)
    for group in steps:
        if not is_missing_header(source, search):
            remember(cache, source, search, time.time_ns() + 10**9)
        for edit in group:
            apply_edit(root, edit)
        found = lookup(cache, key_of(source), search)
        if found is not None:
            assert found.bitcode.decode() == preprocess(source, search)[0]


def is_missing_header(source: Path, search: list[Path]) -> bool:
    """A missing header is a compile error, and errors are never stored."""
    return "missing" in preprocess(source, search)[0]


@pytest.fixture
def project(tmp_path: Path) -> tuple[Cache, Path, list[Path]]:
    for folder in FOLDERS:
        (tmp_path / folder).mkdir()
    source = tmp_path / "src" / "main.c"
    source.write_text('include "a.h"\n')
    (tmp_path / "inc2" / "a.h").write_text("one\n")
    return Cache(tmp_path / "cache"), source, [tmp_path / "inc1", tmp_path / "inc2"]


LATER_NS = time.time_ns() + 10**18


def test_nothing_changed_is_a_hit(project: tuple[Cache, Path, list[Path]]) -> None:
    cache, source, search = project
    remember(cache, source, search, LATER_NS)
    found = lookup(cache, key_of(source), search)
    assert found is not None
    assert found.bitcode == b"one\n"


def test_an_edited_header_is_a_miss_even_with_its_old_time(
    project: tuple[Cache, Path, list[Path]],
) -> None:
    import os

    cache, source, search = project
    header = search[1] / "a.h"
    before = header.stat()
    remember(cache, source, search, LATER_NS)
    header.write_text("two\n")
    os.utime(header, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert lookup(cache, key_of(source), search) is None


def test_a_new_header_in_front_is_a_miss(project: tuple[Cache, Path, list[Path]]) -> None:
    cache, source, search = project
    remember(cache, source, search, LATER_NS)
    (search[0] / "a.h").write_text("two\n")
    assert lookup(cache, key_of(source), search) is None


def test_an_unrelated_new_file_is_a_hit(project: tuple[Cache, Path, list[Path]]) -> None:
    cache, source, search = project
    remember(cache, source, search, LATER_NS)
    (search[0] / "other.h").write_text("two\n")
    assert lookup(cache, key_of(source), search) is not None


def test_a_file_changed_during_compilation_is_not_stored(
    project: tuple[Cache, Path, list[Path]],
) -> None:
    cache, source, search = project
    remember(cache, source, search, LONG_AGO_NS)
    assert lookup(cache, key_of(source), search) is None


@pytest.mark.parametrize("word", ["__TIME__", "__DATE__", '__has_include("x.h")', "# embed <x>"])
def test_what_files_cannot_prove_is_not_stored(
    project: tuple[Cache, Path, list[Path]], word: str
) -> None:
    cache, source, search = project
    (search[1] / "a.h").write_text(f"{word}\n")
    remember(cache, source, search, LATER_NS)
    assert lookup(cache, key_of(source), search) is None


def test_read_files_are_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    files = read_files(Path("a.c"), "./a.h\n/usr/include/stdio.h\n./a.h\n")
    assert files == sorted([f"{tmp_path}/./a.h", "/usr/include/stdio.h", f"{tmp_path}/a.c"])
