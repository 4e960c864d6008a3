"""Cycles of a function's graph: the blocks of small loops, the ones worth a fast check inside.

    small_cycles(function, weights, limit) -> {block, ...}
    all_cycles(blocks)                     -> [block, ...], the blocks of one, outer ones first

A block is on a cycle when its strongly connected component has a second block or an edge to itself.
A component heavier than the limit is no small cycle, but without its first block it falls apart
into the cycles inside it, which are looked at in turn.

Source: Tarjan, "Depth-First Search and Linear Graph Algorithms" (1972); peeling off headers:
Bourdoncle, "Efficient Chaotic Iteration Strategies with Widenings" (1993).
Deviations: iterative, as functions may have more blocks than Python's stack has frames; peels at
most `_MAX_DEPTH` times, so what lies deeper in a huge irreducible component is not found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from irsan.ir.values import BasicBlock, Function

_MAX_DEPTH = 6


def small_cycles(
    function: Function, weights: Mapping[BasicBlock, int], limit: int
) -> set[BasicBlock]:
    """Blocks on cycles whose blocks weigh at most `limit` together; a block without weight is 0."""
    found: set[BasicBlock] = set()

    def is_heavy(component: list[BasicBlock]) -> bool:
        return sum([weights.get(block, 0) for block in component]) > limit

    for component, is_opened in _opened_cycles(function.blocks, is_heavy):
        if not is_opened:
            found.update(component)
    return found


def cyclic_blocks(function: Function) -> set[BasicBlock]:
    """All blocks that are on a cycle."""
    return small_cycles(function, {}, 0)


def all_cycles(blocks: Sequence[BasicBlock]) -> Iterator[list[BasicBlock]]:
    """The cycles of the graph of these blocks and those inside them, also with several entrances.

    Each begins with the block by which a walk from the first block comes to it.
    """
    for component, _ in _opened_cycles(blocks, lambda _: True):
        yield component


def nested_cycles(blocks: Sequence[BasicBlock]) -> Iterator[list[BasicBlock]]:
    """The components of the graph of these blocks in which cycles lie in cycles."""
    for component in _components(blocks):
        if any(_is_cyclic(inner) for inner in _components(component[1:])):
            yield component


def _opened_cycles(
    blocks: Sequence[BasicBlock], opens: Callable[[list[BasicBlock]], bool]
) -> Iterator[tuple[list[BasicBlock], bool]]:
    """Cycles, and whether each was opened: then those inside it follow, up to `_MAX_DEPTH`."""
    waiting = [(blocks, 0)]
    while waiting:
        inside, depth = waiting.pop()
        for component in _components(inside):
            if not _is_cyclic(component):
                continue
            is_opened = opens(component)
            yield component, is_opened
            if is_opened and depth < _MAX_DEPTH:
                waiting.append((component[1:], depth + 1))


def _is_cyclic(component: list[BasicBlock]) -> bool:
    """Whether a component is a cycle, and no block by itself."""
    return len(component) > 1 or component[0] in component[0].successors


def _components(blocks: Sequence[BasicBlock]) -> Iterator[list[BasicBlock]]:
    """Strongly connected components of the graph of these blocks, each from its first block on."""
    inside = set(blocks)
    number: dict[BasicBlock, int] = {}
    for block in blocks:
        if block not in number:
            yield from _components_from(block, inside, number)


def _components_from(
    start: BasicBlock, inside: set[BasicBlock], number: dict[BasicBlock, int]
) -> Iterator[list[BasicBlock]]:
    """The components that a walk from `start` finds; `number` is the order of the visit."""
    lowest = {start: len(number)}
    number[start] = len(number)
    open_blocks, is_open = [start], {start}
    path = [(start, iter(start.successors))]
    while path:
        block, successors = path[-1]
        for successor in successors:
            if successor in is_open:
                lowest[block] = min(lowest[block], number[successor])
            elif successor in inside and successor not in number:
                number[successor] = lowest[successor] = len(number)
                open_blocks.append(successor)
                is_open.add(successor)
                path.append((successor, iter(successor.successors)))
                break
        else:
            path.pop()
            if path:
                above = path[-1][0]
                lowest[above] = min(lowest[above], lowest[block])
            if lowest[block] == number[block]:
                component = _pop_through(block, open_blocks)
                is_open.difference_update(component)
                yield component


def _pop_through(block: BasicBlock, open_blocks: list[BasicBlock]) -> list[BasicBlock]:
    """Takes blocks off the end until `block` is taken; returns them in the order of the visit."""
    taken = [open_blocks.pop()]
    while taken[-1] is not block:
        taken.append(open_blocks.pop())
    return taken[::-1]
