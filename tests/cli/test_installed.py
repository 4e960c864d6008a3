"""Versions of packages are those that importlib.metadata tells."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from irsan.installed import installed_version


def test_as_importlib_says() -> None:
    for name in ("numpy", "numba", "llvmlite"):
        assert installed_version(name) == version(name)


def test_the_folder_of_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "thing-1.2.dist-info").mkdir()
    (tmp_path / "thing_more-3.dist-info").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    assert installed_version("thing") == "1.2"


def test_a_package_that_is_not_there() -> None:
    with pytest.raises(PackageNotFoundError):
        installed_version("no-such-package")
