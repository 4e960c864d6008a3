"""Events that the program and the host have asked for: bits of `ctx.interface.watches`."""

from typing import Final

WATCH_HOOKS: Final = 1  # malloc and free hooks of the program
WATCH_RESIDENT: Final = 2  # hard_rss_limit_mb, soft_rss_limit_mb
MEASURE_EVERY_BYTES: Final = 4 << 20
