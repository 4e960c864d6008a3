"""__sanitizer_unaligned_load32 and its kin: accesses that the program spells out.

Source: sanitizer/common_interface_defs.h.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

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
from irsan.runtime.kernels.report_fault import WRITE

U64_0 = np.uint64(0)
U64_2 = np.uint64(2)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)


@kernel("void(ctx,u64,u64,u64)")
def unaligned_access(ctx: Any, addr: Any, size_bytes: Any, is_write: Any) -> None:
    """Both detectors look at an access."""
    if ctx.sanitize_address != U64_0:
        asan_access_slow(ctx, addr, size_bytes, is_write)
    if ctx.sanitize_thread != U64_0:
        race_access_slow(ctx, addr, size_bytes, is_write)


@kernel("u16(ctx,u64)")
def unaligned_load16(ctx: Any, addr: Any) -> Any:
    """__sanitizer_unaligned_load16."""
    unaligned_access(ctx, addr, U64_2, U64_0)
    return load_u16(addr)


@kernel("u32(ctx,u64)")
def unaligned_load32(ctx: Any, addr: Any) -> Any:
    """__sanitizer_unaligned_load32."""
    unaligned_access(ctx, addr, U64_4, U64_0)
    return load_u32(addr)


@kernel("u64(ctx,u64)")
def unaligned_load64(ctx: Any, addr: Any) -> Any:
    """__sanitizer_unaligned_load64."""
    unaligned_access(ctx, addr, U64_8, U64_0)
    return load_u64(addr)


@kernel("void(ctx,u64,u16)")
def unaligned_store16(ctx: Any, addr: Any, value: Any) -> None:
    """__sanitizer_unaligned_store16."""
    unaligned_access(ctx, addr, U64_2, WRITE)
    store_u16(addr, value)


@kernel("void(ctx,u64,u32)")
def unaligned_store32(ctx: Any, addr: Any, value: Any) -> None:
    """__sanitizer_unaligned_store32."""
    unaligned_access(ctx, addr, U64_4, WRITE)
    store_u32(addr, value)


@kernel("void(ctx,u64,u64)")
def unaligned_store64(ctx: Any, addr: Any, value: Any) -> None:
    """__sanitizer_unaligned_store64."""
    unaligned_access(ctx, addr, U64_8, WRITE)
    store_u64(addr, value)


def _unaligned() -> Iterator[Export]:
    for bits in (16, 32, 64):
        kind = f"u{bits}"
        yield Export(f"{kind} __sanitizer_unaligned_load{bits}(ptr)", f"unaligned_load{bits}")
        stored = f"void __sanitizer_unaligned_store{bits}(ptr,{kind})"
        yield Export(stored, f"unaligned_store{bits}")


EXPORTS = tuple(_unaligned())
