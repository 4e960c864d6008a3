"""Where each option of the run lies in `ctx.options`: one number per option, one default.

    ctx.options   u64[64]   indexed by the constants below

Kernels read the words; the engine writes them once, from the flags, before the program starts.
Units end the names.  A boolean is 0 or 1.

Source of the defaults: AddressSanitizer's run-time flags, except where a line says otherwise.
"""

from __future__ import annotations

from typing import Any, Final

MIN_REDZONE_BYTES: Final = 0
MAX_REDZONE_BYTES: Final = 1
QUARANTINE_BYTES: Final = 2
MALLOC_CONTEXT_SIZE: Final = 3
MAX_MALLOC_FILL_BYTES: Final = 4
MALLOC_FILL_BYTE: Final = 5
MAX_FREE_FILL_BYTES: Final = 6
FREE_FILL_BYTE: Final = 7
ALLOCATOR_MAY_RETURN_NULL: Final = 8
ALLOC_DEALLOC_MISMATCH: Final = 9
NEW_DELETE_TYPE_MISMATCH: Final = 10
POISON_HEAP: Final = 11
POISON_PARTIAL: Final = 12
POISON_ARRAY_COOKIE: Final = 13
MAX_ALLOCATION_BYTES: Final = 14
FREES_ON_REALLOC_ZERO: Final = 15
CHECK_MALLOC_USABLE_SIZE: Final = 16
ALLOW_USER_POISONING: Final = 17
DETECT_CONTAINER_OVERFLOW: Final = 18
REPLACE_STR: Final = 19
REPLACE_INTRIN: Final = 20
STRICT_STRING_CHECKS: Final = 21
DETECT_STACK_USE_AFTER_RETURN: Final = 22
DETECT_INVALID_POINTER_PAIRS: Final = 23
STRICT_MEMCMP: Final = 24
SWITCHED_OFF: Final = 25  # bits OFF_*: families whose ranges are not checked
CHECK_PRINTF: Final = 26
CHECK_INIT_ORDER: Final = 27
STRICT_INIT_ORDER: Final = 28
CHECK_UNMALLOCED_FREE: Final = 29
DETECT_WRITE_EXEC: Final = 30
CHECK_OBJECT_BOUNDS: Final = 31  # 0 off, 1 on, 2 struct fields too
GUARDED_SLOTS: Final = 32  # of the guarded pool, 0 = no pool
GUARDED_SAMPLE_RATE: Final = 33
GUARDED_RIGHT_ALIGN: Final = 34
GUARDED_RECOVERABLE: Final = 35
MACHINE_BYTES: Final = 40  # what one request may ask for at most: the system would refuse more
MAX_STACK_FILL_BYTES: Final = 41
STACK_FILL_BYTE: Final = 42
DETECT_DEADLOCKS: Final = 48
ATEXIT_SLEEP_NS: Final = 49  # virtual time that other threads have at the end
RACE_DETECTOR: Final = 60  # index in RACE_DETECTORS
CLOCK: Final = 61  # bits CLOCK_*; from bit 8 on: with fewer sids than this there are no trees
SCHEDULER: Final = 62  # index in SCHEDULERS

SCHEDULERS: Final = (
    "random", "round_robin", "pct", "pos", "uniform", "urw", "surw", "delay", "preempt",
    "race_directed", "script", "rff",
)  # fmt: skip
FIRST_EXPLORING: Final = SCHEDULERS.index("pct")  # from here on: schedulers/exploring.py
RACE_DETECTORS: Final = ("fasttrack", "vector", "djit", "tsan", "lockset")

CLOCK_TREES: Final = 1  # clocks are trees, not plain vectors
CLOCK_LAMPORT: Final = 2  # note the Lamport time of every epoch
CLOCK_SIDS_SHIFT: Final = 8

OFF_STRSTR: Final = 1
OFF_STRSPN: Final = 2
OFF_STRTOK: Final = 4
OFF_STRPBRK: Final = 8
OFF_STRCMP: Final = 16
OFF_STRLEN: Final = 32
OFF_STRCHR: Final = 64
OFF_MEMCMP: Final = 128
OFF_MEMMEM: Final = 256
OFF_SEND: Final = 512
OFF_STAT: Final = 1024
OFF_STRNDUP: Final = 2048

DEFAULTS: Final[dict[int, int]] = {
    MIN_REDZONE_BYTES: 16,
    MAX_REDZONE_BYTES: 2048,
    QUARANTINE_BYTES: 256 << 20,
    MALLOC_CONTEXT_SIZE: 30,
    MAX_MALLOC_FILL_BYTES: 4096,
    MALLOC_FILL_BYTE: 0xBE,
    MAX_FREE_FILL_BYTES: 0,
    FREE_FILL_BYTE: 0x55,
    ALLOCATOR_MAY_RETURN_NULL: 0,
    ALLOC_DEALLOC_MISMATCH: 1,
    NEW_DELETE_TYPE_MISMATCH: 1,
    POISON_HEAP: 1,
    POISON_PARTIAL: 1,
    POISON_ARRAY_COOKIE: 1,
    MAX_ALLOCATION_BYTES: 1 << 40,
    FREES_ON_REALLOC_ZERO: 1,
    CHECK_MALLOC_USABLE_SIZE: 1,
    ALLOW_USER_POISONING: 1,
    DETECT_CONTAINER_OVERFLOW: 1,
    REPLACE_STR: 1,
    REPLACE_INTRIN: 1,
    STRICT_STRING_CHECKS: 0,
    DETECT_STACK_USE_AFTER_RETURN: 1,
    DETECT_INVALID_POINTER_PAIRS: 0,
    STRICT_MEMCMP: 1,
    SWITCHED_OFF: 0,
    CHECK_PRINTF: 1,
    CHECK_INIT_ORDER: 0,
    STRICT_INIT_ORDER: 0,
    CHECK_UNMALLOCED_FREE: 1,
    DETECT_WRITE_EXEC: 0,
    CHECK_OBJECT_BOUNDS: 1,
    GUARDED_SLOTS: 0,
    GUARDED_SAMPLE_RATE: 5000,
    GUARDED_RIGHT_ALIGN: 0,
    GUARDED_RECOVERABLE: 0,
    MACHINE_BYTES: 1 << 62,
    MAX_STACK_FILL_BYTES: 32 << 10,
    STACK_FILL_BYTE: 0xBE,
    DETECT_DEADLOCKS: 1,
    ATEXIT_SLEEP_NS: 1_000_000_000,
    RACE_DETECTOR: 0,
    CLOCK: 0,
    SCHEDULER: 0,
}


def set_default_options(ctx: Any) -> None:
    """Write every default into `ctx["options"]` (a Context record)."""
    for index, value in DEFAULTS.items():
        ctx["options"][index] = value
