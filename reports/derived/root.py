"""The folder that paths in reports are relative to, and paths relative to it.

A checkout may lie anywhere, so what a report says of `src/a.c` must not depend on where that is.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

_REPOSITORY_MARKS = (".git", ".hg", ".svn", ".jj")


class RelativePath(NamedTuple):
    """A path as reports show it: relative to the root, or as it is and `is_outside`."""

    text: str
    is_outside: bool


def find_root(folder: Path) -> Path:
    """Top of the repository that holds `folder`; `folder` itself when there is none."""
    folder = Path(posixpath.normpath(Path.cwd() / folder))  # links stay: debug info has them
    return next((each for each in (folder, *folder.parents) if _is_repository(each)), folder)


def root_of_sources(files: Iterable[str], folder: Path) -> Path:
    """The root for a program made of `files`, run in `folder`.

    It is the repository that holds `folder`, else the one of the first source, else `folder`.
    """
    root = find_root(folder)
    if _is_repository(root):
        return root
    for file in files:
        found = find_root((folder / file).parent)
        if _is_repository(found):
            return found
    return root


def _is_repository(folder: Path) -> bool:
    top = str(folder)
    return any(posixpath.exists(f"{top}/{mark}") for mark in _REPOSITORY_MARKS)


@lru_cache(maxsize=4096)
def relative_path(path: str, root: str) -> RelativePath:
    """A path of a report without `.` and `..` in it, relative to `root` where it lies below it.

    A relative path is taken to be relative to the root. One that leaves the root is outside.
    """
    if not path:
        return RelativePath("", is_outside=False)
    plain = posixpath.normpath(path.replace("\0", ""))
    if posixpath.isabs(plain):
        top = posixpath.normpath(root).rstrip("/") + "/" if root else ""
        if top and plain.startswith(top) and plain != top:
            return RelativePath(plain[len(top) :], is_outside=False)
        return RelativePath(plain, is_outside=True)
    return RelativePath(plain, is_outside=plain == ".." or plain.startswith("../"))
