"""Stack ids back to sites, in plain Python over the depot's memory: reports need no kernel."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

from irsan.runtime.layout import memory_map
from irsan.runtime.records.race.lock_records import LOCKSET_MARK

# As in kernels/depot.py, which is not imported: it would bring numba to the reporting side.
_WORD_BYTES = 8
_ID_LIMIT = 1 << 27
_NODES_ADDR = memory_map.table("stacks", _ID_LIMIT * _WORD_BYTES)


def stack_to_sites(stack_id: int) -> list[int]:
    """Sites of a stack, innermost first; empty for id 0, the empty or unknown stack.

    The mark of the locks held, which stacks of the race history have on top, is left out.
    Raises ValueError for a number that cannot be a stack id.
    """
    return list(sites_of_stack(stack_id))


def sites_of_stack(stack_id: int) -> Iterator[int]:
    """The same one by one, for who needs no more than the innermost."""
    return (site for site in depot_path(stack_id) if not site & LOCKSET_MARK)


def stack_to_lockset(stack_id: int) -> int:
    """Lockset of an access by its stack in the race history; 0 when no lock was held.

    Raises ValueError for a number that cannot be a stack id.
    """
    top = next(depot_path(stack_id), 0)
    return top & ~LOCKSET_MARK if top & LOCKSET_MARK else 0


def lockset_to_locks(lockset: int) -> list[tuple[int, bool]]:
    """(number, whether held for writing) of each lock of a lockset, in the order of acquisition.

    Raises ValueError for a number that cannot be a lockset.
    """
    return [(mark >> 1, bool(mark & 1)) for mark in depot_path(lockset)][::-1]


def depot_path(stack_id: int) -> Iterator[int]:
    """Every word of a path in the depot, the newest first.

    Raises ValueError for a number that cannot be a stack id.
    """
    if not 0 <= stack_id < _ID_LIMIT:
        raise ValueError(f"{stack_id:#x} is not a stack id: ids are below 2^27")
    while stack_id != 0:
        parent, site = (ctypes.c_uint32 * 2).from_address(_NODES_ADDR + stack_id * _WORD_BYTES)
        yield site
        stack_id = parent
