"""Where the records of threads are: one slot each, given to another thread when one has ended."""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.layout import memory_map

THREADS_LO = np.uint64(memory_map.THREADS)
THREAD_STRIDE = np.uint64(memory_map.THREAD_STRIDE)
ALL_SLOTS = np.uint64(memory_map.MAX_LIVE_THREADS * memory_map.THREAD_STRIDE)
U64_0 = np.uint64(0)


@kernel("u64(u64)")
def slot_to_thread(slot: Any) -> Any:
    """Address of the thread record in a slot."""
    return THREADS_LO + slot * THREAD_STRIDE


@kernel("b1(u64)")
def is_thread_record(handle: Any) -> Any:
    """Whether a pthread_t that a program has made up is at least the address of a record."""
    offset = handle - THREADS_LO
    return offset < ALL_SLOTS and offset % THREAD_STRIDE == U64_0
