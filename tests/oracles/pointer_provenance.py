"""Objects and pointers in memory, as dictionaries: what the table and the slots must say."""

from __future__ import annotations

from dataclasses import dataclass, field

WORD = 8


@dataclass
class NaiveObject:
    """One object; `is_exposed`: its address has become a number."""

    lo: int
    size: int
    is_alive: bool = True
    is_exposed: bool = False

    def holds(self, address: int, size: int) -> bool:
        """Whether an access stays inside of the living object."""
        return self.is_alive and self.lo <= address and address + size <= self.lo + self.size


@dataclass
class NaiveObjects:
    """Every object there ever was, by its number; nothing is forgotten."""

    all: list[NaiveObject] = field(default_factory=list)

    def new(self, lo: int, size: int) -> int:
        """The number of a new object."""
        self.all.append(NaiveObject(lo, size))
        return len(self.all) - 1

    def judge(self, number: int, address: int, size: int) -> str:
        """"", "outside" or "dead"."""
        found = self.all[number]
        if size == 0 or found.holds(address, size):
            return ""
        return "outside" if found.is_alive else "dead"

    def pop(self, lo: int, hi: int) -> None:
        """The stack has shrunk: objects that begin in the range are gone."""
        for one in self.all:
            if lo <= one.lo < hi:
                one.is_alive = False

    def at(self, address: int) -> NaiveObject | None:
        """The living object that holds a byte."""
        return next((one for one in self.all if one.holds(address, 1)), None)


@dataclass
class NaiveSlots:
    """Memory word by word: (pointer, id) where a pointer was stored whole."""

    slots: dict[int, tuple[int, int]] = field(default_factory=dict)

    def store(self, address: int, pointer: int, number: int) -> None:
        """A pointer is stored at a multiple of 8."""
        self.slots[address] = pointer, number

    def load(self, address: int, pointer: int) -> int:
        """The id of a pointer that was loaded, 0 when memory holds another one by now."""
        known, number = self.slots.get(address, (0, 0))
        return number if known == pointer else 0

    def wipe(self, address: int, size: int) -> None:
        """Bytes were overwritten."""
        for word in list(self.slots):
            if size and word < address + size and address < word + WORD:
                del self.slots[word]

    def copy(self, target: int, source: int, size: int) -> None:
        """Bytes were copied: words that were copied whole, to whole words, keep their ids."""
        moved = {
            target + (word - source): pair
            for word, pair in self.slots.items()
            if source <= word and word + WORD <= source + size and (target - source) % WORD == 0
        }
        self.wipe(target, size)
        self.slots.update(moved)
