"""The memory around a finding as a table: each byte with what it belongs to.

A byte is of the access, of the object it is about, or of neither: neighbours alike are one run. Its
shadow byte (8 bytes share one) says whether it may be accessed. Fields stand in the row in which
they begin, and where a byte belongs to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from irsan.reports.model.memory import ROW_BYTES, MemoryDump, MemoryField, MemoryRow
from irsan.reports.model.report import Finding, GlobalVariable, HeapRegion, StackLocation

_SHADOW_SCALE = 8


@dataclass(frozen=True, slots=True)
class Run:
    """Bytes that belong together, their class, and words for those who do not see colours."""

    text: str
    style: str
    title: str


@dataclass(frozen=True, slots=True)
class Row:
    """ROW_BYTES bytes in runs, the shadow bytes that belong to them, and the fields in them."""

    address: str
    runs: tuple[Run, ...]
    shadow: tuple[str, ...]
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MemoryTable:
    """The rows and the boundaries of the objects near by, in words."""

    rows: tuple[Row, ...]
    objects: tuple[str, ...]
    has_shadow: bool
    has_fields: bool = False


def memory_table(finding: Finding) -> MemoryTable | None:
    """The table of a finding, None when it shows no memory."""
    memory = finding.memory
    if memory is None:
        return None
    ranges = tuple(_objects(finding))
    shadow = _shadow_bytes(finding)
    rows = tuple(
        Row(f"{row.address:#014x}", tuple(_runs(row, memory, ranges)),
            tuple(shadow.get(row.address + at, "") for at in range(0, ROW_BYTES, _SHADOW_SCALE)),
            tuple(_field_words(row, memory.fields, row is memory.rows[0])))
        for row in memory.rows
    )  # fmt: skip
    words = tuple(f"{name}: [{lo:#x}, {hi:#x}), {hi - lo} bytes" for lo, hi, name in ranges)
    return MemoryTable(rows, words, any(any(row.shadow) for row in rows), bool(memory.fields))


def _field_words(row: MemoryRow, fields: tuple[MemoryField, ...], is_first: bool) -> Iterator[str]:
    """The fields that begin in a row, with their place in it; in the first one older ones, too."""
    for field in fields:
        at = field.address - row.address
        if at < ROW_BYTES and (at >= 0 or (is_first and at + field.size_bytes > 0)):
            yield f"{field.name} (+{at})" if at >= 0 else f"{field.name} (from {-at} bytes before)"


def _objects(finding: Finding) -> Iterator[tuple[int, int, str]]:
    for place in finding.locations:
        if isinstance(place, HeapRegion):
            state = "freed heap block" if place.freed else "heap block"
            yield place.region_lo, place.region_hi, state
        elif isinstance(place, GlobalVariable):
            yield place.lo, place.lo + place.size_bytes, f"global {place.name}"
        elif isinstance(place, StackLocation):
            frame = place.address - place.offset
            for one in place.objects:
                yield frame + one.begin, frame + one.end, f"variable {one.name}"


def _runs(
    row: MemoryRow, memory: MemoryDump, ranges: tuple[tuple[int, int, str], ...]
) -> Iterator[Run]:
    def kind(at_text: tuple[int, str]) -> tuple[str, str]:
        at = at_text[0]
        name = next((name for first, last, name in ranges if first <= at < last), "")
        field = next((f.name for f in memory.fields if 0 <= at - f.address < f.size_bytes), "")
        title = ", ".join(filter(None, (name, field)))
        style = "object" if name else ""
        if memory.lo <= at < memory.hi:
            return f"{style} accessed".strip(), f"the access; {title or 'no object that is known'}"
        return style, title

    numbered = enumerate(row.bytes.split()[:ROW_BYTES], start=row.address)
    for (style, title), run in groupby(numbered, kind):
        yield Run(" ".join(text for _, text in run), style, title)


def _shadow_bytes(finding: Finding) -> dict[int, str]:
    """Application address of eight bytes -> their shadow byte."""
    if finding.shadow is None:
        return {}
    return {
        row.address + _SHADOW_SCALE * at: f"{value:02x}"
        for row in finding.shadow.rows
        for at, value in enumerate(row.shadow)
    }
