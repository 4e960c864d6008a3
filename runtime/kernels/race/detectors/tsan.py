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

Source: ThreadSanitizer v3 of LLVM 14 and later (tsan_shadow.h, tsan_rtl_access.cpp).
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

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, store_u32
from irsan.runtime.kernels.race.cells.found_races import note_race
from irsan.runtime.kernels.race.cells.race_records import conflicts, record_to_address
from irsan.runtime.kernels.race.clocks.race_words import (
    ALLOCATION,
    ATOMIC,
    CLOCK_BITS,
    DEAD,
    FREE,
    WRITE,
)
from irsan.runtime.kernels.race.clocks.vclock import epoch_before
from irsan.runtime.kernels.race.detectors.shared_histories import (
    forget_places,
    own_history,
    run_end,
    unit_to_place,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout.memory_map import ARENA_LO, RACE_SHADOW

MARKER = 64  # beside the bits of a kind
FREED_BYTES = 1024

MARKER_WORD = MARKER << 8
DEAD_MARK = DEAD << 8
ALL_BYTES = 255
REPORTED_KIND = 3 | FREE | ALLOCATION
GOLDEN = 0x9E37_79B9_7F4A_7C15


@kernel
def addr_to_unit_place(addr: u64) -> u64:
    """Place of the eight bytes that `addr` is among."""
    return unit_to_place((addr - ARENA_LO) >> 3)


@kernel
def unit_place_to_addr(place: u64) -> u64:
    """First byte of the unit with a place."""
    return ((place - RACE_SHADOW) << 1) + ARENA_LO


@kernel
def unit_mask(addr: u64, end: u64) -> u64:
    """Which bytes of the unit of `addr` lie in [addr, end)."""
    first = addr & 7
    n_bytes = min(8 - first, end - addr)
    return ((1 << n_bytes) - 1) << first


@kernel
def weakness(kind: u64) -> u64:
    """0 plain write, 1 plain read, 2 atomic write, 3 atomic read."""
    return (kind & ATOMIC) | (1 - (kind & 1))


@kernel
def has_same_access(ctx: Context, index: u64, mask: u64, kind: u64) -> bool:
    """Whether a record has this very access already, or says that its reads are done with."""
    word = record_to_address(index) + 8
    end = word + u64(4) * 12
    is_read = kind & WRITE == 0
    while word < end:
        meta = u64(load_u32(word + 4))
        if is_read and meta == MARKER_WORD:
            return True
        old = (meta >> 8) & 3
        is_enough = old == kind or (is_read and old == kind | WRITE)
        is_enough &= meta & DEAD_MARK == 0
        if load_u32(word) == ctx.epoch and meta & ALL_BYTES == mask and is_enough:
            return True
        word += 12
    return False


@kernel
def note_word(ctx: Context, place: u64, end: u64, both: u64, word: u64) -> None:
    """Note that the access in progress races with the word at an address.

    [place, end)  the units that do;  both  the bytes of each that the two share
    """
    meta = u64(load_u32(word + 4))
    old = meta & ALL_BYTES
    kind = (meta >> 8) & REPORTED_KIND
    epoch = u64(load_u32(word))
    stack = u64(load_u32(word + 8))
    while place < end:
        addr = unit_place_to_addr(place)
        if both & 15 != 0:
            note_race(ctx, addr, both & 15, epoch, stack | ((old & 15) << 28), kind)
        if both >> 4 != 0:
            note_race(ctx, addr + 4, both >> 4, epoch, stack | (old >> 4) << 28,
                      kind)  # fmt: skip
        place += 4


@kernel
def races_with_word(ctx: Context, word: u64, kind: u64) -> bool:
    """Whether an access of this thread races with a word that shares bytes with it."""
    epoch = u64(load_u32(word))
    meta = u64(load_u32(word + 4))
    if meta & DEAD_MARK != 0:
        return True
    old = (meta >> 8) & 3
    if (epoch ^ u64(ctx.epoch)) >> CLOCK_BITS == 0:
        return False
    return conflicts(old, kind) and not epoch_before(epoch, ctx.vc)


@kernel
def find_race(ctx: Context, place: u64, end: u64, mask: u64, kind: u64) -> u64:
    """The first word of the run [place, end) that an access races with, noted; 0 = none."""
    word = record_to_address(u64(load_u32(place))) + 8
    last = word + u64(4) * 12
    while word < last:
        both = u64(load_u32(word + 4)) & mask
        if both != 0 and races_with_word(ctx, word, kind):
            note_word(ctx, place, end, both, word)
            return word
        word += 12
    return 0


@kernel
def next_victim(ctx: Context) -> u64:
    """Number of the word that is evicted, 0 to 3: xorshift64*, begun from the run's seed."""
    state = ctx.race.evictions
    if state == 0:
        state = (ctx.schedule.rng[0] ^ GOLDEN) | 1
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    ctx.race.evictions = state
    return (state * GOLDEN) >> 62


@kernel
def may_replace(ctx: Context, word: u64, mask: u64, kind: u64) -> bool:
    """Whether an access is stored over a word: the same thread and bytes, no stronger before."""
    meta = u64(load_u32(word + 4))
    if meta & ALL_BYTES != mask:
        return False
    if (u64(load_u32(word)) ^ u64(ctx.epoch)) >> CLOCK_BITS != 0:
        return False
    return weakness(meta >> 8) >= weakness(kind)


@kernel
def word_to_fill(ctx: Context, rec: u64, mask: u64, kind: u64) -> u64:
    """Address of the word of a record that an access is stored in."""
    word = rec + 8
    end = word + u64(4) * 12
    while word < end:
        if load_u32(word + 4) == 0 or may_replace(ctx, word, mask, kind):
            return word
        word += 12
    ctx.race.n_evicted += 1
    return rec + 8 + next_victim(ctx) * 12


@kernel
def mark_raced(rec: u64) -> None:
    """Clear the words of a record but for the marker."""
    word = rec + 8
    end = word + u64(4) * 12
    while word < end:
        store_u32(word, 0)
        store_u32(word + 4, 0)
        word += 12
    store_u32(rec + 12, u32(MARKER_WORD))


@kernel
def access_units(ctx: Context, place: u64, end: u64, mask: u64, kind: u64, stack: u64) -> None:
    """Check and record an access to the bytes `mask` of each unit of the run [place, end).

    kind  may have a flag FREE, with or without DEAD, or ALLOCATION
    """
    index = u64(load_u32(place))
    has_raced = False
    if index != 0:
        if has_same_access(ctx, index, mask, kind):
            return
        has_raced = find_race(ctx, place, end, mask, kind & 3) != 0
    index = own_history(ctx, place, end, 0)
    if index == 0:
        return
    rec = record_to_address(index)
    if has_raced:
        mark_raced(rec)
        return
    word = word_to_fill(ctx, rec, mask, kind & 3)
    store_u32(word, ctx.epoch)
    store_u32(word + 4, u32(mask | (kind << 8)))
    store_u32(word + 8, u32(stack))


@kernel
def tsan_access(ctx: Context, addr: u64, size_bytes: u64, kind: u64, stack: u64) -> None:
    """Check and record an access to [addr, addr + size) of the arena.  O(bytes).

    kind  READ, WRITE or those | ATOMIC.  Races are in the found list (found_races.py).
    """
    end = addr + size_bytes
    while addr < end:
        mask = unit_mask(addr, end)
        place = addr_to_unit_place(addr)
        stop = place + 4
        if mask == ALL_BYTES:
            stop = run_end(place, addr_to_unit_place(end))
        access_units(ctx, place, stop, mask, kind, stack)
        addr = unit_place_to_addr(stop)


@kernel
def forget_unit_bytes(ctx: Context, addr: u64, mask: u64) -> None:
    """Forget the accesses to the bytes `mask` of the unit of `addr`."""
    place = addr_to_unit_place(addr)
    if load_u32(place) == 0:
        return
    index = own_history(ctx, place, place + 4, 0)
    if index == 0:
        return
    word = record_to_address(index) + 8
    end = word + u64(4) * 12
    while word < end:
        meta = u64(load_u32(word + 4)) & ~mask
        if meta & ALL_BYTES == 0 and meta != MARKER_WORD:
            meta = u64(0)
        store_u32(word + 4, u32(meta))
        word += 12


@kernel
def tsan_restart(ctx: Context, addr: u64, end: u64, flag: u64, stack: u64) -> None:
    """Replace the history of [addr, end) by a write of this thread, now; by nothing with flag 0."""
    here = addr
    while here < end:
        mask = unit_mask(here, end)
        if mask == ALL_BYTES:
            stop = addr_to_unit_place(end)
            forget_places(ctx, addr_to_unit_place(here), stop)
        else:
            stop = addr_to_unit_place(here) + 4
            forget_unit_bytes(ctx, here, mask)
        here = unit_place_to_addr(stop)
    if flag == 0:
        return
    if flag & FREE != 0:
        end = min(end, addr + FREED_BYTES)
    tsan_access(ctx, addr, end - addr, WRITE | flag, stack)
