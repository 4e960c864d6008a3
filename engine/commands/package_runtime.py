"""Builds what a wheel brings along (engine/packaged.py).

    python -m irsan.engine.commands.package_runtime FOLDER      as hatch_build.py calls it
"""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

from irsan.engine.cache import open_cache
from irsan.engine.cxx_library.shipped import shipped_key, write_shipped
from irsan.engine.front_end.compilers import choose_compiler, compiler_environment
from irsan.engine.interp.machine import load_or_build_machine
from irsan.engine.native_libraries.zig_runtime import (
    archives_encoded,
    package_key,
    zig_cxx_archives,
)
from irsan.engine.options import CHECKED, RunOptions
from irsan.engine.packaged import CXX, MACHINE, MEMBERS, RUNTIME
from irsan.engine.progress import standard_progress
from irsan.engine.run.cxx_library import RunCxxLibrary
from irsan.engine.runtime_image.source_hash import portable_hash
from irsan.engine.runtime_image.stored import load_or_build_runtime


def write_packaged(folder: Path) -> None:
    """Build both engines' runtimes and write them, for a wheel."""
    cache, progress = open_cache(os.environ), standard_progress(os.environ)
    runtime = load_or_build_runtime(cache, progress)
    machine = load_or_build_machine(cache, progress)
    progress("")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{RUNTIME}-{portable_hash(RUNTIME)}").write_bytes(runtime.encoded())
    (folder / f"{MACHINE}-{portable_hash(MACHINE)}").write_bytes(machine)


def write_cxx_library(folder: Path) -> None:
    """Write the C++ library of the compiler that pip installs, where that is."""
    if importlib.util.find_spec("ziglang") is None:
        return
    cache, progress = open_cache(os.environ), standard_progress(os.environ)
    zig = choose_compiler(f"{sys.executable} -m ziglang", os.environ, cache)
    environment = compiler_environment(os.environ, cache.tool_dir("zig"))
    archives = zig_cxx_archives(zig.cxx, zig.identity, environment, progress)
    progress("")
    (folder / f"{CXX}-{package_key(zig.cxx)}").write_bytes(archives_encoded(archives))


def write_members(folder: Path) -> None:
    """Write that library compiled with the default checks, for programs of -O0 and -O1."""
    if importlib.util.find_spec("ziglang") is None:
        return
    options = RunOptions((), cc=f"{sys.executable} -m ziglang", stdlib=CHECKED)
    cache, progress = open_cache(os.environ), standard_progress(os.environ)
    runtime = load_or_build_runtime(cache, progress)
    library = RunCxxLibrary(options, cache, runtime).whole()
    key = shipped_key(library.variant, library.compiler)
    made = write_shipped(library.made(), library.variant.folder)
    progress("")
    (folder / f"{MEMBERS}-{key}").write_bytes(made)


if __name__ == "__main__":
    write_packaged(Path(sys.argv[1]))
    write_cxx_library(Path(sys.argv[1]))
    write_members(Path(sys.argv[1]))
