"""The second half of a link: addresses are known, bytes are written.

    copy sections -> symbol addresses -> stubs and slots -> copies -> GOT -> fields -> protection

All fields of all objects are computed and stored in one numpy pass (`relocations`).
"""

from __future__ import annotations

import ctypes
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from irsan.engine.linker import plt, relocations
from irsan.engine.linker.demands import NEAR_LIMIT, Demands, Surroundings, ifuncs
from irsan.engine.linker.elf import SHN_ABS, SHN_LORESERVE, Array
from irsan.engine.linker.linked import READ_WRITE
from irsan.engine.linker.outside import Moving, MovingParts
from irsan.engine.linker.relocations import Fixups
from irsan.engine.linker.sections import Layout, TlsLayout
from irsan.errors import InternalError, UnsupportedError
from irsan.runtime import arena

_STATIC_TLS: Final = (
    "the thread-local variable {name} is addressed with a static thread-local model, which needs "
    "the host's thread block; pass IR, or an object compiled with -fPIC"
)


@dataclass(frozen=True, slots=True)
class Image:
    """What a finished link leaves behind."""

    values: Array  # int64 address per flat symbol of the objects
    stubs: plt.StubTable
    tls: TlsLayout
    moving: Moving | None = None


class ImageWriter:
    """The second half of a link: addresses are known, bytes are written."""

    def __init__(
        self, known: Surroundings, layout: Layout, fixups: Fixups, demands: Demands
    ) -> None:
        self.known, self.layout, self.fixups, self.demands = known, layout, fixups, demands
        self.table = known.table
        self.first = known.table.n_symbols
        self.stubs: plt.StubTable = plt.StubTable([], layout.stubs_lo, layout.slots_lo)
        self.lo = min(segment.lo for segment in layout.segments)
        hi = max(layout.thread_end, *(segment.hi for segment in layout.segments))
        self.memory: Array = arena.view_bytes(self.lo, hi - self.lo)

    def run(self) -> Image:
        """Copy, relocate, protect; afterwards the code can run."""
        layout = self.layout
        for segment in layout.segments:
            arena.protect(segment.lo, segment.hi - segment.lo, READ_WRITE)
        image = self._copy_sections()
        values, dropped = self._symbol_values()
        near = self._make_stubs(values)
        self._make_copies(near)
        slots = self._make_got(values)
        self._relocate(values, near, dropped, slots)
        for segment in layout.segments:
            arena.protect(segment.lo, segment.hi - segment.lo, segment.prot)
        self._call_ifunc_resolvers()
        tls = TlsLayout(layout.tls_size, layout.tls_align, image)
        got = slots[relocations.GOT_SLOT]
        parts = MovingParts(self.known, layout, self.fixups, self.demands)
        moving = parts.found(values, got, list(self._copies()))
        return Image(values[: self.first], self.stubs, tls, moving)

    def _copy_sections(self) -> bytes:
        """Bytes of all sections; returns the initial image of the thread-local block."""
        layout, tls = self.layout, bytearray(self.layout.tls_size)
        memory, lo = self.memory.data, self.lo
        kept, addresses = self.table.kept(), layout.section_addr.tolist()
        for base, item in zip(self.table.section_base, self.table.objects, strict=True):
            for index in np.flatnonzero(kept[base : base + len(item.sections)]).tolist():
                raw, at = item.section_bytes(index), addresses[base + index]
                if not raw:
                    continue
                if layout.is_tls[base + index]:
                    tls[at : at + len(raw)] = raw
                else:
                    memory[at - lo : at - lo + len(raw)] = raw
        return bytes(tls)

    def _symbol_values(self) -> tuple[Array, Array]:
        """int64 address per flat symbol; mask of symbols in sections that were dropped."""
        table, layout = self.table, self.layout
        n = self.first + len(self.known.addresses)
        values, dropped = np.zeros(n, np.int64), np.zeros(n, bool)
        kept = table.kept()
        for number, item in enumerate(table.objects):
            section, base = item.symbol_sections.astype(np.int64), table.section_base[number]
            offset = item.symbols["value"].astype(np.int64)
            ordinary = (section < SHN_LORESERVE) | (section > 0xFFFF)
            flat_section = np.where(ordinary, section, 0) + base
            value = layout.section_addr[flat_section] + offset
            value = np.where(section == SHN_ABS, offset, np.where(ordinary, value, 0))
            span = slice(table.symbol_base[number], table.symbol_base[number] + len(section))
            values[span] = value
            dropped[span] = ordinary & (section != 0) & ~kept[flat_section]
        for flat, addr in layout.commons.items():
            values[flat] = addr
        values[self.first :] = self.known.addresses
        for external in self.known.externals:
            if not values[external.flat]:
                values[external.flat] = self._linker_made(external.name)
        return values, dropped

    def _linker_made(self, name: str) -> int:
        if name in ("_GLOBAL_OFFSET_TABLE_", "__dso_handle"):
            return self.layout.got_lo
        for prefix, end in (("__start_", 0), ("__stop_", 1)):
            if name.startswith(prefix):
                return self.layout.bounds.get(name[len(prefix) :], (0, 0))[end]
        return 0

    def _name(self, flat: int) -> str:
        if flat >= self.first:
            return self.known.externals[flat - self.first].name
        base = self.table.symbol_base
        number = bisect_right(base, flat) - 1
        return self.table.objects[number].symbol_name(flat - base[number])

    def _make_stubs(self, values: Array) -> Array:
        """Write the stubs; returns the address per flat symbol that 32-bit fields use."""
        layout, flats = self.layout, self.demands.stubs
        names = [self._name(flat) for flat in flats]
        stubs = self.stubs = plt.StubTable(names, layout.stubs_lo, layout.slots_lo)
        near: Array = values.copy()
        if not flats:
            return near
        code = stubs.code()
        at = layout.stubs_lo - self.lo
        self.memory[at : at + len(code)] = code
        slots = arena.view_words(layout.slots_lo, 2 * len(flats))
        slots[0::2] = values[flats].astype(np.uint64)
        slots[1::2] = 0
        near[flats] = layout.stubs_lo + np.arange(len(flats)) * plt.STUB_BYTES
        self._settle_addresses(values, near)
        return near

    def _settle_addresses(self, values: Array, near: Array) -> None:
        """A function whose stub address is taken directly has that address everywhere."""
        fixups = self.fixups
        direct = (fixups.base == relocations.SYMBOL) & (fixups.width < 8)
        taken = set(fixups.symbol[direct].tolist())
        stubbed = np.array([flat for flat in self.demands.stubs if flat in taken], np.int64)
        indirect = np.array(ifuncs(self.table), np.int64)
        for flats in (stubbed, indirect):
            values[flats] = near[flats]

    def _make_copies(self, near: Array) -> None:
        for flat, at, size in self._copies():
            ctypes.memmove(at, self.demands.copies[flat].address, size)
            near[flat] = at

    def _copies(self) -> Iterator[tuple[int, int, int]]:
        """Flat number, address and size in bytes of each copy."""
        at = self.layout.copies_lo
        for flat, found in self.demands.copies.items():
            yield flat, at, found.size_bytes
            at += -(-found.size_bytes // 16) * 16

    def _make_got(self, values: Array) -> dict[int, Array]:
        """Fill the GOT; returns per base kind the slot address by flat symbol (0: none)."""
        demands, at = self.demands, self.layout.got_lo + plt.GOT_HEADER_BYTES
        kinds = (relocations.GOT_SLOT, relocations.TLS_STATIC_SLOT, relocations.TLS_PAIR)
        slots = {kind: np.zeros(len(values), np.int64) for kind in kinds}
        rows: list[Array] = [np.zeros(plt.GOT_HEADER_BYTES // 8, np.int64), values[demands.got]]
        slots[relocations.GOT_SLOT][demands.got] = at + np.arange(len(demands.got)) * 8
        at += len(demands.got) * 8
        slots[relocations.TLS_STATIC_SLOT][demands.tls_static] = (
            at + np.arange(len(demands.tls_static)) * 8
        )
        rows.append(self._static_offsets(values))
        at += len(demands.tls_static) * 8
        slots[relocations.TLS_PAIR][demands.tls_pairs] = at + np.arange(len(demands.tls_pairs)) * 16
        is_guest = np.array([flat < self.first for flat in demands.tls_pairs], np.int64)
        rows.append(np.column_stack([is_guest, values[demands.tls_pairs]]).reshape(-1))
        at += len(demands.tls_pairs) * 16
        slots[relocations.TLS_MODULE_PAIR] = np.full(len(values), at, np.int64)
        if demands.needs_module_pair:
            rows.append(np.array([1, 0], np.int64))
        words = np.concatenate([row.astype(np.int64) for row in rows])
        start = self.layout.got_lo - self.lo
        self.memory[start : start + 8 * len(words)] = words.view(np.uint8)
        return slots

    def _static_offsets(self, values: Array) -> Array:
        flats = self.demands.tls_static
        for flat in flats:
            if flat < self.first:
                raise UnsupportedError(_STATIC_TLS.format(name=self._name(flat)))
        pthread_self = ctypes.CDLL(None).pthread_self
        pthread_self.restype = ctypes.c_uint64  # glibc: the thread pointer
        return values[flats] - int(pthread_self())

    def _relocate(
        self, values: Array, near: Array, dropped: Array, slots: Mapping[int, Array]
    ) -> None:
        fixups, layout = self.fixups, self.layout
        is_tls_section = layout.is_tls[fixups.section]
        if is_tls_section.any():
            where = int(np.flatnonzero(is_tls_section)[0])
            raise UnsupportedError(
                f"thread-local data that holds the address of {self._name_of(where)} needs a "
                "relocated image, which irsan does not make for linked objects; pass IR"
            )
        place = layout.section_addr[fixups.section] + fixups.offset
        index = place - self.lo
        within = np.abs(near[fixups.symbol] - place) < NEAR_LIMIT - 64
        # an address that settles as native must be loaded, not computed
        same = near[fixups.symbol] == values[fixups.symbol]
        callable_ = within & (same | relocations.is_indirect_call(fixups))
        relocations.relax(fixups, index, self.memory, callable_)
        base = self._bases(values, near, slots)
        field = relocations.field_values(fixups, base, place, layout.got_lo)
        field[dropped[fixups.symbol]] = 0
        bad = relocations.out_of_range(fixups, field)
        if bad.any():
            self._refuse(int(np.flatnonzero(bad)[0]))
        relocations.write_fields(fixups, field, index, self.memory)

    def _bases(self, values: Array, near: Array, slots: Mapping[int, Array]) -> Array:
        fixups = self.fixups
        symbol, kind = fixups.symbol, fixups.base
        base = np.where(fixups.width == 8, values[symbol], near[symbol])
        base = np.where(kind == relocations.BRANCH, near[symbol], base)
        base[kind == relocations.GOT_BASE] = self.layout.got_lo
        for slot_kind, addresses in slots.items():
            chosen = kind == slot_kind
            base[chosen] = addresses[symbol[chosen]]
        base[kind == relocations.TLS_MODULE] = 1
        for position in np.flatnonzero(kind == relocations.SIZE).tolist():
            base[position] = int(self.table.symbol(int(symbol[position]))["size"])
        unsupported = np.flatnonzero(
            (kind == relocations.UNSUPPORTED) | (kind == relocations.TLS_STATIC)
        )
        if len(unsupported):
            self._refuse(int(unsupported[0]))
        missing = (kind == relocations.GOT_SLOT) & (base == 0)
        if missing.any():
            raise InternalError(f"no GOT slot for {self._name_of(int(np.flatnonzero(missing)[0]))}")
        return base

    def _name_of(self, position: int) -> str:
        return self._name(int(self.fixups.symbol[position]))

    def _refuse(self, position: int) -> None:
        flat_section = int(self.fixups.section[position])
        number = bisect_right(self.table.section_base, flat_section) - 1
        item = self.table.objects[number]
        section = item.section_names[flat_section - self.table.section_base[number]]
        kind = relocations.relocation_name(int(self.fixups.kind[position]))
        name = self._name_of(position)
        if int(self.fixups.base[position]) == relocations.TLS_STATIC:
            raise UnsupportedError(_STATIC_TLS.format(name=f"{name} in {item.name}"))
        raise UnsupportedError(
            f"{item.name}: {kind} in {section} cannot reach {name}; external data must be "
            "addressed through the GOT (declare it without dso_local, or compile with -fPIC)"
        )

    def _call_ifunc_resolvers(self) -> None:
        indirect = set(ifuncs(self.table))
        slots = arena.view_words(self.layout.slots_lo, 2 * len(self.demands.stubs))
        resolver = ctypes.CFUNCTYPE(ctypes.c_uint64)
        for index, flat in enumerate(self.demands.stubs):
            if flat in indirect:
                slots[2 * index] = resolver(int(slots[2 * index]))()
