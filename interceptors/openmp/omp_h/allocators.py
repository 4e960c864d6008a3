"""Allocators of omp.h and of the `allocate` clause: all of them are the program's heap.

Source: OpenMP 5.2, section 18.13 (memory management routines); the calls that clang makes.
Deviation: traits, memory spaces and fall-backs change nothing.
"""

from __future__ import annotations

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.combined.tracked_heap import (
    tracked_allocate,
    tracked_allocate_zeroed,
    tracked_free,
    tracked_reallocate,
)
from irsan.runtime.kernels.heap.heap import UNKNOWN_SIZE
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import real_memset
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.kernels.uninitialised.uninit_shadow import bits_clear, tracks_bits
from irsan.runtime.records.memory.heap_records import MALLOC

DEFAULT_ALLOCATOR = 1


@kernel
def i_omp_alloc(ctx: Context, n_bytes: u64, allocator: u64) -> u64:
    """omp_alloc."""
    return u64(0) if n_bytes == 0 else tracked_allocate(ctx, n_bytes, 0, MALLOC)


@kernel
def i_omp_aligned_alloc(ctx: Context, alignment: u64, n_bytes: u64, allocator: u64) -> u64:
    """omp_aligned_alloc."""
    return u64(0) if n_bytes == 0 else tracked_allocate(ctx, n_bytes, alignment, MALLOC)


@kernel
def i_omp_calloc(ctx: Context, count: u64, n_bytes: u64, allocator: u64) -> u64:
    """omp_calloc."""
    total = count * n_bytes
    if count == 0 or total // count != n_bytes or total == 0:
        return 0
    return tracked_allocate_zeroed(ctx, total)


@kernel
def i_omp_aligned_calloc(
    ctx: Context, alignment: u64, count: u64, n_bytes: u64, allocator: u64
) -> u64:
    """omp_aligned_calloc."""
    total = count * n_bytes
    if count == 0 or total // count != n_bytes or total == 0:
        return 0
    block = tracked_allocate(ctx, total, alignment, MALLOC)
    if block == 0:
        return 0
    if tracks_bits():
        bits_clear(ctx, block, total)
    real_memset(block, 0, total)
    return block


@kernel
def i_omp_realloc(ctx: Context, block: u64, n_bytes: u64, allocator: u64, freed_by: u64) -> u64:
    """omp_realloc."""
    return tracked_reallocate(ctx, block, n_bytes)


@kernel
def i_omp_free(ctx: Context, block: u64, allocator: u64) -> None:
    """omp_free."""
    tracked_free(ctx, block, MALLOC, UNKNOWN_SIZE, 0)


@kernel
def i_kmpc_alloc(ctx: Context, gtid: i32, n_bytes: u64, allocator: u64) -> u64:
    """__kmpc_alloc."""
    return i_omp_alloc(ctx, n_bytes, allocator)


@kernel
def i_kmpc_aligned_alloc(
    ctx: Context, gtid: i32, alignment: u64, n_bytes: u64, allocator: u64
) -> u64:
    """__kmpc_aligned_alloc."""
    return i_omp_aligned_alloc(ctx, alignment, n_bytes, allocator)


@kernel
def i_kmpc_free(ctx: Context, gtid: i32, block: u64, allocator: u64) -> None:
    """__kmpc_free."""
    i_omp_free(ctx, block, allocator)


@kernel
def i_omp_init_allocator(ctx: Context, space: u64, n_traits: i32, traits: u64) -> u64:
    """omp_init_allocator: they are all alike."""
    return DEFAULT_ALLOCATOR


@kernel
def i_kmpc_init_allocator(ctx: Context, gtid: i32, space: u64, n: i32, traits: u64) -> u64:
    """__kmpc_init_allocator."""
    return DEFAULT_ALLOCATOR


@kernel
def i_omp_destroy_allocator(ctx: Context, allocator: u64) -> None:
    """omp_destroy_allocator, omp_set_default_allocator."""


@kernel
def i_kmpc_destroy_allocator(ctx: Context, gtid: i32, allocator: u64) -> None:
    """__kmpc_destroy_allocator."""


@kernel
def i_omp_get_default_allocator(ctx: Context) -> u64:
    """omp_get_default_allocator."""
    return DEFAULT_ALLOCATOR


EXPORTS = (
    Export("ptr omp_alloc(u64,u64)", kernel="i_omp_alloc"),
    Export("ptr omp_aligned_alloc(u64,u64,u64)", kernel="i_omp_aligned_alloc"),
    Export("ptr omp_calloc(u64,u64,u64)", kernel="i_omp_calloc"),
    Export("ptr omp_aligned_calloc(u64,u64,u64,u64)", kernel="i_omp_aligned_calloc"),
    Export("ptr omp_realloc(ptr,u64,u64,u64)", kernel="i_omp_realloc"),
    Export("void omp_free(ptr,u64)", kernel="i_omp_free"),
    Export("ptr __kmpc_alloc(i32,u64,u64)", kernel="i_kmpc_alloc"),
    Export("ptr __kmpc_aligned_alloc(i32,u64,u64,u64)", kernel="i_kmpc_aligned_alloc"),
    Export("void __kmpc_free(i32,ptr,u64)", kernel="i_kmpc_free"),
    Export("u64 omp_init_allocator(u64,i32,ptr)", kernel="i_omp_init_allocator", quick=True),
    Export("u64 __kmpc_init_allocator(i32,u64,i32,ptr)", kernel="i_kmpc_init_allocator",
           quick=True),
    Export("void omp_destroy_allocator(u64)", kernel="i_omp_destroy_allocator", quick=True),
    Export("void __kmpc_destroy_allocator(i32,u64)", kernel="i_kmpc_destroy_allocator",
           quick=True),
    Export("void omp_set_default_allocator(u64)", kernel="i_omp_destroy_allocator", quick=True),
    Export("u64 omp_get_default_allocator()", kernel="i_omp_get_default_allocator", quick=True),
)  # fmt: skip
