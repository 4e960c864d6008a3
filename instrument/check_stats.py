"""What became of the checks of a module, and why: counted while the passes run.

    stats.note(ADDRESS, LEFT_OUT, "checked before")
    stats.rows()        (tool, fate, reason, number), the most first
    stats.table()       the same as text, with percentages

tool    address, thread (races), object (bounds of the object of a pointer), memory (whether what
        is loaded was given a value)
fate    left out: never made;  ahead: asked once for many turns of a loop;  stays

Only checks of single accesses are counted; a check of both tools counts once for each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from irsan.instrument.check_names import ADDRESS, MEMORY, THREAD

OBJECT: Final = "object"
LEFT_OUT, AHEAD, STAYS = "left out", "ahead", "stays"
_FATES: Final = (LEFT_OUT, AHEAD, STAYS)
_TOOLS: Final = {
    ADDRESS: "addresses", THREAD: "races", OBJECT: "objects", MEMORY: "initialised bytes",
}  # fmt: skip

Row = tuple[str, str, str, int]


class CheckStats:
    """Counts of checks by tool, fate and reason."""

    __slots__ = ("_counts",)

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str, str]] = Counter()

    def note(self, tool: str, fate: str, reason: str, number: int = 1) -> None:
        """So many checks more."""
        self._counts[tool, fate, reason] += number

    def rows(self) -> Iterator[Row]:
        """Tool by tool and fate by fate, the most frequent reason first."""
        for tool in _TOOLS:
            for fate in _FATES:
                found = [(-number, reason) for (one, what, reason), number in self._counts.items()
                         if (one, what) == (tool, fate) and number]  # fmt: skip
                for number, reason in sorted(found):
                    yield tool, fate, reason, -number

    def table(self) -> str:
        """Lines for people."""
        lines = []
        for tool, words in _TOOLS.items():
            rows = [row for row in self.rows() if row[0] == tool]
            total = sum(row[3] for row in rows)
            if total:
                lines.append(f"checks of {words}: {total}")
                lines += [_line(fate, reason, number, total) for _, fate, reason, number in rows]
        return "\n".join(lines)


def _line(fate: str, reason: str, number: int, total: int) -> str:
    return f"  {fate:<9} {number:>7} {100 * number / total:5.1f} %  {reason}"
