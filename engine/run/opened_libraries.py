"""Libraries with IR that a running program opens: dlopen, dlsym, dlclose.

    open     the library, and what it needs and was not linked before, is one more link behind the
             program: code, data and thread-locals at addresses of their own, names as its dynamic
             symbols say (link_plan.py).  A name means the program's definition first, then that
             of a library opened with RTLD_GLOBAL, then the library's own, as natively
    close    behind the last close destructors run, and its memory becomes inaccessible;
             opened again, it lies at the same place and starts anew

The glue runs constructors and destructors in the guest (loader.ll).  A library without IR is
left to the system's loader, as before.

Source: dlopen(3), dlsym(3).
Deviations: addresses of a closed library are not used for another one.  A library that comes with
another one because it is needed has that one's handle, and lives as long.  One that brings parts of
the C++ library along stays.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from irsan.engine.findings.fault_lines import FaultLines
from irsan.engine.guest.arena_gaps import close_range, open_range, reopen_range
from irsan.engine.guest.guest_link import LinkedProgram, global_entries
from irsan.engine.guest.image_memory import LinkedRuntime
from irsan.engine.inputs.carried import carries
from irsan.engine.linker.link_plan import Names
from irsan.engine.linker.linked import Linked
from irsan.engine.linker.linker import Linker, OpenedIn
from irsan.engine.linker.sections import THREAD_SECTION, AddressRange, ThreadData
from irsan.engine.native_libraries.library_search import find_library
from irsan.engine.program_image.program import ProgramImage
from irsan.engine.run.opened_cxx import OpenedCxx
from irsan.errors import IrsanError, UnsupportedError
from irsan.instrument.sites.sites import JoinedSites, sites_of
from irsan.runtime import arena
from irsan.runtime.layout import memory_map
from irsan.runtime.records.memory.extent_records import forget_kept_extents
from irsan.runtime.views.registered_globals import poison_redzone
from irsan.runtime.views.thread_facts import thread_records

RTLD_NOLOAD: Final = 4
RTLD_GLOBAL: Final = 0x100
RTLD_NODELETE: Final = 0x1000
NOT_OURS: Final = (1 << 64) - 1  # of close
REFUSED: Final = 1  # of open
_OWN_NAMES: Final = ("irsan_", "__irsan_")  # of the interpreter, and of the linker

Prepare = Callable[[Path, frozenset[str], list[tuple[int, int]]], ProgramImage]


@dataclass(slots=True)
class _Place:
    """Where a library's code, data and thread-locals lie."""

    text_lo: int
    data_lo: int
    tls_lo: int
    tls_end: int
    text_hi: int = 0
    data_hi: int = 0


@dataclass(slots=True)
class Opened:
    """A library with IR; handle: what the program knows it by.

    names: dynamic symbols of the images that came together;  is_kept: it is never taken away.
    """

    path: str
    handle: int
    linker: Linked
    names: Sequence[Names]
    n_opens: int = 1
    is_global: bool = False
    is_kept: bool = False
    constructors: list[int] = field(default_factory=list)
    destructors: list[tuple[int, int]] = field(default_factory=list)

    def symbol(self, name: str) -> int:
        """What it exports under a name; 0 for nothing."""
        is_seen = any(one.exports is None or name in one.exports for one in self.names)
        return self.linker.symbols.get(name, 0) if is_seen else 0

    def version(self, name: str, version: str) -> int:
        """What it exports under a name and a version of it."""
        return self.linker.symbols.get(f"{name}@{version}", 0) or self.symbol(name)

    def regions(self) -> list[tuple[int, int]]:
        """Its code and its data."""
        return _regions(self.linker)


@dataclass(slots=True)
class OpenedLibraries:
    """All of a run.

    prepare: makes the image of a library, given the real paths of those that are loaded, and the
    site numbers that are taken.
    failure: why the last open was refused.
    """

    program: LinkedProgram
    runtime: LinkedRuntime
    sites: JoinedSites
    lines: FaultLines
    prepare: Prepare
    has_shadow: bool
    failure: bytes | None = None
    cxx: OpenedCxx = field(init=False)
    _libraries: dict[str, Opened] = field(default_factory=dict)
    _handles: dict[int, Opened] = field(default_factory=dict)
    _images: dict[str, ProgramImage] = field(default_factory=dict)
    _places: dict[str, _Place] = field(default_factory=dict)
    _texts: list[Any] = field(default_factory=list)  # what handles are addresses of
    _started: set[int] = field(default_factory=set)  # constructors of native libraries

    def __post_init__(self) -> None:
        self.cxx = OpenedCxx(self.program)

    def open(self, machine: Any, name: str, flags: int) -> int:
        """A handle; 0: not ours; REFUSED, with a failure to report."""
        path = self._find(name)
        if path is None or not carries(path):
            return 0
        where = str(path.resolve())
        found = self._libraries.get(where) or self._of_start(where)
        if found is None:
            if flags & RTLD_NOLOAD:
                return REFUSED
            try:
                found = self._load(machine, path, where)
            except IrsanError as error:
                self.failure = os.fsencode(f"{name}: {error}")
                return REFUSED
        else:
            found.n_opens += 1
        found.is_global |= bool(flags & RTLD_GLOBAL)
        found.is_kept |= bool(flags & RTLD_NODELETE)
        return found.handle

    def of_handle(self, handle: int) -> Opened | None:
        """The library of a handle."""
        return self._handles.get(handle)

    def global_symbol(self, name: str) -> int:
        """What libraries that were opened with RTLD_GLOBAL define."""
        found = (one.symbol(name) for one in self._handles.values() if one.is_global)
        return next(filter(None, found), 0)

    def path_at(self, addr: int) -> tuple[str, int] | None:
        """Path and first address of the opened library that an address lies in."""
        for one in self._handles.values():
            if one.linker is not self.program.linker:
                regions = one.regions()
                if any(lo <= addr < hi for lo, hi in regions):
                    return one.path, regions[0][0]
        return None

    def next_constructor(self, handle: int) -> int:
        """The function to be called next; 0 at the end."""
        found = self._handles.get(handle)
        return found.constructors.pop(0) if found is not None and found.constructors else 0

    def close(self, machine: Any, handle: int) -> int:
        """Opens that are left, at least 1 when it stays; NOT_OURS for a handle of others."""
        found = self._handles.get(handle)
        if found is None:
            return NOT_OURS
        found.n_opens -= 1
        if found.is_kept or found.n_opens > 0:
            return max(found.n_opens, 1)
        own = _exit_handlers(machine.ctx, found.regions())
        found.destructors += own  # natively the C runtime's own destructor calls them, the last
        return 0

    def next_destructor(self, handle: int) -> tuple[int, int]:
        """Function and argument of the next call; (0, 0) at the end."""
        found = self._handles.get(handle)
        return found.destructors.pop(0) if found is not None and found.destructors else (0, 0)

    def unload(self, handle: int) -> None:
        """Behind its destructors: its memory becomes inaccessible."""
        found = self._handles.get(handle)
        if found is None or found.n_opens > 0:  # a destructor has opened it again
            return
        self._libraries = {path: one for path, one in self._libraries.items() if one is not found}
        del self._handles[handle]
        self.program.linker.opened.remove(found.linker)
        found.linker.unload()
        for lo, hi in found.regions():
            close_range(lo, hi, has_shadow=self.has_shadow)

    def _find(self, name: str) -> Path | None:
        if "/" in name:
            path = Path(name)
            return path if path.is_file() else None
        return find_library(name, self.program.plan.search)

    def _of_start(self, where: str) -> Opened | None:
        """A library that the program was linked with."""
        plan = self.program.plan
        if where not in plan.paths:
            return None
        names = plan.names[plan.paths.index(where) + 1]
        found = Opened(where, self._handle(where), self.program.linker, [names], 0, is_kept=True)
        self._libraries[where] = self._handles[found.handle] = found
        found.n_opens += 1
        return found

    def _handle(self, where: str) -> int:
        self._texts.append(ctypes.create_string_buffer(os.fsencode(where)))
        return ctypes.addressof(self._texts[-1])

    def _load(self, machine: Any, path: Path, where: str) -> Opened:
        image = self._images.get(where)
        is_new = image is None
        if image is None:
            loaded = frozenset((*self.program.plan.paths, *self._libraries))
            image = self.prepare(path, loaded, self.sites.ranges())
        place = self._places.get(where) or self._free_place()
        native = self.program.libraries
        self._started.update(native.initializers())
        linker = self._link(image, Path(where).name, place)
        new = [one for one in native.initializers() if one not in self._started]
        found = Opened(where, self._handle(where), linker, image.plan.names)
        found.constructors = [*new, *linker.initializers()]
        found.destructors = [(one, 0) for one in linker.finalizers()]
        for inner in (where, *image.plan.paths):
            self._libraries[inner] = found
        self._handles[found.handle] = found
        for beside in image.plan.beside:
            if beside in self._libraries:  # else it came with the program
                self._libraries[beside].is_kept = True
        self._images[where] = image
        self._take_into_use(found, place, is_new=where not in self._places)
        self._places[where] = replace(place, tls_end=max(linker.places.thread_end, place.tls_lo))
        if is_new:
            self._tell_reports(linker, image)
        found.is_kept = self.cxx.take(linker, self.sites, self.lines)
        self._give_thread_locals(machine, self._places[where])
        machine.runtime.kernel(
            "add_exit_handler", self.runtime.symbols["irsan_run_destructors"], found.handle
        )
        return found

    def _link(self, image: ProgramImage, name: str, place: _Place) -> Linker:
        program, plan = self.program, image.plan
        beside = [self._libraries[one] for one in plan.beside if one in self._libraries]
        bounds = program.linker.section_bounds(THREAD_SECTION)
        exported = (one for names in plan.names for one in (names.exports or set()) - names.own)
        preempts = frozenset(one for one in exported if self._of_scope(one))
        ctypes.memset(place.tls_lo, 0, bounds[1] - place.tls_lo)
        linker = Linker(
            AddressRange(place.text_lo, memory_map.PROGRAM_CODE_HI),
            AddressRange(place.data_lo, memory_map.GLOBALS_LIMIT),
            resolve=partial(self._resolve, beside), native=program.libraries.symbol,
            first_data_wins=True, plan=plan,
            surroundings=OpenedIn(
                preempts, ThreadData(AddressRange(place.tls_lo, bounds[1]), bounds)
            ),
        )  # fmt: skip
        for number, raw in enumerate(image.objects):
            linker.add_object(raw, f"{name}.{number}.o", plan.group_of(number))
        for native in plan.natives:
            linker.add_object(native.raw, native.name, native.group)
        for library in plan.libraries:
            program.libraries.load(library)
        self.cxx.give(linker, plan, program.libraries)
        linker.link()
        if linker.tls_layout.size:
            linker.unload()
            raise UnsupportedError(
                "it has native objects with thread-locals, which a library that is opened may not"
            )
        return linker

    def _free_place(self) -> _Place:
        """Where one more library begins: behind the program and all that was ever opened."""
        own = self.program.linker.own_segments
        text = [one.hi for one in own if one.hi <= memory_map.PROGRAM_CODE_HI]
        data = [one.hi for one in own if one.lo >= memory_map.GLOBALS_LO]
        text += [lo for lo, _ in self._ends()]
        data += [hi for _, hi in self._ends()]
        tls = [one.tls_end for one in self._places.values()]
        first = self.program.linker.places.thread_room_lo
        return _Place(max(text), max([memory_map.GLOBALS_LO, *data]), max([first, *tls]), 0)

    def _ends(self) -> list[tuple[int, int]]:
        return [(one.text_hi, one.data_hi) for one in self._places.values()]

    def _of_scope(self, name: str) -> int:
        """What the program, or a library that everybody sees, defines."""
        program = self.program
        is_seen = any(one.exports is None or name in one.exports for one in program.plan.names)
        if is_seen or name.startswith(_OWN_NAMES) or name in self.cxx.program_names:
            found = program.linker.symbols.get(name, 0)
            if found:
                return found
        return self.cxx.symbol(name) or self.global_symbol(name)

    def _resolve(self, beside: Sequence[Opened], name: str) -> int | None:
        found = self._of_scope(name)
        found = found or next(filter(None, (one.symbol(name) for one in beside)), 0)
        return found or self.runtime.resolve(name)

    def _take_into_use(self, found: Opened, place: _Place, *, is_new: bool) -> None:
        """Its memory is the program's: open to checks, between redzones."""
        for lo, hi in found.regions():
            if is_new:
                open_range(lo, hi, has_shadow=self.has_shadow)
            else:
                reopen_range(lo, hi, has_shadow=self.has_shadow)
            if lo < memory_map.PROGRAM_CODE_HI:
                place.text_hi = hi
            else:
                place.data_hi = hi
        for one in found.linker.segments:
            arena.protect(one.lo, one.hi - one.lo, one.prot)
        if self.has_shadow:
            for lo, hi in found.linker.redzones:
                poison_redzone(lo, hi)
            forget_kept_extents()
        self.program.linker.opened.append(found.linker)

    def _tell_reports(self, linker: Linker, image: ProgramImage) -> None:
        names = image.source_names()
        self.program.names.add(names)
        for entry in global_entries(linker, names):
            self.program.globals.add(entry)
        self.sites.add_tables(sites_of(image.sites))
        self.lines.add(linker, image.objects)

    def _give_thread_locals(self, machine: Any, place: _Place) -> None:
        """Living threads and those to come get the library's thread-locals."""
        start, _ = self.program.linker.section_bounds(THREAD_SECTION)
        image = ctypes.string_at(place.tls_lo, place.tls_end - place.tls_lo)
        blocks = [int(machine.ctx["thread_locals"]["image"])]
        blocks += [int(one["tls"]) for one in thread_records(machine.ctx) if int(one["tls"])]
        for block in blocks:
            ctypes.memmove(block + place.tls_lo - start, image, len(image))


def _regions(linker: Linked) -> list[tuple[int, int]]:
    """Code and data of a link, each in one piece."""
    code = [one for one in linker.own_segments if one.hi <= memory_map.PROGRAM_CODE_HI]
    data = [one for one in linker.own_segments if one.lo >= memory_map.GLOBALS_LO]
    parts = [part for part in (code, data) if part]
    return [(min(one.lo for one in part), max(one.hi for one in part)) for part in parts]


def _exit_handlers(ctx: Any, regions: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """(function, argument) of atexit's functions in these pages, last first; off the list."""
    found = []
    exits = ctx["exits"]
    before, node = 0, int(exits["at_exit"])
    while node:
        function, argument, following = arena.view_words(node, 3).tolist()
        if any(lo <= function < hi for lo, hi in regions):
            found.append((function, argument))
            if before:
                arena.view_words(before, 3)[2] = following
            else:
                exits["at_exit"] = following
            arena.view_words(node, 3)[2] = int(exits["free"])
            exits["free"] = node
        else:
            before = node
        node = following
    return found
