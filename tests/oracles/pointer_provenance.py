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
    """(pointer, id) by the address where a pointer was stored; of two that begin in the same word
    the last one.
    """

    slots: dict[int, tuple[int, int]] = field(default_factory=dict)

    def store(self, address: int, pointer: int, number: int) -> None:
        """A pointer is stored."""
        for other in list(self.slots):
            if other // WORD == address // WORD:
                del self.slots[other]
        self.slots[address] = pointer, number

    def load(self, address: int, pointer: int) -> int:
        """The id of a pointer that was loaded, 0 when memory holds another one by now."""
        known, number = self.slots.get(address, (0, 0))
        return number if known == pointer else 0

    def wipe(self, address: int, size: int) -> None:
        """Bytes were overwritten: of what began in an earlier word the value tells."""
        for place in list(self.slots):
            if size and place < address + size and address < (place // WORD + 1) * WORD:
                del self.slots[place]

    def shown(self, address: int, size: int, memory: bytes, base: int) -> set[int]:
        """Ids of the pointers that are still there, and have a byte in a range that is read."""
        return {
            number
            for place, (pointer, number) in self.slots.items()
            if size and place < address + size and address < place + WORD
            if memory[place - base : place - base + WORD] == pointer.to_bytes(WORD, "little")
        }

    def copy(self, target: int, source: int, size: int) -> None:
        """Bytes were copied: pointers that were copied whole keep their ids."""
        if target == source:
            return
        moved = {
            target + (place - source): pair
            for place, pair in sorted(self.slots.items())
            if source <= place and place + WORD <= source + size
        }
        self.wipe(target, size)
        for place, pair in moved.items():
            self.store(place, *pair)

    def sorted(self, memory: list[int], base: int, order: list[int]) -> None:
        """Words of an array have changed places; a value of two objects has no id any more."""
        ids: dict[int, set[int]] = {}
        for index, word in enumerate(memory):
            known, number = self.slots.get(base + WORD * index, (0, 0))
            if known == word and word:
                ids.setdefault(word, set()).add(number)
        self.slots = {
            base + WORD * to: (memory[index], *ids[memory[index]])
            for to, index in enumerate(order)
            if len(ids.get(memory[index], ())) == 1
        }
