"""What has been checked already on the way here, so that it needs no second check.

    read x;  read x      the second is covered by the first
    write x; read x      covered           read x; write x     the read is dropped, the write stays
    read x;  call f; read x                both stay: f may free x, lock or unlock

Facts hold within a block and flow to its successors.  Where ways meet, what holds on all of them
does; where a loop begins, nothing: another thread may have gone on at its back edge.

Source: the rules of LLVM's ThreadSanitizer pass ("read before write"), extended to whole blocks.
Soundness: without a call, an atomic or a fence in between, this thread's clock does not move, so
whatever races with the second access races with the first. A free by another thread in between is
a race of the same kind.
"""

from __future__ import annotations

from irsan.instrument.analysis.objects.addresses import Place
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Alloca
from irsan.ir.values import GlobalVariable, Value

_OWN_OBJECTS = (Alloca, GlobalVariable)


class CoveredPlaces:
    """Sizes in bytes by place; `pending_reads` are positions in the list that the block becomes."""

    __slots__ = ("addressable", "pending_reads", "read", "written")

    def __init__(self) -> None:
        self.addressable: dict[Place, int] = {}
        self.read: dict[Place, int] = {}
        self.written: dict[Place, int] = {}
        self.pending_reads: dict[Place, tuple[int, int]] = {}

    def copy(self) -> CoveredPlaces:
        """The facts for a successor; reads of this block cannot be dropped from there."""
        made = CoveredPlaces()
        made.addressable = self.addressable.copy()
        made.read = self.read.copy()
        made.written = self.written.copy()
        return made

    def keep_common(self, other: CoveredPlaces) -> None:
        """Keep what holds on another way here, too: of each place the smaller size."""
        self.read = {
            place: min(self._readable(place), other._readable(place))
            for place in {*self.read, *self.written}
            if other._readable(place)
        }
        self.written = _common(self.written, other.written)
        self.addressable = _common(self.addressable, other.addressable)

    def _readable(self, place: Place) -> int:
        return max(self.read.get(place, 0), self.written.get(place, 0))

    def forget(self) -> None:
        """Something happened that may free memory or order threads."""
        if self.addressable or self.read or self.written:
            self.addressable.clear()
            self.read.clear()
            self.written.clear()
            self.pending_reads.clear()

    def forget_object(self, root: Value, is_start: bool) -> None:
        """The life of `root` began or ended; pointers from elsewhere may lead to what has ended."""
        gone = [
            place
            for place in self.addressable
            if place.root is root or not (is_start or isinstance(place.root, _OWN_OBJECTS))
        ]
        for place in gone:
            del self.addressable[place]

    def needs_address_check(self, place: Place, size_bytes: int) -> bool:
        """Whether the place is not known to be addressable; from now on it is."""
        if self.addressable.get(place, 0) >= size_bytes:
            return False
        self.addressable[place] = size_bytes
        return True

    def needs_read_check(self, place: Place, size_bytes: int, position: int) -> bool:
        """Whether a read is not covered; `position` is where its check will stand."""
        if self.read.get(place, 0) >= size_bytes or self.written.get(place, 0) >= size_bytes:
            return False
        self.read[place] = size_bytes
        self.pending_reads[place] = position, size_bytes
        return True

    def needs_write_check(self, place: Place, size_bytes: int) -> bool:
        """Whether a write is not covered."""
        if self.written.get(place, 0) >= size_bytes:
            return False
        self.written[place] = size_bytes
        return True

    def drop_read_before_write(
        self, place: Place, size_bytes: int, out: list[Instruction | None]
    ) -> bool:
        """Takes the check of an earlier read of the same place out of `out`, which gets a hole."""
        pending = self.pending_reads.pop(place, None)
        if pending is None or pending[1] > size_bytes:
            return False
        position = pending[0]
        dropped, following = out[position], out[position + 1]
        if dropped is not None and following is not None and dropped.debug_records:
            following.debug_records = [*dropped.debug_records, *following.debug_records]
        out[position] = None
        return True


def _common(one: dict[Place, int], other: dict[Place, int]) -> dict[Place, int]:
    return {place: min(size, other[place]) for place, size in one.items() if place in other}
