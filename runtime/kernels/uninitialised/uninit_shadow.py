"""Shadow of uninitialised bits: ranges are poisoned, cleared, copied and looked at.

    shadow byte at addr + SHADOW_BIAS     a set bit: the program has never given this bit a value
    origin word at (addr & ~3) + ORIGIN_BIAS   only meaningful where the shadow has set bits

Memory that becomes uninitialised is also filled with one byte, so that it reads the same in every
run, and so that `uninit_use.py` can find out whether natively compiled code has written it since.

Source: Stepanov and Serebryany, "MemorySanitizer: fast detector of uninitialized memory use in
C++", CGO 2015, sections 3.1 and 3.2.
Deviations: addresses outside the arena have no shadow and count as initialised.
Soundness: origins are kept for four bytes together, so a neighbour's may be reported.
"""

from __future__ import annotations

from irsan.runtime.kernels.checks.shadow import is_all_clear
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    DONTNEED,
    load_u8,
    load_u32,
    load_u64,
    real_madvise,
    real_memset,
    store_u32,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout.uninit_layout import (
    COVERED_BYTES,
    FILL_BYTE,
    IS_ON,
    ORIGIN_BIAS,
    POISONS_STACK,
    SHADOW_BIAS,
)

PAGE = 4096
BIG = 1 << 17


@kernel(inlined=True)
def tracks_bits() -> bool:
    """Whether this run looks for uses of uninitialised values."""
    return load_u64(IS_ON) != 0


@kernel
def has_bits(addr: u64, size_bytes: u64) -> bool:
    """Whether a range has shadow."""
    return addr < COVERED_BYTES and size_bytes <= COVERED_BYTES - addr


@kernel
def zero_pages(lo: u64, size_bytes: u64) -> None:
    """Set a range of shadow or origins to zero; whole pages of a big one are given back."""
    if size_bytes < BIG:
        real_memset(lo, 0, size_bytes)
        return
    first = (lo + PAGE - 1) & ~(u64(PAGE) - 1)
    end = (lo + size_bytes) & ~(u64(PAGE) - 1)
    real_memset(lo, 0, first - lo)
    real_madvise(first, end - first, DONTNEED)
    real_memset(end, 0, lo + size_bytes - end)


@kernel(outlined=True)
def bits_clear(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """The bytes count as initialised from now on."""
    if size_bytes != 0 and has_bits(addr, size_bytes):
        zero_pages(addr + SHADOW_BIAS, size_bytes)


@kernel
def origins_fill(addr: u64, size_bytes: u64, word: u32) -> None:
    """Give all four-byte groups that a range touches one origin."""
    at = (addr & ~u64(3)) + ORIGIN_BIAS
    end = addr + size_bytes + ORIGIN_BIAS
    if word == 0:
        zero_pages(at, ((end - at) + 3) & ~u64(3))
        return
    while at < end:
        store_u32(at, word)
        at += 4


@kernel(outlined=True)
def bits_poison(ctx: Context, addr: u64, size_bytes: u64, word: u32) -> None:
    """The bytes are uninitialised from now on; their contents stay."""
    if size_bytes != 0 and has_bits(addr, size_bytes):
        real_memset(addr + SHADOW_BIAS, 0xFF, size_bytes)
        origins_fill(addr, size_bytes, word)


@kernel(outlined=True)
def bits_begin(ctx: Context, addr: u64, size_bytes: u64, word: u32) -> None:
    """Memory begins a life: uninitialised, and filled with the byte that says so."""
    if size_bytes != 0 and has_bits(addr, size_bytes):
        real_memset(addr, FILL_BYTE, size_bytes)
        real_memset(addr + SHADOW_BIAS, 0xFF, size_bytes)
        origins_fill(addr, size_bytes, word)


@kernel
def stack_begin(ctx: Context, addr: u64, size_bytes: u64, word: u32) -> None:
    """A variable of the stack begins its life."""
    if load_u64(POISONS_STACK) != 0:
        bits_begin(ctx, addr, size_bytes, word)
    elif size_bytes != 0 and has_bits(addr, size_bytes):
        real_memset(addr, 0, size_bytes)
        bits_clear(ctx, addr, size_bytes)


@kernel
def first_bits(addr: u64, size_bytes: u64) -> u64:
    """Offset of the first byte of a covered range with a set bit; size_bytes when there is none."""
    shadow = addr + SHADOW_BIAS
    if is_all_clear(shadow, shadow + size_bytes):  # 32 bytes at once, as most ranges are
        return size_bytes
    i = u64(0)
    while i + 8 <= size_bytes and load_u64(shadow + i) == 0:
        i += 8
    while i < size_bytes and load_u8(shadow + i) == 0:
        i += 1
    return i


@kernel
def origin_word(addr: u64) -> u32:
    """The origin word of the group of four bytes that holds `addr`."""
    return load_u32((addr & ~u64(3)) + ORIGIN_BIAS)
