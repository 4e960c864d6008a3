"""Which kernel answers a question of a check, by the size of the access in bytes.

    WHOLE       the granule is addressable as a whole, aligned accesses
    ANYWHERE    all granules are, for any address
    INSIDE      the access lies in what is addressable of its granule
    .._KNOWN    an aligned access in the arena that is recorded already
    .._FAST     the same for any address; true where accesses are ignored
    .._RENEWED  the same, recorded now if that is quickly done; `renewed_kernel`
    READ_AGAIN  a read that the record of its cell answers

Every name stands here whole: a search for a kernel finds who calls it.
"""

from __future__ import annotations

from typing import Final

ANYWHERE: Final = {
    2: "asan_ok_anywhere", 4: "asan_ok_anywhere", 8: "asan_ok_anywhere", 16: "asan_ok16_anywhere",
    32: "asan_ok32_anywhere", 64: "asan_ok64_anywhere",
}  # fmt: skip
WHOLE: Final = {
    1: "asan_whole1", 2: "asan_whole2", 4: "asan_whole4", 8: "asan_ok8", 16: "asan_ok16",
}  # fmt: skip
INSIDE: Final = {
    1: "asan_ok1", 2: "asan_ok2", 4: "asan_ok4", 8: "asan_ok8", 16: "asan_ok16",
}  # fmt: skip
READ_KNOWN: Final = {
    1: "race_read1_known", 2: "race_read2_known", 4: "race_read4_known", 8: "race_read8_known",
    16: "race_read16_known",
}  # fmt: skip
WRITE_KNOWN: Final = {
    1: "race_write1_known", 2: "race_write2_known", 4: "race_write4_known",
    8: "race_write8_known", 16: "race_write16_known",
}  # fmt: skip
READ_FAST: Final = {
    1: "race_read1_fast", 2: "race_read2_fast", 4: "race_read4_fast", 8: "race_read8_fast",
    16: "race_read16_fast",
}  # fmt: skip
WRITE_FAST: Final = {
    1: "race_write1_fast", 2: "race_write2_fast", 4: "race_write4_fast", 8: "race_write8_fast",
    16: "race_write16_fast",
}  # fmt: skip
READ_RENEWED: Final = {
    1: "race_read1_renewed", 2: "race_read2_renewed", 4: "race_read4_renewed",
    8: "race_read8_renewed", 16: "race_read16_renewed",
}  # fmt: skip
WRITE_RENEWED: Final = {
    1: "race_write1_renewed", 2: "race_write2_renewed", 4: "race_write4_renewed",
    8: "race_write8_renewed", 16: "race_write16_renewed",
}  # fmt: skip
READ_AGAIN: Final = {4: "race_read4_again", 8: "race_read8_again"}
PARTIAL_SIZES: Final = (1, 2, 4)  # smaller than a granule


def known_kernel(size_bytes: int, *, is_write: bool) -> str:
    """The kernel that knows an access which is recorded already."""
    return (WRITE_KNOWN if is_write else READ_KNOWN)[size_bytes]


def fast_kernel(size_bytes: int, *, is_write: bool) -> str:
    """The same for any address."""
    return (WRITE_FAST if is_write else READ_FAST)[size_bytes]


def renewed_kernel(size_bytes: int, *, is_write: bool) -> str:
    """The kernel that records an access in a few steps, if it can be."""
    return (WRITE_RENEWED if is_write else READ_RENEWED)[size_bytes]
