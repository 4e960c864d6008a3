"""Access counts as text: one line each, most frequent first."""

from __future__ import annotations

from irsan.reports.model.report import AccessCount
from irsan.reports.text.statistics import format_access_counts


def test_one_line_per_address() -> None:
    counts = (
        AccessCount(0x7000_1000, 1000, "global", "total", "a.c", 3),
        AccessCount(0x10_0001_0010, 400, "heap", "main", "a.c", 9),
        AccessCount(0x8000_0010, 1, "other", "work"),
    )
    assert format_access_counts(counts, 7).splitlines() == [
        "==7==DumbSanitizer: most frequent address 0x000070001000: 1000 accesses, 'total' (a.c:3)",
        "==7==DumbSanitizer: then 0x001000010010: 400 accesses, heap block of main (a.c:9)",
        "==7==DumbSanitizer: then 0x000080000010: 1 access, first accessed in work",
    ]


def test_nothing_counted_says_nothing() -> None:
    assert format_access_counts((), 7) == ""
