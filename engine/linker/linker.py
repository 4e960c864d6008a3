"""The static linker inside irsan: objects and archives become running code at fixed addresses.

    linker = Linker(text, data, resolve)
    linker.add_object(raw, "program.o"); linker.add_archive(raw, "libc++.a")
    linker.link()         # resolve, lay out, copy, relocate, protect, register frames
    linker.symbols["main"], linker.initializers(), linker.native_calls(), linker.tls_layout

Symbols bind by the precedence of `irsan.engine.linker.symbol_table`.  Native functions are called
through counting stubs; native data is reached through GOT slots.  A native object that is
addressed directly with 32 bits cannot be linked (its address does not fit): that is an
UnsupportedError which names it, except for C++ type_info objects in exception tables, of which a
copy inside the range is used (they compare by name).

Soundness: nothing runs before every symbol that kept code refers to has an address.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from irsan.engine.headed_bytes import Buffer
from irsan.engine.linker import plt, relocations, sections, unwind
from irsan.engine.linker.archives import Archive, MemberSource
from irsan.engine.linker.demands import Surroundings, find_demands
from irsan.engine.linker.elf import STT_FUNC, STT_OBJECT, Array, ObjectFile, sorted_distinct
from irsan.engine.linker.image import Image, ImageWriter
from irsan.engine.linker.link_plan import LinkPlan
from irsan.engine.linker.linked import Linked, Places, SymbolRow
from irsan.engine.linker.native_symbols import host_symbol
from irsan.engine.linker.outside import Outside
from irsan.engine.linker.relocations import Fixups
from irsan.engine.linker.sections import AddressRange, Layout, TlsLayout
from irsan.engine.linker.symbol_table import External, Resolve, SymbolTable
from irsan.errors import InternalError, MissingSymbolsError
from irsan.runtime import arena

_LINKER_NAMES: Final = ("_GLOBAL_OFFSET_TABLE_", "__dso_handle", "__start_", "__stop_")
_DEFAULT_PRIORITY: Final = 65535
_ONE_IMAGE: Final = LinkPlan()


@dataclass(frozen=True, slots=True)
class OpenedIn:
    """What a program has before it opens a library.

    preempts: names that the library exports and the program's images define already.
    """

    preempts: frozenset[str]
    thread_data: sections.ThreadData


def _nothing(_name: str) -> int | None:
    return None


class Linker(Linked):
    """One link: objects in, addresses out.  `link` may be called once."""

    def __init__(
        self,
        text: AddressRange,
        data: AddressRange,
        resolve: Resolve = _nothing,
        native: Resolve = host_symbol,
        *,
        first_data_wins: bool = False,
        plan: LinkPlan = _ONE_IMAGE,
        surroundings: OpenedIn | None = None,
        thread_room: int = 0,
    ) -> None:
        """`resolve`: interceptors and the runtime; `native`: libraries, asked last.

        first_data_wins: two definitions of one variable are no error.
        plan: the images that are linked at once.
        surroundings: the program that opens these objects, None for the program itself.
        thread_room: bytes for thread-locals of libraries that the program opens.
        """
        super().__init__()
        self._text, self._data, self._native = text, data, native
        self._plan = plan
        self._surroundings, self._thread_room = surroundings, thread_room
        self._table = SymbolTable(
            resolve, first_data_wins=first_data_wins, names=plan.names,
            preempted=surroundings.preempts if surroundings is not None else frozenset(),
        )  # fmt: skip
        self._archives: list[MemberSource] = []
        self._layout: Layout | None = None
        self._image = Image(np.zeros(0, np.int64), plt.StubTable([], 0, 0), TlsLayout(0, 1, b""))
        self._symbols: dict[str, int] | None = None
        self._externals: list[External] = []
        self._natives: dict[str, int | None] = {}

    def add_object(self, raw: Buffer, name: str = "<memory>", group: int = 0) -> ObjectFile:
        """Add a relocatable object of a group (link_plan.py); it is always linked in."""
        item = ObjectFile.parse(raw, name)
        self._table.add(item, group=group)
        return item

    def add_archive(self, raw: bytes, name: str = "<memory>") -> Archive:
        """Add a static library; only members that define undefined names are linked in."""
        archive = Archive.parse(raw, name)
        self._archives.append(archive)
        return archive

    def add_members(self, source: MemberSource) -> None:
        """Add what gives objects on demand, as a static library does."""
        self._archives.append(source)

    def require(self, names: Iterable[str]) -> None:
        """Ask for archive members that define these names; nothing is wrong when there is none."""
        self._table.require(names)

    def link(self) -> None:
        """Do it all; MissingSymbolsError names every symbol without a definition (up to ten)."""
        if self._layout is not None:
            raise InternalError("Linker.link was called twice")
        self._table.pull_archives(self._archives)
        canonical, externals = self._table.canonical()
        fixups = relocations.collect(self._table, canonical)
        addresses = self._external_addresses(fixups, externals)
        known = Surroundings(self._table, externals, addresses)
        demands = find_demands(known, fixups)
        extras = sections.Extras(
            stubs=len(demands.stubs) * plt.STUB_BYTES,
            got=demands.got_bytes(),
            slots=len(demands.stubs) * plt.SLOT_BYTES,
            copies=demands.copy_bytes(),
            thread_room=self._thread_room,
        )
        opened = self._surroundings
        threads = opened.thread_data if opened is not None else None
        layout = sections.lay_out(self._table, self._text, self._data, extras, threads)
        self._image = ImageWriter(known, layout, fixups, demands).run()
        self._layout, self._externals = layout, externals
        self._frames = unwind.Frames.register(*layout.eh_frame)

    @property
    def places(self) -> Places:
        """Where the link has put things."""
        layout = self._placed()
        return Places(
            layout.segments, layout.redzones, layout.bounds, self._image.stubs, self._image.tls,
            layout.eh_frame, int(layout.section_addr[self._table.n_sections]), layout.thread_end,
        )  # fmt: skip

    @property
    def undefined_names(self) -> list[str]:
        """Names that the objects added so far use and do not define."""
        return list(self._table.undefined)

    @property
    def defined_names(self) -> list[str]:
        """Names that the objects added so far define."""
        return list(self._table.definitions)

    @property
    def archive_names(self) -> set[str]:
        """Names that members of archives define, as those of a C++ library."""
        return self._table.archive_names()

    @property
    def symbols(self) -> Mapping[str, int]:
        """Name -> address of every global that the linked objects define."""
        if self._symbols is None:
            names = self._table.defined_names()
            self._symbols = {name: int(self._image.values[flat]) for name, flat in names.items()}
        return self._symbols

    def initializers(self) -> list[int]:
        """Addresses of constructors in the order to run them."""
        return [*self._functions(".preinit_array", ""), *self._functions(".init_array", ".ctors")]

    def finalizers(self) -> list[int]:
        """Addresses of destructors in the order to run them."""
        return self._functions(".fini_array", ".dtors")[::-1]

    @property
    def symbol_bases(self) -> list[int]:
        """Where the symbols of each object begin in `flat_addresses`; then their number."""
        return [*self._table.symbol_base, self._table.n_symbols]

    @property
    def flat_addresses(self) -> Array:
        """int64: addresses of the symbols of all objects, in the order in which they were added."""
        return self._image.values

    @property
    def outside(self) -> Outside | None:
        """What the link has found outside its objects; None when it depends on more than that."""
        moving = self._image.moving
        if moving is None:
            return None
        numbers = {name: at for at, name in enumerate(self._natives)}
        by_external = np.array([numbers.get(one.name, -1) for one in self._externals], np.int64)
        owners = by_external[moving.externals]
        copies = [(at, int(by_external[one]), size) for at, one, size in moving.copies]
        direct = by_external[moving.direct].tolist() if moving.direct else []
        if min([*owners.tolist(), *direct, *(one for _, one, _ in copies)], default=0) < 0:
            return None
        return Outside(
            dict(self._table.resolved), dict(self._natives), moving.places, owners, copies, direct
        )

    def numbered(self, items: Sequence[ObjectFile]) -> list[tuple[int, Buffer]]:
        """Objects of this link, with their numbers."""
        numbers = {id(one): at for at, one in enumerate(self._table.objects)}
        return [(numbers[id(one)], one.raw) for one in items]

    def _placed(self) -> Layout:
        if self._layout is None:
            raise InternalError("Linker.link has not been called")
        return self._layout

    def _external_addresses(self, fixups: Fixups, externals: list[External]) -> Array:
        """int64 per external: its address, 0 for weak ones and for those without a reference."""
        first = self._table.n_symbols
        addresses = np.zeros(len(externals), np.int64)
        missing = []
        for flat in sorted_distinct(fixups.symbol[fixups.symbol >= first]).tolist():
            external = externals[flat - first]
            found = self._find(external.name)
            if found is None and not external.is_weak and not self._plan.can_miss(external.name):
                missing.append(external)
            addresses[flat - first] = found or 0
        if missing:
            raise MissingSymbolsError({each.name: each.wanted_by for each in missing})
        return addresses

    def _find(self, name: str) -> int | None:
        found = self._table.resolve(name)
        if found is not None:
            return found
        if name.startswith(_LINKER_NAMES):
            return 0  # filled in when the layout is known
        return self._natives.setdefault(name, self._native(name))

    def _functions(self, prefix: str, reversed_prefix: str) -> list[int]:
        """In the order of their sections; the older kind is backwards within each object."""
        rows = []
        for name, addr, size, flat in self._placed().arrays:
            is_old = bool(reversed_prefix) and name.startswith(reversed_prefix)
            if not is_old and not name.startswith(prefix):
                continue
            words = arena.view_words(addr, size // 8).tolist()
            number = bisect_right(self._table.section_base, flat)
            turn = self._plan.starts.index(self._table.groups[number - 1])
            order = (turn, _priority(name, is_old), number, -flat if is_old else flat)
            rows.append((order, words[::-1] if is_old else words))
        rows.sort(key=lambda row: row[0])
        return [word for _, words in rows for word in words if word not in (0, 2**64 - 1)]

    def _symbol_rows(self) -> list[SymbolRow]:
        rows: list[SymbolRow] = []
        for base, item in zip(self._table.symbol_base, self._table.objects, strict=True):
            kind = item.symbols["info"] & 15
            wanted = ((kind == STT_FUNC) | (kind == STT_OBJECT)) & (item.symbol_sections != 0)
            for index in np.flatnonzero(wanted).tolist():
                addr = int(self._image.values[base + index])
                if addr > 0:
                    size = int(item.symbols["size"][index])
                    rows.append((addr, size, item.symbol_name(index)))
        stubs = self._image.stubs
        for index, name in enumerate(stubs.names):
            rows.append((stubs.stub_addr(index), plt.STUB_BYTES, f"{name}@plt"))
        return sorted(rows)


def _priority(name: str, is_old: bool) -> int:
    """`.init_array.101` runs as 101; `.ctors.65434` means the same priority, counted down."""
    number = name.rpartition(".")[2]
    if not number.isdigit():
        return _DEFAULT_PRIORITY
    return _DEFAULT_PRIORITY - int(number) if is_old else int(number)


__all__ = ["AddressRange", "Linker"]
