"""Which files are sources of a language with a compiler of its own, by their names.

Nothing here imports a producer: a run of a C program imports none.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from irsan.engine.cache import Cache
    from irsan.engine.options import FrontendOptions
    from irsan.engine.producers.made_parts import MadeParts

PRODUCED_SUFFIXES: Final[Mapping[str, str]] = {
    ".rs": "Rust", ".zig": "Zig", ".d": "D", ".m": "Objective-C", ".mm": "Objective-C",
    ".f": "Fortran", ".f90": "Fortran", ".f95": "Fortran", ".f03": "Fortran", ".f08": "Fortran",
    ".F90": "Fortran",
}  # fmt: skip
_ELF: Final = b"\x7fELF"
_MAKERS: Final[Mapping[str, tuple[str, str]]] = {
    "Rust": ("rust", "make_rust"),
    "Zig": ("zig", "make_zig"),
    "Fortran": ("fortran", "make_fortran"),
    "D": ("dlang", "make_d"),
    "Objective-C": ("objective_c", "make_objective_c"),
}


def produced_language(path: Path) -> str:
    """The language of a source that another compiler than clang makes IR of; "" for any other.

    An executable may have any name: `prog.d` of irsan-cc is none of D.
    """
    language = PRODUCED_SUFFIXES.get(path.suffix, "")
    return "" if language and _is_elf(path) else language


def _is_elf(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return stream.read(len(_ELF)) == _ELF
    except OSError:
        return False


def make_parts(
    path: Path, options: FrontendOptions, cache: Cache, environment: Mapping[str, str]
) -> tuple[MadeParts, str]:
    """The parts of such a program, and what its compiler printed.

    Raises UsageError when there is no compiler for it, or it does not compile.
    """
    module, function = _MAKERS[produced_language(path)]
    make: Any = getattr(importlib.import_module(f"irsan.engine.producers.{module}"), function)
    parts: tuple[MadeParts, str] = make(path, options, cache, environment)
    return parts
