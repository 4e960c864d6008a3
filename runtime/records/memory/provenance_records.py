"""Where `--sanitize provenance` keeps what it knows of pointers and objects.

    SLOTS     per 8 bytes of memory: the pointer that was stored there, and the id of its object;
              the pointer's upper three bits say how far behind a multiple of 8 it begins
    OWNERS    per 8 bytes of memory: the id of the object that begins, or on the stack lies, there
    OBJECTS   a row of 64 bytes per object
    NOWHERE   zeroes, read instead of slots of memory that has none; ANYWHERE is written instead

    id        generation << 32 | index of the row; 0: nothing is known of the pointer, it is never
              reported; UNEXPOSED: made of a number that no exposed object explains

Rows are used again: those of heap, stack and globals in rings of their own, the dead ones first.
An id whose row is another's by now says nothing.  Addresses below COVERED_BYTES have slots: the
whole arena.  The ranges are reserved when a run asks for them, without memory behind them.
"""

from __future__ import annotations

from typing import Final

from irsan.runtime.layout import memory_map

COVERED_BYTES: Final = memory_map.TIB
SLOTS: Final = memory_map.POINTER_SLOTS
OWNERS: Final = SLOTS + 2 * memory_map.TIB
OBJECTS: Final = OWNERS + memory_map.TIB
NOWHERE: Final = OBJECTS + 32 * memory_map.GIB
ANYWHERE: Final = NOWHERE + 4096
RESERVED_BYTES: Final = 3 * memory_map.TIB + 33 * memory_map.GIB
SLOT_BYTES: Final = 16

ROW_BYTES: Final = 64
INDEX_BITS: Final = 28
UNEXPOSED: Final = 1
HEAP_FIRST: Final = 2
N_HEAP_ROWS: Final = 1 << 22
STACK_FIRST: Final = 1 << 26
N_STACK_ROWS: Final = 1 << 20
GLOBAL_FIRST: Final = 1 << 27
N_GLOBAL_ROWS: Final = 1 << 24

# Bytes in a row.
ROW_LO: Final = 8
ROW_EXTENT: Final = 16  # bytes that may be accessed: none of a dead object
ROW_SIZE: Final = 24
ROW_STATE: Final = 32
ROW_EXPOSED: Final = 40  # whether the address has become a number
ROW_BORN: Final = 48  # u32 stack id of the allocation; of the stack's objects, their site
ROW_BORN_TID: Final = 52
ROW_DIED: Final = 56  # u32 stack id
ROW_DIED_TID: Final = 60

ALIVE: Final = 1
DEAD: Final = 2

WORDS: Final = memory_map.table("provenance words", 1 << 20)  # state of the kernels, one u64 each
IS_ON: Final = WORDS
NEXT_HEAP: Final = WORDS + 8  # rows handed out so far, by each ring
NEXT_STACK: Final = WORDS + 16
NEXT_GLOBAL: Final = WORDS + 24
ARGUMENTS_FOR: Final = WORDS + 32  # the function that PASSED is meant for
RESULT_OF: Final = WORDS + 40
RESULT: Final = WORDS + 48  # a pair of pointer and id
RESULT_ID: Final = RESULT + 8
VARIADIC_FOR: Final = WORDS + 64  # the function that the variable arguments are meant for
N_VARIADIC: Final = WORDS + 72  # how many of them are registered
VARIADIC_BYTES: Final = WORDS + 80  # arguments on the stack
PASSED: Final = WORDS + (1 << 17)  # pairs of pointer and id, one per pointer in the parameters
N_PASSED: Final = 8192
VARIADIC: Final = WORDS + 8192  # place << 1 | whether it is a copy; pointer, id or source, size
VARIADIC_ROW_BYTES: Final = 24
MAX_VARIADIC: Final = 4096
N_VARIADIC_REGISTERS: Final = 6  # the first places, then each 8 bytes of the stack is one

FUNCTION_BITS: Final = 20
FUNCTIONS: Final = memory_map.table("checked functions", 8 << FUNCTION_BITS)  # a hash table of u64
MAX_SHOWN_BYTES: Final = 4096  # of what a pointer leads to that others get

PLACE_SHIFT: Final = 61  # of the upper bits of a slot's first word

INITIAL_BYTES: Final = 24  # a pointer in a global's initial value: its place, itself, its object

# Which fault it is, word 6 of one.
OUTSIDE: Final = 1
DIED: Final = 2
GUESSED: Final = 3
