"""From the address of an instruction that may trap to the site it stands for.

The line tables of programs hold site numbers (`instrument/sites/fault_sites.py`, `site_lines.py`).
They are read when the first fault asks, so that a run without faults does not pay for it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from irsan.engine.headed_bytes import Buffer
from irsan.engine.linker.elf import ObjectFile
from irsan.engine.linker.linked import Linked
from irsan.engine.program_image.line_tables import Row, line_rows

# As in instrument/sites/fault_sites.py, which is not imported: a warm run does without the ir room.
_HAS_FRAME: Final = 1


@dataclass(frozen=True, slots=True)
class FaultSite:
    """Where an instruction stands; has_frame: its function is on the shadow call stack."""

    site: int
    has_frame: bool


class FaultLines:
    """Sites by address of the code of one program."""

    def __init__(self, linker: Linked, objects: Sequence[Buffer]) -> None:
        """`objects`: the program's own, which were added to the linker first, in this order."""
        self._parts: list[tuple[Linked, Sequence[tuple[int, Buffer]]]] = []
        self._rows: list[Row] | None = None
        self.add(linker, objects)

    def add(self, linker: Linked, objects: Sequence[Buffer]) -> None:
        """Code of the first objects of a link: of a library that the program has opened."""
        self.add_numbered(linker, list(enumerate(objects)))

    def add_numbered(self, linker: Linked, objects: Sequence[tuple[int, Buffer]]) -> None:
        """Code of some objects of a link, with their numbers there."""
        self._parts.append((linker, objects))
        self._rows = None

    def site_at(self, addr: int) -> FaultSite | None:
        """The site of the instruction at `addr`; None where no line says it."""
        if self._rows is None:
            self._rows = sorted(self._read())
        index = bisect_right(self._rows, addr, key=lambda row: row.address) - 1
        if index < 0 or not self._rows[index].line:
            return None
        _, line, column = self._rows[index]
        return FaultSite(line, column == _HAS_FRAME)

    def _read(self) -> list[Row]:
        rows: list[Row] = []
        for linker, objects in self._parts:
            for number, raw in objects:
                item = ObjectFile.parse(raw, f"program.{number}.o")
                rows += line_rows(item, linker.symbol_addresses(number))
        return rows
