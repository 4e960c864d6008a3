"""When a snapshot is taken, and when it is not tried again."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest

from irsan.engine.snapshot import kept
from irsan.engine.snapshot.take import NotTaken


class Taker:
    """Stands for taking a snapshot: counts, and fails when it is to."""

    def __init__(self, folder: Path) -> None:
        self.count = 0
        self.reason = ""
        self.restorer = folder / "restore"
        self.restorer.write_text('#!/bin/sh\n[ -e "${0%/*}/table" ]\n')
        self.restorer.chmod(0o700)

    def __call__(self, _restorer: Path, folder: Path, *_words: str) -> None:
        self.count += 1
        if self.reason:
            raise NotTaken(self.reason)
        (folder / "table").write_text("")

    def renew(self, *, is_patient: bool = False) -> bool:
        return kept.renew_snapshot(self.restorer, "root", "cache", is_patient=is_patient)


@pytest.fixture
def taker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Taker:
    found = Taker(tmp_path)
    monkeypatch.setattr(kept, "take_snapshot", found)
    return found


def test_it_is_taken_once(taker: Taker) -> None:
    assert taker.renew() and taker.renew()
    assert taker.count == 1
    assert kept.why_not(taker.restorer.parent) == ""


def test_a_failure_is_remembered_and_not_tried_again_at_once(taker: Taker) -> None:
    taker.reason = "tracing is forbidden"
    assert not taker.renew()
    assert not taker.renew()
    assert taker.count == 1
    assert kept.why_not(taker.restorer.parent) == "tracing is forbidden"
    taker.reason = ""
    assert taker.renew(is_patient=True)
    assert kept.why_not(taker.restorer.parent) == ""


def test_while_another_process_takes_it_nobody_waits(taker: Taker) -> None:
    with (taker.restorer.parent / "taking").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert not taker.renew()
    assert taker.count == 0
    assert taker.renew()


def test_a_restorer_that_cannot_be_started(tmp_path: Path) -> None:
    assert not kept.is_current(tmp_path / "restore")
    (tmp_path / "restore").write_bytes(b"")
    (tmp_path / "restore").chmod(0o700)
    assert not kept.is_current(tmp_path / "restore")


def test_folders_that_python_would_make_later_are_made_before(tmp_path: Path) -> None:
    names = ("", "one.py", "c/two.c", "gone/three.py")
    for _ in range(2):
        kept._make_bytecode_folders([str(tmp_path / name) for name in names])
        assert list(tmp_path.iterdir()) == [tmp_path / "__pycache__"]


def test_both_names_switch_it_off() -> None:
    for name in ("IRSAN_SNAPSHOT", "IRSAN_HOST"):
        assert kept.is_switched_off({name: "off"})
        assert not kept.is_switched_off({name: "on"})


def test_it_depends_on_what_is_loaded_and_on_what_shapes_programs() -> None:
    files = kept.files_it_depends_on()
    for name in (
        "engine/snapshot/kept.py",
        "interceptors/memory/malloc.py",
        "instrument",
        "ir/module.py",
    ):
        assert any(path.endswith(f"/{name}") for path in files), name
    assert all(Path(path).is_absolute() for path in files)
