"""Naive twin of the guarded pool: sets of slots, and traces packed as text of bits.

It does not predict which slot or side is drawn.  It is given what the pool answered and says what
must be true of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class NaivePool:
    """Slots by number: never used ones in order, live ones with their block, free ones."""

    n_slots: int
    n_used: int = 0
    live: dict[int, tuple[int, int]] = field(default_factory=dict)  # slot -> begin, size
    free: dict[int, tuple[int, int]] = field(default_factory=dict)  # slot -> last begin, size
    retired: set[int] = field(default_factory=set)

    @property
    def has_room(self) -> bool:
        """Whether a sampled request gets a slot."""
        return self.n_used < self.n_slots or bool(set(self.free) - self.retired)

    def allocate(self, slot: int, begin: int, size: int) -> None:
        """The pool answered with `slot`."""
        if slot in self.live or slot in self.retired:
            raise AssertionError(f"slot {slot} was handed out twice")
        if self.n_used < self.n_slots:
            if slot != self.n_used:
                raise AssertionError(f"slot {slot} before slot {self.n_used}")
            self.n_used += 1
        elif slot not in self.free:
            raise AssertionError(f"slot {slot} was not free")
        self.free.pop(slot, None)
        self.live[slot] = (begin, size)

    def release(self, slot: int) -> None:
        """A live slot is freed."""
        self.free[slot] = self.live.pop(slot)

    def retire(self, slot: int) -> None:
        """A fault of this slot was reported and survived."""
        self.retired.add(slot)


def naive_pack(frames: list[int], limit_bytes: int) -> bytes:
    """The packed trace, by way of text: differences, zig-zag by counting, groups of seven bits."""
    packed = b""
    before = 0
    for frame in frames:
        difference = (frame - before) % 2**32
        signed = difference - 2**32 if difference >= 2**31 else difference
        number = 2 * signed if signed >= 0 else -2 * signed - 1
        bits = bin(number)[2:]
        bits = bits.rjust(-(-len(bits) // 7) * 7, "0")
        groups = [bits[i : i + 7] for i in range(0, len(bits), 7)][::-1]
        last = len(groups) - 1
        coded = bytes(int(("0" if i == last else "1") + g, 2) for i, g in enumerate(groups))
        if len(packed) + len(coded) > limit_bytes:
            break
        packed += coded
        before = frame
    return packed


def naive_kind(
    offset: int, n_slots: int, blocks: dict[int, tuple[int, int]], freed: set[int]
) -> str:
    """Kind of an access at an offset of the pool; blocks: slot -> (begin, size) as offsets.

    Draws the pool page by page: g for a guard page, the number of its slot for any other.
    """
    pages: list[str | int] = ["g"]
    for slot in range(n_slots):
        pages += [slot, "g"]
    index, within = divmod(offset, 4096)
    page = pages[index] if index < len(pages) else "g"
    if page == "g":
        before = (index - 1) // 2 if 0 < index <= 2 * n_slots else None
        behind = index // 2 if index // 2 < n_slots else None
        chosen = before if behind is None or (before is not None and within <= 2048) else behind
        if index > 2 * n_slots:
            chosen = n_slots - 1
    else:
        chosen = int(page)
    if chosen is None or chosen not in blocks:
        return "Unknown"
    begin, size = blocks[chosen]
    if chosen in freed:
        return "Use After Free"
    if offset < begin:
        return "Buffer Underflow"
    return "Buffer Overflow" if offset >= begin + size else "Unknown"
