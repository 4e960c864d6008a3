"""What a program finds in memory at its start, in the order in which the kernel lays it.

    thread-local image, constructors                     irsan's own
    argc | argv ... 0 | envp ... 0 | auxiliary vector
    16 random bytes | platform
    strings of argv | strings of envp | path of the program | 8 zero bytes

So environ follows argv's strings without a gap: a program may set its title over both (nginx).

Sources: execve in fs/binfmt_elf.c of Linux; System V ABI, AMD64 supplement, section 3.4.1.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from irsan.engine.guest.program_symbols import AT_BASE, AT_EXECFN, AT_PLATFORM, AT_RANDOM
from irsan.errors import UnsupportedError
from irsan.runtime.layout import memory_map

_AUXILIARY: Final = Path("/proc/self/auxv")
_PAIR: Final = struct.Struct("<QQ")
_LDBASE_WORD: Final = 4  # of struct r_debug
_RANDOM_BYTES: Final = bytes(range(16))  # the same in every run
_libc: Final = ctypes.CDLL(None)


@dataclass(slots=True)
class StartMemory:
    """Places things in the start area, one behind the other."""

    argv: int = 0
    envp: int = 0
    words_end: int = 0  # of argv, envp and the auxiliary vector
    path: int = 0
    auxiliary: dict[int, int] = field(default_factory=dict)
    _at: int = memory_map.START_LO

    @property
    def end(self) -> int:
        """Where what has been placed ends."""
        return self._at

    def place_bytes(self, raw: bytes, align: int = 16) -> int:
        """Copy bytes to the next free place; its address."""
        address = -(-self._at // align) * align
        self._at = address + len(raw)
        if self._at > memory_map.START_HI:
            n_bytes = memory_map.START_HI - memory_map.START_LO
            raise UnsupportedError(
                f"arguments, environment and thread-locals need more than {n_bytes >> 20} MiB"
            )
        ctypes.memmove(address, raw, len(raw))
        return address

    def place_words(self, words: Sequence[int]) -> int:
        """Copy words and a zero."""
        return self.place_bytes(b"".join(word.to_bytes(8, "little") for word in [*words, 0]))

    def place_program(
        self, arguments: Sequence[bytes], environment: Sequence[bytes], path: bytes
    ) -> None:
        """Lay out all that main and libraries find; `path`: the program's own."""
        known = _auxiliary_vector()
        n_words = 1 + len(arguments) + 1 + len(environment) + 1 + 2 * len(known) + 2
        block = self.place_bytes(bytes(8 * n_words))
        random = self.place_bytes(_RANDOM_BYTES)
        platform = self.place_bytes(b"x86_64\0", align=1)
        argv = [self.place_bytes(text + b"\0", align=1) for text in arguments]
        envp = [self.place_bytes(text + b"\0", align=1) for text in environment]
        self.path = self.place_bytes(path + b"\0", align=1)
        self.place_bytes(bytes(8), align=1)
        self.auxiliary = {
            AT_BASE: _loader_base(), AT_RANDOM: random, AT_PLATFORM: platform, AT_EXECFN: self.path,
        }  # fmt: skip
        pairs = [(kind, self.auxiliary.get(kind, value)) for kind, value in known]
        flat = [word for pair in pairs for word in pair]
        words = [len(argv), *argv, 0, *envp, 0, *flat, 0, 0]
        self.argv, self.envp = block + 8, block + 8 * (len(argv) + 2)
        self.words_end = block + 8 * n_words
        raw = b"".join(word.to_bytes(8, "little") for word in words)
        ctypes.memmove(block, raw, len(raw))


def name_program(argv: int, envp: int) -> None:
    """Tell the C library the program's name and environment: messages of assert, err, perror.

    The kernel's name of the process is the program's as well.
    """
    path_at = ctypes.c_uint64.from_address(argv).value
    if path_at:
        path = ctypes.string_at(path_at)
        short = path.rpartition(b"/")[2]
        short_at = path_at + len(path) - len(short)
        for name in ("program_invocation_name", "_IO_program_invocation_name"):
            _set_variable(name, path_at)
        for name in ("program_invocation_short_name", "__progname"):
            _set_variable(name, short_at)
        _set_variable("__progname_full", path_at)
        _libc.prctl(_PR_SET_NAME, ctypes.c_char_p(short[:15]), 0, 0, 0)
    _set_variable("environ", envp)


_PR_SET_NAME: Final = 15


def _set_variable(name: str, value: int) -> None:
    try:
        ctypes.c_uint64.in_dll(_libc, name).value = value
    except ValueError:  # a C library without it
        return


def _loader_base() -> int:
    """Where the dynamic loader lies, which the kernel does not say where that is what it started.

    Source: `struct r_debug` in link.h.
    """
    words = (ctypes.c_uint64 * (_LDBASE_WORD + 1)).in_dll(_libc, "_r_debug")
    return int(words[_LDBASE_WORD])


def _auxiliary_vector() -> list[tuple[int, int]]:
    """(kind, value) of this process's entries but the last, which is zero."""
    try:
        raw = _AUXILIARY.read_bytes()
    except OSError:
        return []
    pairs = [(kind, value) for kind, value in _PAIR.iter_unpack(raw[: len(raw) // 16 * 16])]
    return [pair for pair in pairs if pair[0]]
