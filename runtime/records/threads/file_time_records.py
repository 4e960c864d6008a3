"""What file times mean to the program: the plain layout, no numba here.

    TABLE                   [0] moments noted   [1] times that the program has set itself
            + 4096          scratch: one struct timespec
            + 8192          times that the program has set, ns, the last SET_LIMIT of them
            + 1 MiB         moments: host's clock ns, guest's calendar ns
"""

from __future__ import annotations

from typing import Final

from irsan.runtime.layout import memory_map

TABLE: Final = memory_map.table("file times", 2 * memory_map.MIB + 8192)
N_MOMENTS: Final = TABLE
N_SET: Final = TABLE + 8
SCRATCH_TIME: Final = TABLE + 4096
SET_TIMES: Final = TABLE + 8192
SET_LIMIT: Final = 1 << 12
MOMENTS: Final = TABLE + memory_map.MIB
MOMENT_BYTES: Final = 16
MAX_MOMENTS: Final = 1 << 16
