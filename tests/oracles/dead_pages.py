"""Naive twin of the race shadow that is given back: a set of bytes that may become usable."""

from __future__ import annotations

from dataclasses import dataclass, field

REDZONE, FREED = 0xFA, 0xFD


def is_dead(granules: bytes) -> bool:
    """Whether shadow bytes say of all memory that it is redzone of the heap or freed."""
    return all(byte in (REDZONE, FREED) for byte in granules)


@dataclass
class NaiveHistory:
    """Which bytes of the heap have a history that somebody may ask for: those of live blocks."""

    live: dict[int, int] = field(default_factory=dict)
    """Size of each block by its address."""

    def allocate(self, addr: int, size_bytes: int) -> None:
        self.live[addr] = size_bytes

    def free(self, addr: int) -> None:
        del self.live[addr]

    def is_kept(self, lo: int, hi: int) -> bool:
        """Whether any byte of [lo, hi) belongs to a live block, poisoned or not."""
        return any(addr < hi and lo < addr + size for addr, size in self.live.items())
