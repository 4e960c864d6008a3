"""Timers of the program and signals that wait with their facts: the plain layout, no numba here.

    TABLE                   [0] rows in use (high-water mark)   [1] signals in the queue
                            [2] CLOCK_REALTIME at the start, ns  [3] timerfds that exist
                            [4] CLOCK_MONOTONIC of the machine when virtual time was 0, ns, where
                                the calendar is the machine's; else 0
            + 4096          one siginfo_t that is being made
            + 8192          u16 by file descriptor: row of its timer + 1
            + 1 MiB         rows: TIMER_DTYPE; row 0 is alarm's and setitimer's
            + 16 MiB        queue, oldest first: thread record, number, siginfo_t
"""

from __future__ import annotations

from typing import Final

import numpy as np

from irsan.runtime.layout import memory_map

TABLE: Final = memory_map.table("timers", 20 * memory_map.MIB)
N_ROWS: Final = TABLE
N_QUEUED: Final = TABLE + 8
REALTIME_START: Final = TABLE + 16
N_DESCRIPTORS: Final = TABLE + 24
REAL_START: Final = TABLE + 32
INFO: Final = TABLE + 4096
BY_DESCRIPTOR: Final = TABLE + 8192
MAX_DESCRIPTOR: Final = 1 << 18
ROWS: Final = TABLE + memory_map.MIB
MAX_ROWS: Final = 1 << 14
QUEUE: Final = TABLE + 16 * memory_map.MIB
QUEUED_BYTES: Final = 144
MAX_QUEUED: Final = 1 << 14
INFO_BYTES: Final = 128

# what happens when a timer rings; 0 = the row is free
FREE: Final = 0
SIGNAL: Final = 1
NOTHING: Final = 2
THREAD: Final = 3
DESCRIPTOR: Final = 4
ALARM: Final = 5  # as SIGNAL, and the signal says nothing of a timer

_WORDS: Final = (
    "kind",
    "due",  # virtual time, 0 = disarmed
    "period",
    "clock",  # its clock's number
    "number",  # of the signal
    "value",  # sigev_value
    "target",  # thread record that gets the signal, 0 = the process
    "target_tid",
    "is_pending",  # 1 = its signal was sent and waits in the queue, 2 = in the kernel
    "overrun",  # expirations since it was sent; of a timerfd, those that were not read
    "told_overrun",  # what the last signal that was taken has said
    "function",
    "stack_bytes",  # of the thread that calls it
    "creator",  # its tid
    "creation_stack",
    "file",  # a descriptor of it
)
#: a word each; `n_files` is that of `value`: how many descriptors a timerfd has
TIMER_DTYPE: Final = np.dtype(
    {
        "names": [*_WORDS, "n_files"],
        "formats": ["u8"] * (len(_WORDS) + 1),
        "offsets": [*range(0, 8 * len(_WORDS), 8), 8 * _WORDS.index("value")],
    },
    align=True,
)
ROW_BYTES: Final = TIMER_DTYPE.itemsize
