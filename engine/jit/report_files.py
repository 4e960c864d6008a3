"""Files for reports, opened before the program runs: it may leave the folder, root and user.

A file that is there keeps its content until the report replaces it.  What cannot be opened yet is
tried again by its name at the end.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from irsan.streams import out_of_the_way

_MODE: Final = 0o666
_DESCRIPTORS: Final = (Path("/proc/self/fd"), Path("/dev/fd"))


def is_stream(path: Path | None) -> bool:
    """Whether a report goes into an open descriptor, pipe or device, which has no place beside it.

    A child of the program has no file of its own there.
    """
    if path is None:
        return False
    return path.parent in _DESCRIPTORS or (path.exists() and not path.is_file())


class ReportFiles:
    """Descriptors of report files, out of the program's way."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self._descriptors: dict[Path, int] = {}
        for path in paths:
            self._open(path)

    @property
    def descriptors(self) -> tuple[int, ...]:
        """All of them."""
        return tuple(self._descriptors.values())

    def write(self, path: Path, text: str) -> bool:
        """Make `text` the content of a file; False when it was not opened or took it not."""
        descriptor = self._descriptors.get(path)
        if descriptor is None:
            return False
        with suppress(OSError):  # a pipe has no length
            os.ftruncate(descriptor, 0)
        try:
            with os.fdopen(
                descriptor, "w", encoding="utf-8", errors="surrogateescape", closefd=False
            ) as file:
                file.write(text)
        except OSError:
            return False
        return True

    def _open(self, path: Path) -> None:
        try:
            opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, _MODE)
        except OSError:
            return
        copy = out_of_the_way(opened)
        if copy is not None:
            self._descriptors[path] = copy
        os.close(opened)
