"""The bundled compiler's C++ library for libraries that a running program opens.

There is one for all: what the program was linked with, then the members that an opened library was
the first to need. These stay when it is closed, since others may use them.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field

from irsan.engine.findings.fault_lines import FaultLines
from irsan.engine.guest.guest_link import CxxLibrary, LinkedProgram
from irsan.engine.linker.link_plan import LinkPlan
from irsan.engine.linker.linker import Linker
from irsan.engine.native_libraries.guest_libraries import (
    LIBSTDCXX,
    GuestLibraries,
    needed_cxx_library,
)
from irsan.errors import UnsupportedError
from irsan.instrument.sites.sites import JoinedSites


@dataclass(slots=True)
class OpenedCxx:
    """The C++ library of one program and of what it opens.

    program_names: what the program's archives define.
    """

    program: LinkedProgram
    program_names: Set[str] = field(init=False)
    _brought: dict[str, int] = field(default_factory=dict)  # addresses in opened libraries
    _n_objects: int = field(init=False)  # known to reports
    _is_pending: bool = False  # a link was given members, and has not come to its end

    def __post_init__(self) -> None:
        self.program_names = self.program.linker.archive_names
        self._n_objects = len(self.program.library_objects)

    def give(self, linker: Linker, plan: LinkPlan, libraries: GuestLibraries) -> None:
        """Let the link of an opened library find what its C++ needs."""
        needed = needed_cxx_library(linker.undefined_names, linker.defined_names)
        if plan.checked_level is None and needed == LIBSTDCXX:
            libraries.load(LIBSTDCXX)
        elif needed is not None:
            if self._is_pending:
                raise UnsupportedError("what it needs of the C++ library was lost with another one")
            self._is_pending = True
            wanted = linker.undefined_names
            for one in self._library().archives_of_opened(wanted, plan.checked_level):
                linker.add_members(one)

    def take(self, linker: Linker, sites: JoinedSites, lines: FaultLines) -> bool:
        """Know the members that a link has taken; whether there are any."""
        self._is_pending = False
        names = linker.archive_names
        symbols: Mapping[str, int] = linker.symbols
        self._brought |= {name: symbols[name] for name in names if name in symbols}
        new = self._library().objects()[self._n_objects :]
        if new:
            lines.add_numbered(linker, linker.numbered(new))
            sites.add_late(self._library().sites()[self._n_objects :])
            self.program.names.add(self._library().names())
            self._n_objects += len(new)
        return bool(names)

    def symbol(self, name: str) -> int:
        """What a member defines that came with an opened library; 0 for nothing."""
        return self._brought.get(name, 0)

    def _library(self) -> CxxLibrary:
        assert self.program.cxx_library is not None  # a program that runs was linked with one
        return self.program.cxx_library
