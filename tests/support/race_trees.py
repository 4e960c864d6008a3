"""Look at the tree clocks of a guest: their nodes, their invariants, and the rows below them."""

from __future__ import annotations

import ctypes
from typing import Any

from irsan.runtime.kernels.race import sync_objects
from irsan.runtime.kernels.race.clocks import clock_rows, row_clocks, tree_clock
from irsan.runtime.kernels.race.clocks import race_words as words

Triple = tuple[int, int, int | None]
FIRST = 1 << 31


class Node(ctypes.Structure):
    """A node of a tree clock."""

    _fields_ = (
        ("aclk", ctypes.c_uint32), ("next", ctypes.c_uint32),
        ("before", ctypes.c_uint32), ("head", ctypes.c_uint32),
    )  # fmt: skip


def u32(addr: int) -> int:
    """The word at an address."""
    return ctypes.c_uint32.from_address(addr).value


def u64(addr: int) -> int:
    """The two words at an address."""
    return ctypes.c_uint64.from_address(addr).value


def time_of(epoch: int) -> int:
    """An epoch without its sid."""
    return epoch & words.CLOCK_MAX


def row(clock: int, n: int) -> list[int]:
    """The epochs of a clock."""
    return list((ctypes.c_uint32 * n).from_address(clock))


def triples(clock: int, nodes: int, root: int) -> list[tuple[int, Triple]]:
    """(depth, (sid, time, aclk)) of a tree in preorder; links back and order are checked."""
    found: list[tuple[int, Triple]] = []

    def visit(sid: int, depth: int) -> None:
        node = Node.from_address(nodes + 16 * sid)
        aclk = time_of(node.aclk) if depth else None
        found.append((depth, (sid, time_of(u32(clock + 4 * sid)), aclk)))
        before, link, newest = (sid + 1) | FIRST, node.head, u32(clock + 4 * sid)
        while link:
            child = Node.from_address(nodes + 16 * (link - 1))
            assert child.before == before
            assert child.aclk >> words.CLOCK_BITS == sid
            assert child.aclk <= newest
            newest, before = child.aclk, link
            visit(link - 1, depth + 1)
            link = child.next

    visit(root, 0)
    return found


def check_tree(clock: int, nodes: int, root: int, n: int) -> None:
    """Each sid that is known stands in the tree, once."""
    sids = [triple[0] for _, triple in triples(clock, nodes, root)]
    assert sorted(sids) == [sid for sid, epoch in enumerate(row(clock, n)) if epoch]


def thread_triples(thread: Any) -> list[tuple[int, Triple]]:
    """The tree of a thread's clock."""
    clock = int(thread["vc"])
    root = int(thread["epoch"]) >> words.CLOCK_BITS
    return triples(clock, int(tree_clock.clock_to_nodes(clock)), root)


def is_bare(thread: Any) -> bool:
    """Whether a thread's clock has no tree now."""
    return u64(int(thread["vc"]) + int(row_clocks.BARE)) != 0


def object_row(addr: int) -> int:
    """The row of what was published at a guest address; 0 = none."""
    obj = int(sync_objects.find_sync(addr))
    return u64(obj + 8) if obj else 0


def object_triples(addr: int) -> list[tuple[int, Triple]] | None:
    """The tree of what was published at a guest address; None for a bare row."""
    at = object_row(addr)
    root = u64(at + 8) if at else 0
    return triples(at + 16, int(clock_rows.row_to_nodes(at)), root - 1) if root else None
