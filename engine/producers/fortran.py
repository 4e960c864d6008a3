"""Fortran: `irsan run x.f90`, by LLVM's flang on PATH or the one in IRSAN_FLANG.

flang's run-time library is linked as native code: its memory is irsan's, its own accesses are not
checked. What the compiler makes of a program is: loops, array sections, allocatable arrays.

Source: the flang documents, "Runtime Library".
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from irsan.engine.cache import Cache
from irsan.engine.front_end.front_end_flags import CLANG_NO_EXTRA_READS
from irsan.engine.options import FrontendOptions
from irsan.engine.producers.made_parts import MadeParts
from irsan.engine.producers.one_module import (
    ModuleCompilation,
    compile_module,
    find_compiler,
    identity_of,
    word_of,
)

VARIABLE: Final = "IRSAN_FLANG"
NAMES: Final = (
    "flang", "flang-new",
    *(f"flang{end}-{major}" for major in range(22, 17, -1) for end in ("", "-new")),
)  # fmt: skip
_LIBRARIES: Final = ("FortranRuntime", "FortranDecimal")
_NEWER_LIBRARY: Final = "flang_rt.runtime"  # of LLVM 21 and later
_OTHERS: Final = (b"include", b"use ", b"module")  # other files are read, or written for others


def make_fortran(
    path: Path, options: FrontendOptions, cache: Cache, environment: Mapping[str, str]
) -> tuple[MadeParts, str]:
    """The parts of a Fortran program, and what was printed. UsageError when it is not compiled."""
    command = find_flang(path, environment)
    folder, libraries = _run_time(command)
    modules = _module_folder(cache)
    standard = (f"-std={options.std}",) if options.std else ()
    one = ModuleCompilation(
        path, f"flang ({command})",
        (command, "-g", f"-O{options.opt_level}", *standard,
         *(f"-I{one}" for one in options.includes), *(f"-D{one}" for one in options.defines),
         f"-J{modules}", f"-I{modules}", *(CLANG_NO_EXTRA_READS if options.marks_races else ()),
         *options.cflags, "-c", "-emit-llvm", word_of(path)),
        lambda made: ("-o", str(made)),
        identity_of(command),
        reads_others=any(word in path.read_bytes().lower() for word in _OTHERS),
        libraries=libraries,
        folders=(folder,),
    )  # fmt: skip
    return compile_module(one, cache, environment)


def find_flang(path: Path, environment: Mapping[str, str]) -> str:
    """The compiler's command. UsageError when there is none."""
    return find_compiler(path, VARIABLE, NAMES, "install LLVM's flang", environment)


def _module_folder(cache: Cache) -> Path:
    """Where files of modules lie: those of sources that come first on a command line are read by
    the later ones. A folder of sources has one of its own.
    """
    name = hashlib.sha256(str(Path.cwd()).encode()).hexdigest()[:16]
    folder = cache.tool_dir("fortran-modules") / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _run_time(command: str) -> tuple[str, tuple[str, ...]]:
    """The folder of flang's own libraries, and their names."""
    root = Path(command).resolve().parents[1]
    for found in root.glob(f"lib/clang/*/lib/**/lib{_NEWER_LIBRARY}.a"):
        return str(found.parent), (_NEWER_LIBRARY,)
    return str(root / "lib"), _LIBRARIES
