"""Where native libraries are, and which of them the guest shares with Python.

libc and its parts, the dynamic linker and the unwinder (libgcc_s) are never copied: the process
can have only one of each.  libresolv and libmvec are libraries like others: the process has none.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

#: libraries that the guest shares with the host
SHARED_PREFIXES: Final = (
    "libc.so", "libm.so", "libpthread.so", "libdl.so", "librt.so", "libgcc_s.so", "ld-linux",
    "libutil.so", "linux-vdso",
)  # fmt: skip


def is_shared_with_host(soname: str) -> bool:
    """Libraries that are never copied (libc and its parts, the unwinder)."""
    return soname.startswith(SHARED_PREFIXES)


def find_library(
    soname: str, folders: Iterable[str] = (), run_path: Iterable[str] = ()
) -> Path | None:
    """Path of `libNAME.so[.N]`, None when it is nowhere.

    Order: given folders, LD_LIBRARY_PATH, the run path of what needs it, system folders, the
    loader's cache, gcc's own folders.
    """
    environment = os.environ.get("LD_LIBRARY_PATH", "").split(":")
    for folder in (*folders, *filter(None, environment), *run_path, *_SYSTEM_FOLDERS):
        candidate = Path(folder) / soname
        if _is_elf(candidate):
            return candidate
    return _from_loader_cache(soname) or _from_compiler(soname)


def at_origin(folders: Iterable[str], path: Path) -> Iterator[str]:
    """Folders of a run path as they are for the library or executable at `path`."""
    origin = str(path.resolve().parent)
    for folder in folders:
        yield folder.replace("$ORIGIN", origin).replace("${ORIGIN}", origin)


_SYSTEM_FOLDERS: Final = (
    "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/usr/lib",
    "/usr/local/lib", "/usr/local/lib64",
)  # fmt: skip


def _is_elf(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            head = file.read(20)
    except OSError:
        return False
    return head[:6] == b"\x7fELF\x02\x01" and head[18:19] == b"\x3e"


def _from_loader_cache(soname: str) -> Path | None:
    for row in _output(["/sbin/ldconfig", "-p"]).splitlines():
        name, _, where = row.strip().partition(" ")
        path = Path(where.rpartition(" => ")[2])
        if name == soname and _is_elf(path):
            return path
    return None


def _from_compiler(soname: str) -> Path | None:
    path = Path(_output(["gcc", f"-print-file-name={soname}"]).strip() or soname)
    return path if path.is_absolute() and _is_elf(path) else None


def _output(argv: list[str]) -> str:
    import subprocess

    try:
        return subprocess.run(argv, capture_output=True, text=True, timeout=20, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""
