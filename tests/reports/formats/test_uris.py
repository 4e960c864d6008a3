"""Paths as URIs: nothing climbs out of the root, nothing is another scheme or host."""

from __future__ import annotations

import pytest

from irsan.reports.formats.uris import is_below_root, path_uri


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("src/a.c", "src/a.c"),
        ("./src/../b c.c", "b%20c.c"),
        ("/usr/include/x.h", "file:///usr/include/x.h"),
        ("../../etc/passwd", "file:///etc/passwd"),
        ("a/../../b", "file:///b"),
        ("//host/share", "file:///host/share"),
        ("javascript:x", "javascript%3Ax"),
        ("é<>.c", "%C3%A9%3C%3E.c"),
    ],
)
def test_uris(path: str, uri: str) -> None:
    assert path_uri(path) == uri


@pytest.mark.parametrize(("path", "is_below"), [
    ("a", True), ("a/../b", True), ("..", False), ("a/../..", False), ("/a", False), ("", False),
])  # fmt: skip
def test_below_the_root(path: str, is_below: bool) -> None:
    assert is_below_root(path) is is_below
