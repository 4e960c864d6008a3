"""Thread-locals of libraries that the program opens: where each thread's are noted; numbers only.

    dtv of the process's one OS thread   capacity | generation | module 1 | module 2 | ...
    row of a thread, one per slot        generation | module FIRST | module FIRST + 1 | ...

A module has two words: the address of the thread's block, and what to free for it.  Modules below
FIRST were there before the program and belong to the host.  A row of zeroes is that of a thread
which has touched no such block.

Source: glibc's sysdeps/generic/dl-dtv.h, elf/dl-tls.c; its x86-64 tls.h for where the dtv is found.
"""

from __future__ import annotations

from typing import Final

from irsan.runtime.layout import memory_map

DTV_OFFSET: Final = 8  # from the thread pointer
MODULE_BYTES: Final = 16
MAX_MODULES: Final = 1023  # what a row has room for: more are shared by all threads
ROW_BYTES: Final = MODULE_BYTES * (MAX_MODULES + 1)
ROWS: Final = memory_map.table(
    "library thread-locals", ROW_BYTES * memory_map.MAX_LIVE_THREADS
)  # per slot
