"""A file is written whole or not at all: beside its place first, then renamed there.

Who is killed in between leaves the old file, or none; who reads at any time reads a whole one.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path


def write_atomically(path: Path, text: str) -> None:
    """Make `text` the content of `path`. Raises OSError; then nothing has changed.

    A path that is no regular file, as a pipe, a device or a link, is written in place.
    """
    if path.is_symlink() or (path.exists() and not path.is_file()):
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
        return
    beside = path.with_name(f".{path.name[:200]}.{os.getpid()}.part")
    try:
        with beside.open("w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        if path.exists():
            shutil.copymode(path, beside)
        beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
