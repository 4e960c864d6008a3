"""Recording: the events of a run, written into a buffer, and from there into a pipe.

    access, sync operation --note--> buffer, BUFFER_BYTES --write(2)--> a process of its own, which
                                                                        makes a trace of them

With recording off a sync operation pays one load and one compare; an access pays nothing, because
it comes here through the detectors beside FastTrack only (race_detectors.py).  The pipe blocks when
its reader is slow, so memory is bounded.

A ring (IS_RECORDING = INTO_RING) has no pipe: the newest event replaces the oldest.  It
shows the operations on threads and locks that came before a finding
(runtime/views/sync_history.py).

Left out, unless every access is asked for: an access to bytes of one or two cells (4 aligned bytes)
which repeats the newest access of each: by the same thread, of the same bytes, of the same kind (or
a read after a write), with no operation on threads or locks by anybody in between.

    filter   cell -> slot (address / 4 modulo FILTER_SLOTS)
             {address << 4 | size of the newest access u64,
              operations so far << 26 | thread << 2 | has written << 1 | has read u64}

Soundness of leaving out: let a' repeat a, and b conflict with a'.  Clocks, held locks and what a
thread has acquired change at such operations only, so a and a' have the same relations to every
other thread; and as no access to the place came in between, b comes before both or after both.
So b races with a iff it races with a', reads from equal writes, and every critical section that had
an access to the place still has one.  Which event is the second of a race can change; whether a
variable has one cannot.  (An access of more than two cells is no newest access of any: for
happens-before that is the same.)  In the orders of SHB, MAZ and SyncP accesses stand, too: what
comes after an access of a and before a' may order a, and not a', so they need every access.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, real_write, store_u32, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i64, u64
from irsan.runtime.records.race import trace_records
from irsan.runtime.records.race.trace_records import (
    BUFFER,
    EVENT_BYTES,
    FILTER,
    INTO_RING,
    KIND_SHIFT,
    RING_EPOCH_SHIFT,
)

TIDS = 0xFF_FFFF
TID_SHIFT = 26  # of a stamp, above tid and flags
BUFFER_END = trace_records.BUFFER + trace_records.BUFFER_BYTES
LOW32 = 0xFFFF_FFFF
SLOT_MASK = trace_records.FILTER_SLOTS - 1
EINTR = 4
ATOMIC = 2
OP_ACCESS = trace_records.ACCESS
OP_RESTART = trace_records.RESTART
READ_SEEN = 1
WRITE_SEEN = 2


@kernel(outlined=True)
def hand_over(ctx: Context) -> None:
    """Write the buffer into the pipe and empty it; recording ends when the pipe takes no more.

    A ring is not written anywhere: it begins again.
    """
    if ctx.recording.mode == INTO_RING:
        ctx.recording.laps += 1
        ctx.recording.written_to = BUFFER
        return
    errno = load_u32(ctx.c_library.errno_addr)
    here = u64(BUFFER)
    while here < ctx.recording.written_to:
        n = i64(real_write(ctx.recording.descriptor, here, ctx.recording.written_to - here))
        if n > 0:
            here += u64(n)
        elif n == 0 or u64(load_u32(ctx.c_library.errno_addr)) != EINTR:
            ctx.recording.lost_errno = u64(load_u32(ctx.c_library.errno_addr))
            ctx.recording.mode = 0
            break
    ctx.recording.written_to = BUFFER
    store_u32(ctx.c_library.errno_addr, errno)


@kernel
def append_event(ctx: Context, operation: u64, addr: u64, more: u64) -> None:
    """Put an event of the running thread into the buffer."""
    here = ctx.recording.written_to
    tid = thread_at(ctx.thread).tid & TIDS
    store_u64(here, operation | tid << 8 | u64(ctx.site) << 32)
    store_u64(here + 8, addr)
    store_u64(here + 16, more)
    here += EVENT_BYTES
    ctx.recording.written_to = here
    if here == BUFFER_END:
        hand_over(ctx)


@kernel(outlined=True)
def record_event(ctx: Context, operation: u64, addr: u64, more: u64) -> None:
    """An operation on threads or locks: what any thread accesses from here on is new."""
    ctx.recording.segment += 1
    if ctx.recording.mode == INTO_RING:
        more = more & LOW32 | u64(ctx.epoch) << RING_EPOCH_SHIFT
    append_event(ctx, operation, addr, more)


@kernel(inlined=True)
def note(ctx: Context, operation: u64, addr: u64, more: u64) -> None:
    """record_event, if the run is recorded."""
    if ctx.recording.mode != 0:
        record_event(ctx, operation, addr, more)


@kernel(inlined=True)
def note_in_ring(ctx: Context, operation: u64, addr: u64, more: u64) -> None:
    """record_event of an event for reports only, which is no part of a trace."""
    if ctx.recording.mode == INTO_RING:
        record_event(ctx, operation, addr, more)


@kernel
def is_newest(cell: u64, place: u64, stamp: u64, flag: u64) -> bool:
    """Whether an access is as the newest one of a cell; it is the newest then.  flag 0: atomic."""
    slot = FILTER + (cell & SLOT_MASK) * 16
    known = load_u64(slot + 8)
    if load_u64(slot) != place or known & ~u64(3) != stamp or flag == 0:
        store_u64(slot, place)
        store_u64(slot + 8, stamp | flag if flag != 0 else u64(0))
        return False
    store_u64(slot + 8, known | flag)
    return known & 3 >= flag  # a write covers a read


@kernel
def is_repeated(ctx: Context, addr: u64, size_bytes: u64, kind: u64) -> bool:
    """Whether an access to one or two cells may be left out, see above."""
    place = addr << 4 | size_bytes
    tid = thread_at(ctx.thread).tid & TIDS
    stamp = (ctx.recording.segment << TID_SHIFT | tid << 2) + 4
    flag = u64(WRITE_SEEN) if kind & 1 != 0 else u64(READ_SEEN)
    if kind & ATOMIC != 0:
        flag = u64(0)
    first, last = addr >> 2, (addr + size_bytes - 1) >> 2
    is_known = is_newest(first, place, stamp, flag)
    if last != first:
        return is_newest(last, place, stamp, flag) and is_known
    return is_known


@kernel(outlined=True)
def record_access(ctx: Context, addr: u64, size_bytes: u64, kind: u64) -> None:
    """An access to bytes of the arena."""
    if ctx.recording.is_filtered != 0:
        is_small = (addr & 3) + size_bytes <= 8
        if is_small and is_repeated(ctx, addr, size_bytes, kind):
            return
    append_event(ctx, OP_ACCESS, addr, size_bytes | kind << KIND_SHIFT)


@kernel(outlined=True)
def record_restart(ctx: Context, addr: u64, size_bytes: u64, kind: u64) -> None:
    """Bytes of the arena begin a new life: FREE, ALLOCATION or 0."""
    ctx.recording.segment += 1
    append_event(ctx, OP_RESTART, addr, size_bytes | kind << KIND_SHIFT)
