"""Which folder is the cache: the environment decides."""

from __future__ import annotations

from pathlib import Path

import pytest

from irsan.cachedir import cache_base, cache_root


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


def test_without_a_home_there_is_none() -> None:
    assert cache_base({}) is None


def test_root_is_private_when_the_cache_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("IRSAN_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert cache_root().is_dir()
    assert not cache_root().is_relative_to(tmp_path)
