"""Blocks of the heap as `--sanitize memory` sees them: begun, zeroed, moved, freed.

    malloc, new     uninitialised and filled      unless poison_in_malloc=0
    calloc          initialised
    free, delete    uninitialised, not filled     unless poison_in_free=0

Their origin is the block itself, which knows where it was allocated and freed.

Source: MemorySanitizer's allocator (msan_allocator.cpp).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64
from irsan.runtime.kernels.uninitialised.uninit_shadow import bits_begin, bits_clear, bits_poison
from irsan.runtime.layout import uninit_layout as ul

U32_0 = np.uint32(0)
U64_0 = np.uint64(0)
U64_POISONS_MALLOC = np.uint64(ul.POISONS_MALLOC)
U64_POISONS_FREE = np.uint64(ul.POISONS_FREE)


@kernel("void(ctx,u64,u64)", outlined=True)
def bits_allocated(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """A block was handed out whose contents mean nothing."""
    if load_u64(U64_POISONS_MALLOC) != U64_0:
        bits_begin(ctx, addr, size_bytes, U32_0)
    else:
        bits_clear(ctx, addr, size_bytes)


@kernel("void(ctx,u64,u64)", outlined=True)
def bits_freed(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """A block is the allocator's again."""
    if load_u64(U64_POISONS_FREE) != U64_0:
        bits_poison(ctx, addr, size_bytes, U32_0)
