"""Naive twin of the address shadow: one Python object per granule, every rule byte by byte."""

from __future__ import annotations

from dataclasses import dataclass, field

GRANULE = 8


@dataclass
class NaiveGranule:
    """The first `n_live` of 8 bytes may be touched; `reason` is shown when none may."""

    n_live: int = GRANULE
    reason: int = 0

    @property
    def encoded(self) -> int:
        if self.n_live == GRANULE:
            return 0
        return self.n_live or self.reason

    def poison(self, first: int, last: int, reason: int) -> None:
        """Poison bytes [first, last); a granule cannot keep live bytes behind dead ones."""
        if last < self.n_live or (first > 0 and first >= self.n_live):
            return
        if last < GRANULE and self.n_live == 0:
            return
        self.n_live = min(self.n_live, first)
        if self.n_live == 0:
            self.reason = reason

    def unpoison(self, last: int) -> None:
        """Make bytes [0, last) live."""
        self.n_live = max(self.n_live, last)


@dataclass
class NaiveShadow:
    """Shadow of `n_granules` granules from byte 0 on."""

    n_granules: int
    granules: list[NaiveGranule] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.granules = [NaiveGranule() for _ in range(self.n_granules)]

    def poison(self, lo: int, size: int, reason: int) -> None:
        for index, first, last in _pieces(lo, size):
            self.granules[index].poison(first, last, reason)

    def unpoison(self, lo: int, size: int) -> None:
        for index, _first, last in _pieces(lo, size):
            self.granules[index].unpoison(last)

    def is_live(self, byte: int) -> bool:
        return byte % GRANULE < self.granules[byte // GRANULE].n_live

    def first_dead(self, lo: int, size: int) -> int | None:
        """First byte of [lo, lo + size) that must not be touched."""
        return next((byte for byte in range(lo, lo + size) if not self.is_live(byte)), None)

    def encoded(self) -> bytes:
        return bytes(granule.encoded for granule in self.granules)


def _pieces(lo: int, size: int) -> list[tuple[int, int, int]]:
    """(granule, first byte, byte after the last) of every granule that [lo, lo + size) touches."""
    pieces = []
    for index in range(lo // GRANULE, (lo + size + GRANULE - 1) // GRANULE):
        first = max(lo - index * GRANULE, 0)
        last = min(lo + size - index * GRANULE, GRANULE)
        if first < last:
            pieces.append((index, first, last))
    return pieces
