"""What a recorded run leaves behind: raw events, one after the other, in a buffer and then a pipe.

A run whose reports show a timeline keeps the newest events alone: the buffer is a ring then, and
holds operations on threads and locks, no accesses.

    event   24 bytes {operation u8 | thread number u24 << 8 | site u32 << 32, address u64, more u64}
    buffer  BUFFER_BYTES at BUFFER, handed over whole when it is full
    filter  FILTER_SLOTS of 16 bytes at FILTER, see kernels/race/recording.py

An access: `address`, and size | kind << 48 in `more`, kind as in race_words.py.  Other operations
say what they are about beside their numbers.  In a ring the upper half of `more` is the epoch of
the thread, as it was before the operation.
"""

from __future__ import annotations

from typing import Final

from irsan.runtime.layout import memory_map

EVENT_BYTES: Final = 24
EVENTS_PER_BUFFER: Final = 1 << 15
BUFFER_BYTES: Final = EVENT_BYTES * EVENTS_PER_BUFFER
BUFFER: Final = memory_map.table("trace buffer", BUFFER_BYTES)
FILTER_BITS: Final = 20
FILTER_SLOTS: Final = 1 << FILTER_BITS
FILTER: Final = memory_map.table("trace filter", 16 * FILTER_SLOTS)
KIND_SHIFT: Final = 48

# -- ctx.recording.mode --------------------------------------------------------------------------

INTO_PIPE: Final = 1
INTO_RING: Final = 2
RING_EPOCH_SHIFT: Final = 32

# -- operations ----------------------------------------------------------------------------------
END: Final = 0  # the run is over: nothing is missing
ACCESS: Final = 1
RESTART: Final = 2  # size | kind << 48: FREE, ALLOCATION or 0, memory without a past
FORGET: Final = 3  # the sync object at `address` is gone
ACQUIRE: Final = 4
ACQUIRE_ALL: Final = 5  # what readers have released, too
RELEASE: Final = 6  # added to what was released there
RELEASE_STORE: Final = 7  # in place of it
RELEASE_READ: Final = 8  # for ACQUIRE_ALL only
LOOK: Final = 9  # acquired by the next FENCE_ACQUIRE
FENCE_ACQUIRE: Final = 10
FENCE_RELEASE: Final = 11
PUBLISH: Final = 12  # what FENCE_RELEASE has noted is added to what was released at `address`
CLEAR: Final = 13  # nothing is released there any more
LOCKED: Final = 14  # `more`: mode, as in lock_records
UNLOCKED: Final = 15  # by its writer, thread number in `more`
FORK: Final = 16  # thread number in `address`
JOIN: Final = 17
THREAD_END: Final = 18
FINALIZE: Final = 19  # all that any thread has done is this thread's past
# In a ring only: they order nothing, and people want to see them.
SIGNAL_SENT: Final = 20  # thread number of the receiver in `address`, the signal's in `more`
HANDLER_SET: Final = 21  # address of the handler's description, the signal's number in `more`
HANDLER_BEGIN: Final = 22  # the same
HANDLER_END: Final = 23  # the signal's number in `more`
