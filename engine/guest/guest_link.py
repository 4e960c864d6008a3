"""Link a program image against the runtime, native libraries and, for C++, a C++ library."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from irsan.engine.cache import Cache
from irsan.engine.guest.image_memory import LinkedRuntime
from irsan.engine.guest.kept_links import KeptLinks, keep_link, load_libraries, take_link
from irsan.engine.headed_bytes import Buffer
from irsan.engine.linker.archives import MemberSource
from irsan.engine.linker.elf import ObjectFile
from irsan.engine.linker.link_plan import LinkPlan
from irsan.engine.linker.linked import Linked
from irsan.engine.linker.linker import Linker
from irsan.engine.linker.sections import THREAD_SECTION, AddressRange
from irsan.engine.native_libraries.guest_libraries import (
    LIBCXX,
    LIBSTDCXX,
    GuestLibraries,
    needed_cxx_library,
)
from irsan.engine.program_image.program import ProgramImage, calls_dlopen
from irsan.engine.program_image.source_names import SourceName, SourceNames
from irsan.errors import UsageError
from irsan.instrument.sites.sites import LateSites
from irsan.runtime.diagnosis.describe import GlobalEntry, GlobalTable
from irsan.runtime.layout import memory_map

_OPENED_TLS_BYTES = 16 << 10  # in each thread, for libraries that the program opens
_TLS_ALIGN = 64
_CXX_ABORT = "abort_message"  # what libc++abi ends the program with
_OF_EACH_THREAD = ("__cxa_get_globals",)
REFUSED_NEW = ("_ZSt17__throw_bad_allocv", "_ZSt15get_new_handlerv")  # what operator new calls


class CxxLibrary(Protocol):
    """The C++ library of the bundled compiler, native or checked."""

    def is_meant(self, wanted: Collection[str]) -> bool:
        """Whether the program was compiled for this very library, whatever its names say.

        wanted: names that the link is about to look for.
        """

    def archives(self, wanted: Sequence[str]) -> Sequence[MemberSource]:
        """What the link takes members from; asked for when the program needs it.

        wanted: names that the link is about to look for.
        """

    def archives_of_opened(
        self, wanted: Sequence[str], level: int | None
    ) -> Sequence[MemberSource]:
        """The same for a library that the running program opens: what was taken is not given again.

        level: of its plan (checked_level).
        """

    def names(self) -> dict[str, tuple[str, str, int]]:
        """Source names of globals of the members that were taken, as far as they are known."""

    def objects(self) -> list[ObjectFile]:
        """Members that were taken and have checks."""

    def sites(self) -> Sequence[LateSites]:
        """Their sites."""


@dataclass(slots=True)
class LinkedProgram:
    """A program at its addresses, ready to start.

    names: source names of globals and functions, by linkage name
    (instrument/globals/global_names.py).
    tls_image: the program's thread-locals, then those of linked archives at tls_offset.
    cxx: addresses of std::__throw_bad_alloc and std::get_new_handler; 0 without C++.
    swapped_tls: blocks of native libraries that every switch of threads copies;  from module
    first_tls_module on each thread has blocks of its own (0: no such library).
    exported: address of what a copy of a native library defines.
    library_objects: of the checked C++ library, with their numbers in the link.
    cxx_library: what libraries that the program opens take further members from.
    """

    main: int
    constructors: list[int]
    finalizers: list[int]
    globals: GlobalTable
    names: SourceNames
    linker: Linked
    tls_image: bytes
    tls_offset: int
    swapped_tls: list[tuple[int, int]]
    cxx: tuple[int, int]
    exported: Callable[[str], int | None]
    libraries: GuestLibraries
    plan: LinkPlan
    first_tls_module: int = 0
    library_objects: Sequence[tuple[int, Buffer]] = ()
    cxx_library: CxxLibrary | None = None

    def writable_segments(self) -> list[tuple[int, int]]:
        """Ranges [lo, hi) of the program's own data."""
        return [(one.lo, one.hi) for one in self.linker.segments if one.prot & mmap.PROT_WRITE]

    def function_name(self, addr: int) -> tuple[str, str, int]:
        """(name, file, line) of the function at an address; parts that are not known are empty."""
        symbol, _ = self.linker.address_to_symbol(addr) or ("", 0)
        return self.names.known.get(f"{symbol}()", (symbol, "", 0))

    def function(self, name: str) -> int:
        """Address of a function of the program or of its libraries; 0 when there is none."""
        return self.linker.symbols.get(name) or self.exported(name) or 0

    def is_own_call(self, addr: int) -> bool:
        """Whether a return address lies in the program's code, compiled or interpreted.

        The bundled C++ library's own functions for the end of a program have no names.
        """
        if memory_map.RUNTIME_CODE_LO <= addr < memory_map.RUNTIME_CODE_HI:
            return True
        # A call that never returns may be the last of its function: behind it begins another one.
        symbol, _ = self.linker.address_to_symbol(addr - 1) or ("", 0)
        return bool(symbol) and _CXX_ABORT not in symbol

    def native_calls(self) -> dict[str, int]:
        """Calls to native functions so far, most frequent first."""
        return self.linker.native_calls()


def opens_libraries(image: ProgramImage) -> bool:
    """Whether a program calls dlopen."""
    return image.opens or calls_dlopen(one.raw for one in image.plan.natives)


def link_program(
    image: ProgramImage,
    runtime: LinkedRuntime,
    cxx_library: CxxLibrary,
    cache: Cache | None = None,
    *,
    reports_odr: bool = False,
) -> LinkedProgram:
    """Place all objects; UnsupportedError names undefined symbols, UsageError a missing main.

    cxx_library: that of the bundled compiler, asked when the program needs it.
    cache: where links are kept, None to make this one.
    reports_odr: two definitions of one variable are the report's business, not the link's.
    """
    plan = image.plan
    libraries = GuestLibraries(runtime.intercepts, plan.folders)
    request = _Request(image, runtime, cxx_library, libraries, reports_odr)
    linker = _taken_or_linked(request, cache)
    libraries.replace(linker.symbols)
    main = linker.symbols.get("main")
    if main is None:
        raise UsageError("the program defines no function `main`; give all of its source files")
    names = SourceNames(cxx_library.names, image.source_names)
    tls_image, tls_offset = _tls_image(linker)
    swapped, first_module = libraries.thread_blocks()
    return LinkedProgram(
        main,
        [*libraries.initializers(), *linker.initializers()],
        linker.finalizers(),
        GlobalTable(lambda: global_entries(linker, names.known)),
        names,
        linker,
        tls_image,
        tls_offset,
        swapped,
        _cxx_functions(linker, libraries),
        libraries.exported,
        libraries,
        plan,
        first_module,
        linker.numbered(cxx_library.objects()),
        cxx_library,
    )


@dataclass(frozen=True, slots=True)
class _Request:
    """What a program is linked from."""

    image: ProgramImage
    runtime: LinkedRuntime
    cxx_library: CxxLibrary
    libraries: GuestLibraries
    reports_odr: bool

    @property
    def room_bytes(self) -> int:
        """For thread-locals of libraries that the program opens."""
        return _OPENED_TLS_BYTES if opens_libraries(self.image) else 0

    def takes_native_cxx(self, wanted: Collection[str]) -> bool:
        """Whether the system's C++ library is the one for a program that needs these names."""
        return self.libraries.has(LIBSTDCXX) and not self.cxx_library.is_meant(wanted)


def _taken_or_linked(request: _Request, cache: Cache | None) -> Linked:
    if cache is None:
        return _link(request)[0]
    words = f"{request.reports_odr} {request.room_bytes}"
    links = KeptLinks(
        cache, request.image, words, request.runtime.resolve, request.takes_native_cxx
    )
    try:
        taken = take_link(links, request.libraries)
    except OSError:  # one more would be of no use
        return _link(request)[0]
    if taken is not None:
        return taken
    linker, has_cxx = _link(request)
    keep_link(links, linker, has_cxx=has_cxx)
    return linker


def _link(request: _Request) -> tuple[Linker, bool]:
    """A link of all objects, and whether it is one with the system's C++ library."""
    image, runtime, libraries = request.image, request.runtime, request.libraries
    plan, cxx_library = image.plan, request.cxx_library
    linker = Linker(
        AddressRange(memory_map.PROGRAM_CODE_LO, memory_map.PROGRAM_CODE_HI),
        AddressRange(memory_map.FIRST_GLOBAL, memory_map.GLOBALS_LIMIT),
        resolve=runtime.resolve,
        native=libraries.symbol,
        first_data_wins=request.reports_odr,
        plan=plan,
        thread_room=request.room_bytes,
    )
    for number, raw in enumerate(image.objects):
        linker.add_object(raw, f"program.{number}.o", plan.group_of(number))
    for native in plan.natives:
        linker.add_object(native.raw, native.name, native.group)
    cxx = needed_cxx_library(linker.undefined_names, linker.defined_names)
    is_native_cxx = cxx == LIBSTDCXX and request.takes_native_cxx(set(linker.undefined_names))
    load_libraries(libraries, plan, has_cxx=is_native_cxx)
    if cxx is None and plan.checked_level is not None and opens_libraries(image):
        cxx = LIBCXX  # libraries that it opens may have no thread-locals of native code
        linker.require(_OF_EACH_THREAD)
    if cxx is not None and not is_native_cxx:
        # What both libraries define is in the bundled one, too.
        linker.require(REFUSED_NEW)
        for archive in cxx_library.archives([*REFUSED_NEW, *linker.undefined_names]):
            linker.add_members(archive)
    linker.link()
    return linker, is_native_cxx


def _cxx_functions(linker: Linked, libraries: GuestLibraries) -> tuple[int, int]:
    thrower, handler = (
        linker.symbols.get(name) or libraries.exported(name) or 0 for name in REFUSED_NEW
    )
    return thrower, handler


def _tls_image(linker: Linked) -> tuple[bytes, int]:
    lo, hi = linker.section_bounds(THREAD_SECTION)
    own = ctypes.string_at(lo, hi - lo)
    offset = -(-len(own) // _TLS_ALIGN) * _TLS_ALIGN
    tls = linker.tls_layout
    return own.ljust(offset, b"\0") + tls.image.ljust(tls.size, b"\0"), offset


def global_entries(linker: Linked, names: Mapping[str, SourceName]) -> list[GlobalEntry]:
    """The globals that a link has placed, by the names that the source gives them."""
    entries = []
    for symbol, addr, size in linker.placed_symbols():
        if not memory_map.GLOBALS_LO <= addr < memory_map.GLOBALS_HI and symbol not in names:
            continue
        name, file, line = names.get(symbol, (symbol, "", 0))
        mangled = symbol if symbol.startswith("_Z") else ""
        entries.append(GlobalEntry(addr, size, name, file, line, symbol=mangled))
    return entries
