"""Where native code keeps pointers for the program: variables of libraries, streams, environment.

    library_data         .data and .bss of every shared library but Python's own
    own_library_data     those of libraries that the program alone uses
    host_libraries       those that the host has loaded for itself
    c_library_ranges     all FILE objects (a buffer of setvbuf), the array of the environment
    highest_tls_module   which libraries with thread-locals are there already

The C library's heap as a whole is no root: it is full of what the host has left there.

Source: dl_iterate_phdr(3), the ELF specification (PT_LOAD), and the GNU C library's struct_FILE.h
for where the next stream stands.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Collection, Iterator
from typing import Final

_PT_LOAD: Final = 1
_PF_W: Final = 2
_FILE_BYTES: Final = 216
_FILE_CHAIN_OFFSET: Final = 0x68
_MAX_FILES: Final = 1 << 16
_C_LIBRARY: Final = ("libc.so", "libc-")
_HOST_MARKS: Final = ("/libpython", "/lib/python", "-packages/")  # paths of Python's own libraries
_libc: Final = ctypes.CDLL(None)


class _ProgramHeader(ctypes.Structure):
    _fields_ = (
        ("type", ctypes.c_uint32), ("flags", ctypes.c_uint32), ("offset", ctypes.c_uint64),
        ("vaddr", ctypes.c_uint64), ("paddr", ctypes.c_uint64), ("filesz", ctypes.c_uint64),
        ("memsz", ctypes.c_uint64), ("align", ctypes.c_uint64),
    )  # fmt: skip


class _Library(ctypes.Structure):
    _fields_ = (
        ("base", ctypes.c_uint64), ("name", ctypes.c_char_p),
        ("headers", ctypes.POINTER(_ProgramHeader)), ("n_headers", ctypes.c_uint16),
        ("n_added", ctypes.c_uint64), ("n_removed", ctypes.c_uint64),
        ("tls_module", ctypes.c_size_t), ("tls_block", ctypes.c_void_p),
    )  # fmt: skip


_CALLBACK = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(_Library), ctypes.c_size_t, ctypes.c_void_p
)


def library_data(but: Collection[str] = ()) -> list[tuple[int, int]]:
    """Ranges [lo, hi) of variables of every loaded library but the host program and Python's, and
    those named."""
    return [part for name, parts in _libraries() if name not in but for part in parts]


def own_library_data(host: Collection[str]) -> list[tuple[int, int]]:
    """The same of libraries that the program alone uses: neither the host nor the C library."""
    own = [parts for name, parts in _libraries() if name not in host and not _is_c_library(name)]
    return [part for parts in own for part in parts]


def host_library_data(names: Collection[str]) -> list[tuple[int, int]]:
    """The same of the libraries named."""
    return [part for name, parts in _libraries() if name in names for part in parts]


def host_libraries() -> frozenset[str]:
    """Asked before the program is linked: libraries that are not loaded for it.

    The C library serves both.
    """
    names: set[str] = set()
    _visit_libraries(lambda name, _: names.add(name))
    return frozenset(name for name in names if not _is_c_library(name))


def _is_c_library(name: str) -> bool:
    return name.rpartition("/")[2].startswith(_C_LIBRARY)


def _libraries() -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Path and variables of each library."""
    found: list[tuple[str, list[tuple[int, int]]]] = []
    _visit_libraries(lambda name, library: found.append((name, _variables(library))))
    return iter(found)


def _visit_libraries(act: Callable[[str, _Library], object]) -> None:
    """Act on path and record of each library but Python's own; both end with the call."""

    def visit(library: ctypes._Pointer[_Library], _size: int, _unused: int | None) -> int:
        name = os.fsdecode(library.contents.name or b"")
        if ".so" in name and not any(mark in name for mark in _HOST_MARKS):
            act(name, library.contents)
        return 0

    _libc.dl_iterate_phdr(_CALLBACK(visit), None)


def highest_tls_module() -> int:
    """The largest number of a loaded library that has thread-locals, 0 when none has."""
    found = [0]

    def visit(library: ctypes._Pointer[_Library], _size: int, _unused: int | None) -> int:
        found.append(int(library.contents.tls_module))
        return 0

    _libc.dl_iterate_phdr(_CALLBACK(visit), None)
    return max(found)


def c_library_ranges() -> list[tuple[int, int]]:
    """Ranges of every stream and of the environment."""
    found: list[tuple[int, int]] = []
    file = ctypes.c_uint64.in_dll(_libc, "_IO_list_all").value
    while file and len(found) < _MAX_FILES:
        found.append((file, file + _FILE_BYTES))
        file = _word(file + _FILE_CHAIN_OFFSET)
    end = start = ctypes.c_uint64.in_dll(_libc, "environ").value
    while end and _word(end):
        end += 8
    return [*found, (start, end)]


def _word(addr: int) -> int:
    return ctypes.c_uint64.from_address(addr).value


def _variables(library: _Library) -> list[tuple[int, int]]:
    headers = [library.headers[index] for index in range(library.n_headers)]
    return [
        (library.base + header.vaddr, library.base + header.vaddr + header.memsz)
        for header in headers
        if header.type == _PT_LOAD and header.flags & _PF_W
    ]
