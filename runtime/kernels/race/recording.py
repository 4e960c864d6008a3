"""Recording: the events of a run, written into a buffer, and from there into a pipe.

    access, sync operation --note--> buffer, BUFFER_BYTES --write(2)--> a process of its own, which
                                                                        makes a trace of them

With recording off a sync operation pays one load and one compare; an access pays nothing, because
it comes here through the detectors beside FastTrack only (race_detectors.py).  The pipe blocks when
its reader is slow, so memory is bounded.

A ring (IS_RECORDING = INTO_RING) has no pipe: what is newest takes the place of what is oldest.  It
tells reports which operations on threads and locks came before a finding
(runtime/views/sync_history.py).

Left out, unless every access is asked for: an access to bytes of one or two cells (4 aligned bytes)
which repeats the newest access of each: by the same thread, of the same bytes, of the same kind (or
a read after a write), with no operation on threads or locks by anybody in between.

    filter   cell -> slot (address / 4 modulo FILTER_SLOTS)
             {address << 4 | size of the newest access u64,
              operations so far << 26 | thread << 2 | has written << 1 | has read u64}

Soundness of leaving out: let a' repeat a, and b conflict with a'.  Clocks, held locks and what a
thread has acquired change at such operations only, so a and a' have the same relations to every
other thread; and as nobody has touched the place in between, b comes before both or after both.
So b races with a iff it races with a', reads from equal writes, and every critical section that had
an access to the place still has one.  Which event is the second of a race can change; whether a
variable has one cannot.  (An access of more than two cells is no newest access of any: for
happens-before that is the same; SHB, MAZ and SyncP may take a read to be of an older write.)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, real_write, store_u32, store_u64
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.records import trace_records

IS_RECORDING = trace_records.IS_RECORDING
INTO_PIPE = np.uint64(trace_records.INTO_PIPE)
RECORDED_TO = trace_records.RECORDED_TO
DESCRIPTOR = trace_records.DESCRIPTOR
IS_FILTERED = trace_records.IS_FILTERED
SEGMENT = trace_records.SEGMENT
LOST_ERRNO = trace_records.LOST_ERRNO
LAPS = trace_records.LAPS

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_2 = np.uint64(2)
U64_3 = np.uint64(3)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
U64_32 = np.uint64(32)
U64_TIDS = np.uint64(0xFF_FFFF)
U64_TID_SHIFT = np.uint64(26)  # of a stamp, above tid and flags
U64_EVENT = np.uint64(trace_records.EVENT_BYTES)
U64_BUFFER = np.uint64(trace_records.BUFFER)
U64_BUFFER_END = np.uint64(trace_records.BUFFER + trace_records.BUFFER_BYTES)
U64_KIND_SHIFT = np.uint64(trace_records.KIND_SHIFT)
U64_INTO_RING = np.uint64(trace_records.INTO_RING)
U64_LOW32 = np.uint64(0xFFFF_FFFF)
U64_RING_EPOCH_SHIFT = np.uint64(trace_records.RING_EPOCH_SHIFT)
U64_FILTER = np.uint64(trace_records.FILTER)
U64_SLOT_MASK = np.uint64(trace_records.FILTER_SLOTS - 1)
U64_EINTR = np.uint64(4)
U64_ATOMIC = np.uint64(2)
OP_ACCESS = np.uint64(trace_records.ACCESS)
OP_RESTART = np.uint64(trace_records.RESTART)
READ_SEEN = np.uint64(1)
WRITE_SEEN = np.uint64(2)


@kernel("void(ctx)", outlined=True)
def hand_over(ctx: Any) -> None:
    """Write the buffer into the pipe and empty it; recording ends when the pipe takes no more.

    A ring is not written anywhere: it begins again.
    """
    if ctx.race[IS_RECORDING] == U64_INTO_RING:
        ctx.race[LAPS] += U64_1
        ctx.race[RECORDED_TO] = U64_BUFFER
        return
    errno = load_u32(ctx.errno_addr)
    here = U64_BUFFER
    while here < ctx.race[RECORDED_TO]:
        n = np.int64(real_write(ctx.race[DESCRIPTOR], here, ctx.race[RECORDED_TO] - here))
        if n > 0:
            here += np.uint64(n)
        elif n == 0 or np.uint64(load_u32(ctx.errno_addr)) != U64_EINTR:
            ctx.race[LOST_ERRNO] = np.uint64(load_u32(ctx.errno_addr))
            ctx.race[IS_RECORDING] = U64_0
            break
    ctx.race[RECORDED_TO] = U64_BUFFER
    store_u32(ctx.errno_addr, errno)


@kernel("void(ctx,u64,u64,u64)")
def append_event(ctx: Any, operation: Any, addr: Any, more: Any) -> None:
    """Put an event of the running thread into the buffer."""
    here = ctx.race[RECORDED_TO]
    tid = thread_at(ctx.thread).tid & U64_TIDS
    store_u64(here, operation | tid << U64_8 | np.uint64(ctx.site) << U64_32)
    store_u64(here + U64_8, addr)
    store_u64(here + U64_16, more)
    here += U64_EVENT
    ctx.race[RECORDED_TO] = here
    if here == U64_BUFFER_END:
        hand_over(ctx)


@kernel("void(ctx,u64,u64,u64)", outlined=True)
def record_event(ctx: Any, operation: Any, addr: Any, more: Any) -> None:
    """An operation on threads or locks: what any thread accesses from here on is new."""
    ctx.race[SEGMENT] += U64_1
    if ctx.race[IS_RECORDING] == U64_INTO_RING:
        more = more & U64_LOW32 | np.uint64(ctx.epoch) << U64_RING_EPOCH_SHIFT
    append_event(ctx, operation, addr, more)


@kernel("void(ctx,u64,u64,u64)", inlined=True)
def note(ctx: Any, operation: Any, addr: Any, more: Any) -> None:
    """record_event, if the run is recorded."""
    if ctx.race[IS_RECORDING] != U64_0:
        record_event(ctx, operation, addr, more)


@kernel("void(ctx,u64,u64,u64)", inlined=True)
def note_in_ring(ctx: Any, operation: Any, addr: Any, more: Any) -> None:
    """record_event of what is told to people only, and is no part of a trace."""
    if ctx.race[IS_RECORDING] == U64_INTO_RING:
        record_event(ctx, operation, addr, more)


@kernel("b1(u64,u64,u64,u64)")
def is_newest(cell: Any, place: Any, stamp: Any, flag: Any) -> Any:
    """Whether an access is as the newest one of a cell; it is the newest then.  flag 0: atomic."""
    slot = U64_FILTER + (cell & U64_SLOT_MASK) * U64_16
    known = load_u64(slot + U64_8)
    if load_u64(slot) != place or known & ~U64_3 != stamp or flag == U64_0:
        store_u64(slot, place)
        store_u64(slot + U64_8, stamp | flag if flag != U64_0 else U64_0)
        return False
    store_u64(slot + U64_8, known | flag)
    return known & U64_3 >= flag  # a write covers a read


@kernel("b1(ctx,u64,u64,u64)")
def is_repeated(ctx: Any, addr: Any, size_bytes: Any, kind: Any) -> Any:
    """Whether an access to one or two cells may be left out, see above."""
    place = addr << U64_4 | size_bytes
    tid = thread_at(ctx.thread).tid & U64_TIDS
    stamp = (ctx.race[SEGMENT] << U64_TID_SHIFT | tid << U64_2) + U64_4
    flag = WRITE_SEEN if kind & U64_1 != U64_0 else READ_SEEN
    if kind & U64_ATOMIC != U64_0:
        flag = U64_0
    first, last = addr >> U64_2, (addr + size_bytes - U64_1) >> U64_2
    is_known = is_newest(first, place, stamp, flag)
    if last != first:
        return is_newest(last, place, stamp, flag) and is_known
    return is_known


@kernel("void(ctx,u64,u64,u64)", outlined=True)
def record_access(ctx: Any, addr: Any, size_bytes: Any, kind: Any) -> None:
    """An access to bytes of the arena."""
    if ctx.race[IS_FILTERED] != U64_0:
        is_small = (addr & U64_3) + size_bytes <= U64_8
        if is_small and is_repeated(ctx, addr, size_bytes, kind):
            return
    append_event(ctx, OP_ACCESS, addr, size_bytes | kind << U64_KIND_SHIFT)


@kernel("void(ctx,u64,u64,u64)", outlined=True)
def record_restart(ctx: Any, addr: Any, size_bytes: Any, kind: Any) -> None:
    """Bytes of the arena begin a new life: FREE, ALLOCATION or 0."""
    ctx.race[SEGMENT] += U64_1
    append_event(ctx, OP_RESTART, addr, size_bytes | kind << U64_KIND_SHIFT)
