"""Files that name the compiler wrappers for CMake and Meson: small, and written when asked for."""

from __future__ import annotations

import hashlib
import shutil
import sys
from pathlib import Path
from typing import Final

from irsan.cachedir import cache_root
from irsan.errors import UsageError
from irsan.sealed import write_atomically

_CMAKE: Final = """\
# irsan's compilers for CMake: native code that carries its IR. Written by: irsan cmake-toolchain
set(CMAKE_C_COMPILER "{cc}")
set(CMAKE_CXX_COMPILER "{cxx}")
set(CMAKE_ASM_COMPILER "{cc}")
"""
_MESON: Final = """\
# irsan's compilers for Meson: native code that carries its IR. Written by: irsan meson-file
[binaries]
c = '{cc}'
cpp = '{cxx}'
"""


def write_cmake_toolchain() -> Path:
    """A toolchain file; its path. UsageError when the wrappers are not installed."""
    return _written(_CMAKE, "irsan.cmake")


def write_meson_file() -> Path:
    """A native file for Meson; its path. UsageError when the wrappers are not installed."""
    return _written(_MESON, "irsan.ini")


def wrapper(name: str) -> Path:
    """The installed irsan-cc or irsan-c++. UsageError when there is none."""
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.is_file() else shutil.which(name)
    if found is None:
        raise UsageError(f"{name} is not installed beside {sys.executable}, nor is it on PATH")
    return Path(found)


def _written(template: str, name: str) -> Path:
    text = template.format(cc=wrapper("irsan-cc"), cxx=wrapper("irsan-c++"))
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    place = cache_root() / "tools" / f"build-files-{digest}" / name
    if not place.is_file() or place.read_text() != text:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomically(place, (text.encode(),))
    return place
