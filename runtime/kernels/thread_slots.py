"""Where the records of threads are: one slot each, given to another thread when one has ended."""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.memory_map import THREAD_STRIDE

THREADS_LO = memory_map.THREADS
ALL_SLOTS = memory_map.MAX_LIVE_THREADS * memory_map.THREAD_STRIDE


@kernel
def slot_to_thread(slot: u64) -> u64:
    """Address of the thread record in a slot."""
    return THREADS_LO + slot * THREAD_STRIDE


@kernel
def is_thread_record(handle: u64) -> bool:
    """Whether a pthread_t that a program has made up is at least the address of a record."""
    offset = handle - THREADS_LO
    return offset < ALL_SLOTS and offset % THREAD_STRIDE == 0
