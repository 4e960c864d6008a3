"""What OpenMP's functions say where reports go: settings, and messages of the program.

Source: OpenMP 5.2, sections 8.5 (error directive), 18.15 (omp_display_env); LLVM's kmp.h for the
text that says where a construct stands: ;file;function;line;column;;
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from irsan.runtime.diagnosis.openmp_environment import environment_text

if TYPE_CHECKING:
    from irsan.engine.guest.machine import Machine

_SOURCE_AT: Final = 16  # psource in ident_t
_WARNING: Final = 1
_LOW_WORD: Final = 0xFFFF_FFFF


class OpenmpWords:
    """Answers in one run; `write` gets the lines."""

    def __init__(self, write: Callable[[str], Any]) -> None:
        self._write = write

    def display_env(self, _machine: Machine, arguments: Sequence[int]) -> None:
        """omp_display_env."""
        self._write(environment_text(arguments[0] & _LOW_WORD != 0))

    def error_directive(self, _machine: Machine, arguments: Sequence[int]) -> None:
        """__kmpc_error: the glue ends the program where it is no warning."""
        location, severity, message = arguments[:3]
        kind = "warning" if severity & _LOW_WORD == _WARNING else "error"
        text = ctypes.string_at(message).decode(errors="replace") if message else "no message"
        self._write(f"irsan: {_place(location)}{kind} of the program (omp error): {text}\n")


def _place(location: int) -> str:
    """File, line and column of an ident_t, with a colon behind each; "" when it says none."""
    source = ctypes.c_uint64.from_address(location + _SOURCE_AT).value if location else 0
    if not source:
        return ""
    parts = ctypes.string_at(source).decode(errors="replace").split(";")
    return f"{parts[1]}:{parts[3]}:{parts[4]}: " if len(parts) > 4 and parts[3] != "0" else ""
