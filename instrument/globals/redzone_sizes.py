"""How big the redzone of a global is.

    [10 x i32]       40 bytes, a multiple of 32 behind them: 96 in all
    i8                1 byte, 32 in all

A redzone grows with its object: a quarter of it, at least 32 bytes and at most 256 KiB, filled up
to a multiple of 32; objects of at most 16 bytes share one 32-byte block with theirs.

Source: LLVM's AddressSanitizer pass.
"""

MIN_REDZONE_BYTES = 32
MAX_REDZONE_BYTES = 1 << 18


def padded_size(size_bytes: int, alignment: int = 1) -> int:
    """Bytes of an object with its redzone, a multiple of 32 and of the alignment."""
    least = MIN_REDZONE_BYTES
    if size_bytes <= least // 2:
        total = least
    else:
        redzone = min(max(size_bytes // least // 4 * least, least), MAX_REDZONE_BYTES)
        total = -(-(size_bytes + redzone) // least) * least
    step = max(least, alignment)
    return -(-total // step) * step
