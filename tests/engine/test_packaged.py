"""What a wheel brings along built is used for these sources alone."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from irsan.engine import packaged
from irsan.engine.cache import Cache, open_cache
from irsan.engine.commands.package_runtime import write_packaged
from irsan.engine.interp.machine import load_or_build_machine
from irsan.engine.native_libraries import zig_runtime
from irsan.engine.runtime_image import stored
from irsan.engine.runtime_image.image import RuntimeImage
from irsan.engine.runtime_image.source_hash import portable_hash
from irsan.engine.runtime_image.stored import load_or_build_runtime

IMAGE = RuntimeImage(b"object", "hot", ({"number": 1, "name": "f"},))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(packaged, "_FOLDER", str(tmp_path))
    return tmp_path


def test_an_image_survives_its_bytes() -> None:
    assert RuntimeImage.decoded(IMAGE.encoded()) == IMAGE


def test_the_runtime_of_a_wheel_is_not_built(folder: Path, tmp_path: Path) -> None:
    (folder / f"runtime-{portable_hash('runtime')}").write_bytes(IMAGE.encoded())
    (folder / f"machine-{portable_hash('machine')}").write_bytes(b"machine")
    cache, said = Cache(tmp_path / "cache"), list[str]()
    assert load_or_build_runtime(cache, said.append) == IMAGE
    assert load_or_build_machine(cache, said.append) == b"machine"
    assert said == []
    for path in folder.iterdir():
        if path.is_file():
            path.unlink()
    assert load_or_build_runtime(cache, said.append) == IMAGE  # kept


def test_the_cxx_library_of_a_wheel_is_not_built(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IRSAN_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(zig_runtime, "version", lambda _name: "0.1")
    made = [tmp_path / "one.a", tmp_path / "two.a"]
    made[0].write_bytes(b"first archive")
    made[1].write_bytes(b"second")
    zig = (sys.executable, "-m", "ziglang", "c++")
    key = zig_runtime.package_key(zig)
    (folder / f"cxx-{key}").write_bytes(zig_runtime.archives_encoded(made))
    found = zig_runtime.zig_cxx_archives(zig, "identity")
    assert [path.read_bytes() for path in found] == [b"first archive", b"second"]
    monkeypatch.setattr(zig_runtime, "version", lambda _name: "0.2")
    assert zig_runtime.package_key(zig) != key
    assert zig_runtime.package_key(("/opt/zig/zig", "c++")) is None


def test_that_of_other_sources_is_not_looked_at(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "runtime-0123").write_bytes(IMAGE.encoded())
    own = RuntimeImage(b"own", "", ())
    monkeypatch.setattr(stored, "build_runtime", lambda _progress: own)
    assert load_or_build_runtime(Cache(tmp_path / "cache"), lambda _: None) == own


def test_what_is_written_is_what_is_used(folder: Path) -> None:
    write_packaged(folder)
    raw = packaged.packaged(packaged.RUNTIME, portable_hash(packaged.RUNTIME))
    assert raw is not None
    assert RuntimeImage.decoded(raw) == load_or_build_runtime(open_cache(os.environ), print)
