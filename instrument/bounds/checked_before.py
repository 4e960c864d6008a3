"""Accesses a short step from another that was held to its object on every way here.

    p = a + i * 56
    p->x = 0             held to the object of `a`
    p->y = 0             left to the redzones: the same block, or one below it

What an access by a pointer is compared with, the extent of its root, is a fact about values
(object_extents.py).  So is the pointer: between a block and one that it dominates no value is
computed again that both use.  A step of less than `limit_bytes` is left to the redzones, as it is
from the root itself.

    checked = CheckedBefore(addresses, homes, limit_bytes)
    checked.is_first(pointer, block)    and it will be checked, if so
    checked.covers(pointer, block)
"""

from __future__ import annotations

from irsan.instrument.analysis.control_flow.value_homes import ValueHomes
from irsan.instrument.analysis.objects.addresses import AddressFacts
from irsan.ir.values import BasicBlock, Value


class CheckedBefore:
    """Answers for one function; each access is asked for once, in the order of the code.

    limit_bytes: a step by a constant offset below it is short
    across_blocks: blocks above count, too
    """

    __slots__ = ("_across_blocks", "_addresses", "_blocks", "_homes", "_limit", "n_covered")

    def __init__(
        self,
        addresses: AddressFacts,
        homes: ValueHomes,
        limit_bytes: int,
        *,
        across_blocks: bool = True,
    ) -> None:
        self._addresses, self._homes = addresses, homes
        self._limit, self._across_blocks = limit_bytes, across_blocks
        self._blocks: dict[Value, list[BasicBlock]] = {}
        self.n_covered = 0

    def is_first(self, pointer: Value, block: BasicBlock) -> bool:
        """Whether no access a short step away was asked for on every way to the block."""
        blocks = self._blocks.setdefault(self._near(pointer), [])
        if self._is_covered(blocks, block):
            self.n_covered += 1
            return False
        blocks.append(block)
        return True

    def covers(self, pointer: Value, block: BasicBlock) -> bool:
        """Whether an access a short step away was asked for on every way to here."""
        return self._is_covered(self._blocks.get(self._near(pointer), []), block)

    def _near(self, pointer: Value) -> Value:
        place = self._addresses.locate(pointer)
        return place.root if abs(place.offset) < self._limit else pointer

    def _is_covered(self, blocks: list[BasicBlock], block: BasicBlock) -> bool:
        if block in blocks:
            return True
        if not (blocks and self._across_blocks):
            return False
        dominates = self._homes.dominators.dominates
        return any(dominates(one, block) for one in blocks)
