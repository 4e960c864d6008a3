"""Which folder is the cache: the environment decides."""

from __future__ import annotations

import os
import pwd
from pathlib import Path

import pytest

import irsan
from irsan.cachedir import cache_base, cache_root, make_private_folders, why_refused
from irsan.engine.cache import Cache


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"IRSAN_CACHE_DIR": "/a", "XDG_CACHE_HOME": "/b", "HOME": "/c"}, "/a"),
        ({"XDG_CACHE_HOME": "/b", "HOME": "/c"}, "/b/irsan"),
        ({"XDG_CACHE_HOME": "relative", "HOME": "/c"}, "/c/.cache/irsan"),
        ({"IRSAN_CACHE_DIR": "", "HOME": "/c"}, "/c/.cache/irsan"),
    ],
)
def test_the_first_named_folder_is_taken(environment: dict[str, str], folder: str) -> None:
    assert cache_base(environment) == Path(folder)


def test_without_a_home_it_is_the_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    known = pwd.struct_passwd(("me", "x", 1, 1, "", "/d", ""))
    monkeypatch.setattr(pwd, "getpwuid", lambda _uid: known)
    assert cache_base({}) == Path("/d/.cache/irsan")


def test_a_user_whom_the_system_does_not_know_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(_uid: int) -> None:
        raise KeyError

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    assert cache_base({}) is None


def test_root_is_private_when_the_cache_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("IRSAN_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert cache_root().is_dir()
    assert not cache_root().is_relative_to(tmp_path)


def test_a_folder_that_others_could_write_is_refused(tmp_path: Path) -> None:
    base = tmp_path / "cache"
    assert why_refused(base) is None  # nothing there yet
    make_private_folders(base / irsan.__version__)
    assert why_refused(base) is None
    for folder in (base, base / irsan.__version__):
        folder.chmod(0o775)
        assert f"{folder} can be written by other users (mode 775" in str(why_refused(base))
        folder.chmod(0o700)
    assert why_refused(base) is None


def test_what_is_made_is_for_this_user_alone(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        make_private_folders(tmp_path / "a" / "b")
    finally:
        os.umask(old)
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "a", tmp_path / "a/b")} == {0o700}


def test_a_link_of_ones_own_is_followed(tmp_path: Path) -> None:
    make_private_folders(tmp_path / "elsewhere")
    (tmp_path / "cache").symlink_to(tmp_path / "elsewhere")
    assert why_refused(tmp_path / "cache") is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_another_users_folder_or_link_is_refused(tmp_path: Path) -> None:
    base, link = tmp_path / "cache", tmp_path / "link"
    make_private_folders(base)
    link.symlink_to(base)
    os.lchown(link, 12345, -1)
    assert "is a symbolic link of user 12345" in str(why_refused(link))
    os.chown(base, 12345, -1)
    assert "belongs to user 12345" in str(why_refused(base))
    os.lchown(link, os.geteuid(), -1)
    assert "leads to a folder of user 12345" in str(why_refused(link))


def test_a_refused_folder_is_neither_read_nor_written(tmp_path: Path) -> None:
    Cache(tmp_path / "cache").put("objects", "ab" * 20, b"payload")
    (tmp_path / "cache").chmod(0o777)
    notices: list[str] = []
    cache = Cache(tmp_path / "cache", notify=notices.append)
    assert cache.get("objects", "ab" * 20) is None
    cache.put("objects", "cd" * 20, b"payload")
    (tmp_path / "cache").chmod(0o700)
    assert Cache(tmp_path / "cache").get("objects", "cd" * 20) is None
    [notice] = notices
    assert "can be written by other users" in notice
