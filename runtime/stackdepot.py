"""Stack ids back to sites, in plain Python over the depot's memory: reports need no kernel."""

from __future__ import annotations

import ctypes

from irsan.runtime import layout

# As in kernels/depot.py, which is not imported: it would bring numba to the reporting side.
_NODES_ADDR = layout.DEPOT + layout.GIB
_NODE_BYTES = 16
_ID_LIMIT = 1 << 27


def stack_to_sites(stack_id: int) -> list[int]:
    """Sites of a stack, innermost first; empty for id 0, the empty or unknown stack.

    Raises ValueError for a number that cannot be a stack id.
    """
    if not 0 <= stack_id < _ID_LIMIT:
        raise ValueError(f"{stack_id:#x} is not a stack id: ids are below 2^27")
    sites = []
    while stack_id != 0:
        parent, site = (ctypes.c_uint32 * 2).from_address(_NODES_ADDR + stack_id * _NODE_BYTES)
        sites.append(site)
        stack_id = parent
    return sites
