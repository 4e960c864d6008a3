"""The C++ library of the bundled compiler in a run: native archives, or the checked library."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from irsan.engine.cache import Cache
from irsan.engine.front_end.frontend import LANGUAGE_BY_SUFFIX
from irsan.engine.linker.archives import Archive, MemberSource
from irsan.engine.linker.elf import ObjectFile
from irsan.engine.options import NATIVE, RunOptions
from irsan.engine.progress import standard_progress
from irsan.instrument.sites.sites import LateSites

if TYPE_CHECKING:
    from irsan.engine.cxx_library.library import CheckedLibrary
    from irsan.engine.front_end.compilers import Compiler
    from irsan.engine.runtime_image.image import RuntimeImage


class RunCxxLibrary:
    """The C++ library of one link; nothing is read or built before it is asked for."""

    def __init__(self, options: RunOptions, cache: Cache, runtime: RuntimeImage) -> None:
        self._options, self._cache, self._runtime = options, cache, runtime
        self._progress = standard_progress(options.environment)
        self._checked: CheckedLibrary | None = None

    def is_meant(self) -> bool:
        """Whether the program has sources that were compiled for the checked library."""
        options = self._options
        if options.chosen_stdlib() == NATIVE or all(
            LANGUAGE_BY_SUFFIX.get(path.suffix) != "c++" for path in options.programs
        ):
            return False
        return self._compiler()[1] == options.cc

    def archives(self, wanted: Sequence[str]) -> Sequence[MemberSource]:
        """What a link takes members from; `wanted`: names that it is about to look for."""
        compiler, cc = self._compiler()
        native = self._native(compiler)
        if self._options.chosen_stdlib() == NATIVE:
            return native
        self._checked = self._checked_library(compiler, cc, native, wanted)
        return [self._checked] if self._checked is not None else native

    def names(self) -> dict[str, tuple[str, str, int]]:
        """Source names of globals of the members that were taken."""
        return {} if self._checked is None else self._checked.names()

    def objects(self) -> list[ObjectFile]:
        """Members that were taken and have checks."""
        return [] if self._checked is None else self._checked.objects()

    def sites(self) -> list[LateSites]:
        """Their sites."""
        return [] if self._checked is None else self._checked.sites()

    def _compiler(self) -> tuple[Compiler, str | None]:
        """The zig whose library it is, and how it is asked for."""
        from irsan.engine.front_end.compilers import choose_compiler

        options, cc = self._options, self._options.cc
        compiler = choose_compiler(cc, options.environment, self._cache)
        if compiler.kind != "zig":
            cc = f"{sys.executable} -m ziglang"
            compiler = choose_compiler(cc, options.environment, self._cache)
        return compiler, cc

    def _native(self, compiler: Compiler) -> list[Archive]:
        from irsan.engine.front_end.compilers import compiler_environment
        from irsan.engine.native_libraries.zig_runtime import zig_cxx_archives

        environment = compiler_environment(self._options.environment, self._cache.tool_dir("zig"))
        paths = zig_cxx_archives(compiler.cxx, compiler.identity, environment, self._progress)
        self._progress("")
        return [Archive.parse(path.read_bytes(), path.name) for path in paths]

    def _checked_library(
        self, compiler: Compiler, cc: str | None, native: Sequence[Archive], wanted: Sequence[str]
    ) -> CheckedLibrary | None:
        from irsan.engine.cxx_library.library import CheckedLibrary
        from irsan.engine.cxx_library.members import Variant, library_level
        from irsan.engine.cxx_library.sources import library_folder
        from irsan.engine.run.prepared import checks_to_insert

        options = self._options
        folder = library_folder(compiler.cxx)
        if folder is None:
            return None
        # What flags change of a program's checks is not worth another library.
        checks = checks_to_insert(options.sanitize, {}, cflags=options.cflags) - {"leak"}
        variant = Variant(
            folder, compiler.identity, cc, checks, options.engine,
            library_level(options.opt_level), options.environment,
        )  # fmt: skip
        return CheckedLibrary(
            variant, native, self._runtime, self._cache, self._progress, wanted
        )
