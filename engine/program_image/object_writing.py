"""The bytes of a relocatable object: the sections that are given, and its tables.

    object_bytes(header, contents, symbols, n_local)

Section numbers are the places among `contents`, from 1 on; the table of symbols is the first one
behind them. Numbers beyond what a symbol or the header can hold are written as the ABI says.

Source: System V ABI, chapter 4 (object files, extended section numbering).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from irsan.engine.linker.elf import (
    SECTION_DTYPE,
    SHN_LORESERVE,
    SHN_XINDEX,
    SHT_NOBITS,
    SHT_SYMTAB,
    SHT_SYMTAB_SHNDX,
    SYMBOL_DTYPE,
    Array,
)

_SHT_STRTAB: Final = 3
_HEADER_BYTES: Final = 64
_SHOFF_AT, _SHNUM_AT, _SHSTRNDX_AT = 40, 60, 62
_ALIGN: Final = 16


@dataclass(slots=True)
class Symbol:
    """A symbol to be written; `section`: its number, or a reserved one when `is_reserved`."""

    name: str
    info: int = 0
    other: int = 0
    section: int = 0
    value: int = 0
    size: int = 0
    is_reserved: bool = False


@dataclass(frozen=True, slots=True)
class Content:
    """A section to be written; header: SECTION_DTYPE[1], its name and place are filled in."""

    name: str
    header: Array
    raw: bytes


def object_bytes(
    header: bytes, contents: list[Content], symbols: Sequence[Symbol], n_local: int
) -> bytes:
    """The object; header: of another object of this kind; n_local: symbols that come first."""
    names, strings = _Strings(), _Strings()
    table, places = _symbol_table(symbols, strings)
    n_kept = len(contents)
    contents = [
        *contents,
        _made(".symtab", SHT_SYMTAB, table, link=n_kept + 2, info=n_local, entry=24),
        _made(".strtab", _SHT_STRTAB, strings.raw()),
        *([_made(".symtab_shndx", SHT_SYMTAB_SHNDX, places, link=n_kept + 1, entry=4)]
          if places else []),
    ]  # fmt: skip
    contents.append(_made(".shstrtab", _SHT_STRTAB, b""))
    headers = np.zeros(1 + len(contents), SECTION_DTYPE)
    body, at = [header[:_HEADER_BYTES]], _HEADER_BYTES
    for number, one in enumerate(contents, 1):
        headers[number] = one.header[0]
        headers["name"][number] = names.add(one.name)
        raw = names.raw() if number == len(contents) else one.raw
        if int(one.header["type"][0]) != SHT_NOBITS:
            headers["size"][number] = len(raw)
        body.append(b"\0" * (-at % _ALIGN))
        at += -at % _ALIGN
        headers["offset"][number] = at
        body.append(raw)
        at += len(raw)
    body.append(b"\0" * (-at % _ALIGN))
    return _with_header(b"".join(body), headers)


def _with_header(body: bytes, headers: Array) -> bytes:
    count, last = len(headers), len(headers) - 1
    is_long = count >= SHN_LORESERVE
    if is_long:
        headers["size"][0], headers["link"][0] = count, last
    file = bytearray(body)
    file[_SHOFF_AT : _SHOFF_AT + 8] = len(body).to_bytes(8, "little")
    file[_SHNUM_AT : _SHNUM_AT + 2] = (0 if is_long else count).to_bytes(2, "little")
    file[_SHSTRNDX_AT : _SHSTRNDX_AT + 2] = (SHN_XINDEX if is_long else last).to_bytes(2, "little")
    return bytes(file) + headers.tobytes()


def _made(
    name: str, kind: int, raw: bytes, *, link: int = 0, info: int = 0, entry: int = 0
) -> Content:
    header = np.zeros(1, SECTION_DTYPE)
    header["type"], header["link"], header["info"] = kind, link, info
    header["align"], header["entsize"] = 8 if entry > 4 else max(1, entry), entry
    return Content(name, header, raw)


def _symbol_table(rows: Sequence[Symbol], strings: _Strings) -> tuple[bytes, bytes]:
    """The symbols, and their sections where these have numbers too big for a symbol."""
    table = np.zeros(len(rows), SYMBOL_DTYPE)
    places: list[int] = []
    for index, row in enumerate(rows):
        is_long = row.section >= SHN_LORESERVE and not row.is_reserved
        section = SHN_XINDEX if is_long else row.section
        table[index] = (strings.add(row.name), row.info, row.other, section, row.value, row.size)
        places.append(row.section if is_long else 0)
    return table.tobytes(), np.array(places, "<u4").tobytes() if any(places) else b""


class _Strings:
    """A table of strings, each of them once."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {"": 0}
        self._parts = [b"\0"]
        self._end = 1

    def add(self, text: str) -> int:
        """Where a string is."""
        known = self._places.get(text)
        if known is not None:
            return known
        raw = text.encode("utf-8", "surrogateescape") + b"\0"
        place = self._places[text] = self._end
        self._parts.append(raw)
        self._end += len(raw)
        return place

    def raw(self) -> bytes:
        """The table so far."""
        return b"".join(self._parts)
