"""The clang inside zig as a compiler of its own: `zig clang`, without zig's driver around it.

zig's driver knows one use of a compiler; configure scripts know the others. Where the system has
headers, this clang is aimed at the system. Where it has none, it gets zig's own headers, as
zig passes them (read off `zig cc -v`), and zig's driver links.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final

from irsan.errors import UsageError

SYSTEM_TARGET: Final = "x86_64-linux-gnu"
ALONE: Final = ("-target", "x86_64-linux-gnu.2.31", "-mcpu=baseline", "-fno-sanitize=all")
_SYSTEM_HEADER: Final = Path("/usr/include/stdio.h")
_SYSTEM_STARTS: Final = ("/usr/lib/x86_64-linux-gnu/crt1.o", "/usr/lib64/crt1.o")
_PASSED_ON: Final = ("-isystem", "-D")
_CXX_FOLDER: Final = "/libcxx"  # libcxx/include, libcxxabi/include
_CXX_MACROS: Final = ("_LIBCPP_", "_LIBCXXABI_")
_CHOSEN_MACROS: Final = ("-D_LIBCPP_HARDENING_MODE", "-D_LIBCPP_ASSERTION_SEMANTIC")


def has_system() -> bool:
    """Whether this machine has what C programs are compiled and linked with."""
    return _SYSTEM_HEADER.exists() and any(Path(one).exists() for one in _SYSTEM_STARTS)


def system_clang(folder: Path) -> tuple[str, ...]:
    """The clang of the zig in a folder, with the system's headers, libraries and linker."""
    return (
        *(str(folder / "zig"), "clang", f"--target={SYSTEM_TARGET}"),
        *("-resource-dir", str(folder / "lib")),
    )


def lone_clang(folder: Path, driver: tuple[str, ...], ending: str) -> tuple[str, ...]:
    """The same with zig's headers. driver: zig's own one; ending: of a source's name.

    Raises UsageError in zig's words when it does not compile at all.
    """
    return (*system_clang(folder), "-nostdinc", *_headers(driver, ending))


def library_headers(driver: tuple[str, ...]) -> tuple[str, ...]:
    """Words by which the clang finds zig's C++ library before the system's. driver: zig's for C++.

    Not the hardening mode that zig chooses. UsageError as above.
    """
    found: list[str] = []
    for word, following in pairwise(_headers(driver, ".cc")):
        if word == "-isystem" and _CXX_FOLDER in following:
            found += ("-stdlib++-isystem", following)
        if word == "-D" and following.startswith(_CXX_MACROS):
            found.append(f"-D{following}")
    return tuple(one for one in found if not one.startswith(_CHOSEN_MACROS))


def _headers(driver: tuple[str, ...], ending: str) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="irsan-") as folder:
        source = Path(folder, f"ask{ending}")
        source.write_text(f"int asked_{os.getpid()};\n")
        words = [*driver, *ALONE, "-v", "-c", str(source), "-o", str(Path(folder, "ask.o"))]
        environment = {**os.environ, "ZIG_LOCAL_CACHE_DIR": folder, "ZIG_GLOBAL_CACHE_DIR": folder}
        done = subprocess.run(
            words, capture_output=True, text=True, check=False, env=environment,
            cwd=folder,  # paths inside of it would be told without their beginning
        )  # fmt: skip
    line = next((one for one in done.stderr.splitlines() if " -cc1 " in one), "")
    if not line:
        raise UsageError(f"{shlex.join(driver)} does not compile: {done.stderr.strip()}")
    told = shlex.split(line)
    for word, following in pairwise(told):
        if word in _PASSED_ON:
            yield from (word, following)
