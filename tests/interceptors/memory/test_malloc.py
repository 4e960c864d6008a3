"""The malloc family and operator new as the guest calls them, one edge at a time."""

from __future__ import annotations

import ctypes
import mmap
from typing import Any

import pytest

from irsan.interceptors.memory import malloc as family
from irsan.interceptors.memory import operator_new
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.checks import access, foreign, shadow
from irsan.runtime.kernels.combined import observers
from irsan.runtime.kernels.heap.heap import heap_init
from irsan.runtime.kernels.kernel import REGISTRY
from irsan.runtime.kernels.race import race_ranges, thread_clocks
from irsan.runtime.layout import memory_map, options
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.records.memory import heap_records as hr
from irsan.runtime.views import heap_view, mappings

TEXT = memory_map.STACKS_LO + 4096


@pytest.fixture
def ctx(guest: Any) -> Any:
    options.set_default_options(guest.ctx)
    guest.ctx["sanitize_address"] = 1
    guest.ctx["sanitize_thread"] = 0
    heap_init(guest.ctx)
    mappings.refresh_mappings(guest.ctx)
    return guest.ctx


def fault(ctx: Any) -> list[int]:
    assert ctx["action"] == actions.REPORT
    ctx["action"] = actions.NONE
    return [int(word) for word in ctx["fault"]]


def quiet(ctx: Any) -> bool:
    """Whether nothing was found; the host may have seen a refusal."""
    return bool(ctx["action"] in (actions.NONE, observers.OBSERVE))


def test_every_export_names_a_kernel_of_its_arity() -> None:
    names = [export.name for export in family.EXPORTS]
    assert len(names) == len(set(names))
    for export in family.EXPORTS:
        kernel = REGISTRY[export.kernel]
        assert len(kernel.argument_types) == len(export.arguments) + 1
        assert (kernel.return_type == "void") == (export.result == "void")


def test_malloc_and_free(ctx: Any) -> None:
    addr = family.i_malloc(ctx, 10)
    assert heap_view.addr_to_chunk(ctx, addr).size_bytes == 10
    family.i_free(ctx, addr)
    family.i_free(ctx, 0)
    assert quiet(ctx)
    family.i_free(ctx, addr)
    assert fault(ctx)[:2] == [FaultKind.DOUBLE_FREE, addr]


def test_realloc_moves_copies_and_frees(ctx: Any) -> None:
    old = family.i_malloc(ctx, 20)
    ctypes.memmove(old, b"0123456789abcdefghij", 20)
    new = family.i_realloc(ctx, old, 40)
    assert new != old and ctypes.string_at(new, 20) == b"0123456789abcdefghij"
    assert shadow.is_poisoned(old) and not shadow.is_poisoned(new + 39)
    less = family.i_realloc(ctx, new, 5)
    assert ctypes.string_at(less, 5) == b"01234"
    assert family.i_realloc(ctx, less, 0) == 0 and quiet(ctx)
    assert family.i_realloc(ctx, less, 8) == 0
    assert fault(ctx)[0] == FaultKind.DOUBLE_FREE
    assert family.i_realloc(ctx, 0, 8) != 0
    ctx["options"][options.FREES_ON_REALLOC_ZERO] = 0
    assert family.i_realloc(ctx, family.i_malloc(ctx, 3), 0) != 0


def test_realloc_that_is_refused_keeps_the_old_chunk(ctx: Any) -> None:
    old = family.i_malloc(ctx, 20)
    assert family.i_realloc(ctx, old, 1 << 41) == 0
    assert fault(ctx)[0] == FaultKind.SIZE_TOO_BIG
    assert heap_view.addr_to_chunk(ctx, old).is_live


@pytest.mark.parametrize("count, size", [(1 << 32, 1 << 32), (3, 1 << 63), ((1 << 64) - 1, 2)])
def test_products_that_overflow(ctx: Any, count: int, size: int) -> None:
    assert family.i_calloc(ctx, count, size) == 0
    assert fault(ctx)[6:8] == [count, size]
    old = family.i_malloc(ctx, 4)
    assert family.i_reallocarray(ctx, old, count, size) == 0
    assert fault(ctx)[0] == FaultKind.REALLOCARRAY_OVERFLOW
    ctx["options"][options.ALLOCATOR_MAY_RETURN_NULL] = 1
    assert family.i_calloc(ctx, count, size) == 0 and quiet(ctx)


def test_products_that_fit(ctx: Any) -> None:
    for count, size in ((0, 1 << 63), (1 << 63, 0), (7, 9)):
        addr = family.i_calloc(ctx, count, size)
        assert heap_view.addr_to_chunk(ctx, addr).size_bytes == count * size
    assert quiet(ctx)


def test_alignments(ctx: Any) -> None:
    for alignment in (1, 2, 8, 16, 64, 4096, 1 << 20):
        addr = family.i_memalign(ctx, alignment, 100)
        assert addr % alignment == 0 and not shadow.is_poisoned(addr + 99)
        assert shadow.is_poisoned(addr + 104) and shadow.is_poisoned(addr - 1)
    assert family.i_valloc(ctx, 10) % 4096 == 0
    addr = family.i_pvalloc(ctx, 4097)
    assert heap_view.addr_to_chunk(ctx, addr).size_bytes == 8192
    assert quiet(ctx)
    assert family.i_pvalloc(ctx, (1 << 64) - 10) == 0
    assert fault(ctx)[0] == FaultKind.PVALLOC_OVERFLOW


def test_alignments_that_are_refused(ctx: Any) -> None:
    assert family.i_memalign(ctx, 24, 100) == 0
    assert fault(ctx)[6:8] == [24, 1]
    for alignment, size in ((24, 48), (0, 8), (32, 33)):
        assert family.i_aligned_alloc(ctx, alignment, size) == 0
        assert fault(ctx)[6:8] == [alignment, 2]
    for alignment in (0, 4, 24):
        assert family.i_posix_memalign(ctx, TEXT, alignment, 8) == 22
        assert fault(ctx)[6:8] == [alignment, 3]


def test_posix_memalign_writes_its_result(ctx: Any) -> None:
    assert family.i_posix_memalign(ctx, TEXT, 256, 10) == 0
    addr = ctypes.c_uint64.from_address(TEXT).value
    assert addr % 256 == 0 and heap_view.addr_to_chunk(ctx, addr).begin == addr
    small = family.i_malloc(ctx, 4)
    assert family.i_posix_memalign(ctx, small, 256, 10) == 22
    assert fault(ctx)[0] == FaultKind.BAD_ACCESS


def test_usable_size_is_what_was_asked_for(ctx: Any) -> None:
    assert family.i_malloc_usable_size(ctx, family.i_malloc(ctx, 13)) == 13
    assert family.i_malloc_usable_size(ctx, 0) == 0 and quiet(ctx)
    assert family.i_malloc_usable_size(ctx, TEXT) == 0
    assert fault(ctx)[0] == FaultKind.BAD_USABLE_SIZE


def test_strdup(ctx: Any) -> None:
    ctypes.memmove(TEXT, b"hello\0", 6)
    copy = family.i_strdup(ctx, TEXT)
    assert ctypes.string_at(copy) == b"hello"
    assert heap_view.addr_to_chunk(ctx, copy).size_bytes == 6
    short = family.i_strndup(ctx, TEXT, 2)
    assert ctypes.string_at(short) == b"he" and quiet(ctx)
    family.i_free(ctx, copy)
    assert family.i_strdup(ctx, copy) == 0
    assert fault(ctx)[0] == FaultKind.BAD_ACCESS


def test_strdup_of_a_string_without_end(ctx: Any) -> None:
    addr = family.i_malloc(ctx, 8)
    ctypes.memmove(addr, b"12345678", 8)
    family.i_strdup(ctx, addr)
    assert fault(ctx)[6] == addr + 8
    family.i_strndup(ctx, addr, 8)
    assert quiet(ctx)


def test_pointers_of_the_c_library_go_home(ctx: Any) -> None:
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    for size in (24, 1000, 1 << 20):
        addr = libc.malloc(size)
        mappings.refresh_mappings(ctx)
        assert foreign.is_libc_chunk(ctx, addr)
        assert mappings.is_libc_chunk(mappings.read_mappings(), addr)
        assert family.i_malloc_usable_size(ctx, addr) >= size
        ctypes.memset(addr, 7, size)
        moved = family.i_realloc(ctx, addr, size + 1)
        assert ctypes.string_at(moved, size) == b"\7" * size
        family.i_free(ctx, libc.malloc(size))
    assert quiet(ctx) or mappings.confirm_fault(ctx) is False


def test_mapped_memory_is_not_the_c_librarys(ctx: Any) -> None:
    area = mmap.mmap(-1, 8192)
    raw = ctypes.c_char.from_buffer(area)
    base = ctypes.addressof(raw)
    mappings.refresh_mappings(ctx)
    for addr in (base, base + 4096, base + 64):
        family.i_free(ctx, addr)
        assert fault(ctx)[:2] == [FaultKind.BAD_FREE, addr]
        assert mappings.confirm_fault(ctx)
    del raw


def test_a_mapping_younger_than_the_table_is_confirmed(ctx: Any) -> None:
    area = mmap.mmap(-1, 8192)
    raw = ctypes.c_char.from_buffer(area)
    addr = ctypes.addressof(raw)
    ctx["foreign"]["n_ranges"] = 0
    ctx["foreign"]["last_hi"] = 0
    assert not access.asan_access_slow(ctx, addr, 8, 1)
    assert fault(ctx)[0] == FaultKind.WILD_ACCESS
    assert mappings.confirm_fault(ctx) is False
    assert access.asan_access_slow(ctx, addr, 8, 1)
    assert not access.asan_access_slow(ctx, addr, 1 << 46, 1)
    assert mappings.confirm_fault(ctx)
    del raw


NEWS = {
    "scalar": (operator_new.i_new, hr.NEW, operator_new.i_delete),
    "array": (operator_new.i_new_array, hr.NEW_ARRAY, operator_new.i_delete_array),
}


@pytest.mark.parametrize("form", NEWS)
def test_new_and_delete(ctx: Any, form: str) -> None:
    new, code, delete = NEWS[form]
    addr = new(ctx, 24)
    assert heap_view.addr_to_chunk(ctx, addr).family == code
    delete(ctx, addr)
    delete(ctx, 0)
    assert quiet(ctx)
    delete(ctx, addr)
    assert fault(ctx)[0] == FaultKind.DOUBLE_FREE


def test_families_must_match(ctx: Any) -> None:
    pairs = [
        (operator_new.i_new_array, operator_new.i_delete),
        (operator_new.i_new, family.i_free),
        (family.i_malloc, operator_new.i_delete_array),
    ]
    for new, delete in pairs:
        delete(ctx, new(ctx, 8))
        assert fault(ctx)[0] == FaultKind.ALLOC_DEALLOC_MISMATCH
    ctx["options"][options.ALLOC_DEALLOC_MISMATCH] = 0
    family.i_free(ctx, operator_new.i_new(ctx, 8))
    assert quiet(ctx)


def test_sized_and_aligned_forms(ctx: Any) -> None:
    operator_new.i_delete_sized(ctx, operator_new.i_new(ctx, 24), 24)
    operator_new.i_delete_aligned(ctx, operator_new.i_new_aligned(ctx, 24, 64), 64)
    operator_new.i_delete_sized_aligned(
        ctx, operator_new.i_new_aligned_nothrow(ctx, 24, 64, 0), 24, 64
    )
    operator_new.i_delete_array_sized(ctx, operator_new.i_new_array_nothrow(ctx, 24, 0), 24)
    assert quiet(ctx)
    operator_new.i_delete_sized(ctx, operator_new.i_new(ctx, 24), 25)
    assert fault(ctx)[6:8] == [24, 25]
    operator_new.i_delete(ctx, operator_new.i_new_aligned(ctx, 24, 64))
    assert fault(ctx)[8:10] == [64, 0]


def test_a_new_that_is_refused(ctx: Any) -> None:
    assert operator_new.i_new(ctx, 1 << 41) == 0
    assert fault(ctx)[0] == FaultKind.SIZE_TOO_BIG
    ctx["options"][options.ALLOCATOR_MAY_RETURN_NULL] = 1
    assert operator_new.i_new_nothrow(ctx, 1 << 41, 0) == 0 and quiet(ctx)
    assert operator_new.i_new(ctx, 1 << 41) == 0 and quiet(ctx)


def test_the_forms_that_may_throw() -> None:
    throwing = {export.name for export in operator_new.EXPORTS if export.throws}
    assert throwing == {"_Znwm", "_Znam", "_ZnwmSt11align_val_t", "_ZnamSt11align_val_t"}


def test_a_free_races_with_an_access_it_is_not_ordered_after(ctx: Any, guest: Any) -> None:
    ctx["sanitize_thread"] = 1
    child = guest.new_thread(1)
    addr = family.i_malloc(ctx, 16)
    assert thread_clocks.thread_fork(ctx, memory_map.THREADS + memory_map.THREAD_STRIDE)
    guest.switch_to(child)
    race_ranges.race_range(ctx, addr, 16, 1)
    assert quiet(ctx)
    guest.switch_to(guest.main)
    family.i_free(ctx, addr)
    assert fault(ctx)[0] == FaultKind.DATA_RACE
    assert not heap_view.addr_to_chunk(ctx, addr).is_live


def test_errno_tells_why_null_came_back(ctx: Any) -> None:
    ctx["options"][options.ALLOCATOR_MAY_RETURN_NULL] = 1
    ctx["c_library"]["errno_addr"] = TEXT
    errno = ctypes.c_uint32.from_address(TEXT)
    for call, number in (
        (lambda: family.i_malloc(ctx, 1 << 41), 12),
        (lambda: family.i_calloc(ctx, 1 << 40, 1 << 40), 12),
        (lambda: family.i_aligned_alloc(ctx, 24, 24), 22),
    ):
        errno.value = 0
        assert call() == 0 and errno.value == number
