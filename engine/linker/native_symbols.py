"""Symbols of the shared libraries in this process: addresses, kinds and sizes by `dlsym`.

The host's libc, libm and libgcc_s are shared with Python; other libraries come as private copies
(`irsan.engine.native_libraries.native_libraries`).
"""

from __future__ import annotations

import ctypes
import functools
from dataclasses import dataclass
from typing import Final

HOST_LIBRARIES: Final = ("libc.so.6", "libm.so.6", "libgcc_s.so.1")

_RTLD_DL_SYMENT: Final = 1
_STT_FUNC: Final = 2
_STT_GNU_IFUNC: Final = 10


class DlInfo(ctypes.Structure):
    """struct Dl_info."""

    _fields_ = (
        ("dli_fname", ctypes.c_char_p),
        ("dli_fbase", ctypes.c_void_p),
        ("dli_sname", ctypes.c_char_p),
        ("dli_saddr", ctypes.c_void_p),
    )


class _ElfSymbol(ctypes.Structure):
    _fields_ = (
        ("st_name", ctypes.c_uint32),
        ("st_info", ctypes.c_uint8),
        ("st_other", ctypes.c_uint8),
        ("st_shndx", ctypes.c_uint16),
        ("st_value", ctypes.c_uint64),
        ("st_size", ctypes.c_uint64),
    )


@dataclass(frozen=True, slots=True)
class NativeSymbol:
    """What the dynamic symbol table says about an address."""

    name: str
    library: str
    address: int
    size_bytes: int
    is_function: bool


@functools.cache
def _host_handles() -> tuple[int, ...]:
    handles = []
    for name in (None, *HOST_LIBRARIES):
        try:
            handles.append(ctypes.CDLL(name)._handle)
        except OSError:
            continue
    return tuple(handles)


@functools.cache
def _libc() -> ctypes.CDLL:
    libc = ctypes.CDLL(None)
    libc.dlsym.restype = ctypes.c_void_p
    libc.dlsym.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    libc.dlvsym.restype = ctypes.c_void_p
    libc.dlvsym.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p]
    libc.dladdr1.argtypes = [
        ctypes.c_void_p, ctypes.POINTER(DlInfo), ctypes.c_void_p, ctypes.c_int
    ]  # fmt: skip
    libc.dlerror.restype = ctypes.c_char_p
    return libc


def symbol_in(handle: int, name: str) -> int | None:
    """Address of `name` in an open library, None when it does not export it."""
    address: int | None = _libc().dlsym(handle, name.encode("utf-8", "surrogateescape"))
    return address


def host_symbol(name: str) -> int | None:
    """Address of `name` in the process, libc, libm or libgcc_s; None when nowhere."""
    for handle in _host_handles():
        address = symbol_in(handle, name)
        if address is not None:
            return address
    return None


def versioned_symbol(name: str, version: str) -> int | None:
    """Address of `name` as of a version that is kept for older programs only."""
    for handle in _host_handles():
        address: int | None = _libc().dlvsym(handle, name.encode(), version.encode())
        if address is not None:
            return address
    return None


def native_symbol_at(address: int) -> NativeSymbol | None:
    """The dynamic symbol that covers `address`, None when no library has one."""
    found, entry = DlInfo(), ctypes.POINTER(_ElfSymbol)()
    ok = _libc().dladdr1(address, ctypes.byref(found), ctypes.byref(entry), _RTLD_DL_SYMENT)
    if not ok or not entry or not found.dli_sname:
        return None
    symbol = entry.contents
    return NativeSymbol(
        name=found.dli_sname.decode("utf-8", "surrogateescape"),
        library=(found.dli_fname or b"").decode(errors="surrogateescape"),
        address=int(found.dli_saddr or 0),
        size_bytes=int(symbol.st_size),
        is_function=symbol.st_info & 15 in (_STT_FUNC, _STT_GNU_IFUNC),
    )
