"""Size classes and redzones: how big a block a request gets.

    class   0 .. 15   16, 32, .. 256                  steps of 16
           16 .. 51   320, 384, 448, 512, .. 128 KiB  four steps per power of two
    above              one span of its own (spans.py)

    redzone  16 bytes for small requests, doubling to 2048 as they grow, so that the part of memory
             spent on redzones stays below a quarter.

Source: LLVM's SizeClassMap (sanitizer_allocator_size_class_map.h) for the steps and
ComputeRTLLog2Redzone (asan_allocator.cpp) for the redzone of a size.
Deviations: the redzone holds no header; no class above 128 KiB.
"""

from __future__ import annotations

from typing import Any

from numba.cpython.unsafe import numbers

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout.options import MAX_REDZONE_BYTES, MIN_REDZONE_BYTES

SMALL_BITS = 8
MAX_BLOCK_BITS = 17
N_SMALL = 16
N_CLASSES = N_SMALL + (MAX_BLOCK_BITS - SMALL_BITS) * 4
MAX_BLOCK_BYTES = 1 << MAX_BLOCK_BITS

leading_zeros: Any = numbers.leading_zeros

# (largest request, redzone) of the source; above the last one 2048 bytes.
REDZONE_STEPS = (
    (64 - 16, 16),
    (128 - 32, 32),
    (512 - 64, 64),
    (4096 - 128, 128),
    ((1 << 14) - 256, 256),
    ((1 << 15) - 512, 512),
    ((1 << 16) - 1024, 1024),
)
_STEPS = tuple((u64(limit), u64(redzone)) for limit, redzone in REDZONE_STEPS)
LARGEST_REDZONE = 2048


@kernel
def floor_log2(value: u64) -> u64:
    """floor(log2(value)) for value >= 1."""
    return 63 - u64(leading_zeros(value))


@kernel
def size_to_class(block_bytes: u64) -> u64:
    """Smallest class whose blocks hold `block_bytes`, 1 .. 128 KiB."""
    if block_bytes <= 256:
        return (block_bytes + 15) // 16 - 1
    power = floor_log2(block_bytes - 1)
    step = ((block_bytes - 1) >> (power - 2)) & 3
    return 16 + (power - 8) * 4 + step


@kernel
def class_to_size(size_class: u64) -> u64:
    """Bytes of a block of a class."""
    if size_class < 16:
        return (size_class + 1) * 16
    power = (size_class - 16) // 4 + 8
    step = ((size_class - 16) & 3) + 1
    return (1 << power) + (step << (power - 2))


@kernel
def size_to_field_redzone(size_bytes: u64) -> u64:
    """Redzone of a request before the options limit it."""
    redzone = u64(LARGEST_REDZONE)
    for limit, step in _STEPS:
        if size_bytes <= limit:
            redzone = step
            break
    return redzone


@kernel
def size_to_redzone(ctx: Context, size_bytes: u64) -> u64:
    """Left redzone of a request: that of the source, inside the two options; a multiple of 16."""
    redzone = size_to_field_redzone(size_bytes)
    redzone = max(redzone, ctx.options[MIN_REDZONE_BYTES])
    redzone = max(min(redzone, ctx.options[MAX_REDZONE_BYTES]), u64(16))
    return (redzone + 15) & ~u64(15)
