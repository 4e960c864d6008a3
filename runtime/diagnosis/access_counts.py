"""DumbSanitizer's statistic: the most accessed addresses, and what lies there.

    table of kernels/checks/access_counts.py  ->  the `top` entries  ->  AccessCount each

A global has its name and place; a heap block the place of its allocation; for anything else the
place of the first access has to do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from irsan.reports.model.report import AccessCount, Frame, GlobalVariable, HeapRegion
from irsan.runtime import arena
from irsan.runtime.diagnosis.describe import Places, describe_address
from irsan.runtime.records.memory import count_records as cr


def most_accessed(
    places: Places,
    site_to_frames: Callable[[int], tuple[Frame, ...]],
    *,
    top: int,
    min_count: int,
) -> tuple[AccessCount, ...]:
    """At most `top` addresses with at least `min_count` accesses, most frequent first."""
    rows = [row for row in counted_addresses(places.ctx) if row[1] >= min_count]
    rows.sort(key=lambda row: (-row[1], row[0]))
    return tuple(
        _describe(places, addr, count, site_to_frames(site))
        for addr, count, site in rows[: max(top, 0)]
    )


def counted_addresses(ctx: Any) -> list[tuple[int, int, int]]:
    """(address, accesses, site of the first one) of every address in the table, in no order."""
    if not int(ctx["counts"]["n_addresses"]):
        return []
    n_words = cr.N_ENTRIES * cr.ENTRY_WORDS
    table = arena.view_words(cr.TABLE, n_words).reshape(cr.N_ENTRIES, cr.ENTRY_WORDS)
    used = table[table[:, cr.ADDRESS] != 0]
    return [(addr, count, site) for addr, count, site in used.tolist()]


def _describe(places: Places, addr: int, count: int, first: tuple[Frame, ...]) -> AccessCount:
    found = describe_address(places, addr)
    place, frames = found.location, first
    if isinstance(place, GlobalVariable):
        return AccessCount(addr, count, "global", place.name, place.file, place.line)
    if isinstance(place, HeapRegion):
        stack = next((s.frames for s in found.stacks if s.role == "allocation"), ())
        frames = tuple(frame for frame in stack if not frame.interceptor) or first
    kind: Literal["heap", "other"] = "heap" if isinstance(place, HeapRegion) else "other"
    top = frames[0] if frames else Frame()
    return AccessCount(addr, count, kind, top.function, top.file, top.line)
