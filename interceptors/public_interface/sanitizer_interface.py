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
from irsan.runtime.kernels.heap_tables.chunk_facts import rewrite_allocation
from irsan.runtime.kernels.heap_tables.chunk_records import chunk_begin, chunk_bytes, chunk_state
from irsan.runtime.kernels.heap_tables.chunks import addr_to_chunk
from irsan.runtime.kernels.heap_tables.spans import span_at
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u8,
    store_u64,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.report_fault import WRITE, current_tid, report_fault
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.kernels.threads.stack_rooms import stack_end
from irsan.runtime.layout import options
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.layout.memory_map import ARENA_LO, GLOBALS_HI, HEAP_LO
from irsan.runtime.layout.options import ALLOW_USER_POISONING
from irsan.runtime.records.memory.heap_records import (
    ALLOCATED,
    UNIT_BITS,
)
from irsan.runtime.records.memory.poison_records import ENTRIES, ENTRY_BYTES
from irsan.runtime.records.subsystems import N_RUN_BINS

DETECT_POINTER_PAIRS = options.DETECT_INVALID_POINTER_PAIRS

BAD_ACCESS = int(FaultKind.BAD_ACCESS)
POINTER_PAIR = int(FaultKind.INVALID_POINTER_PAIR)


@kernel
def clip_to_used(ctx: Context, addr: u64, size_bytes: u64) -> u64:
    """How many bytes of a range have a shadow, from its start on."""
    offset = addr - ARENA_LO
    if offset >= ctx.arena_used:
        return 0
    return min(size_bytes, ctx.arena_used - offset)


@kernel
def note_poisoning(ctx: Context, lo: u64, hi: u64) -> None:
    """Keep who poisons [lo, hi), in place of the oldest of them (track_poison)."""
    number = ctx.interface.n_poisonings
    ctx.interface.n_poisonings = number + 1
    at = ENTRIES + number % ctx.interface.n_poisonings_kept * ENTRY_BYTES
    store_u64(at, lo)
    store_u64(at + 8, hi)
    who = u64(current_stack_id(ctx)) | thread_at(ctx.thread).tid << 32
    store_u64(at + 16, who)


@kernel
def poison_by_user(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """__asan_poison_memory_region."""
    if ctx.sanitize_address != 0 and ctx.options[ALLOW_USER_POISONING] != 0:
        poison_range(ctx, addr, clip_to_used(ctx, addr, size_bytes), USER_POISON)
        if ctx.interface.n_poisonings_kept != 0:
            note_poisoning(ctx, addr, addr + size_bytes)


@kernel
def unpoison_by_user(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """__asan_unpoison_memory_region."""
    if ctx.sanitize_address != 0 and ctx.options[ALLOW_USER_POISONING] != 0:
        unpoison_range(ctx, addr, clip_to_used(ctx, addr, size_bytes))


@kernel
def region_poison(ctx: Context, addr: u64, size_bytes: u64) -> u64:
    """__asan_region_is_poisoned: the first poisoned byte, 0 when there is none."""
    return first_poisoned(ctx, addr, clip_to_used(ctx, addr, size_bytes))


@kernel
def address_poison(ctx: Context, addr: u64) -> i32:
    """__asan_address_is_poisoned."""
    if region_poison(ctx, addr, 1) != 0:
        return 1
    return 0


@kernel
def live_chunk_around(ctx: Context, addr: u64) -> u64:
    """Record of the live chunk whose block holds `addr`, 0 when there is none."""
    at = addr_to_chunk(ctx, addr)
    if at == 0 or chunk_state(at) != ALLOCATED or addr < chunk_begin(at):
        return 0
    return at


@kernel
def allocated_begin(ctx: Context, addr: u64) -> u64:
    """__sanitizer_get_allocated_begin: 0 for an address in no live block."""
    at = live_chunk_around(ctx, addr)
    if at == 0:
        return 0
    begin = chunk_begin(at)
    if addr >= begin + max(chunk_bytes(at), u64(1)):
        return 0
    return begin


@kernel
def has_ownership(ctx: Context, addr: u64) -> i32:
    """__sanitizer_get_ownership: 1 for the start of a live block."""
    at = owned_chunk(ctx, addr)
    if at != 0 and chunk_state(at) == ALLOCATED:
        return 1
    return 0


@kernel
def allocated_size(ctx: Context, addr: u64) -> u64:
    """__sanitizer_get_allocated_size; BAD_USABLE_SIZE for a pointer that is not owned."""
    return heap_usable_size(ctx, addr)


@kernel
def estimated_size(ctx: Context, size_bytes: u64) -> u64:
    """__sanitizer_get_estimated_allocated_size: the requested size is the allocated one."""
    return size_bytes


@kernel
def live_bytes(ctx: Context) -> u64:
    """__sanitizer_get_current_allocated_bytes."""
    return ctx.heap.live_bytes


@kernel
def unmapped_bytes(ctx: Context) -> u64:
    """__sanitizer_get_unmapped_bytes: free spans were given back to the system, or never used."""
    total = u64(0)
    head = u64(0)
    while head < N_RUN_BINS:
        at = ctx.heap.run_bins[head]
        while at != 0:
            total += span_at(at).size_bytes
            at = span_at(at).next
        head += 1
    return total


@kernel
def heap_bytes(ctx: Context) -> u64:
    """__sanitizer_get_heap_size: without the spans whose memory the system has got back."""
    return (ctx.heap.units << UNIT_BITS) - unmapped_bytes(ctx)


@kernel
def free_bytes(ctx: Context) -> u64:
    """__sanitizer_get_free_bytes: neither live nor in quarantine; redzones of live blocks count."""
    return heap_bytes(ctx) - live_bytes(ctx) - ctx.heap.quarantine_used_bytes


@kernel
def restate_allocation(ctx: Context, addr: u64) -> i32:
    """__asan_update_allocation_context: this stack and this thread have allocated the block."""
    at = owned_chunk(ctx, addr)
    if at == 0 or chunk_state(at) != ALLOCATED:
        return 0
    rewrite_allocation(ctx, at, current_stack_id(ctx), current_tid(ctx))
    return 1


@kernel
def ends_object(bad: u64) -> bool:
    """Whether the poisoned byte `bad` belongs to no living object; what the user poisons does.

    Behind the first bytes of a granule lies what the next granule says.
    """
    value = load_u8(addr_to_shadow(bad))
    if value < 128:
        value = load_u8(addr_to_shadow(bad) + 1)
    return value >= 128 and value != USER_POISON and value != CONTAINER


@kernel
def is_one_object(ctx: Context, low: u64, high: u64) -> bool:
    """Whether neither redzone nor dead memory lies in [low, high).  O(distance)."""
    while low < high:
        bad = first_poisoned(ctx, low, high - low)
        if bad == 0:
            return True
        if ends_object(bad):
            return False
        low = (bad | 7) + 1
    return True


@kernel
def addr_to_region(addr: u64) -> u64:
    """A number that two addresses share when one object may hold both."""
    if addr - ARENA_LO < u64(GLOBALS_HI) - ARENA_LO:
        return 1
    if addr < HEAP_LO:
        return stack_end(addr)
    return 2


@kernel
def compare_pointers(ctx: Context, first: u64, second: u64) -> None:
    """__sanitizer_ptr_cmp, __sanitizer_ptr_sub: INVALID_POINTER_PAIR unless one object has both.

    detect_invalid_pointer_pairs: 0 off, 1 null pointers pass, 2 they do not.
    """
    mode = ctx.options[DETECT_POINTER_PAIRS]
    if ctx.sanitize_address == 0 or mode == 0 or first == second:
        return
    low, high = min(first, second), max(first, second)
    if mode == 1 and low == 0:
        return
    is_known = clip_to_used(ctx, low, 1) + clip_to_used(ctx, high, 1)
    if is_known == 0 and low != 0:
        return
    is_near = is_known == 2 and addr_to_region(low) == addr_to_region(high - 1)
    if is_near and is_one_object(ctx, low, high):
        return
    report_fault(ctx, POINTER_PAIR, first, 0, 0)
    ctx.fault[6] = second


@kernel
def shadow_mapping(ctx: Context, scale: u64, offset: u64) -> None:
    """__asan_get_shadow_mapping: exact for addresses of the program's own memory."""
    if scale != 0:
        store_u64(scale, 3)
    if offset != 0:
        store_u64(offset, addr_to_shadow(0))


@kernel
def report_on_demand(
    ctx: Context, pc: u64, bp: u64, sp: u64, addr: u64, is_write: i32, size_bytes: u64
) -> None:
    """__asan_report_error: the program's own check has found a bad access."""
    if ctx.sanitize_address == 0:
        return
    flags = u64(0)
    if is_write != 0:
        flags = u64(WRITE)
    bad = region_poison(ctx, addr, size_bytes)
    report_fault(ctx, BAD_ACCESS, addr, size_bytes, flags)
    ctx.fault[6] = max(bad, addr)


@kernel
def i_nothing(ctx: Context) -> None:
    """A function that has nothing to do here."""


@kernel
def i_nothing_with(ctx: Context, addr: u64) -> None:
    """A function of one argument that has nothing to do here."""


@kernel
def i_nothing_with_two(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """A function of two arguments that has nothing to do here."""


@kernel
def i_nothing_of_four(ctx: Context, _pc: u64, _first: u64, _second: u64, _result: u64) -> None:
    """What a program that watches string functions may define itself."""


@kernel
def i_nothing_of_five(
    ctx: Context, _pc: u64, _first: u64, _second: u64, _size: u64, _result: i32
) -> None:
    """The same for functions with a size."""


@kernel
def i_nothing_of_six(
    ctx: Context, _pc: u64, _first: u64, _size: u64, _second: u64, _other_size: u64, _result: u64
) -> None:
    """The same for memmem."""


@kernel
def i_zero_of(ctx: Context, _addr: u64) -> i32:
    """A question about an address whose answer is always 0."""
    return 0


@kernel
def i_one(ctx: Context) -> i32:
    """A question whose answer is always 1."""
    return 1


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
