"""Where the objects of a managed heap are noted: the plain layout, for kernels and host alike.

    ctx.interface.java_lo, java_hi      the heap that the program has named; 0, 0 = none
    OBJECTS + 2 * (address - java_lo)   {size in bytes u64, 0 = no object starts here;
                                         stack of the allocation u32; thread number u32}
"""

from __future__ import annotations

import ctypes
from typing import Any, Final, NamedTuple

from irsan.runtime.layout import memory_map

MAX_HEAP_BYTES: Final = 8 * memory_map.GIB
OBJECTS: Final = memory_map.table("managed objects", 2 * MAX_HEAP_BYTES)
_UNIT_BYTES: Final = 8


class ManagedObject(NamedTuple):
    """An object of the managed heap: addresses, stack id and thread number of its allocation."""

    lo: int
    size_bytes: int
    stack: int
    tid: int


def object_around(ctx: Any, addr: int) -> ManagedObject | None:
    """The object that holds `addr`, or None.  O(distance from its start)."""
    heap_lo, heap_hi = (int(ctx["interface"][name]) for name in ("java_lo", "java_hi"))
    if not heap_lo <= addr < min(heap_hi, heap_lo + MAX_HEAP_BYTES):
        return None
    lo = addr - (addr - heap_lo) % _UNIT_BYTES
    while lo >= heap_lo:
        place = OBJECTS + 2 * (lo - heap_lo)
        size_bytes = ctypes.c_uint64.from_address(place).value
        if size_bytes:
            stack, tid = (ctypes.c_uint32 * 2).from_address(place + 8)
            return ManagedObject(lo, size_bytes, stack, tid) if addr < lo + size_bytes else None
        lo -= _UNIT_BYTES
    return None
