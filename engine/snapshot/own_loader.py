"""Whether a program needs a dynamic linker that has read its LD_LIBRARY_PATH.

The dynamic linker reads that variable when a process starts, and the one of a snapshot has started
without it. irsan finds libraries by itself; the system's loader only finds what native libraries
need, and what a program opens by name.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from irsan.engine.guest.guest_link import opens_libraries

if TYPE_CHECKING:
    from irsan.engine.program_image.program import ProgramImage

_MARK: Final = ".so"
_CXX: Final = "libstdc++.so.6"


def needs_own_loader(image: ProgramImage, environment: Mapping[str, str]) -> bool:
    """Whether the system's loader might look for a library in the program's LD_LIBRARY_PATH."""
    folders = [one for one in environment.get("LD_LIBRARY_PATH", "").split(":") if one]
    if not folders:
        return False
    if opens_libraries(image):
        return True
    checked = set(image.plan.paths)
    if image.plan.libraries:
        return any(path not in checked for path in _libraries_in(folders))
    return image.is_cxx and any(Path(folder, _CXX).exists() for folder in folders)


def _libraries_in(folders: Iterable[str]) -> Iterator[str]:
    """Real paths of all files there that are named as libraries are.

    Folders are not: Meson keeps the objects of libx.so.1 beside it in libx.so.1.p.
    """
    for folder in folders:
        try:
            entries = [entry for entry in os.scandir(folder) if _MARK in entry.name]
        except OSError:
            continue
        yield from (os.path.realpath(entry.path) for entry in entries if not entry.is_dir())
