"""Objective-C: `irsan run x.m`, by the clang that compiles C, with the library of gcc or GNUstep.

    -fobjc-runtime=gcc       with libobjc of gcc (Debian: gobjc)
    -fobjc-runtime=gnustep   by --cflag, with libobjc2, and ARC
    -fblocks                 when libBlocksRuntime is there

The library is native: objects that it allocates are irsan's blocks, as it calls calloc.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from irsan.engine.cache import Cache
from irsan.engine.front_end.compilers import choose_compiler, compiler_environment
from irsan.engine.front_end.front_end_flags import CLANG_NO_EXTRA_READS
from irsan.engine.native_libraries.library_search import find_library
from irsan.engine.options import FrontendOptions
from irsan.engine.producers.made_parts import MadeParts
from irsan.engine.producers.one_module import ModuleCompilation, compile_module, word_of

_HEADERS: Final = "/usr/lib/gcc/x86_64-linux-gnu/{}/include"
_GCC: Final = ("-fobjc-runtime=gcc", "-fobjc-exceptions")
_BLOCKS: Final = "BlocksRuntime"


def make_objective_c(
    path: Path, options: FrontendOptions, cache: Cache, environment: Mapping[str, str]
) -> tuple[MadeParts, str]:
    """The parts of a program, and what was printed. UsageError when it is not compiled."""
    compiler = choose_compiler(options.cc, environment, cache)
    is_cxx = path.suffix == ".mm"
    blocks = (_BLOCKS,) if find_library(f"lib{_BLOCKS}.so.0") else ()
    standard = (f"-std={options.std}",) if options.std else ()
    one = ModuleCompilation(
        path, compiler.title(),
        (*(compiler.cxx if is_cxx else compiler.c), *compiler.flags, *_GCC,
         *(("-fblocks",) if blocks else ()), "-g", f"-O{options.opt_level}", *standard,
         *(f"-I{one}" for one in options.includes), *(f"-D{one}" for one in options.defines),
         *(f"-I{one}" for one in gcc_headers()),
         *(CLANG_NO_EXTRA_READS if options.marks_races else ()), *options.cflags,
         "-x", "objective-c++" if is_cxx else "objective-c", "-c", "-emit-llvm", word_of(path)),
        lambda made: ("-o", str(made)),
        compiler.identity,
        reads_others=True,
        libraries=("objc", *blocks),
    )  # fmt: skip
    return compile_module(one, cache, compiler_environment(environment, cache.tool_dir("zig")))


def gcc_headers() -> list[str]:
    """Where gcc keeps objc/objc.h, the newest first."""
    found = [Path(_HEADERS.format(major)) for major in range(20, 8, -1)]
    return [str(one) for one in found if (one / "objc" / "objc.h").exists()][:1]
