"""Which types are equal: the coarsest partition that symbols and children agree with.

    classes = equality_classes(ranked)      classes[n] is the number of node n's class
    classes[a] == classes[b]                the types are equal, also when they contain themselves

The partition begins with one block per symbol. A block S splits another one, B, at position p when
some of B have their child p in S and some have not; both parts are blocks then. When nothing
splits, nodes of one block have equal trees: the relation "same block" is a bisimulation, and as
blocks are split only where trees differ, it is the greatest one.

Of the two parts of a split block only the smaller one has to split others, once the whole block
has: an edge is looked at again only when its target's block has halved. So m edges of n nodes take
O(m log n) steps.

Source: J. Hopcroft, An n log n algorithm for minimizing states in a finite automaton, 1971.
Deviation: the letters are child positions, and a node has letters up to its rank only.
"""

from __future__ import annotations

from irsan.ir.type_equality.ranked import RankedTypes


def equality_classes(ranked: RankedTypes) -> list[int]:
    """The class of every node; classes are numbered as they first appear."""
    partition = _Partition(ranked.symbols)
    parents = _parents(ranked.children)
    waiting = set(range(len(partition.blocks)))
    while waiting:
        splitter = waiting.pop()
        for users in _users_by_position(partition.blocks[splitter], parents):
            for old, new in partition.split(users):
                smaller = new if old in waiting else partition.smaller(old, new)
                waiting.add(smaller)
    return partition.numbered()


class _Partition:
    """Blocks of nodes: `blocks[b]` has the nodes of which `block_of` is b."""

    def __init__(self, symbols: list[int]) -> None:
        self.block_of = symbols.copy()
        self.blocks: list[set[int]] = [set() for _ in range(max(symbols, default=-1) + 1)]
        for node, symbol in enumerate(symbols):
            self.blocks[symbol].add(node)

    def split(self, nodes: list[int]) -> list[tuple[int, int]]:
        """Parts every block that has some of `nodes` and others; returns (old, new) block pairs."""
        touched: dict[int, list[int]] = {}
        for node in nodes:
            touched.setdefault(self.block_of[node], []).append(node)
        made = []
        for block, members in touched.items():
            if len(members) < len(self.blocks[block]):
                made.append((block, self._part(block, members)))
        return made

    def _part(self, block: int, members: list[int]) -> int:
        """A new block of these members of `block`."""
        new = len(self.blocks)
        self.blocks[block].difference_update(members)
        self.blocks.append(set(members))
        for node in members:
            self.block_of[node] = new
        return new

    def smaller(self, one: int, other: int) -> int:
        return one if len(self.blocks[one]) <= len(self.blocks[other]) else other

    def numbered(self) -> list[int]:
        """Block numbers in the order in which nodes show them."""
        numbers: dict[int, int] = {}
        return [numbers.setdefault(block, len(numbers)) for block in self.block_of]


def _parents(children: list[tuple[int, ...]]) -> list[list[tuple[int, int]]]:
    """For every node (position, parent) of each place where it is a child."""
    parents: list[list[tuple[int, int]]] = [[] for _ in children]
    for parent, parts in enumerate(children):
        for position, child in enumerate(parts):
            parents[child].append((position, parent))
    return parents


def _users_by_position(block: set[int], parents: list[list[tuple[int, int]]]) -> list[list[int]]:
    """The nodes that have a child in `block`, for each position of that child; none twice."""
    users: dict[int, list[int]] = {}
    for node in block:
        for position, parent in parents[node]:
            users.setdefault(position, []).append(parent)
    return list(users.values())
