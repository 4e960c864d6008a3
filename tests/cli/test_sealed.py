"""Files that say whether they are whole: what another could have changed reads as absent."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan import sealed
from irsan.sealed import (
    is_kept_whole,
    keep_beside_seal,
    open_kept,
    read_own,
    read_sealed,
    write_sealed,
)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write_sealed(tmp_path / "a" / "b", b"payload")
    assert read_sealed(tmp_path / "a" / "b") == b"payload"
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b"]


@given(payload=st.binary(max_size=200), position=st.integers(0, 250), value=st.integers(1, 255))
def test_one_changed_byte_makes_it_absent(
    tmp_path_factory: pytest.TempPathFactory, payload: bytes, position: int, value: int
) -> None:
    path = tmp_path_factory.mktemp("sealed") / "file"
    write_sealed(path, payload)
    content = bytearray(path.read_bytes())
    content[position % len(content)] ^= value
    path.write_bytes(content)
    assert read_sealed(path) is None


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_what_others_may_write_is_absent(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "file"
    write_sealed(path, b"payload")
    path.chmod(mode)
    assert read_sealed(path) is None
    write_sealed(path, b"payload")
    assert read_sealed(path) == b"payload"


def test_links_folders_and_pipes_are_absent(tmp_path: Path) -> None:
    write_sealed(tmp_path / "file", b"payload")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "pipe", ".", "nothing"):
        assert read_own(tmp_path / name) is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")
def test_another_users_file_is_absent(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_sealed(path, b"payload")
    os.chown(path, 12345, -1)
    assert read_sealed(path) is None


def test_a_file_with_its_seal_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "library.so"
    assert not is_kept_whole(path)
    keep_beside_seal(path, b"code")
    assert path.read_bytes() == b"code" and is_kept_whole(path)
    path.write_bytes(b"c0de")
    assert not is_kept_whole(path)
    keep_beside_seal(path, b"code")
    assert is_kept_whole(path)
    path.with_name("library.so.seal").unlink()
    assert not is_kept_whole(path)


def test_a_kept_file_is_open_with_its_size_and_hash(tmp_path: Path) -> None:
    path = tmp_path / "body"
    digest = keep_beside_seal(path, [b"one", memoryview(b"two")])
    kept = open_kept(path)
    assert kept is not None and (kept.size_bytes, kept.digest) == (6, digest)
    assert os.read(kept.descriptor, 9) == b"onetwo"
    kept.close()
    assert path.with_name("body.seal").stat().st_size > 0
    path.chmod(0o666)
    assert open_kept(path) is None


def test_a_kept_file_is_hashed_until_the_file_system_vouches_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that was just written is hashed again; an older one while it looks the same; and once
    more when the machine has started anew."""
    hashed: list[int] = []
    digest_of = sealed._digest_of
    monkeypatch.setattr(
        sealed, "_digest_of", lambda *words: hashed.append(1) or digest_of(*words)
    )
    path, boot = tmp_path / "body", tmp_path / "boot"
    boot.write_text("one")
    monkeypatch.setattr(sealed, "_BOOT", boot)
    keep_beside_seal(path, b"code")
    time.sleep(2 * sealed._CLOCK_STEP_NS / 1e9)
    assert is_kept_whole(path) and len(hashed) == 1
    assert is_kept_whole(path) and len(hashed) == 1
    boot.write_text("two")
    assert is_kept_whole(path) and len(hashed) == 2
    path.write_bytes(b"c0de")
    assert not is_kept_whole(path)
    path.write_bytes(b"code")
    assert is_kept_whole(path) and len(hashed) == 4


def test_an_empty_file_can_be_kept(tmp_path: Path) -> None:
    keep_beside_seal(tmp_path / "body", b"")
    assert is_kept_whole(tmp_path / "body")
