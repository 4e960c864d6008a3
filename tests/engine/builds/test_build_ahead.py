"""Units are in the cache when their object is compiled: linking and the first run find them."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from irsan.engine.builds import build_ahead
from irsan.engine.cache import Cache
from irsan.engine.inputs.carried import CarriedUnit, read_carried
from tests.engine.builds.test_driver import Build


class Counting(Cache):
    """A cache that says which units are put into it."""

    def __init__(self) -> None:
        super().__init__(None)
        self.made: dict[str, bytes] = {}

    def get(self, namespace: str, key_hex: str) -> bytes | None:
        return self.made.get(key_hex) if namespace == "unit" else None

    def put(self, namespace: str, key_hex: str, payload: bytes) -> None:
        if namespace == "unit":
            assert key_hex not in self.made, "made twice"
            self.made[key_hex] = payload


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch) -> Counting:
    found = Counting()
    monkeypatch.setattr("irsan.engine.cache.open_cache", lambda _environment: found)
    monkeypatch.setattr(
        "irsan.engine.runtime_image.hot_text.load_or_build_runtime",
        lambda _cache, progress: _runtime(progress),
    )
    return found


def _runtime(progress: object) -> object:
    from irsan.engine.runtime_image.image import RuntimeImage

    assert callable(progress)
    return RuntimeImage(b"", "", ())


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CarriedUnit:
    monkeypatch.setenv("IRSAN_AHEAD", "off")
    Build(tmp_path).run("-O1", "-c", "twice.c")
    monkeypatch.setenv("IRSAN_AHEAD", "")
    return read_carried(tmp_path / "twice.o")[0]


def test_linking_makes_nothing_that_compiling_has_made(
    cache: Counting, record: CarriedUnit, tmp_path: Path
) -> None:
    build_ahead.compile_ahead(record)
    assert len(cache.made) == 1
    build_ahead.build_ahead(tmp_path / "twice.o")  # a linked file reads the same way
    assert len(cache.made) == 1


@pytest.mark.parametrize("is_last", [False, True])
def test_only_the_last_unit_of_a_process_is_not_tidied_up(
    cache: Counting, record: CarriedUnit, is_last: bool
) -> None:
    try:
        build_ahead.compile_ahead(record, is_last=is_last)
        assert len(cache.made) == 1
        assert gc.isenabled() != is_last
    finally:
        gc.enable()


def test_it_can_be_left_to_the_run(
    cache: Counting, record: CarriedUnit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IRSAN_AHEAD", "off")
    build_ahead.compile_ahead(record)
    build_ahead.build_ahead(tmp_path / "twice.o")
    assert not cache.made


def test_what_cannot_be_kept_does_not_fail_the_compilation(
    cache: Counting, record: CarriedUnit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_words: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache, "put", full)
    build_ahead.compile_ahead(record)
    assert not cache.made
