"""What a kernel can find, as numbers, and how its facts lie in `ctx.fault`.

Every fault: [0] kind, [1] address, [2] size in bytes, [3] flags (bit 0 write, bit 1 atomic, bit 2
free, bit 3 inside an interceptor, bit 4 the table of foreign mappings may be too old to be sure),
[4] stack id of the current access, [5] tid.  From [6] on the words belong to the kind and are
described beside it.  `runtime/diagnose*.py` turns them into the report model; nothing else reads
them.
"""

from enum import IntEnum
from typing import Final

# Word of a race and of a bad access: the call has done nothing yet, it is made again.
ASK_AGAIN: Final = 13


class FaultKind(IntEnum):
    """Kinds of faults left by kernels."""

    NONE = 0
    BAD_ACCESS = 1  # [6] first bad byte; the kind in the report comes from its shadow
    WILD_ACCESS = 2  # outside the arena and every readable mapping
    DOUBLE_FREE = 3
    BAD_FREE = 4
    ALLOC_DEALLOC_MISMATCH = 5  # [6] allocation family, [7] deallocation family
    NEW_DELETE_SIZE_MISMATCH = 6  # [6] allocated size, [7] size passed to delete, [8][9] alignments
    PARAM_OVERLAP = 7  # [6] other address, [7] other size; ctx.routine names the function
    NEGATIVE_SIZE = 8
    CALLOC_OVERFLOW = 9  # [6] count, [7] size
    SIZE_TOO_BIG = 10  # [6] limit, [7] bytes needed with redzones
    OUT_OF_MEMORY = 11
    BAD_ALIGNMENT = 12  # [6] alignment, [7] rule: 1 power of two, 2 aligned_alloc, 3 posix_memalign
    BAD_USABLE_SIZE = 13
    REALLOCARRAY_OVERFLOW = 14  # [6] count, [7] size
    STACK_OVERFLOW = 15
    PVALLOC_OVERFLOW = 17
    FREE_SIZE_MISMATCH = 18  # as NEW_DELETE_SIZE_MISMATCH
    INVALID_POINTER_PAIR = 19  # [6] the second pointer
    BAD_ANNOTATION = 20  # [6] number of arguments of a container annotation, [7].. the arguments
    OBJECT_BOUNDS = 21  # [6] address of the object the pointer was derived from, [7] its first
    # byte and [8] its end, when they are known
    BAD_ALLOCATED_SIZE = 22
    WRITE_EXEC = 23  # [6] protection bits
    GUARDED_ACCESS = 24  # the guarded pool: see the kernel file
    GUARDED_DOUBLE_FREE = 25
    GUARDED_INVALID_FREE = 26
    DATA_RACE = 32  # [6] previous epoch, [7] previous stack id, [8] previous flags,
    # [9] previous address, [10] its size, [11] [12] number and address of all races of the access
    MUTEX_MISUSE = 40  # [6] which (lock_records.py), [7] stack of the other call, [8] the lock
    LOCK_ORDER = 41  # [6] edges before this acquisition: see runtime/kernels/locks/lock_order.py
    DEADLOCK = 48
    NATIVE_CRASH = 56
    UNINITIALISED = 72  # [6] origin word, [7] the byte it is of; of what a library function read:
    # [8] the range, [9] its size, [10] offset of the byte
    PROVENANCE = 80  # [6] which (provenance_records.py), [7] row of the pointer's object, [8] of
    # the object hit
