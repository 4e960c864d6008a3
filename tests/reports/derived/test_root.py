"""The root of a report's paths, and paths relative to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from irsan.reports.derived.root import find_root, relative_path, root_of_sources


def test_the_repository_is_the_root(tmp_path: Path) -> None:
    (tmp_path / "r" / ".git").mkdir(parents=True)
    (tmp_path / "r" / "src").mkdir()
    assert find_root(tmp_path / "r" / "src") == tmp_path / "r"
    assert find_root(tmp_path) == tmp_path
    assert root_of_sources(["r/src/a.c"], tmp_path) == tmp_path / "r"
    assert root_of_sources(["a.c"], tmp_path) == tmp_path


@pytest.mark.parametrize(
    ("path", "text", "is_outside"),
    [
        ("/r/src/a.c", "src/a.c", False),
        ("/r/src/../b.c", "b.c", False),
        ("/r", "/r", True),
        ("/root/a.c", "/root/a.c", True),
        ("src/./a.c", "src/a.c", False),
        ("../a.c", "../a.c", True),
        ("a/../../b", "../b", True),
        ("", "", False),
        ("/r/a\0.c", "a.c", False),
    ],
)
def test_paths(path: str, text: str, is_outside: bool) -> None:
    assert relative_path(path, "/r") == (text, is_outside)


def test_without_a_root_absolute_paths_are_outside() -> None:
    assert relative_path("/a.c", "") == ("/a.c", True)
