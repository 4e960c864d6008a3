"""Answers for the program about its own symbols, as the system's loader gives them for others.

    dladdr, dlsym, backtrace_symbols   interceptors/system/own_symbols.py
    dlerror                            what dlsym has failed with is kept here: calls of irsan's own
                                       between the two would make the loader forget it
    dl_iterate_phdr                    `describe_program`: one entry, without a name, as natively

What the program is given (names, descriptions) lies in buffers that live as long as the run.
"""

from __future__ import annotations

import ctypes
import mmap
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from irsan.engine.guest.next_image import next_symbol
from irsan.engine.linker.native_symbols import HOST_LIBRARIES, DlInfo, native_symbol_at
from irsan.runtime.layout import memory_map
from irsan.runtime.records.memory.heap_records import MALLOC

if TYPE_CHECKING:
    from irsan.engine.guest.guest_link import LinkedProgram
    from irsan.engine.guest.image_memory import LinkedRuntime
    from irsan.engine.guest.machine import Machine
    from irsan.engine.linker.linked import Linked
    from irsan.engine.run.opened_libraries import OpenedLibraries
    from irsan.instrument.sites.sites import JoinedSites

_RTLD_DEFAULT: Final = 0
_NOT_OURS: Final = (1 << 64) - 1  # of close_library
_RTLD_NEXT: Final = (1 << 64) - 1
_RTLD_LAZY: Final = 1
_PT_LOAD: Final = 1
_PHDR_WORDS: Final = 7
_INFO_WORDS: Final = 8
_ERROR: Final = b"\0error"  # key of the text of dlerror
AT_BASE: Final = 7
AT_PLATFORM: Final = 15
AT_RANDOM: Final = 25
AT_EXECFN: Final = 31


@dataclass(slots=True)
class ProgramSymbols:
    """The symbols of a linked program, for itself.

    auxiliary: values of getauxval that are the program's own.  images: for dlsym(RTLD_NEXT, ...).
    """

    linker: Linked
    runtime: LinkedRuntime
    path: str
    auxiliary: dict[int, int]
    _given: dict[bytes, Any]
    _libc: Any
    _main: int
    _failure: bytes | None = None
    opened: OpenedLibraries | None = None
    images: tuple[LinkedProgram, JoinedSites] | None = None

    @classmethod
    def of_run(
        cls, linker: Linked, runtime: LinkedRuntime, path: str, auxiliary: dict[int, int]
    ) -> ProgramSymbols:
        """The symbols of a run; path: the program's own."""
        libc = ctypes.CDLL(None)
        libc.dlopen.restype = libc.getauxval.restype = ctypes.c_uint64
        libc.dlsym.restype = libc.dlvsym.restype = ctypes.c_uint64
        libc.dlerror.restype = ctypes.c_char_p
        main = libc.dlopen(None, ctypes.c_int(_RTLD_LAZY))
        return cls(linker, runtime, path, auxiliary, {}, libc, int(main))

    def dladdr(self, _machine: Machine, arguments: Sequence[int]) -> int:
        """dladdr."""
        address, info_at = arguments[:2]
        found = self._own_symbol(address)
        if found is None:
            return int(self._libc.dladdr(ctypes.c_uint64(address), ctypes.c_uint64(info_at)))
        name, start = found
        info = DlInfo.from_address(info_at)
        inside = self.opened.path_at(address) if self.opened is not None else None
        path, base = inside or (self.path, self._base())
        info.dli_fname, info.dli_fbase = self._text(path), base
        info.dli_sname = self._text(name) if name else None
        info.dli_saddr = start or None
        return 1

    def dladdr1(self, machine: Machine, arguments: Sequence[int]) -> int:
        """dladdr1; a symbol of the program has neither an entry nor a map."""
        address, info_at, extra_at, which = arguments[:4]
        if self._own_symbol(address) is None:
            words = map(ctypes.c_uint64, (address, info_at, extra_at))
            return int(self._libc.dladdr1(*words, ctypes.c_int(which & 0xFFFF_FFFF)))
        if extra_at:
            ctypes.c_uint64.from_address(extra_at).value = 0
        return self.dladdr(machine, arguments)

    def dlsym(self, machine: Machine, arguments: Sequence[int]) -> int:
        """dlsym: the program first, then what irsan intercepts, then the loader."""
        handle, name_at = arguments[:2]
        name = os.fsdecode(ctypes.string_at(name_at))
        library = self.opened.of_handle(handle) if self.opened is not None else None
        if library is not None:
            found = library.symbol(name)
            self._failure = None if found else _undefined(library.path, name)
            return found
        is_global = handle in (_RTLD_DEFAULT, self._main)
        own = self._global_symbol(name) if is_global else 0
        if own:
            return own
        if handle == _RTLD_NEXT and self.images is not None:
            later = next_symbol(*self.images, int(machine.ctx["site"]), name)
            if later:
                return later
        ours = self.runtime.resolve(name)
        if ours and (is_global or handle == _RTLD_NEXT):
            return ours
        asked = _RTLD_DEFAULT if handle == _RTLD_NEXT else handle
        found = int(self._libc.dlsym(ctypes.c_uint64(asked), ctypes.c_uint64(name_at)))
        if not found and handle == _RTLD_NEXT and self.images is not None:
            found = self.images[0].libraries.exported(name) or 0
        self._failure = None if found else self._libc.dlerror()
        if not found and asked == _RTLD_DEFAULT:  # the loader takes who calls it for the caller
            self._failure = _undefined(self.path, name)
        if found and ours and self._is_host_function(found):
            return ours
        return found

    def dlvsym(self, _machine: Machine, arguments: Sequence[int]) -> int:
        """dlvsym: the version counts for libraries, whether they have IR or not."""
        handle, name_at, version_at = arguments[:3]
        name, version = (os.fsdecode(ctypes.string_at(at)) for at in (name_at, version_at))
        library = self.opened.of_handle(handle) if self.opened is not None else None
        if library is not None:
            found = library.version(name, version)
            self._failure = None if found else _undefined(library.path, name)
            return found
        words = map(ctypes.c_uint64, (handle, name_at, version_at))
        found = int(self._libc.dlvsym(*words) or 0) if handle != _RTLD_NEXT else 0
        ours = self.runtime.resolve(name)
        if (not found or self._is_host_function(found)) and ours:
            return ours
        self._failure = None if found else self._libc.dlerror() or _undefined(self.path, name)
        return found

    def open_library(self, machine: Machine, arguments: Sequence[int]) -> int:
        """What dlopen asks first: the handle of a library with IR; 0: the loader opens it."""
        if not arguments[0] or self.opened is None:
            return 0
        flags = arguments[1] & 0xFFFF_FFFF
        found = self.opened.open(machine, os.fsdecode(ctypes.string_at(arguments[0])), flags)
        self._failure, self.opened.failure = self.opened.failure, None
        return found

    def next_constructor(self, _machine: Machine, arguments: Sequence[int]) -> int:
        """What dlopen calls next."""
        return self.opened.next_constructor(arguments[0]) if self.opened is not None else 0

    def close_library(self, machine: Machine, arguments: Sequence[int]) -> int:
        """What dlclose asks first."""
        return self.opened.close(machine, arguments[0]) if self.opened is not None else _NOT_OURS

    def next_destructor(self, machine: Machine, arguments: Sequence[int]) -> int:
        """What dlclose, or the end of the program, calls next; its argument is left behind."""
        if self.opened is None:
            return 0
        function, argument = self.opened.next_destructor(arguments[0])
        machine.ctx["event"]["args"][0] = argument
        return function

    def unload_library(self, _machine: Machine, arguments: Sequence[int]) -> None:
        """What dlclose asks last."""
        if self.opened is not None:
            self.opened.unload(arguments[0])

    def _global_symbol(self, name: str) -> int:
        found = self.linker.symbols.get(name, 0)
        return found or (self.opened.global_symbol(name) if self.opened is not None else 0)

    def dlerror(self, _machine: Machine, _arguments: Sequence[int]) -> int:
        """dlerror: the loader's last word, else what dlsym has failed with."""
        failure = self._libc.dlerror() or self._failure
        self._failure = None
        if failure is None:
            return 0
        self._given[_ERROR] = ctypes.create_string_buffer(failure)
        return ctypes.addressof(self._given[_ERROR])

    def backtrace_symbols(self, machine: Machine, arguments: Sequence[int]) -> int:
        """backtrace_symbols: one block with the array and the strings behind it."""
        lines = self._described(machine, arguments)
        n_bytes = sum(len(line) + 1 for line in lines) + 8 * len(lines)
        block = machine.runtime.kernel("heap_allocate", max(n_bytes, 1), 0, MALLOC)
        machine.runtime.kernel("race_forget", block, max(n_bytes, 1))
        at = block + 8 * len(lines)
        for index, line in enumerate(lines):
            ctypes.c_uint64.from_address(block + 8 * index).value = at
            ctypes.memmove(at, line + b"\0", len(line) + 1)
            at += len(line) + 1
        return block

    def backtrace_symbols_fd(self, machine: Machine, arguments: Sequence[int]) -> None:
        """backtrace_symbols_fd: a line for each."""
        lines = self._described(machine, arguments)
        try:
            os.write(arguments[2] & 0xFFFF_FFFF, b"".join(line + b"\n" for line in lines))
        except OSError:
            return

    def getauxval(self, _machine: Machine, arguments: Sequence[int]) -> int:
        """getauxval."""
        found = self.auxiliary.get(arguments[0])
        if found is not None:
            return found
        return int(self._libc.getauxval(ctypes.c_uint64(arguments[0])))

    def describe_program(self) -> int:
        """Address of the struct dl_phdr_info of the program."""
        segments = self.linker.segments
        words = (ctypes.c_uint64 * (_INFO_WORDS + _PHDR_WORDS * len(segments)))()
        at = ctypes.addressof(words)
        name = ctypes.cast(self._text(""), ctypes.c_void_p).value or 0
        words[:4] = [0, name, at + 8 * _INFO_WORDS, len(segments)]
        for index, one in enumerate(segments):
            first = _INFO_WORDS + _PHDR_WORDS * index
            size = one.hi - one.lo
            head = _PT_LOAD | _flags(one.prot) << 32
            words[first : first + _PHDR_WORDS] = [head, 0, one.lo, one.lo, size, size, 4096]
        self._given[b"\0phdr"] = words
        return at

    def _described(self, machine: Machine, arguments: Sequence[int]) -> list[bytes]:
        array, count = arguments[0], ctypes.c_int32(arguments[1] & 0xFFFF_FFFF).value
        if count <= 0:
            return []
        machine.runtime.kernel("read", array, 8 * count)
        words = (ctypes.c_uint64 * count).from_address(array)
        return [os.fsencode(self._describe(word)) for word in words]

    def _describe(self, address: int) -> str:
        """As glibc: path(function+0x12) [0x401234]."""
        own = self._own_symbol(address)
        if own is not None:
            name, start = own
            place = f"{name}+{address - start:#x}" if name else f"+{address - self._base():#x}"
            return f"{self.path}({place}) [{address:#x}]"
        native = native_symbol_at(address)
        if native is None:
            return f"[{address:#x}]"
        return f"{native.library}({native.name}+{address - native.address:#x}) [{address:#x}]"

    def _own_symbol(self, address: int) -> tuple[str, int] | None:
        """(name, address) of the program's symbol at an address, ("", 0): none; None elsewhere."""
        if not any(one.lo <= address < one.hi for one in self.linker.segments):
            return None
        found = self.linker.address_to_symbol(address)
        return ("", 0) if found is None else (found[0], address - found[1])

    def _is_host_function(self, address: int) -> bool:
        native = native_symbol_at(address)
        return native is not None and Path(native.library).name in HOST_LIBRARIES

    def _base(self) -> int:
        return min((one.lo for one in self.linker.segments), default=memory_map.PROGRAM_CODE_LO)

    def _text(self, text: str) -> Any:
        raw = os.fsencode(text)
        if raw not in self._given:
            self._given[raw] = ctypes.create_string_buffer(raw)
        return ctypes.cast(self._given[raw], ctypes.c_char_p)


def _undefined(path: str, name: str) -> bytes:
    return os.fsencode(f"{path}: undefined symbol: {name}")


def _flags(protection: int) -> int:
    """PF_R 4, PF_W 2, PF_X 1."""
    bits = ((mmap.PROT_READ, 4), (mmap.PROT_WRITE, 2), (mmap.PROT_EXEC, 1))
    return sum(flag for wanted, flag in bits if protection & wanted)
