"""Remembered transitions: what a plain access made of one cell, it makes of every cell like it.

64 threads read a matrix: each cell of it goes through the same 64 histories, in the same order.
The exact way works out the next history once, in a record; the next cell that is in the same state
and is accessed alike takes that record, too (record_sharing.py).  So the first read of a cell in an
epoch costs one look into a small table, however many readers there were, and an array that is read
by all has as many records as it has histories, not as it has cells.

    transition, 64 bytes at TRANSITIONS, direct-mapped:

    | w, r before | access | kind | w, r after | stamps of the records before and after |

    w, r     the halves of the cell; of an expanded one `r` is only U64_EXPANDED, as the set of
             readers is a summary that changes by itself (generations.py)
    access   epoch, bytes and stack id, packed like a half

Beside the table stands one stamp: that of a record which is known to have an entry of the running
thread's epoch for all bytes.  A thread that reads an array again is mostly answered by it, before
its slow way has begun (`race_read8_again`): where more threads read than there are reader bits.

What comes out depends on nothing else: the running thread's clock in one epoch only grows, so an
access that raced with nothing races with nothing later in that epoch, and what was dropped as
ordered still is.  Transitions that found a race, and accesses of other kinds, are not remembered.

Source: ours; the idea is that of memoised transitions on hash-consed states (BDDs; ThreadSanitizer
v1's segment sets were shared in this way).
Soundness: exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import U64_DONTNEED, load_u64, real_madvise, store_u64
from irsan.runtime.kernels.race.cells.cell_words import (
    addr_to_cell,
    begin_expanded,
    is_expanded,
    pack_half,
    record_of,
    release_record,
)
from irsan.runtime.kernels.race.cells.record_sharing import (
    add_share,
    drop_share,
    record_stamp,
    stamp_record,
)
from irsan.runtime.kernels.race.cells.same_epoch import is_nobodys
from irsan.runtime.kernels.race.clocks.generations import with_reader
from irsan.runtime.kernels.race.clocks.race_words import (
    N_TRANSITIONS_FOLLOWED,
    N_UNCREDITED,
    OWN_EPOCH,
    OWN_STAMP,
    TRANSITION_CREDIT,
    U64_0,
    U64_1,
    U64_3,
    U64_8,
    U64_16,
    U64_24,
    U64_32,
    U64_EXPANDED,
    U64_READ,
)
from irsan.runtime.layout import memory_map

TRANSITION_BITS = 14
TRANSITIONS = np.uint64(memory_map.table("race transitions", 64 << TRANSITION_BITS))
COST_OF_ONE = np.uint64(16)  # follows that pay for what is remembered: small groups do better alone
MAX_CREDIT = np.uint64(1 << 16)
TRANSITION_BYTES = np.uint64(64)
TABLE_BYTES = np.uint64(64 << TRANSITION_BITS)
U64_15 = np.uint64(15)
U64_40 = np.uint64(40)
U64_48 = np.uint64(48)
U64_56 = np.uint64(56)
HASH_SHIFT = np.uint64(64 - TRANSITION_BITS)
# Odd multipliers: the fractions of the golden ratio, of the square roots of 3, 5 and 7.
U64_MIX_W = np.uint64(0x9E37_79B9_7F4A_7C15)
U64_MIX_R = np.uint64(0xBB67_AE85_84CA_A73B)
U64_MIX_ACCESS = np.uint64(0x3C6E_F372_FE94_F82B)
U64_MIX_LAST = np.uint64(0xA54F_F53A_5F1D_36F1)


@kernel("u64(u64)")
def half_to_state(r: Any) -> Any:
    """What a read half says of the state of its cell."""
    return U64_EXPANDED if is_expanded(r) else r


@kernel("u64(u64,u64,u64,u64)")
def transition_place(w: Any, state: Any, access: Any, kind: Any) -> Any:
    """Where the transition from a state by an access stands, if it is remembered."""
    mixed = w * U64_MIX_W ^ state * U64_MIX_R ^ (access + kind) * U64_MIX_ACCESS
    mixed = (mixed ^ (mixed >> U64_32)) * U64_MIX_LAST
    return TRANSITIONS + (mixed >> HASH_SHIFT) * TRANSITION_BYTES


@kernel("b1(u64,u64,u64)")
def still_names(w: Any, r: Any, stamp: Any) -> Any:
    """Whether the record of the state (w, r), if it has one, is the one that had this stamp."""
    return not is_expanded(r) or record_stamp(record_of(w)) == stamp


@kernel("u64(u64,u64,u64,u64)")
def find_transition(w: Any, state: Any, access: Any, kind: Any) -> Any:
    """Address of the remembered transition, 0 when there is none."""
    place = transition_place(w, state, access, kind)
    same_state = load_u64(place) == w and load_u64(place + U64_8) == state
    if not same_state or load_u64(place + U64_16) != access or load_u64(place + U64_24) != kind:
        return U64_0
    if not still_names(w, state, load_u64(place + U64_48)):
        return U64_0
    w_after, r_after = load_u64(place + U64_32), load_u64(place + U64_40)
    return place if still_names(w_after, r_after, load_u64(place + U64_56)) else U64_0


@kernel("void(ctx)")
def credit_success(ctx: Any) -> Any:
    """What was remembered has spared an exact way."""
    ctx.race[TRANSITION_CREDIT] = min(ctx.race[TRANSITION_CREDIT] + U64_1, MAX_CREDIT)


@kernel("b1(ctx)")
def has_credit(ctx: Any) -> Any:
    """Whether what was remembered has been worth it so far."""
    return ctx.race[TRANSITION_CREDIT] >= COST_OF_ONE


@kernel("b1(ctx,u64,u64)")
def move_share(ctx: Any, cell: Any, w_after: Any) -> Any:
    """A cell leaves its record, if it has one, for that of `w_after`; false: it cannot."""
    w = load_u64(cell)
    was_expanded = is_expanded(load_u64(cell + U64_8))
    if was_expanded and record_of(w) == record_of(w_after):
        return True
    if not add_share(record_of(w_after)):
        return False
    if was_expanded:
        drop_share(ctx, record_of(w))
    else:
        begin_expanded(ctx, cell)
    return True


@kernel("b1(ctx,u64,u64)")
def has_own_read(ctx: Any, w: Any, r: Any) -> Any:
    """Whether a cell is known to be expanded and to have this epoch's access of all its bytes."""
    if not is_expanded(r) or ctx.race[OWN_EPOCH] != np.uint64(ctx.epoch):
        return False
    stamp = record_stamp(record_of(w))
    return stamp != U64_0 and stamp == ctx.race[OWN_STAMP]


@kernel("void(ctx,u64,u64,u64)")
def note_own(ctx: Any, mask: Any, r_after: Any, stamp_after: Any) -> Any:
    """An access of the bytes `mask` led to a state; its record has an entry of this epoch."""
    if mask == U64_15 and is_expanded(r_after):
        ctx.race[OWN_STAMP] = stamp_after
        ctx.race[OWN_EPOCH] = np.uint64(ctx.epoch)


@kernel("b1(ctx,u64,u64)")
def copy_state(ctx: Any, cell: Any, other: Any) -> Any:
    """Let a cell that was like `cell` before an access be like it again; false: it cannot."""
    w = load_u64(cell)
    r = load_u64(cell + U64_8)
    if is_expanded(r):
        if not move_share(ctx, other, w):
            return False
    elif is_expanded(load_u64(other + U64_8)):
        release_record(ctx, other, record_of(load_u64(other)))
    store_u64(other, w)
    store_u64(other + U64_8, r)
    return True


@kernel("b1(ctx,u64,u64,u64,u64)")
def follow_transition(ctx: Any, cell: Any, mask: Any, kind: Any, stack: Any) -> Any:
    """Do an access as it was done to a cell like this one; false: nothing was done."""
    w = load_u64(cell)
    r = load_u64(cell + U64_8)
    access = pack_half(np.uint64(ctx.epoch), mask, stack)
    found = find_transition(w, half_to_state(r), access, kind)
    if found == U64_0:
        return False
    w_after = load_u64(found + U64_32)
    r_after = load_u64(found + U64_40)
    if not is_expanded(r_after):
        release_record(ctx, cell, record_of(w))
    elif not move_share(ctx, cell, w_after):
        return False
    elif kind == U64_READ:
        r_after = with_reader(ctx, r if is_expanded(r) else U64_0, mask)
    store_u64(cell, w_after)
    store_u64(cell + U64_8, r_after)
    note_own(ctx, mask, r_after, load_u64(found + U64_56))
    ctx.race[N_TRANSITIONS_FOLLOWED] += U64_1
    credit_success(ctx)
    return True


@kernel("b1(ctx)")
def is_worth_remembering(ctx: Any) -> Any:
    """Whether the next transition should be remembered: one in 16 if few were ever followed."""
    if not has_credit(ctx):
        ctx.race[N_UNCREDITED] += U64_1
        return ctx.race[N_UNCREDITED] & U64_15 == U64_0
    ctx.race[TRANSITION_CREDIT] -= COST_OF_ONE
    return True


@kernel("u64(ctx,u64,u64)")
def stamp_state(ctx: Any, w: Any, r: Any) -> Any:
    """The stamp of a state's record; 1, which no state without a record looks at, for none."""
    return stamp_record(ctx, record_of(w)) if is_expanded(r) else U64_1


@kernel("void(ctx,u64,u64,u64,u64,u64,u64)")
def remember_transition(
    ctx: Any, cell: Any, w: Any, r: Any, mask: Any, kind: Any, stack: Any
) -> Any:
    """An access that raced with nothing has brought a cell from (w, r) to what it is now.

    The record of (w, r), if it has one, must be as it was: other cells have it.
    """
    w_after = load_u64(cell)
    r_after = load_u64(cell + U64_8)
    is_lost = w_after | r_after == U64_0  # side memory was full
    if is_lost or not (is_expanded(r) or is_expanded(r_after)):
        return
    before = stamp_state(ctx, w, r)
    after = stamp_state(ctx, w_after, r_after)
    if before == U64_0 or after == U64_0:
        return
    state = half_to_state(r)
    access = pack_half(np.uint64(ctx.epoch), mask, stack)
    place = transition_place(w, state, access, kind)
    store_u64(place, w)
    store_u64(place + U64_8, state)
    store_u64(place + U64_16, access)
    store_u64(place + U64_24, kind)
    store_u64(place + U64_32, w_after)
    store_u64(place + U64_40, r_after)
    store_u64(place + U64_48, before)
    store_u64(place + U64_56, after)
    note_own(ctx, mask, r_after, after)


@kernel("void()")
def forget_transitions() -> Any:
    """Epochs begin anew: what was remembered of them is no longer true."""
    real_madvise(TRANSITIONS, TABLE_BYTES, U64_DONTNEED)


@kernel("b1(ctx,u64)")
def race_read4_again(ctx: Any, addr: Any) -> Any:
    """Whether a read of 4 bytes repeats one of this epoch, by its record; asked in the slow way."""
    if is_nobodys(ctx, addr) or addr & U64_3 != U64_0:
        return False
    cell = addr_to_cell(addr)
    r = load_u64(cell + U64_8)
    if not has_own_read(ctx, load_u64(cell), r):
        return False
    store_u64(cell + U64_8, with_reader(ctx, r, U64_15))
    credit_success(ctx)
    return True


@kernel("b1(ctx,u64)")
def race_read8_again(ctx: Any, addr: Any) -> Any:
    """The same for 8 bytes whose two cells are alike."""
    if is_nobodys(ctx, addr) or addr & U64_3 != U64_0:
        return False
    cell = addr_to_cell(addr)
    w, r = load_u64(cell), load_u64(cell + U64_8)
    are_alike = load_u64(cell + U64_16) == w and load_u64(cell + U64_24) == r
    if not are_alike or not has_own_read(ctx, w, r):
        return False
    r = with_reader(ctx, r, U64_15)
    store_u64(cell + U64_8, r)
    store_u64(cell + U64_24, r)
    credit_success(ctx)
    return True
