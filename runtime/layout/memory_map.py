"""Where everything lives: the one map of guest memory, shadow and tables.

    ARENA_LO  0x2000_0000  Context record                          1 MiB
              0x2010_0000  code and constants of the runtime      63 MiB
              0x2400_0000  code of the program                   192 MiB
              0x3000_0000  globals of the program               1279 MiB
              0x7FFF_8000  shadow of the arena: one byte per 8 of any address,
                           (address >> 3) + SHADOW_OFFSET
           0x22_0000_0000  fake stacks, one slot of 16 MiB each
           0x32_0000_0000  guest stacks, as many slots, then room for stacks of up to 1 GiB
           0x60_0000_0000  heap, up to 512 GiB; mappings
    ARENA_HI 0x100_0000_0000
                           shadow of what lies above the arena
    SHADOW_HI 0x1000_7FFF_8000
    RACE_SHADOW            16 bytes per 4 application bytes
    TABLES                 every table of the runtime, by name
    CALL_STACKS            shadow call stacks of all threads

Everything is reserved with MAP_NORESERVE, so only touched pages cost memory.  Code and globals lie
below 2 GiB so that guest code uses the small code model with absolute addresses, and the shadow of
an address is one shift and a displacement of 32 bits.  All values are compile-time constants of the
kernels: "is this address ours" is one unsigned compare.  When a range is taken, irsan starts itself
again with `IRSAN_LAYOUT_SHIFT` set, which moves the far ranges.

Hot words of different ranges lie in different cache lines of the first level, as its way predictor
sees them: it knows a line by bits 6 to 11 of the address and a hash of bits 12 to 27.  The Context,
the first frames of a call stack, the first globals and the heads of the tables would all be the
same line if each began at a round address: they would throw each other out at every access
(one program took 2.6 times its time).  So each has a colour of its own: tables are `_COLOUR_BYTES`
apart beyond their rooms, call stacks and globals begin a little behind their range.

Source: AddressSanitizer's mapping on x86-64 Linux (asan_mapping.h), whose formula this is; the way
predictor of AMD's Zen: Lipp and others, "Take A Way" (AsiaCCS 2020), section 4.
Deviations: heap and stacks lie between the shadow of the arena and that of the rest, where
AddressSanitizer has the shadow of addresses from 1 to 8 TiB; nobody has these.  Shadow of foreign
memory (libc's data, the host's heap) says "ask", and nothing of whose it is.
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

ARENA_LO: Final = 0x2000_0000 - LAYOUT_SHIFT * MIB  # below: restore.lds
ARENA_HI: Final = TIB
ARENA_SIZE: Final = ARENA_HI - ARENA_LO

CONTEXT_ADDR: Final = ARENA_LO
CONTEXT_SYMBOL: Final = "__irsan_context"  # by which the code of programs knows it
CONTEXT_SIZE: Final = MIB
RUNTIME_CODE_LO: Final = ARENA_LO + MIB
RUNTIME_CODE_HI: Final = ARENA_LO + 64 * MIB
PROGRAM_CODE_LO: Final = RUNTIME_CODE_HI
PROGRAM_CODE_HI: Final = ARENA_LO + 256 * MIB
GLOBALS_LO: Final = PROGRAM_CODE_HI
FIRST_GLOBAL: Final = GLOBALS_LO + 3 * 4096  # where the first module's lie
SHADOW_OFFSET: Final = 0x7FFF_8000  # shadow of an address: (address >> 3) + this
GLOBALS_HI: Final = SHADOW_OFFSET

GLOBALS_LIMIT: Final = 0x7F00_0000  # globals of the program end here
START_LO: Final = GLOBALS_LIMIT  # argv, environment, thread-local image
START_HI: Final = GLOBALS_HI

STACKS_LO: Final = 136 * GIB
STACK_SLOT_BYTES: Final = 16 * MIB
DEFAULT_STACK_BYTES: Final = 8 * MIB
MAX_STACK_BYTES: Final = GIB
MAX_LIVE_THREADS: Final = 4096
# One slot per stack slot. They lie below: programs that take the address of an early variable for
# the base of their stack, and find later ones far above it, think that there is room.
FAKE_STACKS_LO: Final = STACKS_LO
STACK_SLOTS_LO: Final = FAKE_STACKS_LO + MAX_LIVE_THREADS * STACK_SLOT_BYTES
BIG_STACKS_LO: Final = STACK_SLOTS_LO + MAX_LIVE_THREADS * STACK_SLOT_BYTES
STACKS_HI: Final = 384 * GIB
N_BIG_UNITS: Final = (STACKS_HI - BIG_STACKS_LO) // STACK_SLOT_BYTES  # what big stacks are made of

HEAP_LO: Final = STACKS_HI
HEAP_HI: Final = ARENA_HI

_FAR_SHIFT: Final = LAYOUT_SHIFT * TIB
ASAN_SHADOW: Final = SHADOW_OFFSET + (ARENA_LO >> 3)  # of the arena
ASAN_SHADOW_SIZE: Final = ARENA_SIZE // 8
SHADOW_HI: Final = SHADOW_OFFSET + (1 << 44)  # of all addresses that a program can have
RACE_SHADOW: Final = 22 * TIB + _FAR_SHIFT
RACE_SHADOW_SIZE: Final = ARENA_SIZE * 4

TABLES: Final = 27 * TIB + _FAR_SHIFT
TABLES_SIZE: Final = TIB
UNINITIALISED_SHADOW: Final = 29 * TIB + _FAR_SHIFT  # uninit_layout.py
POINTER_SLOTS: Final = 33 * TIB + _FAR_SHIFT  # provenance_records.py
CALL_STACKS: Final = 37 * TIB + _FAR_SHIFT  # shadow call stacks, one per live thread
CALL_STACK_BYTES: Final = MAX_STACK_BYTES + STACK_SLOT_BYTES  # the guest's own overflows first
FIRST_FRAME_BYTES: Final = 9 * 64  # from the beginning of a thread's slot there
CALL_STACKS_SIZE: Final = MAX_LIVE_THREADS * CALL_STACK_BYTES + 4096

THREAD_STRIDE: Final = 3072
N_KEYS: Final = 1024  # PTHREAD_KEYS_MAX
SID_BITS: Final = 12  # the race detector's number of a thread, in the top bits of an epoch
MAX_SIDS: Final = 1 << SID_BITS

_COLOUR_BYTES: Final = 17 * 4096  # whole pages: some tables are mapped by themselves

# Every table and its room, in order of address.  Whoever owns one asks for its place by name and
# says how much it needs (`table`), so that no two can overlap, whatever the numbers become.
_ROOMS: Final = (
    ("thread records", GIB),
    ("runnable list", GIB),
    ("exit functions", GIB),
    ("exit places", GIB),
    ("key destructors", GIB),
    ("key values", GIB),
    ("registered globals", GIB),
    ("fake stacks", 2 * GIB),
    ("big stacks", GIB),
    ("foreign ranges", GIB),
    ("thread creations", GIB),
    ("fiber stacks", GIB),
    ("own poison", GIB),
    ("descriptors", GIB),
    ("ignored accesses", GIB),
    ("sleeps", GIB),
    ("robust mutexes", GIB),
    ("mapping zone", GIB),
    ("mapping marks", GIB),
    ("present pages", GIB),
    ("queues", GIB),
    ("external code", GIB),
    ("guarded slots", GIB),
    ("free guarded slots", GIB),
    ("guarded stack", GIB),
    ("access counts", GIB),
    ("held locks", 5 * GIB),
    ("locks", 4 * GIB),
    ("lock order buckets", GIB),
    ("lock order", GIB),
    ("leak search", 2 * GIB),
    ("leak frontier", 8 * GIB),
    ("managed objects", 16 * GIB),
    ("trace buffer", GIB),
    ("trace filter", GIB),
    ("uninitialised arguments", GIB),
    ("uninitialised words", GIB),
    ("uninitialised records", GIB),
    ("uninitialised index", GIB),
    ("provenance words", GIB),
    ("checked functions", GIB),
    ("stack slots", GIB),
    ("moved stack slots", GIB),
    ("recent stacks", GIB),
    ("access stacks", GIB),
    ("stacks", 4 * GIB),
    ("clocks", 4 * GIB),
    ("clock trees", 4 * GIB),
    ("clock walk", GIB),
    ("Lamport times", 16 * GIB),
    ("sids", GIB),
    ("shared mappings", GIB),
    ("library thread-locals", GIB),
    ("timers", GIB),
    ("openmp", 16 * GIB),
    ("openmp labels", GIB),
    ("file times", GIB),
    ("alternate stacks", GIB),
    ("race journal", 4 * GIB),
    ("found races", GIB),
    ("readers", GIB),
    ("common past", GIB),
    ("race records", 16 * GIB),
    ("race record sharing", 2 * GIB),
    ("race transitions", GIB),
    ("race contents", GIB),
    ("expanded pages", 2 * GIB),
    ("sync pages", 2 * GIB),
    ("sync lines", 66 * GIB),
    ("sync objects", 16 * GIB),
    ("sync clocks", 80 * GIB),
    ("schedule words", GIB),
    ("schedule switches", GIB),
    ("schedule events", GIB),
    ("heap units", GIB),
    ("heap spans", 3 * GIB),
    ("heap chunks", 32 * GIB),
    ("chunk owners", GIB),
    ("wide chunks", 64 * GIB),
    ("awaited descriptors", GIB),
)


def _placed(rooms: tuple[tuple[str, int], ...]) -> dict[str, tuple[int, int]]:
    places, lo = {}, TABLES + _COLOUR_BYTES
    for name, size_bytes in rooms:
        places[name] = (lo, size_bytes)
        lo += size_bytes + _COLOUR_BYTES
    if lo > TABLES + TABLES_SIZE or len(places) != len(rooms):
        raise AssertionError("the tables have outgrown their range")
    return places


TABLE_ROOMS: Final = _placed(_ROOMS)  # first address and size of each


def table(name: str, needed_bytes: int) -> int:
    """Address of a table whose owner needs so many bytes; more than its room is an error here."""
    lo, size_bytes = TABLE_ROOMS[name]
    if needed_bytes > size_bytes:
        raise AssertionError(f"the table '{name}' needs {needed_bytes} bytes, has {size_bytes}")
    return lo


def addr_to_shadow(addr: int) -> int:
    """Address of the shadow byte of an address; kernels have their own (checks/shadow.py)."""
    return SHADOW_OFFSET + (addr >> 3)


def room(name: str) -> int:
    """Bytes that a table has."""
    return TABLE_ROOMS[name][1]


THREADS: Final = table("thread records", MAX_LIVE_THREADS * THREAD_STRIDE + 4096)
FIRST_SWAPPED: Final = THREADS + MAX_LIVE_THREADS * THREAD_STRIDE  # host_tls of a new thread
RUN_LIST: Final = table("runnable list", MAX_LIVE_THREADS * 4)
KEY_DESTRUCTORS: Final = table("key destructors", N_KEYS * 8)  # one word per pthread key
KEY_VALUES: Final = table("key values", MAX_LIVE_THREADS * N_KEYS * 8)  # per thread slot
FAKE_STACK_TABLE_BYTES: Final = 256 * KIB
FAKE_STACK_TABLES: Final = table("fake stacks", MAX_LIVE_THREADS * FAKE_STACK_TABLE_BYTES)
"""Which frames of a fake stack are taken."""
