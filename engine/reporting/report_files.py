"""Files for reports, opened before the program runs: it may leave the folder, root and user.

A file that is there keeps its content until the report replaces it, at once where the program has
left its place alone: whoever reads it sees a whole report.  What cannot be opened yet is
tried again by its name at the end.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG
from typing import Final

from irsan.reports.atomic_file import write_atomically
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

    def __init__(self, paths: Iterable[Path], folder: Path = Path()) -> None:
        self._folder = folder
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
        if self._is_in_place(path, descriptor):
            with suppress(OSError):
                write_atomically(self._folder / path, text)
                return True
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

    def _is_in_place(self, path: Path, descriptor: int) -> bool:
        """Whether a name still means the file that was opened by it, and that is a plain one."""
        try:
            now, opened = (self._folder / path).lstat(), os.fstat(descriptor)
        except OSError:
            return False
        return S_ISREG(now.st_mode) and os.path.samestat(now, opened)

    def _open(self, path: Path) -> None:
        try:
            opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, _MODE)
        except OSError:
            return
        copy = out_of_the_way(opened)
        if copy is not None:
            self._descriptors[path] = copy
        os.close(opened)
