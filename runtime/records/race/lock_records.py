"""Where the race detector's facts about locks lie, for its kernels and for who reads them.

The records are described in runtime/kernels/locks/lock_table.py, the edges in
runtime/kernels/locks/lock_order.py.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from irsan.runtime.layout import memory_map

LOCK_DTYPE = np.dtype(
    [
        ("address", "u8"),
        ("creation_stack", "u4"),
        ("newest_stack", "u4"),  # of the newest acquisition, or of the end of a destroyed one
        ("owner", "u4"),  # tid + 1 of who has it for writing
        ("depth", "u4"),
        ("n_readers", "u4"),
        ("flags", "u4"),
        ("spare", "u8", (4,)),
    ],
    align=True,
)
RECORD_BYTES: Final = LOCK_DTYPE.itemsize
MAX_LOCKS: Final = (1 << 26) - 1
LOCKS: Final = memory_map.table("locks", (MAX_LOCKS + 1) * RECORD_BYTES)
# bits of a lock's flags
BROKEN: Final = 1  # misused, and reported so
DESTROYED: Final = 2
LEADS_ON: Final = 4  # held while another was taken: edges start here
IN_CYCLE: Final = 8  # in a cycle of the lock order that is no deadlock so far
IS_STATIC: Final = 16  # annotated: made by the linker, lives as long as the program
NOT_STATIC: Final = 32  # annotated: must not be used once it is destroyed

HELD_DTYPE = np.dtype(
    [
        ("number", "u4"),  # of the lock
        ("stack", "u4"),  # of the acquisition
        ("mode", "u4"),
        ("depth", "u4"),
    ],
    align=True,
)
HELD_ENTRY_BYTES: Final = HELD_DTYPE.itemsize
MAX_HELD: Final = 1 << 16
HELD_BYTES: Final = MAX_HELD * HELD_ENTRY_BYTES
HELD: Final = memory_map.table("held locks", memory_map.MAX_LIVE_THREADS * HELD_BYTES)
# how a lock is held
MODE_WRITE: Final = 1
MODE_TRIED: Final = 2  # taken by a call that cannot wait for ever

EDGE_BUCKET_BITS: Final = 20
EDGE_BUCKETS: Final = memory_map.table("lock order buckets", 4 << EDGE_BUCKET_BITS)
#: `held` and `taken` are numbers of locks, and `pair` both; `tid` and `lockset` together are `who`
EDGE_DTYPE = np.dtype(
    {
        "names": ["pair", "held", "taken", "who", "tid", "lockset", "held_stack", "taken_stack",
                  "next", "mode"],
        "formats": ["u8", "u4", "u4", "u8", "u4", "u4", "u4", "u4", "u4", "u4"],
        "offsets": [0, 0, 4, 8, 8, 12, 16, 20, 24, 28],
    },
    align=True,
)  # fmt: skip
EDGE_BYTES: Final = EDGE_DTYPE.itemsize
MAX_EDGES: Final = (1 << 25) - 1
EDGES: Final = memory_map.table("lock order", (MAX_EDGES + 1) * EDGE_BYTES)
MAX_VARIANTS: Final = 16  # edges kept for one pair of locks

# In a stack of the race history: a site with this bit is the lockset of the access.
LOCKSET_MARK: Final = 1 << 31

# which misuse, fault[6] of MUTEX_MISUSE
DESTROY_LOCKED: Final = 1
DOUBLE_LOCK: Final = 2
INVALID_ACCESS: Final = 3
BAD_UNLOCK: Final = 4
BAD_READ_LOCK: Final = 5
BAD_READ_UNLOCK: Final = 6
WAIT_WITHOUT_MUTEX: Final = 7
WAIT_WITH_TWO_MUTEXES: Final = 8
ENDED_HOLDING: Final = 9
HELD_WRONGLY: Final = 10  # fault[9]: lockset of the thread
IGNORES_LEFT: Final = 11  # no lock: a thread ends that still ignores accesses or synchronisation
