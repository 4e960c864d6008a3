"""Where the sections of a link go: segments with one protection each.

    text range   | stubs | .text ... | page | .rodata ... | .eh_frame | GOT | page | stub slots |
                 |-------- R-X ------|      |----------- R-- -----------|      |---- RW- -----|
    data range   | .data.rel.ro, .init_array ... | page | .data ... | .bss ... | common |
                 |------------- R-- -------------|      |------------- RW- -------------|

Thread-local sections (.tdata then .tbss) form an image of their own: they get offsets, no address.
Sections whose name is a C identifier are laid out side by side by name, so that `__start_NAME` and
`__stop_NAME` bound them.  All `.eh_frame` sections follow each other without a gap, because the
unwinder walks them as one list.  A redzone lies before the first object of a segment and of .bss,
and behind each common symbol.
"""

from __future__ import annotations

import mmap
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from irsan.engine.linker.elf import (
    SHF_EXECINSTR,
    SHF_TLS,
    SHF_WRITE,
    SHT_FINI_ARRAY,
    SHT_INIT_ARRAY,
    SHT_NOBITS,
    SHT_PREINIT_ARRAY,
    Array,
)
from irsan.engine.linker.symbol_table import SymbolTable
from irsan.errors import UnsupportedError
from irsan.instrument.globals.redzone_sizes import MIN_REDZONE_BYTES, padded_size

PAGE_BYTES: Final = 4096

TEXT, RODATA, EH_FRAME, RELRO, DATA, BSS, TDATA, TBSS = range(8)

THREAD_SECTION: Final = "irsan_tls"  # where the thread_locals pass puts the program's own
_ARRAY_TYPES: Final = (SHT_INIT_ARRAY, SHT_FINI_ARRAY, SHT_PREINIT_ARRAY)
_RELRO_NAMES: Final = (".data.rel.ro", ".init_array", ".fini_array", ".ctors", ".dtors")


@dataclass(frozen=True, slots=True)
class AddressRange:
    """Half-open range of addresses that a link may fill; both ends page-aligned."""

    lo: int
    hi: int


@dataclass(frozen=True, slots=True)
class Segment:
    """Pages of one protection after the link."""

    name: str
    lo: int
    hi: int
    prot: int


@dataclass(frozen=True, slots=True)
class TlsLayout:
    """The thread-local block of the linked objects: copy `image`, zero the rest up to `size`."""

    size: int
    align: int
    image: bytes


class Redzone(NamedTuple):
    """Bytes that belong to no object: from the end of an object, or of nothing, up to `hi`.

    What compilers cannot pad: common symbols, and the left side of a segment's first object.
    """

    lo: int
    hi: int


@dataclass(slots=True)
class Cursor:
    """The next free address of a range."""

    lo: int
    limit: int
    what: str
    at: int = field(init=False)

    def __post_init__(self) -> None:
        self.at = self.lo

    def take(self, size: int, align: int = 1) -> int:
        """Reserve `size` bytes; UnsupportedError when the range is full."""
        start = -(-self.at // align) * align
        self.at = start + size
        if self.at > self.limit:
            raise UnsupportedError(
                f"the program does not fit: its {self.what} needs more than the "
                f"{(self.limit - self.lo) >> 20} MiB that there are for it"
            )
        return start

    def next_page(self) -> int:
        self.at = -(-self.at // PAGE_BYTES) * PAGE_BYTES
        return self.at


@dataclass(slots=True)
class Layout:
    """Addresses of flat sections (0: not placed) and of what the linker adds itself."""

    section_addr: Array  # int64 per flat section; offset in the block for TLS sections
    is_tls: Array  # bool per flat section
    segments: list[Segment] = field(default_factory=list)
    arrays: list[tuple[str, int, int, int]] = field(default_factory=list)
    """Name, address, bytes and flat number of sections of pointers to functions."""
    bounds: dict[str, tuple[int, int]] = field(default_factory=dict)  # C-identifier sections
    stubs_lo: int = 0
    got_lo: int = 0
    slots_lo: int = 0
    copies_lo: int = 0
    eh_frame: tuple[int, int] = (0, 0)
    commons: dict[int, int] = field(default_factory=dict)  # flat symbol -> address
    redzones: list[Redzone] = field(default_factory=list)
    tls_size: int = 0
    tls_align: int = 1
    thread_end: int = 0  # of the thread-locals of opened libraries


@dataclass(frozen=True, slots=True)
class ThreadData:
    """Where thread-locals of opened libraries go, and the bounds of all of the program's."""

    free: AddressRange
    bounds: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Extras:
    """Bytes the linker itself needs."""

    stubs: int
    got: int
    slots: int
    copies: int
    thread_room: int = 0
    """Behind the program's thread-locals, for those of libraries that it opens."""


class _Placed(NamedTuple):
    flat: int
    size: int
    align: int
    name: str
    kind: int


def lay_out(
    table: SymbolTable,
    text: AddressRange,
    data: AddressRange,
    extras: Extras,
    thread_data: ThreadData | None = None,
) -> Layout:
    """Assign an address to every kept section.

    thread_data: where thread-locals go when the program that opens these objects has them already.
    """
    buckets = _classify(table)
    n_sections = table.n_sections + 1  # the last one is the room for thread-locals
    layout = Layout(np.zeros(n_sections, np.int64), np.zeros(n_sections, bool))
    if extras.thread_room:
        room = _Placed(table.n_sections, extras.thread_room, 16, THREAD_SECTION, SHT_NOBITS)
        buckets[DATA].append(room)
        buckets[DATA].sort(key=_by_name)
    if thread_data is not None:
        _place_thread_data(layout, buckets[DATA], thread_data)
    if text == data:
        raise ValueError("text and data need ranges of their own")
    _place_text(layout, buckets, Cursor(text.lo, text.hi, "code"), extras)
    _place_data(layout, buckets, Cursor(data.lo, data.hi, "data"), table)
    _place_tls(layout, buckets)
    return layout


def _place_text(
    layout: Layout, buckets: list[list[_Placed]], cursor: Cursor, extras: Extras
) -> None:
    lo = layout.stubs_lo = cursor.take(extras.stubs, 16)
    _place(layout, buckets[TEXT], cursor)
    _close(layout, "text", lo, cursor, mmap.PROT_READ | mmap.PROT_EXEC)
    lo = cursor.at
    _leave_gap(layout, cursor)
    _place(layout, buckets[RODATA], cursor)
    _place_eh_frame(layout, buckets[EH_FRAME], cursor)
    layout.copies_lo = cursor.take(extras.copies, 16)
    layout.got_lo = cursor.take(extras.got, 16)
    _close(layout, "rodata", lo, cursor, mmap.PROT_READ)
    lo = layout.slots_lo = cursor.take(extras.slots, 16)
    _close(layout, "slots", lo, cursor, mmap.PROT_READ | mmap.PROT_WRITE)


def _place_data(
    layout: Layout, buckets: list[list[_Placed]], cursor: Cursor, table: SymbolTable
) -> None:
    lo = cursor.at
    if buckets[RELRO]:
        _leave_gap(layout, cursor)
    _place(layout, buckets[RELRO], cursor)
    _close(layout, "relro", lo, cursor, mmap.PROT_READ)
    lo = cursor.at
    _leave_gap(layout, cursor)
    _place(layout, buckets[DATA], cursor)
    _leave_gap(layout, cursor)
    _place(layout, buckets[BSS], cursor)
    for flat, size, align in table.common_symbols():
        total = padded_size(size, align)
        at = layout.commons[flat] = cursor.take(total, max(align, MIN_REDZONE_BYTES))
        layout.redzones.append(Redzone(at + size, at + total))
    _close(layout, "data", lo, cursor, mmap.PROT_READ | mmap.PROT_WRITE)


def _leave_gap(layout: Layout, cursor: Cursor) -> None:
    """A redzone before the first object of a segment."""
    lo = cursor.at
    cursor.take(MIN_REDZONE_BYTES, 8)
    layout.redzones.append(Redzone(lo, cursor.at))


def _close(layout: Layout, name: str, lo: int, cursor: Cursor, prot: int) -> None:
    hi = cursor.next_page()
    if hi > lo:
        layout.segments.append(Segment(name, lo, hi, prot))


def _place(layout: Layout, placed: list[_Placed], cursor: Cursor) -> None:
    for section in placed:
        at = cursor.take(section.size, section.align)
        layout.section_addr[section.flat] = at
        if section.kind in _ARRAY_TYPES or section.name.startswith((".ctors", ".dtors")):
            layout.arrays.append((section.name, at, section.size, section.flat))
        if section.name.isidentifier():
            lo = layout.bounds.get(section.name, (at, at))[0]
            layout.bounds[section.name] = (lo, at + section.size)


def _place_eh_frame(layout: Layout, placed: list[_Placed], cursor: Cursor) -> None:
    start = cursor.take(0, 8)
    for section in placed:
        size = section.size if section.size > 4 else 0  # 4 bytes are an end mark of its own
        layout.section_addr[section.flat] = cursor.take(size)
    layout.eh_frame = (start, cursor.at)
    cursor.take(8, 4)  # the zero word that ends the list


def _place_tls(layout: Layout, buckets: list[list[_Placed]]) -> None:
    cursor = Cursor(0, 1 << 40, "thread-local storage")
    for section in buckets[TDATA] + buckets[TBSS]:
        layout.section_addr[section.flat] = cursor.take(section.size, section.align)
        layout.is_tls[section.flat] = True
        layout.tls_align = max(layout.tls_align, section.align)
    layout.tls_size = cursor.at


def _classify(table: SymbolTable) -> list[list[_Placed]]:
    buckets: list[list[_Placed]] = [[] for _ in range(8)]
    kept = table.kept()
    for number, item in enumerate(table.objects):
        base = table.section_base[number]
        columns = [item.sections[name].tolist() for name in ("type", "flags", "size", "align")]
        for index in np.flatnonzero(kept[base : base + len(item.sections)]).tolist():
            kind, flags, size, align = (column[index] for column in columns)
            name = item.section_names[index]
            placed = _Placed(base + index, size, max(1, align), name, kind)
            buckets[_bucket(name, kind, flags)].append(placed)
    for bucket in buckets:
        bucket.sort(key=_by_name)
    return buckets


def _by_name(placed: _Placed) -> str:
    return placed.name if placed.name.isidentifier() else ""


def _place_thread_data(layout: Layout, placed: list[_Placed], found: ThreadData) -> None:
    """Thread-locals go behind those of the program; offsets count from its first one."""
    cursor = Cursor(found.free.lo, found.free.hi, "thread-local storage of opened libraries")
    for section in [one for one in placed if one.name == THREAD_SECTION]:
        layout.section_addr[section.flat] = cursor.take(section.size, section.align)
        placed.remove(section)
    layout.bounds[THREAD_SECTION] = found.bounds
    layout.thread_end = cursor.at


def _bucket(name: str, kind: int, flags: int) -> int:
    if flags & SHF_TLS:
        return TBSS if kind == SHT_NOBITS else TDATA
    if flags & SHF_EXECINSTR:
        return TEXT
    if name == ".eh_frame":
        return EH_FRAME
    if name.startswith(_RELRO_NAMES):
        return RELRO
    if not flags & SHF_WRITE:
        return RODATA
    return BSS if kind == SHT_NOBITS else DATA
