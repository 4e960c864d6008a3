"""Relocations of x86-64 objects, all at once: one numpy pass over parallel arrays.

    value = base + addend - (P if relative to the place) - (GOT if relative to the GOT)

where `base` is, by relocation type, the symbol, the symbol or its stub, a GOT slot, the GOT, a
thread-local pair, an offset in the thread-local block or a size.

Source: AMD64 supplement of the System V ABI, section 4.4; the relaxations of section B.2.
Deviations: `mov sym@GOTPCREL(%rip), reg` of a near symbol becomes `lea`; `call *sym@GOTPCREL(%rip)`
becomes a direct call; other GOT uses keep their slot.  Thread-local pairs are
{1, offset in the guest's block} or {0, address} for native thread-local variables.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from irsan.engine.linker.elf import Array
from irsan.engine.linker.symbol_table import SymbolTable

(
    NOTHING,
    SYMBOL,  # S
    BRANCH,  # S or its stub, called
    GOT_SLOT,
    GOT_BASE,
    TLS_PAIR,
    TLS_MODULE_PAIR,
    TLS_OFFSET,
    TLS_STATIC_SLOT,
    TLS_STATIC,
    TLS_MODULE,
    SIZE,
    UNSUPPORTED,
) = range(13)

R_32: Final = 10
R_GOTPCRELX: Final = 41
R_REX_GOTPCRELX: Final = 42
_N_KINDS: Final = 64

#: number: (name, base, width in bytes, relative to P, relative to GOT)
TABLE: Final[dict[int, tuple[str, int, int, bool, bool]]] = {
    0: ("NONE", NOTHING, 0, False, False),
    1: ("64", SYMBOL, 8, False, False),
    2: ("PC32", SYMBOL, 4, True, False),
    3: ("GOT32", GOT_SLOT, 4, False, True),
    4: ("PLT32", BRANCH, 4, True, False),
    9: ("GOTPCREL", GOT_SLOT, 4, True, False),
    10: ("32", SYMBOL, 4, False, False),
    11: ("32S", SYMBOL, 4, False, False),
    12: ("16", SYMBOL, 2, False, False),
    13: ("PC16", SYMBOL, 2, True, False),
    14: ("8", SYMBOL, 1, False, False),
    15: ("PC8", SYMBOL, 1, True, False),
    16: ("DTPMOD64", TLS_MODULE, 8, False, False),
    17: ("DTPOFF64", TLS_OFFSET, 8, False, False),
    18: ("TPOFF64", TLS_STATIC, 8, False, False),
    19: ("TLSGD", TLS_PAIR, 4, True, False),
    20: ("TLSLD", TLS_MODULE_PAIR, 4, True, False),
    21: ("DTPOFF32", TLS_OFFSET, 4, False, False),
    22: ("GOTTPOFF", TLS_STATIC_SLOT, 4, True, False),
    23: ("TPOFF32", TLS_STATIC, 4, False, False),
    24: ("PC64", SYMBOL, 8, True, False),
    25: ("GOTOFF64", SYMBOL, 8, False, True),
    26: ("GOTPC32", GOT_BASE, 4, True, False),
    27: ("GOT64", GOT_SLOT, 8, False, True),
    28: ("GOTPCREL64", GOT_SLOT, 8, True, False),
    29: ("GOTPC64", GOT_BASE, 8, True, False),
    30: ("GOTPLT64", GOT_SLOT, 8, False, True),
    31: ("PLTOFF64", BRANCH, 8, False, True),
    32: ("SIZE32", SIZE, 4, False, False),
    33: ("SIZE64", SIZE, 8, False, False),
    41: ("GOTPCRELX", GOT_SLOT, 4, True, False),
    42: ("REX_GOTPCRELX", GOT_SLOT, 4, True, False),
}


def _column(index: int, default: int) -> Array:
    column = np.full(_N_KINDS, default, np.int8)
    for kind, row in TABLE.items():
        column[kind] = row[index]
    return column


_BASE: Final = _column(1, UNSUPPORTED)
_WIDTH: Final = _column(2, 0)
_PLACE: Final = _column(3, 0)
_GOT: Final = _column(4, 0)

_COLUMNS: Final = (np.int32, np.int64, np.int16, np.int32, np.int64, np.int32)  # of `collect`

_MOV: Final = 0x8B
_LEA: Final = 0x8D
_INDIRECT: Final = 0xFF
_CALL_MODRM: Final = 0x15
_CALL_RELAXED: Final = (0x67, 0xE8)  # addr32 prefix pads `call rel32` to the same length


@dataclass(slots=True)
class Fixups:
    """All relocations of kept sections; arrays of one length, flat numbers.

    A big program has hundreds of thousands at each start: what is small has a small type.
    """

    section: Array  # int32
    offset: Array  # int64
    kind: Array  # int16
    symbol: Array  # int32: canonical flat number
    own_symbol: Array  # int32: flat number before canonicalisation
    addend: Array  # int64
    opcode: Array  # int32: opcode << 8 | modrm of what is before the field, GOTPCRELX only
    base: Array  # int8
    width: Array  # int8

    def take(self, chosen: Array) -> Fixups:
        """The fixups at positions (or of a mask) `chosen`."""
        return Fixups(*(getattr(self, name)[chosen] for name in self.__slots__))


def collect(table: SymbolTable, canonical: Array) -> Fixups:
    """Join the relocations of all objects, without those of dropped sections."""
    columns: list[tuple[Array, ...]] = []
    for number, item in enumerate(table.objects):
        part = item.relocations
        if not len(part):
            continue
        opcode = np.zeros(len(part), np.int32)
        relaxable = np.flatnonzero((part.kind == R_GOTPCRELX) | (part.kind == R_REX_GOTPCRELX))
        if len(relaxable):
            section = item.sections["offset"].astype(np.int64)[part.section[relaxable]]
            at = section + part.offset[relaxable]
            raw = np.frombuffer(item.raw, np.uint8)
            opcode[relaxable] = raw[at - 2].astype(np.int32) << 8 | raw[at - 1]
        symbol = part.symbol + np.int32(table.symbol_base[number])
        section = part.section + np.int32(table.section_base[number])
        columns.append((section, part.offset, part.kind, symbol, part.addend, opcode))
    joined = [np.concatenate(column) for column in zip(*columns, strict=True)]
    if not joined:
        joined = [np.zeros(0, kind) for kind in _COLUMNS]
    section, offset, kind, symbol, addend, opcode = joined
    bounded = np.minimum(kind, _N_KINDS - 1)
    fixups = Fixups(
        section, offset, kind, canonical[symbol].astype(np.int32), symbol, addend, opcode,
        _BASE[bounded], _WIDTH[bounded],
    )  # fmt: skip
    return fixups.take(table.kept()[section] & (fixups.base != NOTHING))


def relocation_name(kind: int) -> str:
    """`R_X86_64_PC32` and so on."""
    return f"R_X86_64_{TABLE[kind][0]}" if kind in TABLE else f"relocation type {kind}"


def is_indirect_call(fixups: Fixups) -> Array:
    """Mask of `call *symbol@GOTPCREL(%rip)`."""
    return np.asarray(fixups.opcode == (_INDIRECT << 8 | _CALL_MODRM))


def is_got_load(fixups: Fixups) -> Array:
    """Mask of `mov symbol@GOTPCREL(%rip), register` that may become a `lea`."""
    return np.asarray((fixups.opcode >> 8) == _MOV)


def relax(fixups: Fixups, place: Array, memory: Array, near: Array) -> None:
    """Rewrite GOT loads and calls of near targets in place; they become plain S - P fields.

    `place`: int64 index in `memory` of each field; `near`: mask of symbols within reach.
    """
    loads = np.flatnonzero(is_got_load(fixups) & near)
    memory[place[loads] - 2] = _LEA
    calls = np.flatnonzero(is_indirect_call(fixups) & near)
    memory[place[calls] - 2] = _CALL_RELAXED[0]
    memory[place[calls] - 1] = _CALL_RELAXED[1]
    fixups.base[loads] = BRANCH
    fixups.base[calls] = BRANCH


def field_values(fixups: Fixups, base: Array, place: Array, got: int) -> Array:
    """int64 value of every field before truncation."""
    kind = np.minimum(fixups.kind, _N_KINDS - 1)
    value = base + fixups.addend - _PLACE[kind] * place - _GOT[kind] * np.int64(got)
    return np.asarray(value)


def out_of_range(fixups: Fixups, values: Array) -> Array:
    """Mask of values that do not fit their field."""
    bits = fixups.width * 8 - 1
    wide = fixups.width == 8
    limit = np.int64(1) << np.where(wide, 62, bits)
    unsigned = fixups.kind == R_32
    high = np.where(unsigned, limit * 2, limit)
    low = np.where(unsigned, 0, -limit)
    return np.asarray(~wide & ((values < low) | (values >= high)))


def write_fields(fixups: Fixups, values: Array, place: Array, memory: Array) -> None:
    """Store every value at its place (an index in `memory`), little-endian, by width."""
    for width in (8, 4, 2, 1):
        chosen = np.flatnonzero(fixups.width == width)
        if not len(chosen):
            continue
        raw = values[chosen].astype("<i8").view(np.uint8).reshape(-1, 8)[:, :width]
        memory[place[chosen][:, None] + np.arange(width)] = raw
