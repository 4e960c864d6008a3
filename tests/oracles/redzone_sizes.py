"""The naive twin of instrument/globals/redzone_sizes.py: grow a block by 32 bytes until it will
do."""

from __future__ import annotations


def naive_padded_size(size_bytes: int, alignment: int = 1) -> int:
    """Smallest block that holds the object and the redzone its size asks for."""
    if size_bytes <= 16:
        wanted = 32
    else:
        quarter = size_bytes // 128 * 32
        wanted = size_bytes + sorted((32, quarter, 262144))[1]
    total = 0
    while total < wanted or total % max(alignment, 1):
        total += 32
    return total
