"""The set of native libraries of one guest: private copies, in the order their needs dictate.

    libraries = GuestLibraries(runtime.intercepts)
    libraries.load("libstdc++.so.6"); libraries.load("/opt/lib/libfoo.so")
    Linker(..., native=libraries.symbol)

Imports of a copy bind to the interceptors first, then to the copies loaded before it, else to what
the system loader chose.  Which C++ library a program needs is read off its undefined names:
`std::__1` is libc++, other names of `std::` and of the C++ run time are libstdc++.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from irsan.engine.glue.native_threads import GOMP_LIBRARY, GOMP_THREAD
from irsan.engine.linker.native_symbols import host_symbol
from irsan.engine.native_libraries.bindings import UNWINDER, Resolve, ThreadLocalPlace
from irsan.engine.native_libraries.library_search import find_library, is_shared_with_host
from irsan.engine.native_libraries.native_libraries import (
    NativeLibrary,
    ThreadLocals,
    load_private,
    needs_of,
)
from irsan.errors import UnsupportedError, UsageError
from irsan.runtime.records.context import MAX_LIBRARY_TLS_BYTES

LIBSTDCXX: Final = "libstdc++.so.6"
LIBCXX: Final = "libc++"

_LIBCXX_MARK: Final = "St3__1"
#: constructors that libstdc++ has inline: a program that calls them was compiled for libc++
_LIBCXX_NAMES: Final = frozenset({"_ZNSt20bad_array_new_lengthC1Ev", "_ZNSt9bad_allocC1Ev"})
_CXX_PREFIXES: Final = ("_ZSt", "_ZNSt", "_ZNKSt", "_ZTVN10__cxxabiv1", "_ZTI", "__cxa_", "_Zn",
                            "_Zd")  # fmt: skip
_CXX_NAMES: Final = frozenset({"__gxx_personality_v0", "__dynamic_cast"})
#: names with a C++ look that libc provides
_NOT_CXX: Final = frozenset({"__cxa_atexit", "__cxa_finalize", "__cxa_thread_atexit_impl"})


class GuestLibraries:
    """Private copies by soname; see the module for the binding order."""

    def __init__(self, intercepts: Resolve, folders: Iterable[str] = ()) -> None:
        """`intercepts`: address of our interceptor of a name; `folders`: searched first (-L)."""
        self._intercepts = intercepts
        self._folders = tuple(folders)
        self.libraries: dict[str, NativeLibrary] = {}
        self._replaced: Mapping[str, int] = {}

    def load(self, name: str) -> NativeLibrary | None:
        """Load `name` (a path or a soname) and what it needs, once; None for libc and its parts.

        UsageError when there is no such file.
        """
        soname = Path(name).name
        if is_shared_with_host(soname):
            return None
        if soname in self.libraries:
            return self.libraries[soname]
        path = Path(name) if "/" in name else find_library(soname, self._folders)
        if path is None or not path.is_file():
            raise UsageError(f"the library {name} is not found; is its folder in LD_LIBRARY_PATH?")
        return self._load_path(soname, path)

    def replace(self, defined: Mapping[str, int]) -> None:
        """What the program defines in the place of an interceptor is what libraries call, too."""
        self._replaced = {
            name: address for name, address in defined.items() if self._intercepts(name) is not None
        }
        if self._replaced:
            for soname, library in self.libraries.items():
                library.rebind(self._binder(soname))

    def has(self, soname: str) -> bool:
        """Whether this machine has a library of that name."""
        return soname in self.libraries or find_library(soname, self._folders) is not None

    def symbol(self, name: str) -> int | None:
        """Address of a name: an export of a copy, else of the process's own libraries."""
        found = self.exported(name)
        return found if found is not None else host_symbol(name)

    def exported(self, name: str) -> int | None:
        """Address of a name that one of the copies defines; none of another unwinder."""
        if name.startswith(UNWINDER):
            return None
        for library in self.libraries.values():
            found = library.own_symbol(name)
            if found is not None:
                return found
        return None

    def initializers(self) -> list[int]:
        """Constructors of all copies in the order to run them, as `f(argc, argv, envp)`."""
        return [each for library in self.libraries.values() for each in library.initializers]

    def thread_locals(self) -> list[ThreadLocals]:
        """Blocks that must be swapped when the guest thread changes."""
        blocks = (library.thread_locals() for library in self.libraries.values())
        return [block for block in blocks if block is not None]

    def thread_blocks(self) -> tuple[list[tuple[int, int]], int]:
        """Blocks (address, bytes) to swap, and the first module that has a block per thread.

        A block whose variables others name by address stays where it is; glibc makes those of all
        modules behind the last such one anew for each thread. 0: there is no such module.
        UnsupportedError names libraries whose blocks are too big to be swapped.
        """
        present = [one for one in self.libraries.values() if one.tls is not None]
        pinned = max((one.tls_module() for one in present if one.pins_thread_locals), default=0)
        kept = [one for one in present if one.tls_module() <= pinned]
        blocks = [block for one in kept if (block := one.thread_locals()) is not None]
        if sum(block.size_bytes for block in blocks) > MAX_LIBRARY_TLS_BYTES:
            raise UnsupportedError(_too_big(kept))
        own = [one.tls_module() for one in present if one not in kept]
        return [(one.address, one.size_bytes) for one in blocks], min(own, default=0)

    def _load_path(self, soname: str, path: Path) -> NativeLibrary:
        needs, run_path = needs_of(path)
        for need in needs:
            if is_shared_with_host(need) or need in self.libraries:
                continue
            if (found := find_library(need, self._folders, run_path)) is not None:
                self.load(str(found))
        apart = tuple(need for need in needs if self._has_copy(need))
        library = load_private(path, self._binder(soname), apart)
        library.bindings.bind_thread_locals(self._thread_local)
        self.libraries[soname] = library
        return library

    def _has_copy(self, need: str) -> bool:
        """Whether the loader can be given a copy for this name."""
        copy = self.libraries.get(need)
        return copy is not None and copy.answers and copy.soname == need

    def _binder(self, soname: str) -> Resolve:
        """Where the imports of a library lead."""
        if not soname.startswith(GOMP_LIBRARY):
            return self._bind
        gomp = self._intercepts(GOMP_THREAD)
        return lambda name: gomp if name == "pthread_create" else self._bind(name)

    def _thread_local(self, name: str) -> ThreadLocalPlace | None:
        places = (library.thread_local_place(name) for library in self.libraries.values())
        return next((place for place in places if place is not None), None)

    def _bind(self, name: str) -> int | None:
        found = self._replaced.get(name) or self._intercepts(name)
        return found if found is not None else self.exported(name)


def _too_big(libraries: Iterable[NativeLibrary]) -> str:
    sizes = ", ".join(f"{one.path} ({one.tls[2]} bytes)" for one in libraries if one.tls)
    return (
        f"thread-locals of native libraries: {sizes}; there is room for "
        f"{MAX_LIBRARY_TLS_BYTES} bytes of those that lie in the static block or that others name; "
        "build the library with irsan-cc"
    )


def needed_cxx_library(undefined: Iterable[str], defined: Iterable[str] = ()) -> str | None:
    """LIBCXX, LIBSTDCXX or None (no C++) from the names a program leaves undefined.

    `defined`: those it has; templates of a library say which one its headers were of.
    """
    found: str | None = None
    for name in undefined:
        if _LIBCXX_MARK in name or name in _LIBCXX_NAMES:
            return LIBCXX
        if name in _CXX_NAMES or (name.startswith(_CXX_PREFIXES) and name not in _NOT_CXX):
            found = LIBSTDCXX
    if found is not None and any(_LIBCXX_MARK in name for name in defined):
        return LIBCXX
    return found
