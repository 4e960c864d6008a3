"""Reads the memory around the address of a finding, for reports that show it.

Words that hold addresses of the host (libraries, irsan itself) differ from run to run, so they are
hidden: the same run gives the same report.  So are the bytes in front of a block that irsan keeps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from irsan.reports.model.memory import HIDDEN, ROW_BYTES, MemoryDump, MemoryRow
from irsan.reports.model.report import Finding
from irsan.runtime.diagnosis.memory_fields import VariableToLayout, fields_around
from irsan.runtime.diagnosis.memory_snippet import read_memory
from irsan.runtime.layout import memory_map

N_ROWS_AROUND: Final = 3
_WORD_BYTES: Final = 8
_HOST: Final = range(0x5000_0000_0000, 0x8000_0000_0000)


def memory_around(
    finding: Finding,
    variable_to_layout: VariableToLayout = lambda _name: "",
    record: tuple[str, int] = ("", 0),
    is_own: Callable[[int], bool] = lambda _address: False,
) -> MemoryDump | None:
    """Rows around what the finding is about; None when that is no memory of the program.

    variable_to_layout, record: facts about types, see memory_fields.py
    is_own: whether a row that begins at an address is irsan's, not the program's
    """
    access = finding.access
    address = access.address if access is not None else finding.address
    size = access.size if access is not None else 1
    if address is None or not _is_shown(address):
        return None
    made = dump(address, address + min(max(size, 1), ROW_BYTES * 4), is_own)
    if made is None:
        return None
    lo, hi = made.rows[0].address, made.rows[-1].address + ROW_BYTES
    fields = fields_around(finding, variable_to_layout, record, lo, hi)
    return replace(made, fields=fields)


def _is_shown(address: int) -> bool:
    """Globals, stacks and heap; not the environment, which may hold secrets."""
    is_global = memory_map.GLOBALS_LO <= address < memory_map.GLOBALS_LIMIT
    return is_global or memory_map.STACKS_LO <= address < memory_map.ARENA_HI


def dump(
    lo: int, hi: int, is_own: Callable[[int], bool] = lambda _address: False
) -> MemoryDump | None:
    """Rows around bytes [lo, hi); None when none of them can be read."""
    first = (lo // ROW_BYTES - N_ROWS_AROUND) * ROW_BYTES
    last = ((hi - 1) // ROW_BYTES + N_ROWS_AROUND) * ROW_BYTES
    rows = tuple(
        _hidden_row(at) if is_own(at) else _row(at) for at in range(first, last + 1, ROW_BYTES)
    )
    if all(set(row.bytes.split()) == {HIDDEN} for row in rows):
        return None
    return MemoryDump(lo, hi, rows)


def _row(address: int) -> MemoryRow:
    raw = read_memory(address, ROW_BYTES)
    if raw is None or len(raw) < ROW_BYTES:
        return _hidden_row(address)
    words = (raw[at : at + _WORD_BYTES] for at in range(0, ROW_BYTES, _WORD_BYTES))
    return MemoryRow(address, " ".join(_shown(word) for word in words))


def _hidden_row(address: int) -> MemoryRow:
    return MemoryRow(address, " ".join([HIDDEN] * ROW_BYTES))


def _shown(word: bytes) -> str:
    if int.from_bytes(word, "little") in _HOST:
        return " ".join([HIDDEN] * len(word))
    return word.hex(" ")
