"""DumbSanitizer's statistic as text: one line per address, most frequent first.

    ==7==DumbSanitizer: most frequent address 0x000070001000: 1000 accesses, 'total' (a.c:3)
    ==7==DumbSanitizer: then 0x001000010010: 400 accesses, heap block of main (a.c:9)
"""

from __future__ import annotations

from collections.abc import Sequence

from irsan.reports.model.report import AccessCount


def format_access_counts(counts: Sequence[AccessCount], pid: int) -> str:
    """Whole text, final newline included; empty without counts."""
    lines = [
        f"=={pid}==DumbSanitizer: {'then' if index else 'most frequent address'} "
        f"{one.address:#014x}: {one.count} access{'' if one.count == 1 else 'es'}, {_what(one)}"
        for index, one in enumerate(counts)
    ]
    return "".join(f"{line}\n" for line in lines)


def _what(one: AccessCount) -> str:
    place = f" ({one.file}:{one.line})" if one.file else ""
    if one.kind == "global":
        return f"'{one.name}'{place}"
    if one.kind == "heap":
        return f"heap block of {one.name}{place}"
    return f"first accessed in {one.name}{place}"
