"""What is linked natively for the checked C++ library: zig's libc++, in each image of its own.

    typeinfo.o                  types are the same when their names are: libcxxabi's
                                private_typeinfo.cpp, compiled so
    libc++.a, libc++abi.a       as zig builds them

zig's symbols are hidden, so natively a program and its shared libraries each have a copy. By their
addresses the types of std::exception would be others in each, and what a library throws would not
be caught.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from irsan.cachedir import cache_root
from irsan.engine.builds.toolchain import Toolchain
from irsan.engine.cxx_library.sources import DEFINES, STANDARD, include_folders, library_folder
from irsan.errors import InternalError
from irsan.sealed import is_kept_whole, keep_beside_seal

_SOURCE: Final = Path("libcxxabi", "src", "private_typeinfo.cpp")
_FLAGS: Final = (
    f"-std={STANDARD}", "-O2", "-fPIC", "-fvisibility=hidden", "-w",
    *(f"-D{one}" for one in DEFINES),  # types are compared by name
)  # fmt: skip


def native_library(toolchain: Toolchain) -> list[Path]:
    """The files that a link is given, made where they are not there yet.

    toolchain: one that compiles C++ for the checked library.
    """
    from irsan.engine.cache import open_cache
    from irsan.engine.progress import standard_progress
    from irsan.engine.run.cxx_library import bundled_archives

    progress = standard_progress(os.environ)
    return [_typeinfo(toolchain), *bundled_archives(open_cache(os.environ), os.environ, progress)]


def _typeinfo(toolchain: Toolchain) -> Path:
    facts = (toolchain.identity, toolchain.cxx, _FLAGS)
    digest = hashlib.sha256(repr(facts).encode()).hexdigest()[:20]
    place = cache_root() / "libraries" / f"typeinfo-{digest}.o"
    if not is_kept_whole(place):
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        keep_beside_seal(place, _compiled(toolchain))
    return place


def _compiled(toolchain: Toolchain) -> bytes:
    folder = library_folder(toolchain.cxx)
    if folder is None:
        raise InternalError(f"{toolchain.title} has lost the sources of its C++ library")
    includes = [f"-I{one}" for one in include_folders(folder)]
    with tempfile.TemporaryDirectory(prefix="irsan-cc-") as own:
        target = Path(own, "made.o")
        words = [*toolchain.cxx, *_FLAGS, *includes, "-c", str(folder / _SOURCE), "-o", str(target)]
        answer = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
            env=toolchain.environment(),
        )  # fmt: skip
        if answer.returncode:
            raise InternalError(f"{toolchain.title} does not compile {_SOURCE}: {answer.stderr}")
        return target.read_bytes()
