"""Timers of the program and signals that wait with their facts: the plain layout, no numba here.

    TABLE                   [0] rows in use (high-water mark)   [1] signals in the queue
                            [2] CLOCK_REALTIME at the start, ns  [3] timerfds that exist
                            [4] CLOCK_MONOTONIC of the machine when virtual time was 0, ns, where
                                the calendar is the machine's; else 0
            + 4096          one siginfo_t that is being made
            + 8192          u16 by file descriptor: row of its timer + 1
            + 1 MiB         rows: words as below; row 0 is alarm's and setitimer's
            + 16 MiB        queue, oldest first: thread record, number, siginfo_t
"""

from __future__ import annotations

from typing import Final

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
ROW_BYTES: Final = 128
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

# byte offsets in a row
KIND: Final = 0
DUE: Final = 8  # virtual time, 0 = disarmed
PERIOD: Final = 16
CLOCK: Final = 24  # its clock's number
NUMBER: Final = 32  # of the signal
VALUE: Final = 40  # sigev_value
TARGET: Final = 48  # thread record that gets the signal, 0 = the process
TARGET_TID: Final = 56
IS_PENDING: Final = 64  # 1 = its signal was sent and waits in the queue, 2 = in the kernel
OVERRUN: Final = 72  # expirations since it was sent; of a timerfd, those that were not read
TOLD_OVERRUN: Final = 80  # what the last signal that was taken has said
FUNCTION: Final = 88
STACK_BYTES: Final = 96  # of the thread that calls it
CREATOR: Final = 104  # its tid
CREATION_STACK: Final = 112
FILE: Final = 120  # a descriptor of it
N_FILES: Final = VALUE  # how many descriptors a timerfd has
