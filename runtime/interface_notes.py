"""Words of `ctx.interface` beside those of `interface_words`, which most kernels depend on.

    [20] address of the last array length that was read from freed memory
    [21] bit n: the program cannot replace the handler of signal n
    [25] [26] the managed heap: runtime/java_records.py
    [24] 1 when enable_annotations is off
"""

from typing import Final

COOKIE_OF_FREED: Final = 20
EXCLUSIVE_SIGNALS: Final = 21
ANNOTATIONS_OFF: Final = 24
