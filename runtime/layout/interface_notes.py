"""Words of `ctx.interface` beside those of `interface_words`, which most kernels depend on.

    [20] address of the last array length that was read from freed memory
    [21] bit n: the program cannot replace the handler of signal n
    [25] [26] the managed heap: runtime/records/java_records.py
    [24] 1 when enable_annotations is off
    [27] 1 in the child of a fork that other threads did not survive, when it may start none
    [28] memory order added to that of every atomic operation: force_seq_cst_atomics
    [29] 1 when ignore_interceptors_accesses is on
    [30] 1 when detect_invalid_join is off
"""

from typing import Final

COOKIE_OF_FREED: Final = 20
EXCLUSIVE_SIGNALS: Final = 21
ANNOTATIONS_OFF: Final = 24
MAY_NOT_START: Final = 27
ADDED_ORDER: Final = 28
SEQ_CST: Final = 5
LIBRARY_UNSEEN: Final = 29
JOINS_UNCHECKED: Final = 30
