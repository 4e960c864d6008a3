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

import numpy as np
from numba.cpython.unsafe import numbers

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.layout import options

SMALL_BITS = 8
MAX_BLOCK_BITS = 17
N_SMALL = 16
N_CLASSES = N_SMALL + (MAX_BLOCK_BITS - SMALL_BITS) * 4
MAX_BLOCK_BYTES = 1 << MAX_BLOCK_BITS

leading_zeros: Any = numbers.leading_zeros
MIN_REDZONE_BYTES = options.MIN_REDZONE_BYTES
MAX_REDZONE_BYTES = options.MAX_REDZONE_BYTES

U64_1 = np.uint64(1)
U64_2 = np.uint64(2)
U64_3 = np.uint64(3)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_15 = np.uint64(15)
U64_16 = np.uint64(16)
U64_63 = np.uint64(63)
U64_256 = np.uint64(256)
U64_1024 = np.uint64(1024)
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
U64_STEPS = tuple((np.uint64(limit), np.uint64(redzone)) for limit, redzone in REDZONE_STEPS)
U64_LARGEST_REDZONE = np.uint64(2048)


@kernel("u64(u64)")
def floor_log2(value: Any) -> Any:
    """floor(log2(value)) for value >= 1."""
    return U64_63 - np.uint64(leading_zeros(value))


@kernel("u64(u64)")
def size_to_class(block_bytes: Any) -> Any:
    """Smallest class whose blocks hold `block_bytes`, 1 .. 128 KiB."""
    if block_bytes <= U64_256:
        return (block_bytes + U64_15) // U64_16 - U64_1
    power = floor_log2(block_bytes - U64_1)
    step = ((block_bytes - U64_1) >> (power - U64_2)) & U64_3
    return U64_16 + (power - U64_8) * U64_4 + step


@kernel("u64(u64)")
def class_to_size(size_class: Any) -> Any:
    """Bytes of a block of a class."""
    if size_class < U64_16:
        return (size_class + U64_1) * U64_16
    power = (size_class - U64_16) // U64_4 + U64_8
    step = ((size_class - U64_16) & U64_3) + U64_1
    return (U64_1 << power) + (step << (power - U64_2))


@kernel("u64(u64)")
def size_to_field_redzone(size_bytes: Any) -> Any:
    """Redzone of a request before the options limit it."""
    redzone = U64_LARGEST_REDZONE
    for limit, step in U64_STEPS:
        if size_bytes <= limit:
            redzone = step
            break
    return redzone


@kernel("u64(ctx,u64)")
def size_to_redzone(ctx: Any, size_bytes: Any) -> Any:
    """Left redzone of a request: that of the source, inside the two options; a multiple of 16."""
    redzone = size_to_field_redzone(size_bytes)
    redzone = max(redzone, ctx.options[MIN_REDZONE_BYTES])
    redzone = max(min(redzone, ctx.options[MAX_REDZONE_BYTES]), U64_16)
    return (redzone + U64_15) & ~U64_15
