"""The memory around the address of a finding, as it was then."""

from __future__ import annotations

from dataclasses import dataclass

from irsan.reports.model.locations import Address

#: bytes of a row
ROW_BYTES = 16
#: stands for a byte that cannot be read, is part of an address of the host, or is irsan's own
HIDDEN = ".."


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """ROW_BYTES bytes from `address` on, each as two hexadecimal digits or HIDDEN, with blanks."""

    address: Address
    bytes: str


@dataclass(frozen=True, slots=True)
class MemoryField:
    """A field of an object in the rows: `node.key`, `table[3].low`, and where it lies."""

    name: str
    address: Address
    size_bytes: int


@dataclass(frozen=True, slots=True)
class MemoryDump:
    """Rows around bytes [lo, hi), which the finding is about.

    fields: those in the rows, in order, as debug info has them: of the variable that lies there,
    else of the structure that the access takes it for.
    """

    lo: Address
    hi: Address
    rows: tuple[MemoryRow, ...]
    fields: tuple[MemoryField, ...] = ()
