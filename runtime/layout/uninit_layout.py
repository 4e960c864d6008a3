"""Where `--sanitize memory` keeps what it knows: one bit per bit, one word per four bytes.

    shadow of A   A + SHADOW_BIAS                   a set bit is not initialised; at first none is
    origin of A   (A & ~3) + ORIGIN_BIAS            u32, where the set bits of these bytes come from
    NOWHERE       zeroes, read instead of the shadow of addresses that have none
    ANYWHERE      written instead of it, never read

Addresses below COVERED_BYTES have shadow: the whole arena.  Others belong to native libraries and
count as initialised.  The ranges are reserved when a run asks for them, without memory behind them.

    origin word   0                  the bytes are as the allocator left them (the heap says which)
                  STACK_BIT | site   a variable of the stack; the site names it
                  NATIVE             natively compiled code has written the bytes since
                  n                  record n of RECORDS
"""

from __future__ import annotations

from typing import Final

from irsan.runtime.layout import memory_map

COVERED_BYTES: Final = memory_map.TIB
_SHADOW_LO: Final = memory_map.UNINITIALISED_SHADOW
# A byte and its shadow differ in their low bits: AMD's first-level caches find a line by a hash of
# bits 12 to 27 of its address, and of two lines with one hash each pushes the other out.
_SKEW_BYTES: Final = 0x155000
SHADOW_BIAS: Final = _SHADOW_LO + _SKEW_BYTES
ORIGIN_BIAS: Final = _SHADOW_LO + 2 * memory_map.TIB
SPARE_BYTES: Final = 4 * memory_map.GIB
# How far from an address code may look for shadow without asking again whether there is any: less
# than what is reserved below all shadow, and in front of NOWHERE and ANYWHERE.
NEAR_BYTES: Final = memory_map.MIB
# Behind the shadow, so that one minimum leads there: see engine/glue/templates/inlined/bits.ll.
NOWHERE: Final = SHADOW_BIAS + COVERED_BYTES + NEAR_BYTES
ANYWHERE: Final = NOWHERE + SPARE_BYTES
RESERVED_LO: Final = _SHADOW_LO
RESERVED_BYTES: Final = 3 * memory_map.TIB

# Shadow of arguments, then of a result.
PASSED: Final = memory_map.table("uninitialised arguments", 256 * memory_map.MIB)
PASSED_BYTES: Final = 4096
RESULT: Final = PASSED + PASSED_BYTES
PASSED_ORIGINS: Final = RESULT + PASSED_BYTES  # one pointer per 8 bytes of arguments
RESULT_ORIGIN: Final = PASSED_ORIGINS + PASSED_BYTES
ARGUMENTS_FOR: Final = RESULT_ORIGIN + 8  # the function whose arguments PASSED describes
RESULT_OF: Final = ARGUMENTS_FOR + 8
# Arguments behind the dots, where the C rules of x86-64 put them: registers, then the stack.
VARIADIC: Final = RESULT_OF + 8
VARIADIC_REGISTERS: Final = 176  # six of 8 bytes, eight of 16
VARIADIC_STACK: Final = 64 * memory_map.MIB  # what lies further behind counts as initialised
VARIADIC_BYTES: Final = VARIADIC_REGISTERS + VARIADIC_STACK
VARIADIC_ORIGINS: Final = VARIADIC + VARIADIC_BYTES  # one pointer per 8 bytes of them
VARIADIC_FOR: Final = VARIADIC_ORIGINS + VARIADIC_BYTES  # the function that VARIADIC is meant for
VARIADIC_SET_FOR: Final = VARIADIC_FOR + 8  # one whose arguments have no undefined bit
VARIADIC_ON_STACK: Final = VARIADIC_SET_FOR + 8  # bytes of arguments of either
PASSED_END: Final = VARIADIC_ON_STACK + 8

WORDS: Final = memory_map.table(
    "uninitialised words", 1 << 16
)  # state of the kernels, one u64 each
IS_ON: Final = WORDS
N_RECORDS: Final = WORDS + 8
FILL_BYTE: Final = 0xBE  # what memory holds when its life begins
POISONS_MALLOC: Final = WORDS + 24
POISONS_FREE: Final = WORDS + 32
REPORTS: Final = WORDS + 40
MAX_STEPS: Final = WORDS + 48  # of a value's way from store to store
CHECKED_ROUTINES: Final = WORDS + 4096  # one byte per interceptor: its reads are uses
POISONS_STACK: Final = WORDS + 56
LIBRARY_UNCHECKED: Final = WORDS + 64  # > 0: reads of library functions are no uses
POISONS_DESTROYED: Final = WORDS + 72  # objects are uninitialised behind their destructor
EXPECTS_USE: Final = WORDS + 80  # __msan_set_expect_umr: the next uses are wanted
USE_FOUND: Final = WORDS + 88  # one came
USE_ORIGIN: Final = WORDS + 96  # its origin word

RECORD_BYTES: Final = 16  # kind u32, stack id u32, origin word before u32, steps u32
INDEX_BITS: Final = 22
MAX_RECORDS: Final = 3 << (INDEX_BITS - 2)
RECORDS: Final = memory_map.table("uninitialised records", (MAX_RECORDS + 1) * RECORD_BYTES)
INDEX: Final = memory_map.table(
    "uninitialised index", 4 << INDEX_BITS
)  # u32 record numbers, hashed

STACK_BIT: Final = 1 << 31
NATIVE: Final = 1

# Kinds of records.
HEAP: Final = 1  # copied from a block of the heap; bytes still as the allocator left them
STORED: Final = 2  # the program stored a value with such bits
MOVED: Final = 3  # the program stored such bytes unchanged
FREED: Final = 4
POISONED: Final = 5  # by __msan_poison and its like
OWN_BLOCK: Final = 6  # by __msan_allocated_memory
FIELDS: Final = 7  # of an object whose destructor has run
CLASS_POINTER: Final = 8  # the pointer to its class's table

MISSING_USE: Final = MAX_RECORDS + 1  # no origin: the program expected a use, and none came
