"""Tables of other processes and of limits: no numba here.

    SHARED_ROWS  rows {lo, hi, is named} of 24 bytes, ctx.outside.n_shared of them
    LIMITS       {soft, hard, is set} of 24 bytes for each limit of the process
    OWN_PORTS    one byte per TCP port that a socket of this program has
"""

from __future__ import annotations

from typing import Final

from irsan.runtime.layout import memory_map

SHARED_ROWS: Final = memory_map.table("shared mappings", 800 * memory_map.MIB)
MAX_SHARED: Final = 1 << 20
OWN_PORTS: Final = SHARED_ROWS + 512 * memory_map.MIB
LIMITS: Final = SHARED_ROWS + 640 * memory_map.MIB
N_LIMITS: Final = 16
LIMIT_BYTES: Final = 24
EXEC_ARGUMENTS: Final = SHARED_ROWS + 768 * memory_map.MIB  # the list that execl makes
MAX_EXEC_ARGUMENTS: Final = 1 << 20
