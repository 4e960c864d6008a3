"""Words of `ctx.interface`: events that the program and the host have asked for.

    [0] bits WATCH_*            [1] the block whose free has been announced    [2] bytes until the
    resident size is looked at  [3] limit of it in bytes while it is exceeded, else 0
    [8] 1 when free_size_mismatch is off
    [4] function to call for the host   [5] [6] its arguments   [7] its result
"""

from typing import Final

WATCHES: Final = 0
ANNOUNCED: Final = 1
BUDGET_BYTES: Final = 2
REFUSED_LIMIT_BYTES: Final = 3
CALL_FUNCTION: Final = 4
CALL_FIRST: Final = 5
CALL_SECOND: Final = 6
CALL_RESULT: Final = 7
FREE_SIZES_UNCHECKED: Final = 8

WATCH_HOOKS: Final = 1  # malloc and free hooks of the program
WATCH_RESIDENT: Final = 2  # hard_rss_limit_mb, soft_rss_limit_mb
MEASURE_EVERY_BYTES: Final = 4 << 20
