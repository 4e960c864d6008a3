"""Dominators and loops of one function: where a value may be computed early, and not too often.

    order = Dominators(function)
    order.nearest([b1, b2])            the last block that every path to b1 and to b2 goes through
    order.dominates(above, below)      whether every path to `below` goes through `above`
    order.above(block)                 the block and its dominators, upwards
    order.nearest_above(block)         its immediate dominator
    order.outside(block, home)         the nearest dominator of `block` in no loop without `home`

A loop is a natural one or, in functions that have cycles with several entrances (computed gotos of
interpreters), any cycle.

Source: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm" (2001); natural loops: Aho,
Lam, Sethi, Ullman, "Compilers", section 9.6; cycles: `cycles.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from irsan.instrument.analysis.control_flow.counted_loops import (
    Predecessors,
    natural_loop,
    predecessors_of,
)
from irsan.instrument.analysis.control_flow.cycles import all_cycles
from irsan.ir.values import BasicBlock, Function


class Dominators:
    """Immediate dominators of the blocks that can be reached."""

    __slots__ = ("_depths", "_idom", "_loops")

    def __init__(self, function: Function) -> None:
        order = reverse_postorder(function)
        number = {block: n for n, block in enumerate(order)}
        predecessors = {
            block: [one for one in behind if one in number]
            for block, behind in predecessors_of(function).items()
        }
        self._idom = _immediate(order, number, predecessors)
        self._depths = {order[0]: 0}
        for block in order[1:]:
            self._depths[block] = self._depths[self._idom[block]] + 1
        self._loops = self._find_loops(order, predecessors)

    def nearest(self, blocks: Iterable[BasicBlock]) -> BasicBlock | None:
        """The nearest common dominator; None when no block can be reached."""
        found: BasicBlock | None = None
        for block in blocks:
            if block in self._depths:
                found = block if found is None else self._common(found, block)
        return found

    def above(self, block: BasicBlock) -> Iterator[BasicBlock]:
        """The block and what dominates it, up to the entry; nothing when it cannot be reached."""
        if block not in self._depths:
            return
        for _ in range(self._depths[block]):
            yield block
            block = self._idom[block]
        yield block

    def nearest_above(self, block: BasicBlock) -> BasicBlock | None:
        """The immediate dominator; None for the entry and what cannot be reached."""
        found = self._idom.get(block)
        return None if found is block else found

    def outside(self, block: BasicBlock, home: BasicBlock) -> BasicBlock:
        """`block` or its nearest dominator whose loops all hold `home`, which dominates it."""
        allowed = ~self._loops.get(home, 0)
        while block is not home and self._loops.get(block, 0) & allowed:
            block = self._idom[block]
        return block

    def dominates(self, above: BasicBlock, below: BasicBlock) -> bool:
        """Whether every path to `below` goes through `above`; each dominates itself."""
        if above is below:
            return True
        depths = self._depths
        if above not in depths or below not in depths or depths[above] >= depths[below]:
            return False
        return self._common(above, below) is above

    def _common(self, one: BasicBlock, other: BasicBlock) -> BasicBlock:
        depths = self._depths
        while one is not other:
            if depths[one] >= depths[other]:
                one = self._idom[one]
            else:
                other = self._idom[other]
        return one

    def _find_loops(
        self, order: list[BasicBlock], predecessors: Predecessors
    ) -> dict[BasicBlock, int]:
        """Blocks in loops and the set of their loops, one bit for each."""
        found: list[Iterable[BasicBlock]] = []
        is_irreducible, seen = False, set[BasicBlock]()
        for latch in order:
            seen.add(latch)
            for header in latch.successors:
                if self.dominates(header, latch):
                    found.append(natural_loop(latch, header, predecessors) or {header})
                else:
                    is_irreducible |= header in seen
        if is_irreducible:
            found += all_cycles(order)
        loops: dict[BasicBlock, int] = {}
        for number, loop in enumerate(found):
            for block in loop:
                loops[block] = loops.get(block, 0) | 1 << number
        return loops


def reverse_postorder(function: Function) -> list[BasicBlock]:
    """The blocks that can be reached, each before its successors but for back edges."""
    entry = function.blocks[0]
    seen, finished = {entry}, []
    path: list[tuple[BasicBlock, Iterator[BasicBlock]]] = [(entry, iter(entry.successors))]
    while path:
        block, successors = path[-1]
        for successor in successors:
            if successor not in seen:
                seen.add(successor)
                path.append((successor, iter(successor.successors)))
                break
        else:
            finished.append(block)
            path.pop()
    return finished[::-1]


def _immediate(
    order: list[BasicBlock], number: dict[BasicBlock, int], predecessors: Predecessors
) -> dict[BasicBlock, BasicBlock]:
    idom = {order[0]: order[0]}
    is_settled = False
    while not is_settled:
        is_settled = True
        for block in order[1:]:
            found: BasicBlock | None = None
            for before in predecessors[block]:
                if before in idom:
                    found = before if found is None else _meet(found, before, idom, number)
            if found is not None and idom.get(block) is not found:
                idom[block] = found
                is_settled = False
    return idom


def _meet(
    one: BasicBlock,
    other: BasicBlock,
    idom: dict[BasicBlock, BasicBlock],
    number: dict[BasicBlock, int],
) -> BasicBlock:
    while one is not other:
        while number[one] > number[other]:
            one = idom[one]
        while number[other] > number[one]:
            other = idom[other]
    return one
