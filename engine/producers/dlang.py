"""D: `irsan run x.d`, by ldc2 on PATH or the one in IRSAN_LDC.

druntime and phobos are linked as native libraries: what the garbage collector hands out is not
irsan's heap, blocks of malloc are. Templates of phobos are compiled with the program and checked.

Source: `ldc2 --help`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from irsan.engine.cache import Cache
from irsan.engine.front_end.front_end_flags import NO_EXTRA_READS
from irsan.engine.options import FrontendOptions
from irsan.engine.producers.made_parts import MadeParts
from irsan.engine.producers.one_module import (
    ModuleCompilation,
    compile_module,
    find_compiler,
    identity_of,
    word_of,
)

VARIABLE: Final = "IRSAN_LDC"
_LIBRARIES: Final = ("druntime-ldc", "phobos2-ldc", ":libz.so.1")
_FOLDERS: Final = ("/usr/lib/x86_64-linux-gnu", "/usr/lib64")
_PACKAGES: Final = b"import "  # modules of the user may lie beside: nothing lists those


def make_d(
    path: Path, options: FrontendOptions, cache: Cache, environment: Mapping[str, str]
) -> tuple[MadeParts, str]:
    """The parts of a D program, and what was printed. UsageError when it is not compiled."""
    command = find_ldc(path, environment)
    one = ModuleCompilation(
        path, f"ldc2 ({command})",
        (command, "-g", f"-O{options.opt_level}", "--mcpu=x86-64",
         *(f"-I={one}" for one in options.includes),
         *(f"--d-version={one}" for one in options.defines),
         *(NO_EXTRA_READS if options.marks_races else ()), *options.cflags,
         "-c", "--output-bc", word_of(path)),
        lambda made: (f"-of={made}",),
        identity_of(command),
        reads_others=_reads_own_modules(path),
        libraries=_LIBRARIES,
        folders=(str(Path(command).resolve().parents[1] / "lib"), *_FOLDERS),
    )  # fmt: skip
    return compile_module(one, cache, environment)


def find_ldc(path: Path, environment: Mapping[str, str]) -> str:
    """The compiler's command. UsageError when there is none."""
    return find_compiler(path, VARIABLE, ("ldc2",), "install LDC", environment)


def _reads_own_modules(path: Path) -> bool:
    """Whether another D file lies beside the source, which may import it."""
    beside = [one for one in path.absolute().parent.rglob("*.d") if one.name != path.name]
    return bool(beside) and _PACKAGES in path.read_bytes()
