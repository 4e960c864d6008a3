"""Who mapped what, page by page: the naive twin of the rows of mapping_marks.py."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class MappedPages:
    """The mark of each mapped page."""

    page_bytes: int
    marks: dict[int, int] = field(default_factory=dict)

    def note(self, lo: int, hi: int, mark: int) -> None:
        """[lo, hi) was mapped: a new mark for every page."""
        for page in range(lo, hi, self.page_bytes):
            self.marks[page] = mark

    def forget(self, lo: int, hi: int) -> None:
        """[lo, hi) has no mark."""
        for page in range(lo, hi, self.page_bytes):
            self.marks.pop(page, None)

    def mark_at(self, addr: int) -> int:
        """The mark of an address, 0 for none."""
        return self.marks.get(addr - addr % self.page_bytes, 0)
