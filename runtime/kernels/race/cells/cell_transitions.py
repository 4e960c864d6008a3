"""Remembered transitions: what a plain access made of one cell, it makes of every cell like it.

64 threads read a matrix: each cell of it goes through the same 64 histories, in the same order.
The exact way works out the next history once, in a record; the next cell that is in the same state
and is accessed alike takes that record, too (record_sharing.py).  So the first read of a cell in an
epoch costs one look into a small table, however many readers there were, and an array that is read
by all has as many records as it has histories, not as it has cells.

    transition, 64 bytes at TRANSITIONS, direct-mapped:

    | w, r before | access | kind | w, r after | stamps of the records before and after |

    w, r     the halves of the cell; of an expanded one `r` is only EXPANDED, as the set of
             readers is a summary that changes by itself (generations.py)
    access   epoch, bytes and stack id, packed like a half

Beside the table stands one stamp: that of a record which is known to have an entry of the running
thread's epoch for all bytes.  A thread that reads an array again is mostly answered by it, before
its slow way has begun (`race_read8_again`): where more threads read than there are reader bits.

What comes out depends on nothing else: the running thread's clock in one epoch only grows, so an
access that raced with nothing races with nothing later in that epoch, and what was dropped as
ordered still is.  Transitions that found a race, and accesses of other kinds, are not remembered.

A look that finds nothing costs a line of the table, which is in no cache where there are many
cells; so once most looks have found nothing, one in 16 accesses looks.

Source: ours; the idea is that of memoised transitions on hash-consed states (BDDs; ThreadSanitizer
v1's segment sets were shared in this way).
Soundness: exact.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import DONTNEED, real_madvise
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
    EXPANDED,
    READ,
)
from irsan.runtime.kernels.race.race_types import cell_at, transition_at
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout import memory_map

TRANSITION_BITS = 14
TRANSITIONS = memory_map.table("race transitions", 64 << TRANSITION_BITS)
COST_OF_ONE = 16  # follows that pay for the memory: small groups do better alone
MAX_CREDIT = 1 << 16
PATIENCE = 256  # looks without a success, each at a line that may be in no cache
WORTH_OF_ONE = 16  # looks
LAST_MISS = PATIENCE + WORTH_OF_ONE
TRANSITION_BYTES = 64
TABLE_BYTES = 64 << TRANSITION_BITS
HASH_SHIFT = 64 - TRANSITION_BITS
# Odd multipliers: the fractions of the golden ratio, of the square roots of 3, 5 and 7.
MIX_W = 0x9E37_79B9_7F4A_7C15
MIX_R = 0xBB67_AE85_84CA_A73B
MIX_ACCESS = 0x3C6E_F372_FE94_F82B
MIX_LAST = 0xA54F_F53A_5F1D_36F1


@kernel
def half_to_state(r: u64) -> u64:
    """What a read half says of the state of its cell."""
    return u64(EXPANDED) if is_expanded(r) else r


@kernel
def transition_place(w: u64, state: u64, access: u64, kind: u64) -> u64:
    """Where the transition from a state by an access stands, if it is remembered."""
    mixed = w * MIX_W ^ state * MIX_R ^ (access + kind) * MIX_ACCESS
    mixed = (mixed ^ (mixed >> 32)) * MIX_LAST
    return TRANSITIONS + (mixed >> HASH_SHIFT) * TRANSITION_BYTES


@kernel
def still_names(w: u64, r: u64, stamp: u64) -> bool:
    """Whether the record of the state (w, r), if it has one, is the one that had this stamp."""
    return not is_expanded(r) or record_stamp(record_of(w)) == stamp


@kernel
def is_worth_a_look(ctx: Context) -> bool:
    """Whether the table should be asked: one time in 16 once most looks have found nothing."""
    return ctx.race.n_missed_looks <= PATIENCE


@kernel
def note_missed_look(ctx: Context) -> None:
    """No transition was followed, whether the table was asked or not."""
    ctx.race.n_missed_looks += 1
    if ctx.race.n_missed_looks == LAST_MISS:
        ctx.race.n_missed_looks = u64(PATIENCE)


@kernel
def find_transition(w: u64, state: u64, access: u64, kind: u64) -> u64:
    """Address of the remembered transition, 0 when there is none."""
    place = transition_place(w, state, access, kind)
    same_state = transition_at(place).write == w and transition_at(place).state == state
    if not same_state or transition_at(place).access != access or transition_at(place).kind != kind:
        return 0
    if not still_names(w, state, transition_at(place).stamp):
        return 0
    w_after, r_after = transition_at(place).write_after, transition_at(place).read_after
    return place if still_names(w_after, r_after, transition_at(place).stamp_after) else u64(0)


@kernel
def credit_success(ctx: Context) -> None:
    """What was remembered has spared an exact way."""
    ctx.race.transition_credit = min(ctx.race.transition_credit + 1, u64(MAX_CREDIT))
    ctx.race.n_missed_looks = max(ctx.race.n_missed_looks, u64(WORTH_OF_ONE)) - u64(WORTH_OF_ONE)


@kernel
def has_credit(ctx: Context) -> bool:
    """Whether what was remembered has been worth it so far."""
    return ctx.race.transition_credit >= COST_OF_ONE


@kernel
def move_share(ctx: Context, cell: u64, w_after: u64) -> bool:
    """A cell leaves its record, if it has one, for that of `w_after`; false: it cannot."""
    w = cell_at(cell).write
    was_expanded = is_expanded(cell_at(cell).read)
    if was_expanded and record_of(w) == record_of(w_after):
        return True
    if not add_share(record_of(w_after)):
        return False
    if was_expanded:
        drop_share(ctx, record_of(w))
    else:
        begin_expanded(ctx, cell)
    return True


@kernel
def has_own_read(ctx: Context, w: u64, r: u64) -> bool:
    """Whether a cell is known to be expanded and to have this epoch's access of all its bytes."""
    if not is_expanded(r) or ctx.race.own_epoch != u64(ctx.epoch):
        return False
    stamp = record_stamp(record_of(w))
    return stamp != 0 and stamp == ctx.race.own_stamp


@kernel
def note_own(ctx: Context, mask: u64, r_after: u64, stamp_after: u64) -> None:
    """An access of the bytes `mask` led to a state; its record has an entry of this epoch."""
    if mask == 15 and is_expanded(r_after):
        ctx.race.own_stamp = stamp_after
        ctx.race.own_epoch = u64(ctx.epoch)


@kernel
def copy_state(ctx: Context, cell: u64, other: u64) -> bool:
    """Let a cell that was like `cell` before an access be like it again; false: it cannot."""
    w = cell_at(cell).write
    r = cell_at(cell).read
    if is_expanded(r):
        if not move_share(ctx, other, w):
            return False
    elif is_expanded(cell_at(other).read):
        release_record(ctx, other, record_of(cell_at(other).write))
    cell_at(other).write = w
    cell_at(other).read = r
    return True


@kernel
def follow_transition(ctx: Context, cell: u64, mask: u64, kind: u64, stack: u64) -> bool:
    """Do an access as it was done to a cell like this one; false: nothing was done."""
    w = cell_at(cell).write
    r = cell_at(cell).read
    access = pack_half(u64(ctx.epoch), mask, stack)
    found = u64(0)
    if is_worth_a_look(ctx):
        found = find_transition(w, half_to_state(r), access, kind)
    if found == 0:
        note_missed_look(ctx)
        return False
    w_after = transition_at(found).write_after
    r_after = transition_at(found).read_after
    if not is_expanded(r_after):
        release_record(ctx, cell, record_of(w))
    elif not move_share(ctx, cell, w_after):
        return False
    elif kind == READ:
        r_after = with_reader(ctx, r if is_expanded(r) else u64(0), mask)
    cell_at(cell).write = w_after
    cell_at(cell).read = r_after
    note_own(ctx, mask, r_after, transition_at(found).stamp_after)
    ctx.race.n_transitions_followed += 1
    credit_success(ctx)
    return True


@kernel
def is_worth_remembering(ctx: Context) -> bool:
    """Whether the next transition should be remembered: one in 16 if few were ever followed."""
    if not has_credit(ctx):
        ctx.race.n_uncredited += 1
        return ctx.race.n_uncredited & 15 == 0
    ctx.race.transition_credit -= COST_OF_ONE
    return True


@kernel
def stamp_state(ctx: Context, w: u64, r: u64) -> u64:
    """The stamp of a state's record; 1, which no state without a record looks at, for none."""
    return stamp_record(ctx, record_of(w)) if is_expanded(r) else u64(1)


@kernel
def remember_transition(
    ctx: Context, cell: u64, w: u64, r: u64, mask: u64, kind: u64, stack: u64
) -> None:
    """An access that raced with nothing has brought a cell from (w, r) to what it is now.

    The record of (w, r), if it has one, must be as it was: other cells have it.
    """
    w_after = cell_at(cell).write
    r_after = cell_at(cell).read
    is_lost = w_after | r_after == 0  # side memory was full
    if is_lost or not (is_expanded(r) or is_expanded(r_after)):
        return
    before = stamp_state(ctx, w, r)
    after = stamp_state(ctx, w_after, r_after)
    if before == 0 or after == 0:
        return
    state = half_to_state(r)
    access = pack_half(u64(ctx.epoch), mask, stack)
    place = transition_place(w, state, access, kind)
    transition_at(place).write = w
    transition_at(place).state = state
    transition_at(place).access = access
    transition_at(place).kind = kind
    transition_at(place).write_after = w_after
    transition_at(place).read_after = r_after
    transition_at(place).stamp = before
    transition_at(place).stamp_after = after
    note_own(ctx, mask, r_after, after)


@kernel
def forget_transitions() -> None:
    """Epochs begin anew: what was remembered of them is no longer true."""
    real_madvise(TRANSITIONS, TABLE_BYTES, DONTNEED)


@kernel
def race_read4_again(ctx: Context, addr: u64) -> bool:
    """Whether a read of 4 bytes repeats one of this epoch, by its record; asked in the slow way."""
    if is_nobodys(ctx, addr) or addr & 3 != 0:
        return False
    cell = addr_to_cell(addr)
    r = cell_at(cell).read
    if not has_own_read(ctx, cell_at(cell).write, r):
        return False
    cell_at(cell).read = with_reader(ctx, r, 15)
    credit_success(ctx)
    return True


@kernel
def race_read8_again(ctx: Context, addr: u64) -> bool:
    """The same for 8 bytes whose two cells are alike."""
    if is_nobodys(ctx, addr) or addr & 3 != 0:
        return False
    cell = addr_to_cell(addr)
    w, r = cell_at(cell).write, cell_at(cell).read
    are_alike = cell_at(cell + 16).write == w and cell_at(cell + 16).read == r
    if not are_alike or not has_own_read(ctx, w, r):
        return False
    r = with_reader(ctx, r, 15)
    cell_at(cell).read = r
    cell_at(cell + 16).read = r
    credit_success(ctx)
    return True
