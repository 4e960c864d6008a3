"""Shadow bytes around the buggy address, and the legend of their values."""

from __future__ import annotations

from irsan.reports.model.report import ShadowDump, ShadowRow
from irsan.reports.text.style import Ink, TextStyle

GRANULE_BYTES = 8

LEGEND: tuple[tuple[str, int, Ink], ...] = (
    ("Heap left redzone:", 0xFA, "poison"),
    ("Freed heap region:", 0xFD, "gone"),
    ("Stack left redzone:", 0xF1, "poison"),
    ("Stack mid redzone:", 0xF2, "poison"),
    ("Stack right redzone:", 0xF3, "poison"),
    ("Stack after return:", 0xF5, "gone"),
    ("Stack use after scope:", 0xF8, "gone"),
    ("Global redzone:", 0xF9, "poison"),
    ("Global init order:", 0xF6, "user"),
    ("Poisoned by user:", 0xF7, "user"),
    ("Container overflow:", 0xFC, "user"),
    ("Array cookie:", 0xAC, "poison"),
    ("Intra object redzone:", 0xBB, "user"),
    ("ASan internal:", 0xFE, "user"),
    ("Left alloca redzone:", 0xCA, "user"),
    ("Right alloca redzone:", 0xCB, "user"),
)
_INK_OF: dict[int, Ink] = {value: ink for _, value, ink in LEGEND}


def format_shadow(dump: ShadowDump, style: TextStyle) -> list[str]:
    """Title, one line per row with the culprit byte in brackets, and the legend if wanted."""
    rows = [_row(row, dump.culprit, style) for row in dump.rows]
    legend = _legend(style) if style.print_legend else []
    return ["Shadow bytes around the buggy address:", *rows, *legend]


def _row(row: ShadowRow, culprit: int, style: TextStyle) -> str:
    marked = (culprit - row.address) // GRANULE_BYTES
    inside = 0 <= marked < len(row.shadow)
    text = f"{'=>' if inside else '  '}{row.address:#014x}:"
    for column, value in enumerate(row.shadow):
        before = "[" if column == marked else "]" if inside and column == marked + 1 else " "
        text += before + _byte(value, style)
    return text + ("]" if marked == len(row.shadow) - 1 else "")


def _byte(value: int, style: TextStyle) -> str:
    ink = _INK_OF.get(value)
    return style.paint(ink, f"{value:02x}") if ink else f"{value:02x}"


def _legend(style: TextStyle) -> list[str]:
    partial = " ".join(f"{k:02x}" for k in range(1, GRANULE_BYTES))
    return [
        f"Shadow byte legend (one shadow byte represents {GRANULE_BYTES} application bytes):",
        "  Addressable:           00",
        f"  Partially addressable: {partial} ",
        *(f"  {title:<24} {_byte(value, style)}" for title, value, _ in LEGEND),
    ]
