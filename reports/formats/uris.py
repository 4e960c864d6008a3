"""Paths in reports as URIs, safe ones: what leads out of the root is absolute, never `../..`.

    src/a.c      below the root: a relative URI that readers resolve against the checkout
    /usr/x.h     elsewhere: file:///usr/x.h
"""

from __future__ import annotations

import posixpath
from urllib.parse import quote


def is_below_root(path: str) -> bool:
    """Whether a path is relative and stays below the folder that it starts from."""
    normal = posixpath.normpath(path) if path else ""
    return bool(normal) and not normal.startswith(("/", "../")) and normal not in ("..", ".")


def path_uri(path: str) -> str:
    """The URI of a path; relative when it is below the root."""
    normal = posixpath.normpath(path)
    if is_below_root(path):
        return quote(normal)
    # What climbs above the root cannot be resolved by anybody: its name is kept, not its way.
    return "file:///" + quote(posixpath.normpath("/" + normal).lstrip("/"))
