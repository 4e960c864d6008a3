"""Shadow of uninitialised bits: ranges are poisoned, cleared, copied and looked at.

    shadow byte at addr + SHADOW_BIAS     a set bit: the program has never given this bit a value
    origin word at (addr & ~3) + ORIGIN_BIAS   only meaningful where the shadow has set bits

Memory that becomes uninitialised is also filled with one byte, so that it reads the same in every
run, and so that `uninit_use.py` can tell whether natively compiled code has written it since.

Source: Stepanov and Serebryany, "MemorySanitizer: fast detector of uninitialized memory use in
C++", CGO 2015, sections 3.1 and 3.2.
Deviations: addresses outside the arena have no shadow and count as initialised.
Soundness: origins are kept for four bytes together, so a neighbour's may be told.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    U64_DONTNEED,
    load_u8,
    load_u32,
    load_u64,
    real_madvise,
    real_memset,
    store_u32,
)
from irsan.runtime.layout import uninit_layout as ul

U8_0 = np.uint8(0)
U32_0 = np.uint32(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_3 = np.uint64(3)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_FF = np.uint64(0xFF)
U64_PAGE = np.uint64(4096)
U64_BIG = np.uint64(1 << 17)
U64_COVERED = np.uint64(ul.COVERED_BYTES)
U64_SHADOW = np.uint64(ul.SHADOW_BIAS)
U64_ORIGINS = np.uint64(ul.ORIGIN_BIAS)
U64_IS_ON = np.uint64(ul.IS_ON)
U64_FILL = np.uint64(ul.FILL_BYTE)
U64_POISONS_STACK = np.uint64(ul.POISONS_STACK)


@kernel("b1()", inlined=True)
def tracks_bits() -> Any:
    """Whether this run looks for uses of uninitialised values."""
    return load_u64(U64_IS_ON) != U64_0


@kernel("b1(u64,u64)")
def has_bits(addr: Any, size_bytes: Any) -> Any:
    """Whether a range has shadow."""
    return addr < U64_COVERED and size_bytes <= U64_COVERED - addr


@kernel("void(u64,u64)")
def zero_pages(lo: Any, size_bytes: Any) -> None:
    """Set a range of shadow or origins to zero; whole pages of a big one are given back."""
    if size_bytes < U64_BIG:
        real_memset(lo, U64_0, size_bytes)
        return
    first = (lo + U64_PAGE - U64_1) & ~(U64_PAGE - U64_1)
    end = (lo + size_bytes) & ~(U64_PAGE - U64_1)
    real_memset(lo, U64_0, first - lo)
    real_madvise(first, end - first, U64_DONTNEED)
    real_memset(end, U64_0, lo + size_bytes - end)


@kernel("void(ctx,u64,u64)", outlined=True)
def bits_clear(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """The bytes count as initialised from now on."""
    if size_bytes != U64_0 and has_bits(addr, size_bytes):
        zero_pages(addr + U64_SHADOW, size_bytes)


@kernel("void(u64,u64,u32)")
def origins_fill(addr: Any, size_bytes: Any, word: Any) -> None:
    """Give all four-byte groups that a range touches one origin."""
    at = (addr & ~U64_3) + U64_ORIGINS
    end = addr + size_bytes + U64_ORIGINS
    if word == U32_0:
        zero_pages(at, ((end - at) + U64_3) & ~U64_3)
        return
    while at < end:
        store_u32(at, word)
        at += U64_4


@kernel("void(ctx,u64,u64,u32)", outlined=True)
def bits_poison(ctx: Any, addr: Any, size_bytes: Any, word: Any) -> None:
    """The bytes are uninitialised from now on; their contents stay."""
    if size_bytes != U64_0 and has_bits(addr, size_bytes):
        real_memset(addr + U64_SHADOW, U64_FF, size_bytes)
        origins_fill(addr, size_bytes, word)


@kernel("void(ctx,u64,u64,u32)", outlined=True)
def bits_begin(ctx: Any, addr: Any, size_bytes: Any, word: Any) -> None:
    """Memory begins a life: uninitialised, and filled with the byte that says so."""
    if size_bytes != U64_0 and has_bits(addr, size_bytes):
        real_memset(addr, U64_FILL, size_bytes)
        real_memset(addr + U64_SHADOW, U64_FF, size_bytes)
        origins_fill(addr, size_bytes, word)


@kernel("void(ctx,u64,u64,u32)")
def stack_begin(ctx: Any, addr: Any, size_bytes: Any, word: Any) -> None:
    """A variable of the stack begins its life."""
    if load_u64(U64_POISONS_STACK) != U64_0:
        bits_begin(ctx, addr, size_bytes, word)
    elif size_bytes != U64_0 and has_bits(addr, size_bytes):
        real_memset(addr, U64_0, size_bytes)
        bits_clear(ctx, addr, size_bytes)


@kernel("u64(u64,u64)")
def first_bits(addr: Any, size_bytes: Any) -> Any:
    """Offset of the first byte of a covered range with a set bit; size_bytes when there is none."""
    shadow = addr + U64_SHADOW
    i = U64_0
    while i + U64_8 <= size_bytes and load_u64(shadow + i) == U64_0:
        i += U64_8
    while i < size_bytes and load_u8(shadow + i) == U8_0:
        i += U64_1
    return i


@kernel("u32(u64)")
def origin_word(addr: Any) -> Any:
    """The origin word of the group of four bytes that holds `addr`."""
    return load_u32((addr & ~U64_3) + U64_ORIGINS)
