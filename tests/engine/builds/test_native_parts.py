"""What irsan-cc adds to native code is made by whoever comes first, also when many do at once."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from irsan.engine.builds.native_parts import native_parts
from irsan.engine.builds.toolchain import find_toolchain


def test_builds_that_start_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toolchain = find_toolchain(os.environ)
    monkeypatch.setenv("IRSAN_CACHE_DIR", str(tmp_path))
    with ThreadPoolExecutor(4) as pool:
        (parts,) = set(pool.map(lambda _: native_parts(toolchain), range(4)))
    assert parts.is_whole()
    made = {path.name for path in parts.start.parent.iterdir()}
    names = ("start.o", "stubs.bc", "copies.o", "restore")
    assert made == {*names, *(f"{name}.seal" for name in names)}


def test_parts_are_the_same_whoever_makes_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toolchain = find_toolchain(os.environ)
    made = []
    for name in ("one", "two"):
        monkeypatch.setenv("IRSAN_CACHE_DIR", str(tmp_path / "cache"))
        parts = native_parts(toolchain)
        made.append([part.read_bytes() for part in (parts.start, parts.stubs, parts.restore)])
        (tmp_path / "cache").rename(tmp_path / name)
    assert made[0] == made[1]


def test_a_cache_that_cannot_be_written_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bazel shows its commands a home that is read-only."""
    toolchain = find_toolchain(os.environ)
    monkeypatch.setenv("IRSAN_CACHE_DIR", str(tmp_path))
    made = native_parts(toolchain)
    monkeypatch.setattr("irsan.cachedir.is_writable_folder", lambda _: False)
    assert native_parts(toolchain) == made
