"""The C++ library of the bundled compiler in a run: native archives, or the checked library."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from irsan.engine.cache import Cache
from irsan.engine.front_end.frontend import LANGUAGE_BY_SUFFIX
from irsan.engine.guest.guest_link import REFUSED_NEW
from irsan.engine.linker.archives import Archive, MemberSource
from irsan.engine.linker.elf import ObjectFile
from irsan.engine.options import CHECKED, NATIVE, RunOptions
from irsan.engine.progress import standard_progress
from irsan.errors import UnsupportedError
from irsan.instrument.sites.sites import LateSites

if TYPE_CHECKING:
    from irsan.engine.cxx_library.library import CheckedLibrary
    from irsan.engine.front_end.compilers import Compiler
    from irsan.engine.runtime_image.image import RuntimeImage


_CAST: Final = "__dynamic_cast"
_BUNDLED: Final = f"{sys.executable} -m ziglang"


def bundled_archives(
    cache: Cache, environment: Mapping[str, str], progress: Callable[[str], None]
) -> list[Path]:
    """The native C++ library of the bundled compiler, built where it is not there yet."""
    from irsan.engine.front_end.compilers import choose_compiler

    compiler = choose_compiler(_BUNDLED, environment, cache)
    return _archives_of(compiler, cache, environment, progress)


def _archives_of(
    compiler: Compiler, cache: Cache, environment: Mapping[str, str],
    progress: Callable[[str], None],
) -> list[Path]:  # fmt: skip
    from irsan.engine.front_end.compilers import compiler_environment
    from irsan.engine.native_libraries.zig_runtime import zig_cxx_archives

    own = compiler_environment(environment, cache.tool_dir("zig"))
    paths = zig_cxx_archives(compiler.cxx, compiler.identity, own, progress)
    progress("")
    return paths


class RunCxxLibrary:
    """The C++ library of one link; nothing is read or built before it is asked for.

    built_level: -O of what irsan-c++ has compiled for the checked library; None: there is none.
    """

    def __init__(
        self, options: RunOptions, cache: Cache, runtime: RuntimeImage,
        built_level: int | None = None,
    ) -> None:  # fmt: skip
        self._options, self._cache, self._runtime = options, cache, runtime
        self._built_level = built_level
        self._progress = standard_progress(options.environment)
        self._checked: CheckedLibrary | None = None
        self._given: Sequence[MemberSource] = ()

    def is_meant(self, wanted: Collection[str]) -> bool:
        """Whether the bundled compiler's library is linked, where the program needs no more than
        all C++ libraries have.

        wanted: names that it needs.  libstdc++ lets a thread end through `catch (...)`, and is
        what most such programs run with; but a cast looks at the program's objects.
        """
        options = self._options
        if self._built_level is not None:
            return True
        is_chosen = options.stdlib == CHECKED or (not options.stdlib and _CAST in wanted)
        if not is_chosen or all(
            LANGUAGE_BY_SUFFIX.get(path.suffix) != "c++" for path in options.programs
        ):
            return False
        return self._named_compiler().kind == "zig"

    def archives(self, wanted: Sequence[str]) -> Sequence[MemberSource]:
        """What a link takes members from; `wanted`: names that it is about to look for."""
        compiler, cc = self._compiler()
        native = self._native(compiler)
        self._given = native
        if not self._is_native():
            self._checked = self._checked_library(compiler, cc, native, wanted)
        if self._checked is not None:
            self._given = [self._checked]
        return self._given

    def archives_of_opened(
        self, wanted: Sequence[str], level: int | None
    ) -> Sequence[MemberSource]:
        """The same for a library that the running program opens; level: of its code."""
        if not self._given:
            self._built_level = level if self._built_level is None else self._built_level
            return self.archives(wanted)
        if self._checked is not None:
            self._checked.wanted = wanted
        return self._given

    def make_members(self, names: Sequence[str]) -> None:
        """Make what is missing of some members, which a link is about to take."""
        compiler, cc = self._compiler()
        library = self._checked_library(compiler, cc, self._native(compiler), ())
        if library is not None:
            library.make(names, REFUSED_NEW)

    def whole(self) -> CheckedLibrary:
        """All members, made. UnsupportedError where the compiler has no sources beside it."""
        compiler, cc = self._compiler()
        library = self._checked_library(compiler, cc, self._native(compiler), ())
        if library is None:
            raise UnsupportedError(f"{compiler.title()} has no sources of its C++ library")
        library.make_all()
        return library

    def names(self) -> dict[str, tuple[str, str, int]]:
        """Source names of globals of the members that were taken."""
        return {} if self._checked is None else self._checked.names()

    def objects(self) -> list[ObjectFile]:
        """Members that were taken and have checks."""
        return [] if self._checked is None else self._checked.objects()

    def sites(self) -> list[LateSites]:
        """Their sites."""
        return [] if self._checked is None else self._checked.sites()

    def _is_native(self) -> bool:
        is_built = self._built_level is not None and not self._options.stdlib
        return not is_built and self._options.chosen_stdlib() == NATIVE

    def _compiler(self) -> tuple[Compiler, str | None]:
        """The zig whose library it is, and how it is asked for."""
        from irsan.engine.front_end.compilers import choose_compiler

        options = self._options
        if self._built_level is None:
            compiler = self._named_compiler()
            if compiler.kind == "zig":
                return compiler, options.cc
        # that of irsan-c++, too, whatever compiler is named now
        return choose_compiler(_BUNDLED, options.environment, self._cache), _BUNDLED

    def _named_compiler(self) -> Compiler:
        """The one that compiles this run's sources."""
        from irsan.engine.front_end.compilers import choose_compiler

        options = self._options
        return choose_compiler(options.cc, options.environment, self._cache)

    def _native(self, compiler: Compiler) -> list[Archive]:
        environment, progress = self._options.environment, self._progress
        paths = _archives_of(compiler, self._cache, environment, progress)
        return [Archive.parse(path.read_bytes(), path.name) for path in paths]

    def _checked_library(
        self, compiler: Compiler, cc: str | None, native: Sequence[Archive], wanted: Sequence[str]
    ) -> CheckedLibrary | None:
        from irsan.engine.cxx_library.library import CheckedLibrary
        from irsan.engine.cxx_library.members import Variant, library_level
        from irsan.engine.cxx_library.sources import library_folder
        from irsan.engine.run.prepared import checks_to_insert

        options, level = self._options, self._built_level
        folder = library_folder(compiler.cxx)
        if folder is None:
            return None
        # What flags change of a program's checks is not worth another library.
        checks = checks_to_insert(options.sanitize, {}, cflags=options.cflags) - {"leak"}
        variant = Variant(
            folder, compiler.identity, cc, checks, options.engine,
            library_level(options.opt_level if level is None else level), options.environment,
        )  # fmt: skip
        return CheckedLibrary(
            variant, native, self._runtime, self._cache, self._progress, wanted, compiler.cxx
        )
