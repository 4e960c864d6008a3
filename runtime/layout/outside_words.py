"""Words of ctx.outside about other processes, and the table of shared mappings; no numba here.

    OTHERS       reasons why another process can matter: each child that lives, that the process
                 is a child itself, each mapping of a file that others may have, each peer
    N_CHILDREN   children that were not waited for
    IS_CHILD     1 in a process that was forked
    N_SHARED     rows {lo, hi, is named} of 24 bytes at SHARED_ROWS
    REAL_BASE    real minus virtual time since OTHERS was last 0; 0: not known yet

    OWN_PATH     address of the path by which the program can be started again
    LIMITS_ARE_SET   1 once the program has set a limit
    PROGRAM_INFO     address of a struct dl_phdr_info of the program, 0: none
    OWN_DESCRIPTORS  descriptors of irsan's own + 1, 0: none, MAX_OWN_DESCRIPTORS words
    LIMITS       {soft, hard, is set} of 24 bytes for each limit of the process
    OWN_PORTS    one byte per TCP port that a socket of this program has
"""

from __future__ import annotations

from typing import Final

from irsan.runtime.layout import memory_map

N_TRYING: Final = 0
OTHERS: Final = 4
N_CHILDREN: Final = 5
IS_CHILD: Final = 6
N_SHARED: Final = 7
REAL_BASE: Final = 8
OWN_PATH: Final = 9
LIMITS_ARE_SET: Final = 10
PROGRAM_INFO: Final = 11
OWN_DESCRIPTORS: Final = 12
MAX_OWN_DESCRIPTORS: Final = 4

SHARED_ROWS: Final = memory_map.table("shared mappings", 800 * memory_map.MIB)
MAX_SHARED: Final = 1 << 20
OWN_PORTS: Final = SHARED_ROWS + 512 * memory_map.MIB
LIMITS: Final = SHARED_ROWS + 640 * memory_map.MIB
N_LIMITS: Final = 16
LIMIT_BYTES: Final = 24
EXEC_ARGUMENTS: Final = SHARED_ROWS + 768 * memory_map.MIB  # the list that execl makes
MAX_EXEC_ARGUMENTS: Final = 1 << 20
