"""Uses of uninitialised values: which are findings, and what is kept of values that are stored.

    if (*p)           shadow of *p set     uninit_use(p, 4)             -> finding
    *q = *p;          shadow of *p set     uninit_stored(p, 4, q, 4)    -> *q has a longer story
    memcmp(p, q, n)                        uninit_read(p, n)            -> finding of a library call

The program tests shadow bits itself and calls these kernels only when one is set; `place` is where
the value was loaded from, so its origin is read when it is needed and never on the way there.

Natively compiled code writes without telling.  Memory begins its life filled with one byte, so
bytes that still are as the allocator left them hold it; where one of the bytes around does not,
somebody else has written there: they count as initialised, and nothing is said.  That is asked when
a value is loaded that is used later (`shown_bits`), as the memory may have changed by then.

Source: MemorySanitizer's run-time (msan.cpp, msan_interceptors.cpp) for what is a use.
Deviations: whatever lies around bytes that native code wrote is initialised for it, up to
AROUND_BYTES on each side: what it left out is missed.
Soundness: a value whose place was overwritten meanwhile may be told with the origin of the new one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.callstack import current_stack_id
from irsan.runtime.kernels.heap_tables.chunks import addr_to_chunk, chunk_at
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, load_u32, load_u64, store_u64
from irsan.runtime.kernels.report_fault import ROUTINE, report_fault
from irsan.runtime.kernels.threads.stack_rooms import stack_end
from irsan.runtime.kernels.uninitialised.uninit_origins import (
    origin_of,
    origin_put,
    steps_of,
    word_to_record,
)
from irsan.runtime.kernels.uninitialised.uninit_shadow import (
    U64_SHADOW,
    bits_clear,
    first_bits,
    has_bits,
    origin_word,
    origins_fill,
    tracks_bits,
)
from irsan.runtime.layout import memory_map
from irsan.runtime.layout import uninit_layout as ul
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.records import heap_records as hr

NONE = actions.NONE
AROUND_BYTES = 64
U8_0 = np.uint8(0)
U8_FF = np.uint8(0xFF)
U8_ALLOCATED = np.uint8(hr.ALLOCATED)
U32_0 = np.uint32(0)
U32_HEAP = np.uint32(ul.HEAP)
U32_STORED = np.uint32(ul.STORED)
U32_MOVED = np.uint32(ul.MOVED)
U32_NATIVE = np.uint32(ul.NATIVE)
U32_FIELDS = np.uint32(ul.FIELDS)
U64_EXPECTS_USE = np.uint64(ul.EXPECTS_USE)
U64_USE_FOUND = np.uint64(ul.USE_FOUND)
U64_USE_ORIGIN = np.uint64(ul.USE_ORIGIN)
U32_STACK_BIT = np.uint32(ul.STACK_BIT)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_3 = np.uint64(3)
U64_AROUND = np.uint64(AROUND_BYTES)
U8_FILL = np.uint8(ul.FILL_BYTE)
U64_REPORTS = np.uint64(ul.REPORTS)
U64_MAX_STEPS = np.uint64(ul.MAX_STEPS)
U64_LIBRARY_UNCHECKED = np.uint64(ul.LIBRARY_UNCHECKED)
U64_CHECKED_ROUTINES = np.uint64(ul.CHECKED_ROUTINES)
U64_HEAP_LO = np.uint64(memory_map.HEAP_LO)
U64_ARENA_LO = np.uint64(memory_map.ARENA_LO)
U64_DECIDED = np.uint64(1 << 63)
U64_KIND = np.uint64(int(FaultKind.UNINITIALISED))


@kernel("b1(ctx,u64)")
def is_untouched(ctx: Any, addr: Any) -> Any:
    """Whether a poisoned byte would still hold the fill byte had nobody written it natively."""
    word = origin_word(addr)
    if (word & U32_STACK_BIT) != U32_0:
        return True
    record = word_to_record(word)
    if record != U64_0:
        kind = load_u32(record)
        return kind == U32_HEAP or kind == U32_MOVED or kind >= U32_FIELDS
    if addr < U64_HEAP_LO:
        return False
    at = addr_to_chunk(ctx, addr)
    return at != U64_0 and chunk_at(at).state == U8_ALLOCATED


@kernel("u64(u64,u64,u32)")
def run_below(addr: Any, limit: Any, word: Any) -> Any:
    """Lowest address of the bytes below `addr` that are poisoned wholly, of the same origin."""
    lo = addr
    while lo > limit and load_u8(lo - U64_1 + U64_SHADOW) == U8_FF:
        if origin_word(lo - U64_1) != word:
            return lo
        lo -= U64_1
    return lo


@kernel("u64(u64,u64,u32)")
def run_above(addr: Any, limit: Any, word: Any) -> Any:
    """The same upwards: the first address that is another's."""
    hi = addr
    while hi < limit and load_u8(hi + U64_SHADOW) == U8_FF:
        if origin_word(hi) != word:
            return hi
        hi += U64_1
    return hi


@kernel("b1(ctx,u64)", outlined=True)
def is_native_write(ctx: Any, addr: Any) -> Any:
    """Whether natively compiled code has written around a poisoned byte; that then is initialised.
    """
    if load_u8(addr + U64_SHADOW) != U8_FF or not is_untouched(ctx, addr):
        return False
    word = origin_word(addr)
    lo = run_below(addr, max(addr - U64_AROUND, U64_ARENA_LO), word)
    hi = run_above(addr, addr + U64_AROUND, word)
    at = lo
    while at < hi and load_u8(at) == U8_FILL:
        at += U64_1
    if at == hi:
        return False
    # Four bytes share an origin word: the others of them would be left with one that is not theirs.
    lo, hi = lo & ~U64_3, (hi + U64_3) & ~U64_3
    bits_clear(ctx, lo, hi - lo)
    origins_fill(lo, hi - lo, U32_NATIVE)
    return True


@kernel("u64(u64,u64)")
def poisoned_place(place: Any, size_bytes: Any) -> Any:
    """First poisoned byte of where a value came from; `place` when there is none any more."""
    if not has_bits(place, size_bytes):
        return place
    offset = first_bits(place, size_bytes)
    if offset == size_bytes:
        return place
    return place + offset


@kernel("b1(u64,u64)")
def is_left_behind(at: Any, sp: Any) -> Any:
    """Whether an address lies below the stack pointer: in what is left of a call that returned."""
    return at < sp and stack_end(at) == stack_end(sp)


@kernel("b1(ctx,u64,u64)")
def is_excused(ctx: Any, at: Any, sp: Any) -> Any:
    """Whether the byte a value came from was written natively, by now or when last looked at.

    In what a call has left behind nobody can tell.
    """
    if at < U64_ARENA_LO or not has_bits(at, U64_1):
        return False
    if is_left_behind(at, sp):
        return False
    if load_u8(at + U64_SHADOW) == U8_0:
        return origin_word(at) == U32_NATIVE
    return is_native_write(ctx, at)


@kernel("b1(u32)")
def is_expected(word: Any) -> Any:
    """Whether the program said that a use would come; notes that it came, and its origin."""
    if load_u64(U64_EXPECTS_USE) == U64_0:
        return False
    store_u64(U64_USE_FOUND, U64_1)
    store_u64(U64_USE_ORIGIN, np.uint64(word))
    return True


@kernel("void(ctx,u64,u64,u64)", outlined=True)
def uninit_use(ctx: Any, place: Any, size_bytes: Any, sp: Any) -> None:
    """A value with set bits decides something: a finding.

    place: where it was loaded from, `size_bytes` long; 0 when that is not known.  The top bit of
    size_bytes says that native writes were looked for when it was loaded.
    sp: the stack pointer of the code that uses it.
    fault[6] is the origin word, fault[7] the byte it belongs to.
    """
    is_decided = size_bytes >= U64_DECIDED
    size_bytes = size_bytes & ~U64_DECIDED
    at = poisoned_place(place, size_bytes)
    if load_u64(U64_REPORTS) == U64_0 or (not is_decided and is_excused(ctx, at, sp)):
        return
    word = U32_0
    if at >= U64_ARENA_LO and has_bits(at, U64_1):
        word = origin_of(ctx, at)
    if is_expected(word):
        return
    report_fault(ctx, U64_KIND, at, size_bytes, U64_0)
    ctx.fault[6] = np.uint64(word)
    ctx.fault[7] = at


@kernel("u32(ctx,u64,u64)")
def stored_kind(ctx: Any, target: Any, size_bytes: Any) -> Any:
    """MOVED when what was stored is as the allocator left it, else STORED."""
    for i in range(size_bytes):
        at = target + np.uint64(i)
        bits = load_u8(at + U64_SHADOW)
        if bits != U8_0 and (bits != U8_FF or load_u8(at) != U8_FILL):
            return U32_STORED
    return U32_MOVED


@kernel("void(ctx,u64,u64,u64,u64,u64)", outlined=True)
def uninit_stored(
    ctx: Any, place: Any, place_bytes: Any, target: Any, size_bytes: Any, sp: Any
) -> None:
    """A value with set bits was stored, its shadow too: the target gets an origin.

    place, place_bytes: as for `uninit_use`.
    """
    if not has_bits(target, size_bytes):
        return
    is_decided = place_bytes >= U64_DECIDED
    at = poisoned_place(place, place_bytes & ~U64_DECIDED)
    if not is_decided and is_excused(ctx, at, sp):
        bits_clear(ctx, target, size_bytes)
        origins_fill(target, size_bytes, U32_NATIVE)
        return
    before = U32_0
    if at >= U64_ARENA_LO and has_bits(at, U64_1):
        before = origin_of(ctx, at)
    if np.uint64(steps_of(before)) < load_u64(U64_MAX_STEPS):
        kind = stored_kind(ctx, target, size_bytes)
        before = origin_put(kind, np.uint32(current_stack_id(ctx)), before)
    origins_fill(target, size_bytes, before)


@kernel("u64(ctx,u64,u64)", outlined=True)
def first_unset(ctx: Any, addr: Any, size_bytes: Any) -> Any:
    """Offset of the first byte of a covered range that nobody has written; its size for none."""
    offset = U64_0
    while True:
        offset += first_bits(addr + offset, size_bytes - offset)
        if offset >= size_bytes or not is_native_write(ctx, addr + offset):
            return min(offset, size_bytes)


@kernel("void(ctx,u64,u64,u64)", outlined=True)
def shown_bits(ctx: Any, addr: Any, size_bytes: Any, sp: Any) -> None:
    """A value is loaded from here and used later: what native code has written is initialised.

    sp: the stack pointer of the code that loads it.
    """
    if addr >= U64_ARENA_LO and has_bits(addr, size_bytes) and not is_left_behind(addr, sp):
        first_unset(ctx, addr, size_bytes)


@kernel("b1(ctx,u64,u64)", outlined=True)
def uninit_read(ctx: Any, addr: Any, size_bytes: Any) -> Any:
    """Whether a library function may use a range; False leaves the finding.

    fault[8] is the range, fault[9] its size, fault[10] the offset of the first uninitialised byte.
    """
    if not has_bits(addr, size_bytes) or load_u64(U64_REPORTS) == U64_0:
        return True
    offset = first_unset(ctx, addr, size_bytes)
    if offset == size_bytes:
        return True
    word = origin_of(ctx, addr + offset)
    if is_expected(word):
        return True
    report_fault(ctx, U64_KIND, addr + offset, size_bytes - offset, ROUTINE)
    ctx.fault[6] = np.uint64(word)
    ctx.fault[7] = addr + offset
    ctx.fault[8] = addr
    ctx.fault[9] = size_bytes
    ctx.fault[10] = offset
    return False


@kernel("void(ctx,u64,u64)", outlined=True)
def used_bits(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """A library function acts upon what lies there; one that waits says so when it has."""
    if ctx.action == NONE and load_u64(U64_LIBRARY_UNCHECKED) == U64_0 and tracks_bits():
        uninit_read(ctx, addr, size_bytes)


@kernel("void(ctx,u64,u64,b1)", outlined=True)
def routine_bits(ctx: Any, addr: Any, size_bytes: Any, is_write: Any) -> None:
    """A library function writes a range, which makes it initialised, or reads it.

    Only reads of routines in CHECKED_ROUTINES are uses: others copy, or look at padding.
    """
    if is_write:
        bits_clear(ctx, addr, size_bytes)
    elif load_u8(U64_CHECKED_ROUTINES + np.uint64(ctx.routine)) != U8_0:
        used_bits(ctx, addr, size_bytes)
