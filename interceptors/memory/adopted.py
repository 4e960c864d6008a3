"""Strings that the C library made become blocks of the guest heap, so that errors on them are
found."""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.combined.tracked_heap import real_free, tracked_allocate
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    real_memcpy,
    real_strlen,
)
from irsan.runtime.records import heap_records as hr

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_MALLOC = np.uint64(hr.MALLOC)



@kernel("u64(ctx,u64)")
def adopt_string(ctx: Any, made: Any) -> Any:
    """A string of the C library's heap becomes one of ours."""
    if made == U64_0:
        return U64_0
    n_bytes = real_strlen(made) + U64_1
    block = tracked_allocate(ctx, n_bytes, U64_0, U64_MALLOC)
    if block == U64_0:
        return made
    real_memcpy(block, made, n_bytes)
    real_free(made)
    return block
