"""RFF, the reads-from fuzzer: a schedule is to have, or not to have, given reads-from pairs.

    REST_WORDS   triples (1 or 0, write, read) of sites: the event at `read` finds what the event at
                 `write` has left, or, with 0, it does not

A thread whose next event would break a pair is put off, one whose event makes a pair goes first,
and what would overwrite a value that is still to be read is put off, too.  Among those of one rank
POS's scores decide.  Where all are put off, one of them goes on: a pair may be impossible.  Which
pairs are asked for is mutated from schedule to schedule, by the pairs that were seen
(explore/fuzzing.py).

    ctx.explore.objects, writers   of each object, by hash, the site of the newest write

Source: Wolff, Shi, Duck, Mathur, Roychoudhury, "Greybox fuzzing for concurrency testing", ASPLOS
2024, section 4.
Deviations: a write counts as reading what it overwrites, so locks are events like others; of two
objects at one place of the table the later one is known.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64
from irsan.runtime.kernels.record_types import Context, Thread
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import b1, u64
from irsan.runtime.kernels.schedulers.pending import best_place, place_to_thread, score_of
from irsan.runtime.kernels.schedulers.pos import pos_event
from irsan.runtime.layout.explore_words import REST_WORDS, WRITES
from irsan.runtime.records.explore_records import MAX_PAIRS, MAX_WRITERS

GOLDEN = 0x9E37_79B9_7F4A_7C15
INDEX_SHIFT = 64 - (MAX_WRITERS.bit_length() - 1)
TRIPLE = 24  # bytes


@kernel(inlined=True)
def writer_of(ctx: Context, addr: u64) -> u64:
    """Site of the newest write of an object, 0 when none is known."""
    index = (addr * GOLDEN) >> INDEX_SHIFT
    return ctx.explore.writers[index] if ctx.explore.objects[index] == addr else u64(0)


@kernel(inlined=True)
def n_pairs(ctx: Context) -> u64:
    """How many pairs the schedule was given."""
    return min(ctx.explore.n_rest // 3, u64(MAX_PAIRS))


@kernel(inlined=True)
def is_access(thread: Thread) -> b1:
    """Whether a thread's pending event reads or writes an object."""
    return thread.point.object != 0 and thread.point.kind <= WRITES


@kernel
def pair_rank(ctx: Context, thread: Thread) -> u64:
    """Of a thread's pending event: 2 it makes a pair, 0 it is put off, 1 anything else."""
    if not is_access(thread):
        return u64(1)
    newest = writer_of(ctx, thread.point.object)
    rank = u64(1)
    i = u64(0)
    while i < n_pairs(ctx):
        row = REST_WORDS + i * TRIPLE
        finds = newest == load_u64(row + 8)
        reads = thread.point.site == load_u64(row + 16)
        if load_u64(row) == 0:
            rank = u64(0) if finds and reads else rank
        elif ctx.explore.made >> i & 1 == 0:
            if finds and reads:
                return u64(2)
            if reads or (finds and thread.point.kind == WRITES):
                rank = u64(0)
        i += 1
    return rank


@kernel
def rff_place(ctx: Context) -> u64:
    """Place of the thread with the highest score among those of the highest rank.

    One that spins may wait for a thread that is put off: then the score alone decides.
    """
    if ctx.explore.is_spinning != 0:
        return best_place(ctx)
    best_rank, best, found = u64(0), u64(0), u64(0)
    place = u64(0)
    while place < ctx.schedule.n_runnable:
        rank = pair_rank(ctx, thread_at(place_to_thread(place)))
        score = score_of(ctx, place)
        if rank > best_rank or (rank == best_rank and score > best):
            best_rank, best, found = rank, score, place
        place += 1
    return found


@kernel
def rff_event(ctx: Context, thread: Thread) -> None:
    """A thread's event happens: pairs are made, the newest write is noted, scores as of POS."""
    if is_access(thread):
        newest = writer_of(ctx, thread.point.object)
        i = u64(0)
        while i < n_pairs(ctx):
            row = REST_WORDS + i * TRIPLE
            if newest == load_u64(row + 8) and thread.point.site == load_u64(row + 16):
                ctx.explore.made |= 1 << i
            i += 1
        if thread.point.kind == WRITES:
            index = (thread.point.object * GOLDEN) >> INDEX_SHIFT
            ctx.explore.objects[index] = thread.point.object
            ctx.explore.writers[index] = thread.point.site
    pos_event(ctx, thread)
