"""The public interface of the sanitizers that needs no host: poisoning, pointers, allocator.

    __asan_poison_memory_region(p, n)     shadow f7: use-after-poison until it is unpoisoned
    __asan_address_is_poisoned(p)         what the shadow says
    __sanitizer_get_allocated_size(p)     what was asked for; a finding for a pointer not owned
    __sanitizer_ptr_cmp(p, q)             invalid-pointer-pair when asked for

Source: sanitizer/asan_interface.h, allocator_interface.h, common_interface_defs.h.
Deviations: two pointers belong together when no redzone and no dead memory lies between them; the
original looks at 2048 bytes and then asks the allocator, and knows no stacks of other threads.
Unmapped bytes are those of free spans, which are given back to the system but keep their addresses.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from irsan.interceptors.public_interface.syscall_hooks import EXPORTS as SYSCALL_EXPORTS
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.callstack import current_stack_id
from irsan.runtime.kernels.checks.shadow import (
    CONTAINER,
    USER_POISON,
    addr_to_shadow,
    first_poisoned,
    poison_range,
    unpoison_range,
)
from irsan.runtime.kernels.heap.heap import heap_usable_size, owned_chunk
from irsan.runtime.kernels.heap_tables.chunks import addr_to_chunk, chunk_at
from irsan.runtime.kernels.heap_tables.spans import N_BINS, span_at
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u8,
    store_u64,
)
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.report_fault import WRITE, current_tid, report_fault
from irsan.runtime.kernels.threads.stack_rooms import stack_end
from irsan.runtime.layout import memory_map, options
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.records import heap_records as hr
from irsan.runtime.records import poison_records

ALLOW_USER_POISONING = options.ALLOW_USER_POISONING
DETECT_POINTER_PAIRS = options.DETECT_INVALID_POINTER_PAIRS
LIVE_BYTES = hr.LIVE_BYTES
UNITS = hr.UNITS
RUN_BINS = hr.RUN_BINS
N_KEPT = poison_records.N_KEPT
N_WRITTEN = poison_records.N_WRITTEN
QUARANTINE_USED_BYTES = hr.QUARANTINE_USED_BYTES

I32_0 = np.int32(0)
I32_1 = np.int32(1)
U8_128 = np.uint8(128)
U8_ALLOCATED = np.uint8(hr.ALLOCATED)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_2 = np.uint64(2)
U64_4 = np.uint64(4)
U64_7 = np.uint64(7)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
U64_32 = np.uint64(32)
U64_ENTRIES = np.uint64(poison_records.ENTRIES)
U64_ENTRY_BYTES = np.uint64(poison_records.ENTRY_BYTES)
U64_UNIT_BITS = np.uint64(hr.UNIT_BITS)
U64_ARENA_LO = np.uint64(memory_map.ARENA_LO)
U64_STACKS_LO = np.uint64(memory_map.STACKS_LO)
U64_HEAP_LO = np.uint64(memory_map.HEAP_LO)
U64_BAD_ACCESS = np.uint64(int(FaultKind.BAD_ACCESS))
U64_POINTER_PAIR = np.uint64(int(FaultKind.INVALID_POINTER_PAIR))


@kernel("u64(ctx,u64,u64)")
def clip_to_used(ctx: Any, addr: Any, size_bytes: Any) -> Any:
    """How many bytes of a range have a shadow, from its start on."""
    offset = addr - U64_ARENA_LO
    if offset >= ctx.arena_used:
        return U64_0
    return min(size_bytes, ctx.arena_used - offset)


@kernel("void(ctx,u64,u64)")
def note_poisoning(ctx: Any, lo: Any, hi: Any) -> None:
    """Keep who poisons [lo, hi), in place of the oldest of them (track_poison)."""
    number = ctx.interface[N_WRITTEN]
    ctx.interface[N_WRITTEN] = number + U64_1
    at = U64_ENTRIES + number % ctx.interface[N_KEPT] * U64_ENTRY_BYTES
    store_u64(at, lo)
    store_u64(at + U64_8, hi)
    who = np.uint64(current_stack_id(ctx)) | thread_at(ctx.thread).tid << U64_32
    store_u64(at + U64_16, who)


@kernel("void(ctx,u64,u64)")
def poison_by_user(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """__asan_poison_memory_region."""
    if ctx.sanitize_address != U64_0 and ctx.options[ALLOW_USER_POISONING] != U64_0:
        poison_range(ctx, addr, clip_to_used(ctx, addr, size_bytes), USER_POISON)
        if ctx.interface[N_KEPT] != U64_0:
            note_poisoning(ctx, addr, addr + size_bytes)


@kernel("void(ctx,u64,u64)")
def unpoison_by_user(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """__asan_unpoison_memory_region."""
    if ctx.sanitize_address != U64_0 and ctx.options[ALLOW_USER_POISONING] != U64_0:
        unpoison_range(ctx, addr, clip_to_used(ctx, addr, size_bytes))


@kernel("u64(ctx,u64,u64)")
def region_poison(ctx: Any, addr: Any, size_bytes: Any) -> Any:
    """__asan_region_is_poisoned: the first poisoned byte, 0 when there is none."""
    return first_poisoned(ctx, addr, clip_to_used(ctx, addr, size_bytes))


@kernel("i32(ctx,u64)")
def address_poison(ctx: Any, addr: Any) -> Any:
    """__asan_address_is_poisoned."""
    if region_poison(ctx, addr, U64_1) != U64_0:
        return I32_1
    return I32_0


@kernel("u64(ctx,u64)")
def live_chunk_around(ctx: Any, addr: Any) -> Any:
    """Record of the live chunk whose block holds `addr`, 0 when there is none."""
    at = addr_to_chunk(ctx, addr)
    if at == U64_0 or chunk_at(at).state != U8_ALLOCATED or addr < chunk_at(at).begin:
        return U64_0
    return at


@kernel("u64(ctx,u64)")
def allocated_begin(ctx: Any, addr: Any) -> Any:
    """__sanitizer_get_allocated_begin: 0 for an address in no live block."""
    at = live_chunk_around(ctx, addr)
    if at == U64_0 or addr >= chunk_at(at).begin + max(chunk_at(at).size_bytes, U64_1):
        return U64_0
    return chunk_at(at).begin


@kernel("i32(ctx,u64)")
def has_ownership(ctx: Any, addr: Any) -> Any:
    """__sanitizer_get_ownership: 1 for the start of a live block."""
    at = owned_chunk(ctx, addr)
    if at != U64_0 and chunk_at(at).state == U8_ALLOCATED:
        return I32_1
    return I32_0


@kernel("u64(ctx,u64)")
def allocated_size(ctx: Any, addr: Any) -> Any:
    """__sanitizer_get_allocated_size; BAD_USABLE_SIZE for a pointer that is not owned."""
    return heap_usable_size(ctx, addr)


@kernel("u64(ctx,u64)")
def estimated_size(ctx: Any, size_bytes: Any) -> Any:
    """__sanitizer_get_estimated_allocated_size: what is asked for is what is given."""
    return size_bytes


@kernel("u64(ctx)")
def live_bytes(ctx: Any) -> Any:
    """__sanitizer_get_current_allocated_bytes."""
    return ctx.heap[LIVE_BYTES]


@kernel("u64(ctx)")
def unmapped_bytes(ctx: Any) -> Any:
    """__sanitizer_get_unmapped_bytes: free spans were given back to the system, or never used."""
    total = U64_0
    head = np.uint64(RUN_BINS)
    while head < np.uint64(RUN_BINS + N_BINS):
        at = ctx.heap[head]
        while at != U64_0:
            total += span_at(at).size_bytes
            at = span_at(at).next
        head += U64_1
    return total


@kernel("u64(ctx)")
def heap_bytes(ctx: Any) -> Any:
    """__sanitizer_get_heap_size: without the spans whose memory the system has got back."""
    return (ctx.heap[UNITS] << U64_UNIT_BITS) - unmapped_bytes(ctx)


@kernel("u64(ctx)")
def free_bytes(ctx: Any) -> Any:
    """__sanitizer_get_free_bytes: neither live nor in quarantine; redzones of live blocks count."""
    return heap_bytes(ctx) - live_bytes(ctx) - ctx.heap[QUARANTINE_USED_BYTES]


@kernel("i32(ctx,u64)")
def restate_allocation(ctx: Any, addr: Any) -> Any:
    """__asan_update_allocation_context: this stack and this thread have allocated the block."""
    at = owned_chunk(ctx, addr)
    if at == U64_0 or chunk_at(at).state != U8_ALLOCATED:
        return I32_0
    chunk_at(at).alloc_stack = current_stack_id(ctx)
    chunk_at(at).alloc_tid = np.uint32(current_tid(ctx))
    return I32_1


@kernel("b1(u64)")
def ends_object(bad: Any) -> Any:
    """Whether the poisoned byte `bad` belongs to no living object; what the user poisons does.

    Behind the first bytes of a granule lies what the next granule says.
    """
    value = load_u8(addr_to_shadow(bad))
    if value < U8_128:
        value = load_u8(addr_to_shadow(bad) + U64_1)
    return value >= U8_128 and value != USER_POISON and value != CONTAINER


@kernel("b1(ctx,u64,u64)")
def is_one_object(ctx: Any, low: Any, high: Any) -> Any:
    """Whether neither redzone nor dead memory lies in [low, high).  O(distance)."""
    while low < high:
        bad = first_poisoned(ctx, low, high - low)
        if bad == U64_0:
            return True
        if ends_object(bad):
            return False
        low = (bad | U64_7) + U64_1
    return True


@kernel("u64(u64)")
def addr_to_region(addr: Any) -> Any:
    """A number that two addresses share when one object may hold both."""
    if addr - U64_ARENA_LO < U64_STACKS_LO - U64_ARENA_LO:
        return U64_1
    if addr < U64_HEAP_LO:
        return stack_end(addr)
    return U64_2


@kernel("void(ctx,u64,u64)")
def compare_pointers(ctx: Any, first: Any, second: Any) -> None:
    """__sanitizer_ptr_cmp, __sanitizer_ptr_sub: INVALID_POINTER_PAIR unless one object has both.

    detect_invalid_pointer_pairs: 0 off, 1 null pointers pass, 2 they do not.
    """
    mode = ctx.options[DETECT_POINTER_PAIRS]
    if ctx.sanitize_address == U64_0 or mode == U64_0 or first == second:
        return
    low, high = min(first, second), max(first, second)
    if mode == U64_1 and low == U64_0:
        return
    is_known = clip_to_used(ctx, low, U64_1) + clip_to_used(ctx, high, U64_1)
    if is_known == U64_0 and low != U64_0:
        return
    is_near = is_known == U64_2 and addr_to_region(low) == addr_to_region(high - U64_1)
    if is_near and is_one_object(ctx, low, high):
        return
    report_fault(ctx, U64_POINTER_PAIR, first, U64_0, U64_0)
    ctx.fault[6] = second


@kernel("void(ctx,u64,u64)")
def shadow_mapping(ctx: Any, scale: Any, offset: Any) -> None:
    """__asan_get_shadow_mapping: exact for addresses of the program's own memory."""
    if scale != U64_0:
        store_u64(scale, np.uint64(3))
    if offset != U64_0:
        store_u64(offset, addr_to_shadow(U64_0))


@kernel("void(ctx,u64,u64,u64,u64,i32,u64)")
def report_on_demand(
    ctx: Any, pc: Any, bp: Any, sp: Any, addr: Any, is_write: Any, size_bytes: Any
) -> None:
    """__asan_report_error: the program's own check has found a bad access."""
    if ctx.sanitize_address == U64_0:
        return
    flags = U64_0
    if is_write != I32_0:
        flags = WRITE
    bad = region_poison(ctx, addr, size_bytes)
    report_fault(ctx, U64_BAD_ACCESS, addr, size_bytes, flags)
    ctx.fault[6] = max(bad, addr)


@kernel("void(ctx)")
def i_nothing(ctx: Any) -> None:
    """A function that has nothing to do here."""


@kernel("void(ctx,u64)")
def i_nothing_with(ctx: Any, addr: Any) -> None:
    """A function of one argument that has nothing to do here."""


@kernel("void(ctx,u64,u64)")
def i_nothing_with_two(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """A function of two arguments that has nothing to do here."""


@kernel("void(ctx,u64,u64,u64,u64)")
def i_nothing_of_four(ctx: Any, _pc: Any, _first: Any, _second: Any, _result: Any) -> None:
    """What a program that watches string functions may define itself."""


@kernel("void(ctx,u64,u64,u64,u64,i32)")
def i_nothing_of_five(
    ctx: Any, _pc: Any, _first: Any, _second: Any, _size: Any, _result: Any
) -> None:
    """The same for functions with a size."""


@kernel("void(ctx,u64,u64,u64,u64,u64,u64)")
def i_nothing_of_six(
    ctx: Any, _pc: Any, _first: Any, _size: Any, _second: Any, _other_size: Any, _result: Any
) -> None:
    """The same for memmem."""


@kernel("i32(ctx,u64)")
def i_zero_of(ctx: Any, _addr: Any) -> Any:
    """A question about an address whose answer is always 0."""
    return I32_0


@kernel("i32(ctx)")
def i_one(ctx: Any) -> Any:
    """A question whose answer is always 1."""
    return I32_1


def _allocator() -> Iterator[Export]:
    stem = "__sanitizer_get_"
    for prototype, kernel_name in (
        (f"u64 {stem}estimated_allocated_size(u64)", "estimated_size"),
        (f"i32 {stem}ownership(ptr)", "has_ownership"),
        (f"ptr {stem}allocated_begin(ptr)", "allocated_begin"),
        (f"u64 {stem}current_allocated_bytes()", "live_bytes"),
        (f"u64 {stem}heap_size()", "heap_bytes"),
        (f"u64 {stem}free_bytes()", "free_bytes"),
        (f"u64 {stem}unmapped_bytes()", "unmapped_bytes"),
        ("i32 __asan_update_allocation_context(ptr)", "restate_allocation"),
    ):
        yield Export(prototype, kernel=kernel_name, quick=True)
    yield Export(f"u64 {stem}allocated_size(ptr)", kernel="allocated_size")
    yield Export(f"u64 {stem}allocated_size_fast(ptr)", kernel="allocated_size")


def _without_effect() -> Iterator[Export]:
    for name in ("__lsan_init", "__sanitizer_purge_allocator", "__asan_on_error"):
        yield Export(f"void {name}()", kernel="i_nothing", quick=True)
    for name in ("__sanitizer_sandbox_on_notify", "__asan_handle_vfork", "__sanitizer_free_hook"):
        yield Export(f"void {name}(ptr)", kernel="i_nothing_with", quick=True)
    yield Export("void __sanitizer_malloc_hook(ptr,u64)", kernel="i_nothing_with_two", quick=True)
    yield Export("i32 __sanitizer_ignore_free_hook(ptr)", kernel="i_zero_of", quick=True)
    for name in ("memcmp", "strncmp", "strncasecmp"):
        text = f"void __sanitizer_weak_hook_{name}(ptr,ptr,ptr,u64,i32)"
        yield Export(text, kernel="i_nothing_of_five", quick=True)
    for name in ("strcmp", "strcasecmp", "strstr", "strcasestr"):
        text = f"void __sanitizer_weak_hook_{name}(ptr,ptr,ptr,u64)"
        yield Export(text, kernel="i_nothing_of_four", quick=True)
    text = "void __sanitizer_weak_hook_memmem(ptr,ptr,u64,ptr,u64,ptr)"
    yield Export(text, kernel="i_nothing_of_six", quick=True)
    yield Export("i32 __sanitizer_acquire_crash_state()", kernel="i_one", quick=True)


EXPORTS = (
    *SYSCALL_EXPORTS,
    *_allocator(),
    *_without_effect(),
    Export("void __asan_poison_memory_region(ptr,u64)", kernel="poison_by_user", quick=True),
    Export("void __asan_unpoison_memory_region(ptr,u64)", kernel="unpoison_by_user", quick=True),
    Export("i32 __asan_address_is_poisoned(ptr)", kernel="address_poison", quick=True),
    Export("ptr __asan_region_is_poisoned(ptr,u64)", kernel="region_poison", quick=True),
    Export("void __asan_get_shadow_mapping(ptr,ptr)", kernel="shadow_mapping", quick=True),
    Export(
        "void __asan_report_error(ptr,ptr,ptr,ptr,i32,u64)", kernel="report_on_demand", is_hook=True
    ),
    Export("void __sanitizer_ptr_cmp(u64,u64)", kernel="compare_pointers", is_hook=True),
    Export("void __sanitizer_ptr_sub(u64,u64)", kernel="compare_pointers", is_hook=True),
)
