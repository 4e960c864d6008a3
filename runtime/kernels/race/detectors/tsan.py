"""The detector `tsan`: four shadow words per eight bytes, as ThreadSanitizer v3 keeps them.

    unit     eight aligned bytes; their record holds four words of 12 bytes
    word     {epoch u32, bytes 8 | kind << 8 u32, stack id u32}; all 0 = empty
    marker   a word of kind MARKER only: the unit has raced, its reads are done with

    same access   a word of this epoch with the same bytes and kind (a read: or a write): nothing
    race          a word that shares bytes, of another thread, not both reads nor both atomic, and
                  not known to this thread: reported; all words are cleared, the first is the marker
    store         over a word of this thread with the same bytes that is no stronger; else into an
                  empty word; else over one of the four, by a seeded generator
    strength      plain write, then plain read, atomic write, atomic read

Source: ThreadSanitizer v3 (notes 8.5).
Deviations: epochs are 32 bits wide and come with their stack, so nothing is lost by the reuse of
its 255 slots, by its resets, nor by the end of its traces; the generator is one of our own, where
it takes the position in the trace.  A block's words are one record until its parts differ.
With address checks the mark of a freed block is a write of the thread that freed it, which that
very thread may follow; without them it is dead: every use races with it.
Soundness: every report is a race.  Missed are races with what was evicted, with the accesses that a
stronger one of the same thread has replaced (an atomic write under a plain read), with those of a
unit that has raced, and beyond the first 1024 bytes of a freed block.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, store_u32
from irsan.runtime.kernels.race.cells.found_races import note_race
from irsan.runtime.kernels.race.cells.race_records import conflicts, record_to_address
from irsan.runtime.kernels.race.clocks.race_words import (
    EVICTIONS,
    N_EVICTED,
    U32_0,
    U64_0,
    U64_1,
    U64_3,
    U64_4,
    U64_8,
    U64_12,
    U64_28,
    U64_ALLOCATION,
    U64_ARENA_LO,
    U64_ATOMIC,
    U64_CLOCK_BITS,
    U64_DEAD,
    U64_FREE,
    U64_RACE_SHADOW,
    U64_WRITE,
)
from irsan.runtime.kernels.race.clocks.vclock import epoch_before
from irsan.runtime.kernels.race.detectors.shared_histories import (
    forget_places,
    own_history,
    run_end,
    unit_to_place,
)

MARKER = 64  # beside the bits of a kind
FREED_BYTES = 1024

U64_7 = np.uint64(7)
U64_13 = np.uint64(13)
U64_15 = np.uint64(15)
U64_17 = np.uint64(17)
U64_62 = np.uint64(62)
U64_MARKER = np.uint64(MARKER << 8)
U64_DEAD_MARK = np.uint64(U64_DEAD << U64_8)
U64_ALL_BYTES = np.uint64(255)
U64_REPORTED_KIND = np.uint64(U64_3 | U64_FREE | U64_ALLOCATION)
U64_FREED_BYTES = np.uint64(FREED_BYTES)
U64_GOLDEN = np.uint64(0x9E37_79B9_7F4A_7C15)


@kernel("u64(u64)")
def addr_to_unit_place(addr: Any) -> Any:
    """Place of the eight bytes that `addr` is among."""
    return unit_to_place((addr - U64_ARENA_LO) >> U64_3)


@kernel("u64(u64)")
def unit_place_to_addr(place: Any) -> Any:
    """First byte of the unit with a place."""
    return ((place - U64_RACE_SHADOW) << U64_1) + U64_ARENA_LO


@kernel("u64(u64,u64)")
def unit_mask(addr: Any, end: Any) -> Any:
    """Which bytes of the unit of `addr` lie in [addr, end)."""
    first = addr & U64_7
    n_bytes = min(U64_8 - first, end - addr)
    return ((U64_1 << n_bytes) - U64_1) << first


@kernel("u64(u64)")
def weakness(kind: Any) -> Any:
    """0 plain write, 1 plain read, 2 atomic write, 3 atomic read."""
    return (kind & U64_ATOMIC) | (U64_1 - (kind & U64_1))


@kernel("b1(ctx,u64,u64,u64)")
def has_same_access(ctx: Any, index: Any, mask: Any, kind: Any) -> Any:
    """Whether a record has this very access already, or tells that its reads are done with."""
    word = record_to_address(index) + U64_8
    end = word + U64_4 * U64_12
    is_read = kind & U64_WRITE == U64_0
    while word < end:
        meta = np.uint64(load_u32(word + U64_4))
        if is_read and meta == U64_MARKER:
            return True
        old = (meta >> U64_8) & U64_3
        is_enough = old == kind or (is_read and old == kind | U64_WRITE)
        is_enough &= meta & U64_DEAD_MARK == U64_0
        if load_u32(word) == ctx.epoch and meta & U64_ALL_BYTES == mask and is_enough:
            return True
        word += U64_12
    return False


@kernel("void(ctx,u64,u64,u64,u64)")
def note_word(ctx: Any, place: Any, end: Any, both: Any, word: Any) -> Any:
    """Note that the access in progress races with the word at an address.

    [place, end)  the units that do;  both  the bytes of each that the two share
    """
    meta = np.uint64(load_u32(word + U64_4))
    old = meta & U64_ALL_BYTES
    kind = (meta >> U64_8) & U64_REPORTED_KIND
    epoch = np.uint64(load_u32(word))
    stack = np.uint64(load_u32(word + U64_8))
    while place < end:
        addr = unit_place_to_addr(place)
        if both & U64_15 != U64_0:
            note_race(ctx, addr, both & U64_15, epoch, stack | ((old & U64_15) << U64_28), kind)
        if both >> U64_4 != U64_0:
            note_race(ctx, addr + U64_4, both >> U64_4, epoch, stack | (old >> U64_4) << U64_28,
                      kind)  # fmt: skip
        place += U64_4


@kernel("b1(ctx,u64,u64)")
def races_with_word(ctx: Any, word: Any, kind: Any) -> Any:
    """Whether an access of this thread races with a word that shares bytes with it."""
    epoch = np.uint64(load_u32(word))
    meta = np.uint64(load_u32(word + U64_4))
    if meta & U64_DEAD_MARK != U64_0:
        return True
    old = (meta >> U64_8) & U64_3
    if (epoch ^ np.uint64(ctx.epoch)) >> U64_CLOCK_BITS == U64_0:
        return False
    return conflicts(old, kind) and not epoch_before(epoch, ctx.vc)


@kernel("u64(ctx,u64,u64,u64,u64)")
def find_race(ctx: Any, place: Any, end: Any, mask: Any, kind: Any) -> Any:
    """The first word of the run [place, end) that an access races with, noted; 0 = none."""
    word = record_to_address(np.uint64(load_u32(place))) + U64_8
    last = word + U64_4 * U64_12
    while word < last:
        both = np.uint64(load_u32(word + U64_4)) & mask
        if both != U64_0 and races_with_word(ctx, word, kind):
            note_word(ctx, place, end, both, word)
            return word
        word += U64_12
    return U64_0


@kernel("u64(ctx)")
def next_victim(ctx: Any) -> Any:
    """Number of the word that is evicted, 0 to 3: xorshift64*, begun from the run's seed."""
    state = ctx.race[EVICTIONS]
    if state == U64_0:
        state = (ctx.rng[0] ^ U64_GOLDEN) | U64_1
    state ^= state << U64_13
    state ^= state >> U64_7
    state ^= state << U64_17
    ctx.race[EVICTIONS] = state
    return (state * U64_GOLDEN) >> U64_62


@kernel("b1(ctx,u64,u64,u64)")
def may_replace(ctx: Any, word: Any, mask: Any, kind: Any) -> Any:
    """Whether an access is stored over a word: the same thread and bytes, no stronger before."""
    meta = np.uint64(load_u32(word + U64_4))
    if meta & U64_ALL_BYTES != mask:
        return False
    if (np.uint64(load_u32(word)) ^ np.uint64(ctx.epoch)) >> U64_CLOCK_BITS != U64_0:
        return False
    return weakness(meta >> U64_8) >= weakness(kind)


@kernel("u64(ctx,u64,u64,u64)")
def word_to_fill(ctx: Any, rec: Any, mask: Any, kind: Any) -> Any:
    """Address of the word of a record that an access is stored in."""
    word = rec + U64_8
    end = word + U64_4 * U64_12
    while word < end:
        if load_u32(word + U64_4) == U32_0 or may_replace(ctx, word, mask, kind):
            return word
        word += U64_12
    ctx.race[N_EVICTED] += U64_1
    return rec + U64_8 + next_victim(ctx) * U64_12


@kernel("void(u64)")
def mark_raced(rec: Any) -> Any:
    """Clear the words of a record but for the marker."""
    word = rec + U64_8
    end = word + U64_4 * U64_12
    while word < end:
        store_u32(word, U32_0)
        store_u32(word + U64_4, U32_0)
        word += U64_12
    store_u32(rec + U64_12, np.uint32(U64_MARKER))


@kernel("void(ctx,u64,u64,u64,u64,u64)")
def access_units(ctx: Any, place: Any, end: Any, mask: Any, kind: Any, stack: Any) -> Any:
    """Check and record an access to the bytes `mask` of each unit of the run [place, end).

    kind  may have a flag FREE, with or without DEAD, or ALLOCATION
    """
    index = np.uint64(load_u32(place))
    has_raced = False
    if index != U64_0:
        if has_same_access(ctx, index, mask, kind):
            return
        has_raced = find_race(ctx, place, end, mask, kind & U64_3) != U64_0
    index = own_history(ctx, place, end, U64_0)
    if index == U64_0:
        return
    rec = record_to_address(index)
    if has_raced:
        mark_raced(rec)
        return
    word = word_to_fill(ctx, rec, mask, kind & U64_3)
    store_u32(word, ctx.epoch)
    store_u32(word + U64_4, np.uint32(mask | (kind << U64_8)))
    store_u32(word + U64_8, np.uint32(stack))


@kernel("void(ctx,u64,u64,u64,u64)")
def tsan_access(ctx: Any, addr: Any, size_bytes: Any, kind: Any, stack: Any) -> Any:
    """Check and record an access to [addr, addr + size) of the arena.  O(bytes).

    kind  READ, WRITE or those | ATOMIC.  Races are in the found list (found_races.py).
    """
    end = addr + size_bytes
    while addr < end:
        mask = unit_mask(addr, end)
        place = addr_to_unit_place(addr)
        stop = place + U64_4
        if mask == U64_ALL_BYTES:
            stop = run_end(place, addr_to_unit_place(end))
        access_units(ctx, place, stop, mask, kind, stack)
        addr = unit_place_to_addr(stop)


@kernel("void(ctx,u64,u64)")
def forget_unit_bytes(ctx: Any, addr: Any, mask: Any) -> Any:
    """Forget the accesses to the bytes `mask` of the unit of `addr`."""
    place = addr_to_unit_place(addr)
    if load_u32(place) == U32_0:
        return
    index = own_history(ctx, place, place + U64_4, U64_0)
    if index == U64_0:
        return
    word = record_to_address(index) + U64_8
    end = word + U64_4 * U64_12
    while word < end:
        meta = np.uint64(load_u32(word + U64_4)) & ~mask
        if meta & U64_ALL_BYTES == U64_0 and meta != U64_MARKER:
            meta = U64_0
        store_u32(word + U64_4, np.uint32(meta))
        word += U64_12


@kernel("void(ctx,u64,u64,u64,u64)")
def tsan_restart(ctx: Any, addr: Any, end: Any, flag: Any, stack: Any) -> Any:
    """Replace the history of [addr, end) by a write of this thread, now; by nothing with flag 0."""
    here = addr
    while here < end:
        mask = unit_mask(here, end)
        if mask == U64_ALL_BYTES:
            stop = addr_to_unit_place(end)
            forget_places(ctx, addr_to_unit_place(here), stop)
        else:
            stop = addr_to_unit_place(here) + U64_4
            forget_unit_bytes(ctx, here, mask)
        here = unit_place_to_addr(stop)
    if flag == U64_0:
        return
    if flag & U64_FREE != U64_0:
        end = min(end, addr + U64_FREED_BYTES)
    tsan_access(ctx, addr, end - addr, U64_WRITE | flag, stack)
