"""Where everything lives: the one map of guest memory, shadow and tables.

    ARENA_LO  0x6000_0000  Context record                          1 MiB
              0x6010_0000  code and constants of the runtime      63 MiB
              0x6400_0000  code of the program                   192 MiB
              0x7000_0000  globals of the program                256 MiB
              0x8000_0000  guest stacks, one slot of 16 MiB each, then as many fake stacks
           0x10_0000_0000  heap, up to 1 TiB
    ARENA_HI 0x100_0000_0000
    ASAN_SHADOW            one byte per 8 application bytes
    RACE_SHADOW            16 bytes per 4 application bytes
    TABLES                 thread records, clocks, depot, chunk and side records

Everything is reserved with MAP_NORESERVE, so only touched pages cost memory.  Code and globals lie
below 2 GiB so that guest code uses the small code model with absolute addresses.  All values are
compile-time constants of the kernels: "is this address ours" is one unsigned compare.  When a range
is taken, irsan starts itself again with `IRSAN_LAYOUT_SHIFT` set, which moves the far ranges.

Deviation from AddressSanitizer: the shadow covers the arena only, by offset; a foreign address
(libc's data, the host's heap) takes the slow path.
"""

from __future__ import annotations

import os
from typing import Final

from irsan.errors import UsageError

KIB: Final = 1 << 10
MIB: Final = 1 << 20
GIB: Final = 1 << 30
TIB: Final = 1 << 40

MAX_LAYOUT_SHIFT: Final = 15  # higher ones would move the arena below the lowest mapping


def slot_to_thread(slot: int) -> int:
    """Address of the record of the thread in a slot."""
    return THREADS + slot * THREAD_STRIDE


def _layout_shift(text: str) -> int:
    if text.isascii() and text.isdecimal() and int(text[:9]) <= MAX_LAYOUT_SHIFT:
        return int(text)
    raise UsageError(f"IRSAN_LAYOUT_SHIFT={text}: expected a number from 0 to {MAX_LAYOUT_SHIFT}")


LAYOUT_SHIFT: Final = _layout_shift(os.environ.get("IRSAN_LAYOUT_SHIFT") or "0")

ARENA_LO: Final = 0x6000_0000 - LAYOUT_SHIFT * 64 * MIB
ARENA_HI: Final = TIB
ARENA_SIZE: Final = ARENA_HI - ARENA_LO

CONTEXT_ADDR: Final = ARENA_LO
CONTEXT_SIZE: Final = MIB
RUNTIME_CODE_LO: Final = ARENA_LO + MIB
RUNTIME_CODE_HI: Final = ARENA_LO + 64 * MIB
PROGRAM_CODE_LO: Final = RUNTIME_CODE_HI
PROGRAM_CODE_HI: Final = ARENA_LO + 256 * MIB
GLOBALS_LO: Final = PROGRAM_CODE_HI
GLOBALS_HI: Final = 0x8000_0000

GLOBALS_LIMIT: Final = GLOBALS_HI - 16 * MIB  # globals of the program end here
START_LO: Final = GLOBALS_LIMIT  # argv, environment, thread-local image
START_HI: Final = GLOBALS_HI

STACKS_LO: Final = 0x8000_0000
STACKS_HI: Final = 64 * GIB
STACK_SLOT_BYTES: Final = 16 * MIB
DEFAULT_STACK_BYTES: Final = 8 * MIB
N_STACK_SLOTS: Final = (STACKS_HI - STACKS_LO) // STACK_SLOT_BYTES // 2
FAKE_STACKS_LO: Final = STACKS_LO + N_STACK_SLOTS * STACK_SLOT_BYTES  # one slot per stack slot

HEAP_LO: Final = STACKS_HI
HEAP_HI: Final = ARENA_HI

_FAR_SHIFT: Final = LAYOUT_SHIFT * TIB
ASAN_SHADOW: Final = TIB + _FAR_SHIFT
ASAN_SHADOW_SIZE: Final = ARENA_SIZE // 8
RACE_SHADOW: Final = 2 * TIB + _FAR_SHIFT
RACE_SHADOW_SIZE: Final = ARENA_SIZE * 4

TABLES: Final = 8 * TIB + _FAR_SHIFT
TABLES_SIZE: Final = TIB
THREADS: Final = TABLES  # thread records
THREAD_STRIDE: Final = 1024
MAX_LIVE_THREADS: Final = N_STACK_SLOTS
CLOCKS: Final = TABLES + 16 * GIB  # vector clocks
DEPOT: Final = TABLES + 64 * GIB  # StackDepot nodes and buckets
CHUNKS: Final = TABLES + 128 * GIB  # allocator metadata
SIDE: Final = TABLES + 512 * GIB  # expanded race cells, read sets, sync objects
EXTRA: Final = TABLES + 768 * GIB  # site table, foreign ranges, held locks and the rest
FOREIGN_RANGES: Final = EXTRA + 64 * GIB  # sorted table of mappings outside the arena
REGISTERED_GLOBALS: Final = EXTRA + 4 * GIB  # tables of globals that the program has registered
FAKE_STACK_TABLES: Final = EXTRA + 5 * GIB  # which frames of a fake stack are taken
FAKE_STACK_TABLE_BYTES: Final = 256 * KIB
EXIT_NODES: Final = EXTRA + 1 * GIB  # functions to run at exit
N_KEYS: Final = 1024
KEY_DESTRUCTORS: Final = EXTRA + 2 * GIB  # one word per pthread key
KEY_VALUES: Final = EXTRA + 3 * GIB  # N_KEYS words per thread slot
CALL_STACKS: Final = EXTRA + 128 * GIB  # shadow call stacks, one slot per live thread
CALL_STACK_BYTES: Final = STACK_SLOT_BYTES  # so the guest's own stack overflows first
