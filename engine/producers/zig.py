"""Zig: `irsan run x.zig`, by the compiler of the pip package ziglang or the zig in IRSAN_ZIG.

    zig build-exe -fllvm -femit-llvm-bc -lc --> one module: the program and what it uses of std

std is compiled from source with the program, so it is checked like it. The C library is linked:
std's threads are pthreads then, and `std.heap.c_allocator` is irsan's heap. -O0 and -O1 mean Debug,
-O2 and -O3 mean ReleaseSafe: safety checks stay on, and a failed one ends the program by abort.

Source: `zig build-exe --help`.
Deviations: functions do not probe the stack, as irsan's stacks have guards of their own.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Final

from irsan.engine.cache import Cache
from irsan.engine.front_end.compilers import compiler_environment, started_directly
from irsan.engine.options import FrontendOptions
from irsan.engine.producers.made_parts import MadeParts
from irsan.engine.producers.one_module import (
    ModuleCompilation,
    compile_module,
    find_compiler,
    identity_of,
    word_of,
)
from irsan.installed import installed_version

VARIABLE: Final = "IRSAN_ZIG"
_MODES: Final = ("Debug", "Debug", "ReleaseSafe", "ReleaseSafe")
_FLAGS: Final = (
    "-fllvm", "-fno-emit-bin", "-lc", "-target", "x86_64-linux-gnu", "-mcpu=baseline",
    "-fno-stack-check", "-fno-stack-protector", "-fno-strip",
)  # fmt: skip
#: what a program is made of beside its source: nothing lists these files
_OTHER_FILES: Final = re.compile(rb'@import\("[^"]*\.(?:zig|zon)"\)|@embedFile|@cImport')


def make_zig(
    path: Path, options: FrontendOptions, cache: Cache, environment: Mapping[str, str]
) -> tuple[MadeParts, str]:
    """The parts of a Zig program, and what was printed. UsageError when it is not compiled."""
    command = find_zig(path, environment)
    one = ModuleCompilation(
        path, "zig",
        (*command, "build-exe", *_FLAGS, "-O", _MODES[options.opt_level], *options.cflags,
         word_of(path)),
        lambda made: (f"-femit-llvm-bc={made}",),
        identity_of(command[0]),
        reads_others=_OTHER_FILES.search(path.read_bytes()) is not None,
    )  # fmt: skip
    return compile_module(one, cache, compiler_environment(environment, cache.tool_dir("zig")))


def find_zig(path: Path, environment: Mapping[str, str]) -> tuple[str, ...]:
    """How zig is called. UsageError when there is none."""
    if not environment.get(VARIABLE) and _has_package():
        return tuple(started_directly((sys.executable, "-m", "ziglang")))
    advice = "pip install 'irsan[cc]' brings it"
    return (find_compiler(path, VARIABLE, ("zig",), advice, environment),)


def _has_package() -> bool:
    try:
        return bool(installed_version("ziglang"))
    except PackageNotFoundError:
        return False
