"""Loops: the back edges of a function.

A back edge goes to a block that is still on the depth-first path from the entry. Every cycle of
the graph has one, also where control flow is irreducible, so a safepoint on each back edge stops
every endless loop.

Source: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm" (depth-first numbering).
Deviations: the header need not dominate the latch: irreducible cycles count too.
"""

from __future__ import annotations

from collections.abc import Iterator

from irsan.ir.values import BasicBlock, Function


def back_edges(function: Function) -> dict[BasicBlock, list[BasicBlock]]:
    """Where the back edges of each block that has one lead to, in the order of the function."""
    found: dict[BasicBlock, list[BasicBlock]] = {}
    on_path: set[BasicBlock] = set()
    entry = function.blocks[0]
    seen = {entry}
    on_path.add(entry)
    path: list[tuple[BasicBlock, Iterator[BasicBlock]]] = [(entry, iter(entry.successors))]
    while path:
        block, successors = path[-1]
        for successor in successors:
            if successor in on_path:
                found.setdefault(block, []).append(successor)
            elif successor not in seen:
                seen.add(successor)
                on_path.add(successor)
                path.append((successor, iter(successor.successors)))
                break
        else:
            path.pop()
            on_path.discard(block)
    return {block: found[block] for block in function.blocks if block in found}
