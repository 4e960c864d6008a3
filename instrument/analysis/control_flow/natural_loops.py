"""Innermost loops: their blocks, their ways in and out, and which blocks every turn runs through.

    for loop in innermost_loops(function):
        loop.header, loop.latch        the block of the way in; the only block that goes back to it
        loop.blocks                    header first, then in the function's order
        loop.entries                   blocks outside that lead to the header
        loop.exits                     edges (block inside, block outside)
        loop.runs_each_turn(block)     no turn that reaches the latch is without it

A loop with a second back edge, another loop inside or another entrance is none of these, also not
when only blocks that nothing leads to enter it there.

Source: Aho, Lam, Sethi, Ullman, "Compilers", section 9.6.6 (natural loops).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from irsan.instrument.analysis.control_flow.counted_loops import (
    Predecessors,
    every_turn_meets,
    natural_loop,
    predecessors_of,
)
from irsan.instrument.analysis.control_flow.dominators import reverse_postorder
from irsan.instrument.analysis.control_flow.loops import back_edges
from irsan.ir.values import BasicBlock, Function


class Edge(NamedTuple):
    """From a block of the loop to one outside."""

    source: BasicBlock
    target: BasicBlock


@dataclass(frozen=True, slots=True)
class Loop:
    """One innermost loop; `blocks` begins with the header."""

    header: BasicBlock
    latch: BasicBlock
    blocks: tuple[BasicBlock, ...]
    entries: tuple[BasicBlock, ...]
    exits: tuple[Edge, ...]

    def runs_each_turn(self, block: BasicBlock) -> bool:
        """Whether every way from the header to the latch goes through a block of the loop."""
        return every_turn_meets({block}, self.latch, self.header, set(self.blocks))


def innermost_loops(function: Function) -> Iterator[Loop]:
    """The innermost loops of a function that have one back edge and one entrance."""
    edges = back_edges(function) if len(function.blocks) > 1 else {}
    if not edges:
        return
    predecessors = predecessors_of(function)
    live = frozenset(reverse_postorder(function))
    n_latches = Counter(header for headers in edges.values() for header in headers)
    for latch, headers in edges.items():
        if len(headers) == 1 and n_latches[headers[0]] == 1:
            loop = _loop_of(latch, headers[0], predecessors, function)
            if loop is None or not live.issuperset(loop.blocks):
                continue
            if not any(block in edges for block in loop.blocks if block is not latch):
                yield loop


def renewed(loop: Loop, function: Function) -> Loop:
    """The loop when edges between other blocks and it have changed, but no block of it has."""
    predecessors = predecessors_of(function)
    return _with_edges(loop.header, loop.latch, loop.blocks, predecessors)


def _loop_of(
    latch: BasicBlock, header: BasicBlock, predecessors: Predecessors, function: Function
) -> Loop | None:
    inside = natural_loop(latch, header, predecessors)
    blocks = (header, *(one for one in function.blocks if one in inside and one is not header))
    loop = _with_edges(header, latch, blocks, predecessors) if inside else None
    return loop if loop is not None and loop.entries else None


def _with_edges(
    header: BasicBlock,
    latch: BasicBlock,
    blocks: tuple[BasicBlock, ...],
    predecessors: Predecessors,
) -> Loop:
    entries = tuple(dict.fromkeys(one for one in predecessors[header] if one not in blocks))
    exits = tuple(
        Edge(block, successor)
        for block in blocks
        for successor in dict.fromkeys(block.successors)
        if successor not in blocks
    )
    return Loop(header, latch, blocks, entries, exits)
