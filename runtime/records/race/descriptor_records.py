"""Where the race detector keeps what it knows of file descriptors; no numba, the host reads it.

    PLACES    in the arena, so that it has race shadow and clocks: 16 bytes per descriptor
    CLOCKS    one address per clock that descriptors share
    RECORDS   32 bytes {address of the clock u64, stack u32, tid u32, state u32, -, address of the
              clock of an epoll that watches it u64} by descriptor
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Final

from irsan.runtime.layout import memory_map

MAX_DESCRIPTORS: Final = 1 << 15
PLACE_BYTES: Final = 16
PLACES: Final = memory_map.ARENA_HI - memory_map.MIB
CLOCKS: Final = PLACES + MAX_DESCRIPTORS * PLACE_BYTES
N_CLOCKS: Final = 1 << 14
CLOCK_BYTES: Final = 16
RECORD_BYTES: Final = 32
RECORDS: Final = memory_map.table("descriptors", MAX_DESCRIPTORS * RECORD_BYTES)
# clocks that many share
FILE_CLOCK: Final = CLOCKS
SOCKET_CLOCK: Final = CLOCKS + CLOCK_BYTES
CONNECT_CLOCK: Final = CLOCKS + 2 * CLOCK_BYTES
GLOBAL_CLOCK: Final = CLOCKS + 3 * CLOCK_BYTES
N_SHARED: Final = 4

# states of a record
UNKNOWN: Final = 0
OPEN: Final = 1
CLOSED: Final = 2


@dataclass(frozen=True, slots=True)
class DescriptorFacts:
    """Facts about a descriptor: by which thread, at which stack it was opened or closed."""

    number: int
    tid: int
    stack: int
    is_closed: bool


def descriptor_at(addr: int) -> DescriptorFacts | None:
    """The descriptor that a race at `addr` is about, if it is about one that was seen opened."""
    if not PLACES <= addr < CLOCKS:
        return None
    number = (addr - PLACES) // PLACE_BYTES
    words = (ctypes.c_uint32 * 8).from_address(RECORDS + number * RECORD_BYTES)
    if words[4] == UNKNOWN:
        return None
    return DescriptorFacts(number, words[3], words[2], words[4] == CLOSED)
