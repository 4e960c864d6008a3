"""Blocks of the heap as `--sanitize memory` sees them: begun, zeroed, moved, freed.

    malloc, new     uninitialised and filled      unless poison_in_malloc=0
    calloc          initialised
    free, delete    uninitialised, not filled     unless poison_in_free=0

Their origin is the block itself, which knows where it was allocated and freed.

Source: MemorySanitizer's allocator (msan_allocator.cpp).
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.kernels.uninitialised.uninit_shadow import bits_begin, bits_clear, bits_poison
from irsan.runtime.layout.uninit_layout import POISONS_FREE, POISONS_MALLOC


@kernel(outlined=True)
def bits_allocated(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """A block was handed out whose contents mean nothing."""
    if load_u64(POISONS_MALLOC) != 0:
        bits_begin(ctx, addr, size_bytes, 0)
    else:
        bits_clear(ctx, addr, size_bytes)


@kernel(outlined=True)
def bits_freed(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """A block is the allocator's again."""
    if load_u64(POISONS_FREE) != 0:
        bits_poison(ctx, addr, size_bytes, 0)
