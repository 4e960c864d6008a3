"""Uses of uninitialised values: which are findings, and the records of values that are stored.

    if (*p)           shadow of *p set     uninit_use(p, 4)             -> finding
    *q = *p;          shadow of *p set     uninit_stored(p, 4, q, 4)    -> *q has a longer story
    memcmp(p, q, n)                        uninit_read(p, n)            -> finding of a library call

The program tests shadow bits itself and calls these kernels only when one is set; `place` is where
the value was loaded from, so its origin is read when it is needed and never on the way there.

Natively compiled code writes without telling.  Memory begins its life filled with one byte, so
bytes that still are as the allocator left them hold it; where one of the bytes around does not,
native code has written there: they count as initialised, and nothing is reported.  That is asked
when a value is loaded that is used later (`shown_bits`), as the memory may have changed by then.

Source: MemorySanitizer's run-time (msan.cpp, msan_interceptors.cpp) for the uses.
Deviations: whatever lies around bytes that native code wrote is initialised for it, up to
AROUND_BYTES on each side: what it left out is missed.
Soundness: a value whose place was overwritten meanwhile may be reported with the origin of the new
one.
"""

from __future__ import annotations

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.callstack import current_stack_id
from irsan.runtime.kernels.heap_tables.chunk_records import chunk_state
from irsan.runtime.kernels.heap_tables.chunks import addr_to_chunk
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, load_u32, load_u64, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.report_fault import ROUTINE, report_fault
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.kernels.threads.stack_rooms import stack_end
from irsan.runtime.kernels.uninitialised.uninit_origins import (
    origin_of,
    origin_put,
    steps_of,
    word_to_record,
)
from irsan.runtime.kernels.uninitialised.uninit_shadow import (
    bits_clear,
    first_bits,
    has_bits,
    origin_word,
    origins_fill,
    tracks_bits,
)
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.layout.memory_map import ARENA_LO, HEAP_LO
from irsan.runtime.layout.uninit_layout import (
    CHECKED_ROUTINES,
    EXPECTS_USE,
    FIELDS,
    FILL_BYTE,
    HEAP,
    LIBRARY_UNCHECKED,
    MAX_STEPS,
    MOVED,
    NATIVE,
    REPORTS,
    SHADOW_BIAS,
    STACK_BIT,
    STORED,
    USE_FOUND,
    USE_ORIGIN,
)
from irsan.runtime.records.memory.heap_records import ALLOCATED

NONE = int(actions.NONE)
AROUND_BYTES = 64
DECIDED = 1 << 63
KIND = int(FaultKind.UNINITIALISED)


@kernel
def is_untouched(ctx: Context, addr: u64) -> bool:
    """Whether a poisoned byte would still hold the fill byte had native code not written it."""
    word = origin_word(addr)
    if (word & STACK_BIT) != 0:
        return True
    record = word_to_record(word)
    if record != 0:
        kind = load_u32(record)
        return kind == HEAP or kind == MOVED or kind >= FIELDS
    if addr < HEAP_LO:
        return False
    at = addr_to_chunk(ctx, addr)
    return at != 0 and chunk_state(at) == ALLOCATED


@kernel
def run_below(addr: u64, limit: u64, word: u32) -> u64:
    """Lowest address of the bytes below `addr` that are poisoned wholly, of the same origin."""
    lo = addr
    while lo > limit and load_u8(lo - 1 + SHADOW_BIAS) == 0xFF:
        if origin_word(lo - 1) != word:
            return lo
        lo -= 1
    return lo


@kernel
def run_above(addr: u64, limit: u64, word: u32) -> u64:
    """The same upwards: the first address that is another's."""
    hi = addr
    while hi < limit and load_u8(hi + SHADOW_BIAS) == 0xFF:
        if origin_word(hi) != word:
            return hi
        hi += 1
    return hi


@kernel(outlined=True)
def is_native_write(ctx: Context, addr: u64) -> bool:
    """Whether natively compiled code has written around a poisoned byte; that then is initialised.
    """
    if load_u8(addr + SHADOW_BIAS) != 0xFF or not is_untouched(ctx, addr):
        return False
    word = origin_word(addr)
    lo = run_below(addr, max(addr - AROUND_BYTES, u64(ARENA_LO)), word)
    hi = run_above(addr, addr + AROUND_BYTES, word)
    at = lo
    while at < hi and load_u8(at) == FILL_BYTE:
        at += 1
    if at == hi:
        return False
    # Four bytes share an origin word: the others of them would be left with one that is not theirs.
    lo, hi = lo & ~u64(3), (hi + 3) & ~u64(3)
    bits_clear(ctx, lo, hi - lo)
    origins_fill(lo, hi - lo, NATIVE)
    return True


@kernel
def poisoned_place(place: u64, size_bytes: u64) -> u64:
    """First poisoned byte of where a value came from; `place` when there is none any more."""
    if not has_bits(place, size_bytes):
        return place
    offset = first_bits(place, size_bytes)
    if offset == size_bytes:
        return place
    return place + offset


@kernel
def is_left_behind(at: u64, sp: u64) -> bool:
    """Whether an address lies below the stack pointer: in the remains of a call that returned."""
    return at < sp and stack_end(at) == stack_end(sp)


@kernel
def is_excused(ctx: Context, at: u64, sp: u64) -> bool:
    """Whether the byte a value came from was written natively, by now or when last looked at.

    In what a call has left behind that cannot be known.
    """
    if at < ARENA_LO or not has_bits(at, 1):
        return False
    if is_left_behind(at, sp):
        return False
    if load_u8(at + SHADOW_BIAS) == 0:
        return origin_word(at) == NATIVE
    return is_native_write(ctx, at)


@kernel
def is_expected(word: u32) -> bool:
    """Whether the program said that a use would come; notes that it came, and its origin."""
    if load_u64(EXPECTS_USE) == 0:
        return False
    store_u64(USE_FOUND, 1)
    store_u64(USE_ORIGIN, u64(word))
    return True


@kernel(outlined=True)
def uninit_use(ctx: Context, place: u64, size_bytes: u64, sp: u64) -> None:
    """A value with set bits decides something: a finding.

    place: where it was loaded from, `size_bytes` long; 0 when that is not known.  The top bit of
    size_bytes says that native writes were looked for when it was loaded; none: the set bits of
    what was compared decide nothing.
    sp: the stack pointer of the code that uses it.
    fault[6] is the origin word, fault[7] the byte it belongs to.
    """
    if size_bytes == 0:
        return
    is_decided = size_bytes >= DECIDED
    size_bytes = size_bytes & ~u64(DECIDED)
    at = poisoned_place(place, size_bytes)
    if load_u64(REPORTS) == 0 or (not is_decided and is_excused(ctx, at, sp)):
        return
    word = u32(0)
    if at >= ARENA_LO and has_bits(at, 1):
        word = origin_of(ctx, at)
    if is_expected(word):
        return
    report_fault(ctx, KIND, at, size_bytes, 0)
    ctx.fault[6] = u64(word)
    ctx.fault[7] = at


@kernel
def stored_kind(ctx: Context, target: u64, size_bytes: u64) -> u32:
    """MOVED when what was stored is as the allocator left it, else STORED."""
    for i in range(size_bytes):
        at = target + u64(i)
        bits = load_u8(at + SHADOW_BIAS)
        if bits != 0 and (bits != 0xFF or load_u8(at) != FILL_BYTE):
            return STORED
    return MOVED


@kernel(outlined=True)
def uninit_stored(
    ctx: Context, place: u64, place_bytes: u64, target: u64, size_bytes: u64, sp: u64
) -> None:
    """A value with set bits was stored, its shadow too: the target gets an origin.

    place, place_bytes: as for `uninit_use`.
    """
    if not has_bits(target, size_bytes):
        return
    is_decided = place_bytes >= DECIDED
    at = poisoned_place(place, place_bytes & ~u64(DECIDED))
    if not is_decided and is_excused(ctx, at, sp):
        bits_clear(ctx, target, size_bytes)
        origins_fill(target, size_bytes, NATIVE)
        return
    before = u32(0)
    if at >= ARENA_LO and has_bits(at, 1):
        before = origin_of(ctx, at)
    if u64(steps_of(before)) < load_u64(MAX_STEPS):
        kind = stored_kind(ctx, target, size_bytes)
        before = origin_put(kind, u32(current_stack_id(ctx)), before)
    origins_fill(target, size_bytes, before)


@kernel(outlined=True)
def first_unset(ctx: Context, addr: u64, size_bytes: u64) -> u64:
    """Offset of the first byte of a covered range that was not written; its size for none."""
    offset = u64(0)
    while True:
        offset += first_bits(addr + offset, size_bytes - offset)
        if offset >= size_bytes or not is_native_write(ctx, addr + offset):
            return min(offset, size_bytes)


@kernel(outlined=True)
def shown_bits(ctx: Context, addr: u64, size_bytes: u64, sp: u64) -> None:
    """A value is loaded from here and used later: what native code has written is initialised.

    sp: the stack pointer of the code that loads it.
    """
    if addr >= ARENA_LO and has_bits(addr, size_bytes) and not is_left_behind(addr, sp):
        first_unset(ctx, addr, size_bytes)


@kernel(outlined=True)
def uninit_read(ctx: Context, addr: u64, size_bytes: u64) -> bool:
    """Whether a library function may use a range; False leaves the finding.

    fault[8] is the range, fault[9] its size, fault[10] the offset of the first uninitialised byte.
    """
    if not has_bits(addr, size_bytes) or load_u64(REPORTS) == 0:
        return True
    offset = first_unset(ctx, addr, size_bytes)
    if offset == size_bytes:
        return True
    word = origin_of(ctx, addr + offset)
    if is_expected(word):
        return True
    report_fault(ctx, KIND, addr + offset, size_bytes - offset, ROUTINE)
    ctx.fault[6] = u64(word)
    ctx.fault[7] = addr + offset
    ctx.fault[8] = addr
    ctx.fault[9] = size_bytes
    ctx.fault[10] = offset
    return False


@kernel(outlined=True)
def used_bits(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """A library function acts upon what lies there; one that waits says so when it has."""
    if ctx.action == NONE and load_u64(LIBRARY_UNCHECKED) == 0 and tracks_bits():
        uninit_read(ctx, addr, size_bytes)


@kernel(outlined=True)
def routine_bits(ctx: Context, addr: u64, size_bytes: u64, is_write: bool) -> None:
    """A library function writes a range, which makes it initialised, or reads it.

    Only reads of routines in CHECKED_ROUTINES are uses: others copy, or look at padding.
    """
    if is_write:
        bits_clear(ctx, addr, size_bytes)
    elif load_u8(CHECKED_ROUTINES + u64(ctx.routine)) != 0:
        used_bits(ctx, addr, size_bytes)
