"""Memory of devices, of which there is one: the host, numbers 0 and -1.

    omp_target_alloc, omp_target_free       the program's heap
    omp_target_memcpy, omp_target_memset    as memcpy and memset; ranges are checked in the same way
    omp_target_memcpy_rect                  row by row: sizes and offsets count elements

Any other number is none of a device: allocation gives null, copies give EINVAL.  The forms with
_async are tasks: templates/openmp/openmp_devices.ll.

Source: OpenMP 5.2, section 18.8 (device memory routines).
"""

from __future__ import annotations

from irsan.interceptors.errno_values import EINVAL, OK
from irsan.interceptors.memory.memcpy import check_copy, i_memset
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.combined.touches import KIND_READ, memory_access
from irsan.runtime.kernels.combined.tracked_heap import tracked_allocate, tracked_free
from irsan.runtime.kernels.heap.heap import UNKNOWN_SIZE
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, real_memmove
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.records.memory.heap_records import MALLOC

MOST_DIMENSIONS = 0x7FFF_FFFF


@kernel
def is_host(device: i32) -> bool:
    """Whether a number is that of the host."""
    return device == 0 or device == -1


@kernel
def i_omp_target_alloc(ctx: Context, n_bytes: u64, device: i32) -> u64:
    """omp_target_alloc."""
    if n_bytes == 0 or not is_host(device):
        return 0
    return tracked_allocate(ctx, n_bytes, 0, MALLOC)


@kernel
def i_omp_target_free(ctx: Context, block: u64, device: i32) -> None:
    """omp_target_free."""
    if is_host(device):
        tracked_free(ctx, block, MALLOC, UNKNOWN_SIZE, 0)


@kernel
def omp_may_copy(target: u64, source: u64, target_device: i32, source_device: i32) -> bool:
    """Whether a copy has both ends, on the host."""
    is_given = target != 0 and source != 0
    return is_given and is_host(target_device) and is_host(source_device)


@kernel
def copy_range(ctx: Context, target: u64, source: u64, n_bytes: u64) -> None:
    """memcpy of a part."""
    if check_copy(ctx, target, source, n_bytes):
        real_memmove(target, source, n_bytes)


@kernel
def i_omp_target_memcpy(
    ctx: Context, target: u64, source: u64, n_bytes: u64, target_offset: u64, source_offset: u64,
    target_device: i32, source_device: i32,
) -> i32:  # fmt: skip
    """omp_target_memcpy."""
    if not omp_may_copy(target, source, target_device, source_device):
        return i32(OK) if n_bytes == 0 else i32(EINVAL)
    copy_range(ctx, target + target_offset, source + source_offset, n_bytes)
    return OK


@kernel
def element_at(row: u64, n: u64, volume: u64, offsets: u64, sizes: u64) -> u64:
    """Number of the first element of a row of a part, in the whole array of n dimensions."""
    last = n - 1
    element, stride, rest = load_u64(offsets + last * 8), load_u64(sizes + last * 8), row
    while last > 0:
        last -= 1
        length = load_u64(volume + last * 8)
        element += (rest % length + load_u64(offsets + last * 8)) * stride
        rest //= length
        stride *= load_u64(sizes + last * 8)
    return element


@kernel
def n_rows_of(n: u64, volume: u64) -> u64:
    """How many rows a part has."""
    n_rows = u64(1)
    for i in range(n - 1):
        n_rows *= load_u64(volume + u64(i) * 8)
    return n_rows


@kernel
def may_read_lists(
    ctx: Context, n: u64, volume: u64, offsets: u64, sizes: u64, more: u64, more_sizes: u64
) -> bool:
    """Read of what says which part of which arrays is copied."""
    may_read = memory_access(ctx, volume, 8 * n, KIND_READ)
    may_read = memory_access(ctx, offsets, 8 * n, KIND_READ) and may_read
    may_read = memory_access(ctx, sizes, 8 * n, KIND_READ) and may_read
    may_read = memory_access(ctx, more, 8 * n, KIND_READ) and may_read
    return memory_access(ctx, more_sizes, 8 * n, KIND_READ) and may_read


@kernel
def i_omp_target_memcpy_rect(
    ctx: Context, target: u64, source: u64, element_bytes: u64, n: i32, volume: u64,
    target_offsets: u64, source_offsets: u64, target_sizes: u64, source_sizes: u64,
    target_device: i32, source_device: i32,
) -> i32:  # fmt: skip
    """omp_target_memcpy_rect; without arrays, how many dimensions it can copy."""
    if target == 0 and source == 0:
        return MOST_DIMENSIONS
    if n <= 0 or not omp_may_copy(target, source, target_device, source_device):
        return EINVAL
    n_dims = u64(n)
    if not may_read_lists(
        ctx, n_dims, volume, target_offsets, target_sizes, source_offsets, source_sizes
    ):
        return EINVAL
    row_bytes = load_u64(volume + (n_dims - 1) * 8) * element_bytes
    for i in range(n_rows_of(n_dims, volume)):
        row = u64(i)
        to = element_at(row, n_dims, volume, target_offsets, target_sizes) * element_bytes
        come = element_at(row, n_dims, volume, source_offsets, source_sizes) * element_bytes
        copy_range(ctx, target + to, source + come, row_bytes)
    return OK


@kernel
def i_omp_target_memset(
    ctx: Context, target: u64, value: i32, n_bytes: u64, device: i32
) -> u64:  # fmt: skip
    """omp_target_memset."""
    if target == 0 or not is_host(device):
        return target
    return i_memset(ctx, target, value, n_bytes)


@kernel
def i_omp_target_is_present(ctx: Context, pointer: u64, device: i32) -> i32:
    """omp_target_is_present, omp_target_is_accessible: what the host has."""
    return i32(pointer != 0 and is_host(device))


@kernel
def i_omp_target_is_accessible(ctx: Context, pointer: u64, n_bytes: u64, device: i32) -> i32:
    """omp_target_is_accessible."""
    return i_omp_target_is_present(ctx, pointer, device)


@kernel
def i_omp_get_mapped_ptr(ctx: Context, pointer: u64, device: i32) -> u64:
    """omp_get_mapped_ptr: the same address on the host."""
    return pointer if is_host(device) else u64(0)


@kernel
def i_omp_target_associate_ptr(
    ctx: Context, host: u64, device_pointer: u64, n_bytes: u64, offset: u64, device: i32
) -> i32:
    """omp_target_associate_ptr: the host has no second memory."""
    return EINVAL


@kernel
def i_omp_target_disassociate_ptr(ctx: Context, pointer: u64, device: i32) -> i32:
    """omp_target_disassociate_ptr."""
    return EINVAL


EXPORTS = (
    Export("ptr omp_target_alloc(u64,i32)", kernel="i_omp_target_alloc"),
    Export("void omp_target_free(ptr,i32)", kernel="i_omp_target_free"),
    Export("i32 omp_target_memcpy(ptr,ptr,u64,u64,u64,i32,i32)", kernel="i_omp_target_memcpy"),
    Export("i32 omp_target_memcpy_rect(ptr,ptr,u64,i32,ptr,ptr,ptr,ptr,ptr,i32,i32)",
           kernel="i_omp_target_memcpy_rect"),
    Export("ptr omp_target_memset(ptr,i32,u64,i32)", kernel="i_omp_target_memset"),
    Export("i32 omp_target_is_present(ptr,i32)", kernel="i_omp_target_is_present", quick=True),
    Export("i32 omp_target_is_accessible(ptr,u64,i32)", kernel="i_omp_target_is_accessible",
           quick=True),
    Export("ptr omp_get_mapped_ptr(ptr,i32)", kernel="i_omp_get_mapped_ptr", quick=True),
    Export("i32 omp_target_associate_ptr(ptr,ptr,u64,u64,i32)",
           kernel="i_omp_target_associate_ptr", quick=True),
    Export("i32 omp_target_disassociate_ptr(ptr,i32)", kernel="i_omp_target_disassociate_ptr",
           quick=True),
)  # fmt: skip
