"""What the names of a loaded shared library lead to, and how to make them lead elsewhere.

    for each relocation that names a symbol:   slot <- resolve(name), else the library's own
                                               definition, else what the system loader stored

The second rule matters because the system loader prefers definitions it met earlier: those of the
process's global scope, and for C++'s unique symbols (`std::locale::id` of every facet) those of
any library in the process.  A copy that shared them with the host's libstdc++ would find its
facets under the other one's numbers.

Source: System V ABI, AMD64 supplement, section 5.2 (GOT, PLT); GNU's STB_GNU_UNIQUE.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from irsan.engine.linker.elf import (
    RELA_DTYPE,
    SHN_ABS,
    STT_GNU_IFUNC,
    STT_TLS,
    SYMBOL_DTYPE,
    Array,
    sorted_distinct,
)
from irsan.engine.linker.native_symbols import host_symbol
from irsan.engine.native_libraries import shared_object as so
from irsan.engine.native_libraries.shared_object import SharedObject
from irsan.runtime import arena

Resolve = Callable[[str], "int | None"]

#: the process has one unwinder, libgcc_s, which knows the frames of the guest: a library that needs
#: LLVM's libunwind is given that one, as natively where the program is linked with it
UNWINDER: Final = "_Unwind_"
#: names that always keep the binding of the system loader
_NEVER_PATCHED: Final = (UNWINDER, "__register_frame", "__deregister_frame", "_ITM_")
_NEVER_PATCHED_NAMES: Final = frozenset({"__tls_get_addr", "__gmon_start__", "dl_iterate_phdr"})

_R_64, _R_GLOB_DAT, _R_JUMP_SLOT = 1, 6, 7
_R_DTPMOD, _R_DTPOFF, _R_TPOFF = 16, 17, 18
_PAGE_BYTES: Final = 4096


@dataclass(frozen=True, slots=True)
class ThreadLocalPlace:
    """A thread-local variable: the loader's number of its module, its offset in the block, and
    its address less the thread pointer."""

    module: int
    offset: int
    from_thread_pointer: int

    def value(self, kind: int, addend: int) -> int:
        """What a relocation of a kind stores."""
        if kind == _R_DTPMOD:
            return self.module
        base = self.offset if kind == _R_DTPOFF else self.from_thread_pointer
        return (base + addend) % 2**64


class Bindings:
    """Relocations of a loaded image that name a symbol."""

    def __init__(self, parsed: SharedObject, base: int) -> None:
        self._parsed, self._base = parsed, base
        rows = [
            _view(base + parsed.value(where), parsed.value(size), RELA_DTYPE)
            for where, size in ((so.DT_RELA, so.DT_RELASZ), (so.DT_JMPREL, so.DT_PLTRELSZ))
            if parsed.value(size)
        ]
        table = np.concatenate(rows) if rows else np.zeros(0, RELA_DTYPE)
        kind = table["info"] & np.uint64(0xFFFF_FFFF)
        self._of_threads = table[(kind >= _R_DTPMOD) & (kind <= _R_TPOFF)]
        self._table = table[(kind == _R_64) | (kind == _R_GLOB_DAT) | (kind == _R_JUMP_SLOT)]
        self._symbol = (self._table["info"] >> np.uint64(32)).astype(np.int64)
        self._used = sorted_distinct(self._symbol)
        count = int(self._used.max(initial=0)) + 1
        self._symbols = _view(
            base + parsed.value(so.DT_SYMTAB), count * SYMBOL_DTYPE.itemsize, SYMBOL_DTYPE
        )

    def imports(self) -> list[str]:
        """Names of undefined symbols that relocations use, sorted."""
        used = self._used[(self._used != 0) & (self._symbols["section"][self._used] == 0)]
        return sorted(self._names(used))

    def rebind(self, resolve: Resolve) -> list[str]:
        """Rewrite every slot by the rules of the module; returns the resolved names, sorted."""
        target = self._own_definitions()
        resolved = []
        for index, name in zip(self._used.tolist(), self._names(self._used), strict=True):
            if _is_kept(name):
                is_unwinder = name.startswith(UNWINDER) and not self._symbols["section"][index]
                target[index] = (host_symbol(name) or 0) if is_unwinder else 0
                continue
            found = resolve(name)
            if found is not None:
                target[index] = found
                resolved.append(name)
        chosen = target[self._symbol] != 0
        rows, symbol = self._table[chosen], self._symbol[chosen]
        self._write(rows["offset"].astype(np.uint64), target[symbol] + _addends(rows))
        return sorted(resolved)

    def bind_thread_locals(self, find: Callable[[str], ThreadLocalPlace | None]) -> None:
        """Thread-locals that others define: those of the copies, not those the loader chose."""
        rows = self._of_threads
        symbol = (rows["info"] >> np.uint64(32)).astype(np.int64)
        where, values = [], []
        symbols = _view(
            self._base + self._parsed.value(so.DT_SYMTAB),
            (int(symbol.max(initial=0)) + 1) * SYMBOL_DTYPE.itemsize, SYMBOL_DTYPE,
        )  # fmt: skip
        for row, index in zip(rows, symbol.tolist(), strict=True):
            if index and symbols["section"][index] == 0:
                start = self._base + self._parsed.value(so.DT_STRTAB) + int(symbols["name"][index])
                found = find(ctypes.string_at(start).decode("utf-8", "surrogateescape"))
                if found is not None:
                    where.append(int(row["offset"]))
                    values.append(found.value(int(row["info"]) & 0xFFFF_FFFF, int(row["addend"])))
        if where:
            self._write(np.array(where, np.uint64), np.array(values, np.uint64))

    def _own_definitions(self) -> Array:
        """uint64 address per symbol that this library defines as plain code or data, else 0."""
        kind, section = self._symbols["info"] & 15, self._symbols["section"]
        is_plain = (section != 0) & (section != SHN_ABS)
        is_plain &= (kind != STT_TLS) & (kind != STT_GNU_IFUNC)
        own: Array = self._symbols["value"] + np.uint64(self._base)
        own[~is_plain] = 0
        return own

    def _names(self, indices: Array) -> list[str]:
        strings = np.uint64(self._base + self._parsed.value(so.DT_STRTAB))
        found = map(ctypes.string_at, (self._symbols["name"][indices] + strings).tolist())
        return [raw.decode("utf-8", "surrogateescape") for raw in found]

    def _write(self, offsets: Array, values: Array) -> None:
        memory = arena.view_bytes(self._base, self._parsed.mapped_bytes())
        where = offsets[:, None] + np.arange(8, dtype=np.uint64)
        raw = values.astype("<u8").view(np.uint8).reshape(-1, 8)
        changed = (memory[where] != raw).any(axis=1)
        if not changed.any():
            return
        pages = self._base + sorted_distinct(offsets[changed].astype(np.int64) // _PAGE_BYTES) * (
            _PAGE_BYTES
        )
        lo, size = self._parsed.relro()
        for page in pages.tolist():
            arena.protect(page, _PAGE_BYTES, mmap.PROT_READ | mmap.PROT_WRITE)
        memory[where[changed]] = raw[changed]
        relro_end = (self._base + lo + size) & -_PAGE_BYTES
        for page in pages.tolist():
            if self._base + lo - _PAGE_BYTES < page < relro_end:
                arena.protect(page, _PAGE_BYTES, mmap.PROT_READ)


def _addends(rows: Array) -> Array:
    kind = rows["info"] & np.uint64(0xFFFF_FFFF)
    return np.where(kind == _R_64, rows["addend"], 0).astype(np.int64).view(np.uint64)


def _is_kept(name: str) -> bool:
    return not name or name in _NEVER_PATCHED_NAMES or name.startswith(_NEVER_PATCHED)


def _view(address: int, size: int, dtype: np.dtype[Any]) -> Array:
    return arena.view_bytes(address, size).view(dtype)
