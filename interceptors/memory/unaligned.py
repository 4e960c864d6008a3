"""__sanitizer_unaligned_load32 and similar: accesses that the program spells out.

Source: sanitizer/common_interface_defs.h.
"""

from __future__ import annotations

from collections.abc import Iterator

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.checks.access import asan_access_slow
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u16,
    load_u32,
    load_u64,
    store_u16,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.race.access import race_access_slow
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.report_fault import WRITE
from irsan.runtime.kernels.scalars import u16, u32, u64


@kernel
def unaligned_access(ctx: Context, addr: u64, size_bytes: u64, is_write: u64) -> None:
    """Both detectors look at an access."""
    if ctx.sanitize_address != 0:
        asan_access_slow(ctx, addr, size_bytes, is_write)
    if ctx.sanitize_thread != 0:
        race_access_slow(ctx, addr, size_bytes, is_write)


@kernel
def unaligned_load16(ctx: Context, addr: u64) -> u16:
    """__sanitizer_unaligned_load16."""
    unaligned_access(ctx, addr, 2, 0)
    return load_u16(addr)


@kernel
def unaligned_load32(ctx: Context, addr: u64) -> u32:
    """__sanitizer_unaligned_load32."""
    unaligned_access(ctx, addr, 4, 0)
    return load_u32(addr)


@kernel
def unaligned_load64(ctx: Context, addr: u64) -> u64:
    """__sanitizer_unaligned_load64."""
    unaligned_access(ctx, addr, 8, 0)
    return load_u64(addr)


@kernel
def unaligned_store16(ctx: Context, addr: u64, value: u16) -> None:
    """__sanitizer_unaligned_store16."""
    unaligned_access(ctx, addr, 2, WRITE)
    store_u16(addr, value)


@kernel
def unaligned_store32(ctx: Context, addr: u64, value: u32) -> None:
    """__sanitizer_unaligned_store32."""
    unaligned_access(ctx, addr, 4, WRITE)
    store_u32(addr, value)


@kernel
def unaligned_store64(ctx: Context, addr: u64, value: u64) -> None:
    """__sanitizer_unaligned_store64."""
    unaligned_access(ctx, addr, 8, WRITE)
    store_u64(addr, value)


_KERNELS = (
    (16, "unaligned_load16", "unaligned_store16"),
    (32, "unaligned_load32", "unaligned_store32"),
    (64, "unaligned_load64", "unaligned_store64"),
)


def _unaligned() -> Iterator[Export]:
    for bits, load, store in _KERNELS:
        kind = f"u{bits}"
        yield Export(f"{kind} __sanitizer_unaligned_load{bits}(ptr)", kernel=load)
        yield Export(f"void __sanitizer_unaligned_store{bits}(ptr,{kind})", kernel=store)


EXPORTS = tuple(_unaligned())
