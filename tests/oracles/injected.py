"""Which calls fail, once more: Python lists, the rules in words; splitmix64 written out again."""

from __future__ import annotations

from dataclasses import dataclass, field

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15
N_SLOTS = 64


@dataclass
class NaiveKind:
    """One kind's generator: the next number, and whether the next call fails."""

    state: int
    one_in: int

    def below(self, bound: int) -> int:
        self.state = (self.state + _GOLDEN) & _MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        z ^= z >> 31
        return ((z >> 32) * bound) >> 32

    def fails(self) -> bool:
        return self.below(self.one_in) == 0


@dataclass
class NaiveAllocations:
    """Allocations, of which some fail, or exactly one."""

    kind: NaiveKind
    only: int = 0
    n: int = 0

    def fails(self) -> bool:
        self.n += 1
        drawn = self.kind.fails()
        return self.n == self.only if self.only else drawn


@dataclass
class NaiveInterruptions:
    """Places (site, thread) whose calls are interrupted, never twice in a row."""

    kind: NaiveKind
    failed: dict[int, tuple[int, int]] = field(default_factory=dict)  # by slot

    def fails(self, site: int, tid: int) -> bool:
        here = (site, tid)
        slot = (((site << 16 | tid) * _GOLDEN) & _MASK) >> 58
        fails = self.kind.fails()
        if slot in self.failed:
            if self.failed[slot] == here:
                del self.failed[slot]
            return False
        if fails:
            self.failed[slot] = here
        return fails
