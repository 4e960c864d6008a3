"""What relocations ask a linker to make: stubs, GOT slots, thread-local pairs, copies.

Found before the layout, because the layout has to leave room for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from irsan.engine.linker import plt, relocations
from irsan.engine.linker.elf import STT_GNU_IFUNC, Array, sorted_distinct
from irsan.engine.linker.native_symbols import NativeSymbol, native_symbol_at
from irsan.engine.linker.relocations import Fixups
from irsan.engine.linker.symbol_table import External, SymbolTable

NEAR_LIMIT: Final = 1 << 31
_OF_CLASSES: Final = ("_ZTI", "_ZTS", "_ZTV")  # type information, its names, virtual tables
_STREAMS: Final = frozenset({"stdin", "stdout", "stderr"})


@dataclass(frozen=True, slots=True)
class Demands:
    """What the fixups ask the linker to make; flat symbol numbers.

    direct: of foreign functions whose address a 32-bit field is to hold: that of their stub.
    """

    stubs: list[int]
    direct: list[int]
    got: list[int]
    tls_pairs: list[int]
    tls_static: list[int]
    copies: dict[int, NativeSymbol]
    needs_module_pair: bool

    def got_bytes(self) -> int:
        pairs = len(self.tls_pairs) + self.needs_module_pair
        return plt.GOT_HEADER_BYTES + 8 * (len(self.got) + len(self.tls_static)) + 16 * pairs

    def copy_bytes(self) -> int:
        return sum(-(-found.size_bytes // 16) * 16 for found in self.copies.values())


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a link knows before the layout: objects, outside names and their addresses."""

    table: SymbolTable
    externals: list[External]
    addresses: Array  # int64 per external


def find_demands(known: Surroundings, fixups: Fixups) -> Demands:
    """Scan all fixups once."""
    addresses = known.addresses
    first = known.table.n_symbols
    is_far = np.zeros(first + len(addresses), bool)
    is_far[first:] = is_foreign(addresses)
    far = is_far[fixups.symbol]
    calls = relocations.is_indirect_call(fixups)
    direct = far & (fixups.base == relocations.SYMBOL) & (fixups.width < 8)
    copies = _copied_constants(known, fixups, direct)
    stubbed = far & ((fixups.base == relocations.BRANCH) | calls)
    stubs = set(fixups.symbol[stubbed].tolist())
    functions = _direct_functions(known, fixups, direct, copies)
    stubs |= functions
    stubs |= set(ifuncs(known.table))
    needs_slot = (fixups.base == relocations.GOT_SLOT) & ~(
        calls | (relocations.is_got_load(fixups) & ~far)
    )
    pairs = fixups.base == relocations.TLS_PAIR
    static = fixups.base == relocations.TLS_STATIC_SLOT
    return Demands(
        stubs=sorted(stubs),
        direct=sorted(functions),
        got=sorted_distinct(fixups.symbol[needs_slot]).tolist(),
        tls_pairs=sorted_distinct(fixups.symbol[pairs]).tolist(),
        tls_static=sorted_distinct(fixups.symbol[static]).tolist(),
        copies=copies,
        needs_module_pair=bool((fixups.base == relocations.TLS_MODULE_PAIR).any()),
    )


def is_foreign(addresses: Array) -> Array:
    """Mask of addresses that 32-bit fields of the arena do not reach."""
    return np.asarray((addresses >= NEAR_LIMIT) | (addresses < 0))


def _copied_constants(
    known: Surroundings, fixups: Fixups, direct: Array
) -> dict[int, NativeSymbol]:
    """Data of native libraries that code reaches by 32 bits, and that does not change."""
    copies = {}
    for flat in sorted_distinct(fixups.symbol[direct]).tolist():
        external = known.externals[flat - known.table.n_symbols]
        if external.name not in _STREAMS and not external.name.startswith(_OF_CLASSES):
            continue
        found = native_symbol_at(int(known.addresses[flat - known.table.n_symbols]))
        if found is not None and found.size_bytes:
            copies[flat] = found
    return copies


def _direct_functions(
    known: Surroundings, fixups: Fixups, direct: Array, copies: Mapping[int, NativeSymbol]
) -> set[int]:
    chosen = set()
    for flat in sorted_distinct(fixups.symbol[direct]).tolist():
        address = int(known.addresses[flat - known.table.n_symbols])
        if flat not in copies and not is_data_at(address):
            chosen.add(flat)
    return chosen


def is_data_at(address: int) -> bool:
    """Whether a variable of a native library begins at an address."""
    found = native_symbol_at(address)
    return found is not None and found.address == address and not found.is_function


def ifuncs(table: SymbolTable) -> list[int]:
    """Flat numbers of the indirect functions that objects define."""
    found: list[int] = []
    for base, item in zip(table.symbol_base, table.objects, strict=True):
        kinds = item.symbols["info"] & 15
        found += (np.flatnonzero(kinds == STT_GNU_IFUNC) + base).tolist()
    return found
