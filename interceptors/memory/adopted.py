"""Strings that the C library made become blocks of the guest heap, so that errors on them are
found."""

from __future__ import annotations

from irsan.runtime.kernels.combined.tracked_heap import real_free, tracked_allocate
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    real_memcpy,
    real_strlen,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.records.memory.heap_records import MALLOC


@kernel
def adopt_string(ctx: Context, made: u64) -> u64:
    """A string of the C library's heap becomes one of ours; 0 when there is no memory for it."""
    if made == 0:
        return 0
    n_bytes = real_strlen(made) + 1
    block = tracked_allocate(ctx, n_bytes, 0, MALLOC)
    if block != 0:
        real_memcpy(block, made, n_bytes)
    real_free(made)
    return block
