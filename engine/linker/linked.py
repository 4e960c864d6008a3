"""Linked code and data: what can be asked of it, however it came to its addresses.

    Linker      has just linked it (linker.py)
    KeptLink    has it from an earlier link of the same objects (kept_link.py)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from irsan.engine.headed_bytes import Buffer
from irsan.engine.linker import plt, unwind
from irsan.engine.linker.elf import Array, ObjectFile
from irsan.engine.linker.sections import Redzone, Segment, TlsLayout
from irsan.runtime import arena

READ_WRITE: Final = 3


@dataclass(frozen=True, slots=True)
class Places:
    """Where a link has put things.

    bounds: start and end of sections whose name is a C identifier.
    thread_room_lo, thread_end: of thread-locals of libraries that the program opens, and of those
    that an opened library has.
    """

    segments: list[Segment]
    redzones: list[Redzone]
    bounds: dict[str, tuple[int, int]]
    stubs: plt.StubTable
    tls: TlsLayout
    eh_frame: tuple[int, int]
    thread_room_lo: int
    thread_end: int


SymbolRow = tuple[int, int, str]  # address, size in bytes, name


class Linked(ABC):
    """Code and data at their addresses."""

    def __init__(self) -> None:
        self.opened: list[Linked] = []  # libraries that the program has opened
        self._frames: unwind.Frames | None = None
        self._by_addr: tuple[list[int], list[SymbolRow]] | None = None

    @property
    @abstractmethod
    def places(self) -> Places:
        """Where things are."""

    @property
    @abstractmethod
    def undefined_names(self) -> list[str]:
        """Names that the objects use and do not define."""

    @property
    @abstractmethod
    def defined_names(self) -> list[str]:
        """Names that the objects define."""

    @property
    @abstractmethod
    def archive_names(self) -> set[str]:
        """Names that members of archives define, as those of a C++ library."""

    @property
    @abstractmethod
    def symbols(self) -> Mapping[str, int]:
        """Name -> address of every global that the linked objects define."""

    @abstractmethod
    def initializers(self) -> list[int]:
        """Addresses of constructors in the order to run them."""

    @abstractmethod
    def finalizers(self) -> list[int]:
        """Addresses of destructors in the order to run them."""

    @property
    @abstractmethod
    def symbol_bases(self) -> list[int]:
        """Where the symbols of each object begin in `flat_addresses`; then their number."""

    @property
    @abstractmethod
    def flat_addresses(self) -> Array:
        """int64: addresses of the symbols of all objects, in the order in which they were added."""

    @abstractmethod
    def numbered(self, items: Sequence[ObjectFile]) -> list[tuple[int, Buffer]]:
        """Objects of this link, with their numbers."""

    @abstractmethod
    def _symbol_rows(self) -> list[SymbolRow]:
        """Every function, object and stub, by address."""

    def symbol_addresses(self, number: int) -> Array:
        """Addresses of the symbols of object `number`."""
        lo, hi = self.symbol_bases[number : number + 2]
        return self.flat_addresses[lo:hi]

    def section_bounds(self, name: str) -> tuple[int, int]:
        """Start and end of all sections named so (a C identifier); (0, 0) when there is none."""
        return self.places.bounds.get(name, (0, 0))

    @property
    def segments(self) -> list[Segment]:
        """Pages used, with their protection after the link, also by libraries opened since."""
        return [*self.own_segments, *(one for each in self.opened for one in each.segments)]

    @property
    def own_segments(self) -> list[Segment]:
        """Pages that this link alone uses."""
        return list(self.places.segments)

    @property
    def redzones(self) -> list[Redzone]:
        """Gaps around objects that were placed by the link itself."""
        return list(self.places.redzones)

    @property
    def tls_layout(self) -> TlsLayout:
        """The thread-local block that each guest thread needs."""
        return self.places.tls

    def native_calls(self) -> dict[str, int]:
        """Calls that went through stubs so far, by name of the function, most frequent first."""
        stubs = self.places.stubs
        n = len(stubs.names)
        if not n:
            return {}
        counts = arena.view_words(stubs.slots_lo, 2 * n)[1::2].tolist()
        called = [(name, count) for name, count in zip(stubs.names, counts, strict=True)]
        return dict(sorted((row for row in called if row[1]), key=lambda row: (-row[1], row[0])))

    def native_names(self) -> list[str]:
        """Names of all functions that have a stub, called or not."""
        return list(self.places.stubs.names)

    def placed_symbols(self) -> list[tuple[str, int, int]]:
        """(name, address, size in bytes) of every function, object and stub, by address."""
        _, found = self._sorted_symbols()
        return [(name, addr, size) for addr, size, name in found]

    def address_to_symbol(self, addr: int) -> tuple[str, int] | None:
        """(name, bytes past its start) of the function or object at `addr`, None outside."""
        for one in self.opened:
            found_there = one.address_to_symbol(addr)
            if found_there is not None:
                return found_there
        starts, found = self._sorted_symbols()
        index = bisect_right(starts, addr) - 1
        if index < 0:
            return None
        lo, size, name = found[index]
        return (name, addr - lo) if addr - lo < max(1, size) else None

    def unload(self) -> None:
        """Take the exception tables back from the unwinder and open the pages for writing."""
        if self._frames is not None:
            self._frames.unregister()
            self._frames = None
        for segment in self.own_segments:
            arena.discard(segment.lo, segment.hi - segment.lo)

    def _sorted_symbols(self) -> tuple[list[int], list[SymbolRow]]:
        if self._by_addr is None:
            rows = self._symbol_rows()
            self._by_addr = [addr for addr, *_ in rows], rows
        return self._by_addr
